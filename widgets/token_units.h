// Token units: what the strip shows as one frame: a token, or the tokens of a word, line or paragraph, or of
// a match (pattern_units.h). Tokens that split one character (bytes of a Chinese character, the parts of a
// joined emoji) always share a frame. Threads: pure functions.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <vector>

namespace orthros::widgets {

enum class Granularity { Token, Word, Line, Paragraph, Pattern };

struct TokenUnit {
  qsizetype begin = 0, end = 0;  // tokens
  QString text;                  // visible
  bool isMatch = false;          // of a pattern
};

/// Bytes as text, a replacement character for each byte that is part of no character.
struct DecodedText {
  QString text;
  std::vector<qsizetype> offsets;  // [UTF-16 units]: the byte at which its character begins
};
DecodedText decodedText(const QByteArray& bytes);

/// By pattern as by token: patternUnits makes them.
std::vector<TokenUnit> tokenUnits(const QList<QByteArray>& pieces, Granularity granularity);

/// "e4 bd a0"
QString hexOf(const QByteArray& bytes);

/// Lines for a tooltip as escaped HTML (a token may look like markup), folded after 80 characters.
QString plainTip(const QStringList& lines);

/// The whole unit for a tooltip, as escaped HTML in lines of at most 80 characters: place, text, bytes of
/// each token, and the lines of `more` (plain text).
QString unitTip(const QList<QByteArray>& pieces, const TokenUnit& unit, const QStringList& more = {});

}  // namespace orthros::widgets
