#include "widgets/formula.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <algorithm>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kScript = 0.7;  // size of scripts
constexpr double kSmallest = 8;  // px
constexpr double kRaise = 0.38;  // of a superscript, in sizes
constexpr double kLower = 0.2;   // of a subscript
constexpr double kAxis = 0.27;   // of the fraction bar above the baseline
constexpr double kBar = 0.05;    // thickness

// A mathematical font has slanted letters of its own; a text font is slanted.
struct MathFont {
  QString family;
  bool hasAlphabets = false;
};

const MathFont& mathFont() {
  static const MathFont chosen = [] {
    const QStringList known = QFontDatabase::families();
    for (const char* name : {"STIX Two Math", "Latin Modern Math", "DejaVu Math TeX Gyre"}) {
      if (known.contains(QLatin1String(name))) return MathFont{QLatin1String(name), true};
    }
    for (const char* name : {"Libertinus Serif", "DejaVu Serif"}) {
      if (known.contains(QLatin1String(name))) return MathFont{QLatin1String(name), false};
    }
    return MathFont{QStringLiteral("serif"), false};
  }();
  return chosen;
}

// A Latin or Greek letter of the mathematical italic alphabet.
QString slanted(QChar letter) {
  const char16_t code = letter.unicode();
  char32_t to = code;
  if (code == u'h') {
    to = 0x210E;  // the gap in the alphabet
  } else if (code >= u'a' && code <= u'z') {
    to = 0x1D44E + (code - u'a');
  } else if (code >= u'A' && code <= u'Z') {
    to = 0x1D434 + (code - u'A');
  } else if (code >= 0x3B1 && code <= 0x3C9) {
    to = 0x1D6FC + (code - 0x3B1);
  }
  return QString::fromUcs4(&to, 1);
}

const QHash<QString, QString>& signs() {
  static const QHash<QString, QString> table{
      {QStringLiteral("cdot"), QStringLiteral("·")},   {QStringLiteral("odot"), QStringLiteral("⊙")},
      {QStringLiteral("times"), QStringLiteral("×")},  {QStringLiteral("in"), QStringLiteral("∈")},
      {QStringLiteral("le"), QStringLiteral("≤")},     {QStringLiteral("dots"), QStringLiteral("…")},
      {QStringLiteral("approx"), QStringLiteral("≈")}, {QStringLiteral("to"), QStringLiteral("→")}};
  return table;
}

bool isRelation(const QString& sign) {
  static const QString kRelations = QStringLiteral("=+−-·⊙×∈≤≈→");
  return sign.size() == 1 && kRelations.contains(sign);
}

}  // namespace

// Sets markup from left to right; every part returns as a box that its parent moves.
class FormulaSetter {
 public:
  explicit FormulaSetter(const QString& markup) : m_markup(markup) {}

  struct Box {
    double width = 0, ascent = 0, descent = 0;
    std::vector<Formula::Piece> pieces;
    std::vector<Formula::Symbol> symbols;

    void add(const Box& other, double x, double y) {
      for (Formula::Piece piece : other.pieces) {
        piece.path.translate(x, y);
        pieces.push_back(std::move(piece));
      }
      for (Formula::Symbol symbol : other.symbols) {
        symbol.area.translate(x, y);
        symbols.push_back(std::move(symbol));
      }
      width = std::max(width, x + other.width);
      ascent = std::max(ascent, other.ascent - y);
      descent = std::max(descent, other.descent + y);
    }
  };

  Box line(double size, QChar end = {}) {
    Box box;
    while (m_at < m_markup.size() && m_markup[m_at] != end) {
      const QChar c = m_markup[m_at];
      if (c == u'_' || c == u'^') {
        ++m_at;
        script(box, size, c == u'^');
      } else if (c == u'\'') {
        ++m_at;
        prime(box, size);
      } else {
        box.add(part(size), box.width, 0);
        m_scripted = box.width;
      }
    }
    if (m_at < m_markup.size()) ++m_at;  // past the end sign
    return box;
  }

