#include "widgets/token_heat.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kHigh = 24;
constexpr double kLine = 28;

// 0 below 2^-10, 1 at weight 1.
double shade(double weight) {
  constexpr double kBits = 10;
  return weight <= 0 ? 0 : std::clamp((std::log2(weight) + kBits) / kBits, 0.0, 1.0);
}

}  // namespace

TokenHeat::TokenHeat(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("The prompt, tinted by attention"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

std::vector<QRectF> TokenHeat::boxesFor(double width) const {
  const QFontMetricsF metrics(monoFont(12));
  std::vector<QRectF> boxes;
  double x = 0;
  double y = 0;
  for (const QString& token : m_tokens) {
    const double wide = std::min(metrics.horizontalAdvance(token) + 6, width);
    if (x + wide > width && x > 0) {
      x = 0;
      y += kLine;
    }
    boxes.emplace_back(x, y, wide, kHigh);
    x += wide + 1;
    if (token.endsWith(QStringLiteral("⏎"))) {
      x = 0;
      y += kLine;
    }
  }
  return boxes;
}

int TokenHeat::heightForWidth(int width) const {
  const auto boxes = boxesFor(width);
  return boxes.empty() ? 0 : static_cast<int>(boxes.back().bottom()) + 2;
}

void TokenHeat::setTokens(const QStringList& tokens) {
  m_tokens = tokens;
  m_boxes = boxesFor(width());
  m_base.clear();
  m_output.clear();
  setMinimumHeight(heightForWidth(std::max(width(), 100)));
  updateGeometry();
  update();
}

void TokenHeat::setRows(const std::vector<float>& base, const std::vector<float>& output) {
  m_base = base;
  m_output = output;
  update();
}

void TokenHeat::setMarked(qsizetype key) {
  if (m_marked == key) return;
  m_marked = key;
  update();
}

QRectF TokenHeat::boxOf(qsizetype position) const {
  const auto index = static_cast<size_t>(position);
  return position >= 0 && index < m_boxes.size() ? m_boxes[index] : QRectF();
}

void TokenHeat::setQuery(qsizetype position) {
  m_query = position;
  update();
}

void TokenHeat::mousePressEvent(QMouseEvent* event) {
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    if (m_boxes[i].contains(event->position())) Q_EMIT chosen(static_cast<qsizetype>(i));
  }
}

void TokenHeat::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(monoFont(12));
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    const QRectF box = m_boxes[i];
    QColor ground = color(Role::Surface);
    const std::vector<float>& strong = m_output.empty() ? m_base : m_output;
    const Ramp ramp = m_output.empty() ? Ramp::Base : Ramp::Output;
    if (i < strong.size() && shade(strong[i]) > 0) {
      ground = theme().ramp(ramp, shade(strong[i]));
      painter.fillRect(box, ground);
    }
    painter.setPen(theme().textOn(ground));
    painter.drawText(box.adjusted(3, 0, 0, -3), Qt::AlignLeft | Qt::AlignVCenter,
                     m_tokens[static_cast<qsizetype>(i)]);
    if (!m_output.empty() && i < m_base.size() && shade(m_base[i]) > 0) {
      const double high = 1 + 4 * shade(m_base[i]);
      painter.fillRect(QRectF(box.left(), box.bottom() - high, box.width(), high), color(Role::Accent));
    }
    if (static_cast<qsizetype>(i) == m_marked ||
        static_cast<qsizetype>(i) == (m_query < 0 ? static_cast<qsizetype>(m_boxes.size()) - 1 : m_query)) {
      painter.setPen(QPen(color(Role::Text), static_cast<qsizetype>(i) == m_marked ? 2 : 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }
  }
}

void TokenHeat::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_boxes = boxesFor(width());
  setMinimumHeight(heightForWidth(width()));
}

void TokenHeat::mouseMoveEvent(QMouseEvent* event) {
  qsizetype found = -1;
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    if (m_boxes[i].contains(event->position())) found = static_cast<qsizetype>(i);
  }
  setMarked(found);
  Q_EMIT keyHovered(found);
}

void TokenHeat::leaveEvent(QEvent*) {
  setMarked(-1);
  Q_EMIT keyHovered(-1);
}

}  // namespace orthros::widgets
