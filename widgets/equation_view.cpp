#include "widgets/equation_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kEquation = 20, kStory = 16, kText = 13, kCaption = 11;  // px
constexpr double kSmallestEquation = 9, kLean = 2, kSmallestStory = 12;
constexpr int kSmallestRow = 8;

}  // namespace

EquationView::EquationView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Equations of this step"));
}

void EquationView::setEquations(const QStringList& markup) {
  m_equations = markup;
  update();
}

void EquationView::setStory(const EquationStory& story) {
  m_story = story;
  setAccessibleDescription(story.isEmpty() ? QString() : story.name + QStringLiteral(" = ") + story.value);
  update();
}

void EquationView::setTable(const QString& title, const std::vector<EquationRow>& rows) {
  m_tableTitle = title;
  m_rows = rows;
  update();
}

void EquationView::setZoom(double zoom) {
  m_zoom = zoom;
  update();
}

void EquationView::setLit(const QString& symbol) {
  if (m_lit == symbol) return;
  m_lit = symbol;
  update();
}

// Smaller where the line would not fit.
Formula EquationView::fitted(const QString& markup, double size, double room) const {
  Formula formula(markup, size);
  // In whole pixels, as fonts are: a size between two is drawn as the larger one. A sign may lean out.
  while (formula.width() > room - kLean && size > kSmallestEquation && room > 0)
    formula = Formula(markup, size = std::max(kSmallestEquation, std::ceil(size) - 1));
  return formula;
}

// A sum that would become too small goes on in a line below, from a sign between two of its terms.
QStringList EquationView::broken(const QString& markup, double room) const {
  const double size = std::max(kSmallestEquation, px(kSmallestStory));
  QStringList lines{QString()};
  int depth = 0;
  qsizetype begin = 0;
  const auto take = [&](qsizetype end) {
    const QString part = markup.mid(begin, end - begin);
    begin = end;
    if (!lines.last().isEmpty() && Formula(lines.last() + part, size).width() > room - kLean)
      lines.append(QString());
    lines.last() += part;
  };
  for (qsizetype i = 0; i < markup.size(); ++i) {
    if (markup[i] == u'{') ++depth;
    if (markup[i] == u'}') --depth;
    if (depth == 0 && i > 0 && markup.mid(i, 3) == u" + ") take(i);
  }
  take(markup.size());
  return lines;
}

double EquationView::paintHeading(QPainter& painter, const QString& text, const QRectF& area) const {
  QFont caption = font();
  caption.setPixelSize(qRound(px(kCaption)));
  painter.setFont(caption);
  painter.setPen(color(m_zoom > 1 ? Role::Text : Role::Muted));
  painter.drawText(QRectF(area.left(), area.top(), area.width(), px(16)), Qt::AlignLeft | Qt::AlignVCenter,
                   text);
  return area.top() + px(20);
}

// One below the other, or side by side where the view is a strip.
void EquationView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  m_placed.clear();
  const QRectF all = rect();
  if (width() > 2 * height()) {
    const double gap = px(20), wide = all.width() - 2 * gap;
    paintEquations(painter, {0, 0, 0.32 * wide, all.height()});
    paintStory(painter, {0.32 * wide + gap, 0, 0.28 * wide, all.height()});
    paintTable(painter, {0.6 * wide + 2 * gap, 0, 0.4 * wide, all.height()});
    return;
  }
  double y = paintEquations(painter, all);
  y = paintStory(painter, all.adjusted(0, y + px(12), 0, 0));
  paintTable(painter, all.adjusted(0, y + px(14), 0, 0));
}

double EquationView::paintEquations(QPainter& painter, const QRectF& area) {
  double y = paintHeading(painter, tr("This step"), area);
  const double above = px(5), below = px(7);
  const auto set = [&](double size) {
    std::vector<Formula> lines;
    for (const QString& markup : m_equations) lines.push_back(fitted(markup, size, area.width()));
    return lines;
  };
  std::vector<Formula> lines = set(px(kEquation));
  double tall = 0;
  for (const Formula& line : lines) tall += line.height() + above + below;
  // Smaller where the lines would not fit below each other.
  const double room = area.bottom() - y;
  if (tall > room && room > 0) lines = set(std::max(kSmallestEquation, px(kEquation) * room / tall));
  const double squeeze = std::min(1.0, std::max(0.0, room / std::max(1.0, tall)));
  for (const Formula& formula : lines) {
    y += formula.ascent() + above * squeeze;
    formula.draw(painter, {area.left(), y}, color(Role::Text), m_lit);
    m_placed.push_back({formula, {area.left(), y}});
    y += formula.descent() + below * squeeze;
  }
  return y;
}