 private:
  Box group(double size) {
    if (m_at >= m_markup.size()) return {};
    if (m_markup[m_at] != u'{') return part(size);
    ++m_at;
    const double scripted = m_scripted;
    Box inside = line(size, u'}');
    m_scripted = scripted;
    return inside;
  }

  // The text of a group, as it stands.
  QString raw() {
    if (m_at >= m_markup.size() || m_markup[m_at] != u'{') return {};
    const qsizetype close = m_markup.indexOf(u'}', m_at);
    const qsizetype end = close < 0 ? m_markup.size() : close;
    const QString text = m_markup.mid(m_at + 1, end - m_at - 1);
    m_at = std::min(end + 1, m_markup.size());
    return text;
  }

  Box part(double size) {
    const QChar c = m_markup[m_at];
    if (c == u'{') return group(size);
    ++m_at;
    if (c == u'\\') return command(size);
    if (c == u' ') return {};
    if (c.isLetter() && c.unicode() < 0x250) return glyphs(QString(c), size, true);
    // A number is one run: its digits stand as in a text.
    if (c.isDigit()) {
      const qsizetype begin = m_at - 1;
      while (m_at < m_markup.size() && (m_markup[m_at].isDigit() || m_markup[m_at] == u'.')) ++m_at;
      return glyphs(m_markup.mid(begin, m_at - begin), size, false);
    }
    return sign(c == u'-' ? QStringLiteral("−") : QString(c), size);
  }

  static Box sign(const QString& text, double size) {
    Box box = glyphs(text, size, false);
    if (!isRelation(text)) return box;
    Box spaced;
    const double gap = text == u"·" ? 0.12 * size : 0.22 * size;
    spaced.add(box, gap, 0);
    spaced.width += gap;
    return spaced;
  }

  Box command(double size) {
    const qsizetype begin = m_at;
    while (m_at < m_markup.size() && m_markup[m_at].isLetter()) ++m_at;
    if (m_at == begin && m_at < m_markup.size()) ++m_at;  // \, and the like
    const QString name = m_markup.mid(begin, m_at - begin);
    if (name == u"frac") {
      const Box above = group(0.9 * size);
      return fraction(above, group(0.9 * size), size);
    }
    if (name == u"sqrt") return root(group(size), size);
    if (name == u"rm") return glyphs(raw(), size, false);
    if (name == u"exp") return glyphs(QStringLiteral("exp"), size, false);
    if (name == u"sum") {
      return glyphs(QStringLiteral("∑"), 1.25 * size, false);
    }
    if (name == u"more") {
      return glyphs(QCoreApplication::translate("Formula", " more", "after a number of products"), size,
                    false);
    }
    if (name == u"alpha") return glyphs(QStringLiteral("α"), size, true);
    if (name == u"beta") return glyphs(QStringLiteral("β"), size, true);
    if (name == u"s") {
      const QString symbol = raw();
      Box box = group(size);
      for (Formula::Piece& piece : box.pieces) piece.symbol = symbol;
      box.symbols.push_back({symbol, QRectF(0, -box.ascent, box.width, box.ascent + box.descent)});
      return box;
    }
    Box space;
    if (name == u",") space.width = 0.17 * size;
    if (name == u"quad") space.width = 0.9 * size;
    if (space.width > 0) return space;
    if (signs().contains(name)) return sign(signs().value(name), size);
    return glyphs(name, size, false);
  }

  void prime(Box& box, double size) {
    const Box mark = glyphs(QStringLiteral("′"), size, false);
    box.add(mark, m_scripted, 0);
    m_scripted = box.width;
  }

  // Scripts on one letter stand over each other.
  void script(Box& box, double size, bool isUpper) {
    const double small = std::max(kSmallest, kScript * size);
    const double at = m_scripted;
    const Box own = group(small);
    box.add(own, at, isUpper ? -kRaise * size : kLower * size);
    m_scripted = at;
  }

