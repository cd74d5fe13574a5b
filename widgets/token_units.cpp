#include "widgets/token_units.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTextBoundaryFinder>

#include "widgets/token_text.h"

namespace orthros::widgets {
namespace {

struct UnitText {
  Q_DECLARE_TR_FUNCTIONS(UnitText)
};

constexpr qsizetype kLine = 80;       // characters of a tooltip's line
constexpr qsizetype kHexTokens = 40;  // tokens whose bytes a tooltip lists

// Byte offsets at which a new character as people see it begins.
std::vector<bool> characterStarts(const QByteArray& bytes) {
  const auto [text, offsets] = decodedText(bytes);
  std::vector<bool> starts(static_cast<size_t>(bytes.size()) + 1, false);
  QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
  for (qsizetype at = 0; at >= 0 && at < text.size(); at = finder.toNextBoundary())
    starts[static_cast<size_t>(offsets[static_cast<size_t>(at)])] = true;
  starts.back() = true;
  return starts;
}

bool isSpace(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

// A unit ends before `next`, given all bytes up to it.
bool endsBefore(const QByteArray& before, const QByteArray& next, Granularity granularity) {
  switch (granularity) {
    case Granularity::Token:
    case Granularity::Pattern:
      return true;
    case Granularity::Word:
      return before.isEmpty() || isSpace(before.back()) || (!next.isEmpty() && isSpace(next.front()));
    case Granularity::Line:
      return before.endsWith('\n');
    case Granularity::Paragraph:
      return (before.endsWith("\n\n") || before.endsWith("\n\r\n")) && !next.startsWith('\n');
  }
  return true;
}

QStringList folded(const QString& text) {
  QStringList lines;
  for (qsizetype at = 0; at < text.size(); at += kLine) lines.append(text.mid(at, kLine));
  return lines;
}

}  // namespace

DecodedText decodedText(const QByteArray& bytes) {
  DecodedText decoded;
  for (qsizetype at = 0; at < bytes.size();) {
    const qsizetype length = std::max<qsizetype>(1, characterLength(bytes, at));
    const QString character = characterLength(bytes, at) == 0 ? QString(QChar::ReplacementCharacter)
                                                              : QString::fromUtf8(bytes.mid(at, length));
    decoded.offsets.insert(decoded.offsets.end(), static_cast<size_t>(character.size()), at);
    decoded.text += character;
    at += length;
  }
  return decoded;
}

std::vector<TokenUnit> tokenUnits(const QList<QByteArray>& pieces, Granularity granularity) {
  QByteArray all;
  for (const QByteArray& piece : pieces) all += piece;
  const std::vector<bool> starts = characterStarts(all);
  std::vector<TokenUnit> units;
  qsizetype begin = 0;
  qsizetype beginByte = 0;
  qsizetype byte = 0;
  for (qsizetype i = 0; i < pieces.size(); ++i) {
    byte += pieces[i].size();
    const bool isLast = i + 1 == pieces.size();
    // Nothing to show is a frame of its own among tokens.
    const bool whole = starts[static_cast<size_t>(byte)];
    if (!isLast &&
        !(whole && endsBefore(QByteArray::fromRawData(all.constData(), byte), pieces[i + 1], granularity)))
      continue;
    units.push_back({begin, i + 1, visibleToken(all.mid(beginByte, byte - beginByte)), false});
    begin = i + 1;
    beginByte = byte;
  }
  return units;
}

QString hexOf(const QByteArray& bytes) {
  return QString::fromLatin1(bytes.toHex(' '));
}

QString plainTip(const QStringList& lines) {
  QString html = QStringLiteral("<div style='white-space:pre'>");
  for (const QString& line : lines) {
    for (const QString& part : folded(line)) html += part.toHtmlEscaped() + QStringLiteral("<br>");
  }
  if (html.endsWith(QStringLiteral("<br>"))) html.chop(4);
  return html + QStringLiteral("</div>");
}

QString unitTip(const QList<QByteArray>& pieces, const TokenUnit& unit, const QStringList& more) {
  QStringList lines;
  lines.append(unit.end - unit.begin == 1
                   ? UnitText::tr("token %1").arg(unit.begin)
                   : UnitText::tr("tokens %1 to %2").arg(unit.begin).arg(unit.end - 1));
  lines.append(unit.text);
  for (qsizetype i = unit.begin; i < std::min(unit.end, unit.begin + kHexTokens); ++i)
    lines.append(UnitText::tr("%1: bytes %2").arg(i).arg(hexOf(pieces.value(i))));
  return plainTip(lines + more);
}

}  // namespace orthros::widgets