double EquationView::paintStory(QPainter& painter, const QRectF& area) {
  double y = paintHeading(painter, tr("This number"), area);
  if (m_story.isEmpty()) {
    QFont body = font();
    body.setPixelSize(qRound(px(kText)));
    painter.setFont(body);
    painter.setPen(color(m_zoom > 1 ? Role::Text : Role::Muted));
    painter.drawText(QRectF(area.left(), y, area.width(), std::max(px(40), area.bottom() - y)),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("Point at a square of a cell or at a place of the shelf."));
    return y + px(36);
  }
  const QStringList lines = broken(m_story.name + QStringLiteral(" = ") + m_story.formula, area.width()) +
                            broken(QStringLiteral("= ") + m_story.operands, area.width());
  for (const QString& line : lines) {
    const Formula formula = fitted(line, px(kStory), area.width());
    y += formula.ascent() + px(3);
    formula.draw(painter, {area.left(), y}, color(Role::Text));
    y += formula.descent() + px(5);
  }
  painter.setFont(monoFont(qRound(px(kStory))));
  painter.setPen(color(m_story.isOutput ? Role::Output : Role::Accent));
  painter.drawText(QRectF(area.left(), y, area.width(), px(24)), Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("= ") + m_story.value);
  return y + px(24);
}

void EquationView::paintTable(QPainter& painter, const QRectF& area) {
  if (m_rows.empty()) return;
  double y = paintHeading(painter, m_tableTitle, area);
  const double tall = std::min(px(21), (area.bottom() - y) / static_cast<double>(m_rows.size()));
  const int most = qRound(std::min(px(kText), 0.8 * tall));
  QFont body = fontOf(*this, std::max(1, most));
  double unit = 0, widest = 1;
  const auto measure = [&] {
    const QFontMetricsF words(body), digits(monoFont(body.pixelSize()));
    unit = widest = 0;
    for (const EquationRow& row : m_rows) unit = std::max(unit, words.horizontalAdvance(row.unit) + px(6));
    for (const EquationRow& row : m_rows)
      widest = std::max(widest, words.horizontalAdvance(row.name) + digits.horizontalAdvance(row.value));
    widest += unit + px(8);
  };
  measure();
  // Smaller where a row would not fit.
  const int size = widest > area.width() ? static_cast<int>(most * area.width() / widest) : most;
  if (size < kSmallestRow) return;  // no room: nothing is better than a smear
  body.setPixelSize(size);
  measure();
  const QFont number = monoFont(size);
  for (const EquationRow& row : m_rows) {
    const QRectF line(area.left(), y, area.width(), tall);
    painter.setFont(body);
    painter.setPen(color(Role::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
    painter.setFont(number);
    painter.drawText(line.adjusted(0, 0, -unit, 0), Qt::AlignRight | Qt::AlignVCenter, row.value);
    painter.setFont(body);
    painter.setPen(color(m_zoom > 1 ? Role::Text : Role::Muted));
    painter.drawText(line.adjusted(area.width() - unit + px(5), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     row.unit);
    y += tall;
  }
}

void EquationView::mouseMoveEvent(QMouseEvent* event) {
  QString symbol;
  for (const Placed& placed : m_placed) {
    const QString own = placed.formula.symbolAt(event->position() - placed.origin);
    if (!own.isEmpty()) symbol = own;
  }
  if (symbol == m_lit) return;
  setLit(symbol);
  Q_EMIT symbolPointedAt(symbol);
}

void EquationView::leaveEvent(QEvent*) {
  if (m_lit.isEmpty()) return;
  setLit({});
  Q_EMIT symbolPointedAt({});
}

}  // namespace orthros::widgets
