// Token bytes as text that can be seen: white space and broken characters have glyphs of their own.
#pragma once

#include <QByteArray>
#include <QString>

namespace orthros::widgets {

/// " the" -> "·the", "\n" -> "⏎", bytes that are no whole character -> "‹e4 bd›", nothing -> "∅".
QString visibleToken(const QByteArray& bytes);

/// Ends a line of text when shown.
bool endsLine(const QByteArray& bytes);

}  // namespace orthros::widgets
