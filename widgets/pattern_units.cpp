#include "widgets/pattern_units.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QRegularExpression>
#include <algorithm>

#include "widgets/token_text.h"

namespace orthros::widgets {
namespace {

struct PatternText {
  Q_DECLARE_TR_FUNCTIONS(PatternText)
};

// Backtracking is bounded at each place of the text by PCRE2, and over all places by the budget: one search
// over the whole text could not be interrupted.
const QLatin1String kLimit("(*LIMIT_MATCH=100000)");
constexpr qsizetype kPlacesPerLook = 64;  // at the clock

struct Match {
  qsizetype begin = 0, end = 0;  // UTF-16 units
};

// Matches that are not empty, in order; false when the text is too much for the pattern.
bool findMatches(const QRegularExpression& expression, const QString& text, const QDeadlineTimer& deadline,
                 std::vector<Match>& matches, PatternUnits& made) {
  qsizetype looks = 0;
  for (qsizetype at = 0; at < text.size();) {
    const QRegularExpressionMatch match =
        expression.match(text, at, QRegularExpression::NormalMatch,
                         QRegularExpression::AnchorAtOffsetMatchOption |
                             QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!match.isValid()) {
      made.problem = PatternText::tr("needs too many steps at character %1 of the text").arg(at + 1);
      return false;
    }
    if (++looks % kPlacesPerLook == 0 && deadline.hasExpired()) {
      made.problem = PatternText::tr("takes too long on this text");
      return false;
    }
    if (match.capturedLength() > 0) {
      matches.push_back({match.capturedStart(), match.capturedEnd()});
      at = match.capturedEnd();
    } else {
      at += text[at].isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate() ? 2 : 1;
    }
  }
  return true;
}

}  // namespace

PatternUnits patternUnits(const QList<QByteArray>& pieces, const QString& pattern,
                          std::chrono::milliseconds budget) {
  PatternUnits made;
  const QDeadlineTimer deadline(budget);
  QRegularExpression expression(
      kLimit + pattern, QRegularExpression::UseUnicodePropertiesOption | QRegularExpression::MultilineOption);
  if (!expression.isValid()) {
    made.problem = expression.errorString();
    made.problemAt = std::max<qsizetype>(0, expression.patternErrorOffset() - kLimit.size());
    return made;
  }
  QByteArray bytes;
  for (const QByteArray& piece : pieces) bytes += piece;
  const DecodedText decoded = decodedText(bytes);
  std::vector<Match> matches;
  if (!pattern.isEmpty() && !findMatches(expression, decoded.text, deadline, matches, made)) return made;
  auto match = matches.begin();
  auto last = matches.end();  // the match that the unit before is in
  qsizetype byte = 0;
  qsizetype piece = 0;
  for (const TokenUnit& unit : tokenUnits(pieces, Granularity::Token)) {
    const qsizetype firstByte = byte;
    for (; piece < unit.end; ++piece) byte += pieces[piece].size();
    const auto offsetOf = [&](qsizetype of) {
      return std::ranges::lower_bound(decoded.offsets, of) - decoded.offsets.begin();
    };
    const qsizetype end = offsetOf(byte);
    qsizetype begin = offsetOf(firstByte);
    while (begin + 1 < end && decoded.text[begin].isSpace()) ++begin;
    while (match != matches.end() && match->end <= begin) ++match;
    const bool isInside = match != matches.end() && match->begin <= begin;
    if (isInside && match == last) {
      made.units.back().end = unit.end;
      made.units.back().text += unit.text;
      continue;
    }
    last = isInside ? match : matches.end();
    made.matches += isInside ? 1 : 0;
    made.units.push_back({unit.begin, unit.end, unit.text, isInside});
  }
  return made;
}

}  // namespace orthros::widgets
