// Token bytes as text that can be seen: white space and broken characters have glyphs of their own.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace orthros::widgets {

/// " the" -> "·the", "\n" -> "⏎", bytes that are no whole character -> "‹e4 bd›", nothing -> "∅".
QString visibleToken(const QByteArray& bytes);

/// The visible text of one whole character; the same where it needs no glyph of its own.
QString visibleCharacter(const QString& character);
/// Length of the UTF-8 character at `at`; 0 when it is broken or cut off.
qsizetype characterLength(const QByteArray& bytes, qsizetype at);

/// Of visible tokens: this one is the first after a blank line, or the first of all.
bool startsParagraph(const QStringList& visible, qsizetype at);

/// Ends a line of text when shown.
bool endsLine(const QByteArray& bytes);

}  // namespace orthros::widgets
