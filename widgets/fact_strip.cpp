#include "widgets/fact_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace orthros::widgets {
namespace {

constexpr double kTitle = 20;
constexpr double kLeft = 8;  // as the plots below it begin
constexpr double kFact = 50;
constexpr double kGap = 16;
constexpr double kLeast = 96;
constexpr double kBetweenRows = 6;

QFont valueFont() {
  QFont font = monoFont(13);
  font.setWeight(QFont::Medium);
  return font;
}

QString signOf(Role role) {
  if (role == Role::Good) return QStringLiteral("✓ ");
  return role == Role::Warn ? QStringLiteral("! ") : QString();
}

}  // namespace

FactStrip::FactStrip(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void FactStrip::setRows(const QList<FactRow>& rows) {
  m_rows = rows;
  QStringList lines;
  for (const FactRow& row : rows) {
    QStringList parts;
    for (const Fact& fact : row.facts)
      parts.append(fact.caption + u' ' + fact.value + (fact.note.isEmpty() ? QString() : u' ' + fact.note));
    lines.append(row.title + QStringLiteral(": ") + parts.join(QStringLiteral("; ")));
  }
  setAccessibleDescription(lines.join(u'\n'));
  updateGeometry();
  update();
}

QList<FactStrip::Place> FactStrip::places(double width) const {
  QList<Place> places;
  const QFontMetricsF small(fontOf(*this, 11)), figures(valueFont());
  double y = 0;
  for (qsizetype row = 0; row < m_rows.size(); ++row) {
    places.append({QRectF(kLeft, y, width - kLeft, kTitle), row, -1});
    y += kTitle;
    double x = kLeft;
    for (qsizetype i = 0; i < m_rows[row].facts.size(); ++i) {
      const Fact& fact = m_rows[row].facts[i];
      const double wide = std::min(
          width - kLeft, std::ceil(std::max({kLeast, small.horizontalAdvance(fact.caption),
                                             small.horizontalAdvance(fact.note),
                                             figures.horizontalAdvance(signOf(fact.role) + fact.value)})) +
                             2);
      if (x > kLeft && x + wide > width) {
        x = kLeft;
        y += kFact + 4;
      }
      places.append({QRectF(x, y, wide, kFact), row, i});
      x += wide + kGap;
    }
    y += kFact + kBetweenRows;
  }
  return places;
}

int FactStrip::heightForWidth(int width) const {
  double bottom = 0;
  for (const Place& place : places(std::max(200, width))) bottom = std::max(bottom, place.box.bottom());
  return static_cast<int>(std::ceil(bottom));
}

void FactStrip::resizeEvent(QResizeEvent*) {
  updateGeometry();
}

bool FactStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const Place& place : places(width())) {
    if (place.fact < 0 || !place.box.contains(help->pos())) continue;
    const Fact& fact = m_rows[place.row].facts[place.fact];
    QToolTip::showText(help->globalPos(), fact.tip.isEmpty() ? fact.note : fact.tip, this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

void FactStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto put = [&painter](const QRectF& box, const QFont& font, const QColor& colour,
                              const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(std::ceil(box.width())) + 1));
  };
  for (const Place& place : places(width())) {
    const FactRow& row = m_rows[place.row];
    if (place.fact < 0) {
      double left = 0;
      if (!row.architecture.isEmpty()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().architecture(row.architecture));
        painter.drawEllipse(QRectF(place.box.left(), place.box.center().y() - 4, 8, 8));
        left = 14;
      }
      put(place.box.adjusted(left, 0, 0, 0), fontOf(*this, 13, QFont::DemiBold), color(Role::Text),
          row.title);
      continue;
    }
    const Fact& fact = row.facts[place.fact];
    const QRectF box = place.box;
    put({box.left(), box.top(), box.width(), 14}, fontOf(*this, 11), color(Role::Muted), fact.caption);
    put({box.left(), box.top() + 14, box.width(), 19}, valueFont(), color(fact.role),
        signOf(fact.role) + fact.value);
    put({box.left(), box.top() + 33, box.width(), 14}, fontOf(*this, 11), color(Role::Muted), fact.note);
  }
}

}  // namespace orthros::widgets