  static Box fraction(const Box& above, const Box& below, double size) {
    Box box;
    const double pad = 0.12 * size, gap = 0.16 * size, axis = -kAxis * size;
    const double width = std::max(above.width, below.width) + 2 * pad;
    box.add(above, (width - above.width) / 2, axis - gap - above.descent);
    box.add(below, (width - below.width) / 2, axis + gap + below.ascent);
    QPainterPath bar;
    const double thick = std::max(1.0, kBar * size);
    bar.addRect(0, axis - thick / 2, width, thick);
    box.pieces.push_back({bar, {}});
    box.width = width + 0.1 * size;
    return box;
  }

  static Box root(const Box& inside, double size) {
    Box box;
    const double hook = 0.55 * size, top = -inside.ascent - 0.1 * size;
    const double thick = std::max(1.0, kBar * size);
    box.add(inside, hook, 0);
    QPainterPath line;
    line.moveTo(0, -0.3 * size);
    line.lineTo(0.18 * size, -0.36 * size);
    line.lineTo(0.32 * size, inside.descent);
    line.lineTo(0.5 * size, top);
    line.lineTo(hook + inside.width + 0.06 * size, top);
    QPainterPathStroker stroker;
    stroker.setWidth(thick);
    stroker.setJoinStyle(Qt::MiterJoin);
    box.pieces.push_back({stroker.createStroke(line), {}});
    box.width = hook + inside.width + 0.1 * size;
    box.ascent = std::max(box.ascent, -top + thick);
    return box;
  }

  static Box glyphs(const QString& text, double size, bool isItalic) {
    const MathFont& math = mathFont();
    QFont font(math.family);
    font.setPixelSize(std::max(1, qRound(size)));
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setItalic(isItalic && !math.hasAlphabets);
    const QString shown = isItalic && math.hasAlphabets && text.size() == 1 ? slanted(text[0]) : text;
    const QFontMetricsF metrics(font);
    Box box;
    QPainterPath path;
    path.addText(0, 0, font, shown);
    box.width = metrics.horizontalAdvance(shown);
    const QRectF ink = path.boundingRect();
    box.ascent = std::max(-ink.top(), 0.55 * size);
    box.descent = std::max(ink.bottom(), 0.05 * size);
    box.pieces.push_back({path, {}});
    return box;
  }

  QString m_markup;
  qsizetype m_at = 0;
  double m_scripted = 0;  // where the next script stands
};

Formula::Formula(const QString& markup, double pixelSize) {
  pixelSize = std::max(1.0, pixelSize);
  FormulaSetter::Box box = FormulaSetter(markup).line(pixelSize);
  m_width = box.width;
  m_ascent = box.ascent;
  m_descent = box.descent;
  m_pieces = std::move(box.pieces);
  m_symbols = std::move(box.symbols);
}

QString Formula::symbolAt(const QPointF& point) const {
  constexpr double kReach = 3;
  for (const Symbol& symbol : m_symbols) {
    if (symbol.area.adjusted(-kReach, -kReach, kReach, kReach).contains(point)) return symbol.name;
  }
  return {};
}

void Formula::draw(QPainter& painter, const QPointF& origin, const QColor& ink, const QString& lit) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(origin);
  painter.setPen(Qt::NoPen);
  for (const Symbol& symbol : m_symbols) {
    if (lit.isEmpty() || symbol.name != lit) continue;
    painter.setBrush(color(symbol.name == u"x'" ? Role::OutputSoft : Role::AccentSoft));
    painter.drawRoundedRect(symbol.area.adjusted(-3, -3, 3, 3), 4, 4);
  }
  for (const Piece& piece : m_pieces) {
    const QColor hue = piece.symbol == u"x'"  ? color(Role::Output)
                       : piece.symbol == u"x" ? color(Role::Accent)
                                              : ink;
    painter.fillPath(piece.path, hue);
  }
  painter.restore();
}

}  // namespace orthros::widgets
