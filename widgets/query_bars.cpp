#include "widgets/query_bars.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 44;  // room of the axis' ends
constexpr double kRight = 4;
constexpr double kNames = 18;   // what bars and dashes are
constexpr double kHead = 18;    // a lane's name and facts
constexpr double kAnswer = 16;  // under a lane: the chosen dimension

QString fullFloat(float value) {
  return QString::number(static_cast<double>(value), 'g', 9);
}

QString nameOf(const QueryLane& lane) {
  return lane.isOutput ? QStringLiteral("x′") : QStringLiteral("x");
}

QFont captionOf(const QWidget& widget) {
  QFont font = widget.font();
  font.setPixelSize(11);
  return font;
}

}  // namespace

QueryFacts queryFacts(std::span<const float> before, std::span<const float> after) {
  double one = 0, two = 0, both = 0;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const double a = before[i], b = after[i];
    one += a * a;
    two += b * b;
    both += a * b;
  }
  return {std::sqrt(one), std::sqrt(two), both / std::sqrt(one * two)};
}

QueryBars::QueryBars(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("The query before and after scale-offset, by dimension"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void QueryBars::setLanes(std::vector<QueryLane> lanes) {
  m_lanes = std::move(lanes);
  m_limit = 0;
  QStringList facts;
  for (size_t lane = 0; lane < m_lanes.size(); ++lane) {
    for (const std::vector<float>* row : {&m_lanes[lane].before, &m_lanes[lane].after}) {
      for (const float value : *row) m_limit = std::max(m_limit, std::abs(static_cast<double>(value)));
    }
    facts.append(nameOf(m_lanes[lane]) + QStringLiteral(": ") + summary(lane));
  }
  if (m_limit <= 0) m_limit = 1;
  if (m_dimension >= count()) m_dimension = -1;
  setAccessibleDescription(facts.join(u'\n'));
  update();
}

void QueryBars::setDimension(qsizetype dimension) {
  if (dimension == m_dimension) return;
  m_dimension = dimension;
  QStringList answers;
  for (size_t lane = 0; lane < m_lanes.size() && dimension >= 0; ++lane)
    answers.append(nameOf(m_lanes[lane]) + QStringLiteral(": ") + readout(lane));
  if (!answers.isEmpty()) setAccessibleDescription(answers.join(u'\n'));
  update();
  Q_EMIT dimensionChanged(dimension);
}

double QueryBars::stepWidth() const {
  return std::max(1.0, width() - kLeft - kRight) / static_cast<double>(std::max<qsizetype>(1, count()));
}

qsizetype QueryBars::dimensionAt(double x) const {
  const auto at = static_cast<qsizetype>(std::floor((x - kLeft) / stepWidth()));
  return at >= 0 && at < count() ? at : -1;
}

QString QueryBars::summary(size_t lane) const {
  const QueryFacts facts = queryFacts(m_lanes[lane].before, m_lanes[lane].after);
  return tr("|q| %1 → %2   cosine %3")
      .arg(formatNumber(facts.before), formatNumber(facts.after), formatNumber(facts.cosine));
}

QString QueryBars::readout(size_t lane) const {
  const QueryLane& of = m_lanes[lane];
  if (m_dimension < 0 || m_dimension >= count()) return {};
  const auto i = static_cast<size_t>(m_dimension);
  return tr("dimension %1: %2 → %3").arg(m_dimension).arg(fullFloat(of.before[i]), fullFloat(of.after[i]));
}

QString QueryBars::table() const {
  QString text = QStringLiteral("stream\tdimension\tbefore\tafter\n");
  for (const QueryLane& lane : m_lanes) {
    for (size_t i = 0; i < lane.after.size(); ++i) {
      text += (lane.isOutput ? QStringLiteral("output\t") : QStringLiteral("base\t")) +
              QString::number(static_cast<qulonglong>(i)) + u'\t' + fullFloat(lane.before[i]) + u'\t' +
              fullFloat(lane.after[i]) + u'\n';
    }
  }
  return text;
}

void QueryBars::mouseMoveEvent(QMouseEvent* event) {
  setDimension(dimensionAt(event->position().x()));
}

void QueryBars::leaveEvent(QEvent*) {
  setDimension(-1);
}

void QueryBars::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    QGuiApplication::clipboard()->setText(table());
    return;
  }
  const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (direction == 0 || count() == 0) return QWidget::keyPressEvent(event);
  const int step = (event->modifiers() & Qt::ShiftModifier) != 0 ? 10 : 1;
  setDimension(m_dimension < 0 ? (direction > 0 ? 0 : count() - 1)
                               : std::clamp<qsizetype>(m_dimension + direction * step, 0, count() - 1));
}

void QueryBars::paintNames(QPainter& painter) const {
  const double y = kNames / 2;
  double x = 0;
  const auto name = [&](const QString& text) {
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(x, 0, width() - x, kNames), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += painter.fontMetrics().horizontalAdvance(text) + 14;
  };
  painter.fillRect(QRectF(x, y - 1, 10, 2), color(Role::Text));
  x += 14;
  name(tr("before: x W_Q"));
  painter.fillRect(QRectF(x, y - 5, 6, 10), color(Role::Muted));
  x += 10;
  name(tr("after: α ⊙ x W_Q + β"));
}

void QueryBars::paintLane(QPainter& painter, size_t index, const QRectF& at) const {
  const QueryLane& lane = m_lanes[index];
  const QColor hue = color(lane.isOutput ? Role::Output : Role::Accent);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(hue);
  painter.drawText(QRectF(0, at.top(), 24, kHead), Qt::AlignLeft | Qt::AlignVCenter, nameOf(lane));
  painter.setFont(captionOf(*this));
  painter.setPen(color(Role::Text));
  painter.drawText(QRectF(24, at.top(), at.width() - 24, kHead), Qt::AlignLeft | Qt::AlignVCenter,
                   summary(index));
  const QRectF field(kLeft, at.top() + kHead, at.width() - kLeft - kRight, at.height() - kHead - kAnswer);
  const double zero = field.center().y();
  const auto yOf = [&](float value) {
    return zero - static_cast<double>(value) / m_limit * (field.height() / 2 - 1);
  };
  painter.setPen(color(Role::Muted));
  const QString end = formatNumber(m_limit);
  const auto tick = [&](double y, const QString& text) {
    painter.drawText(QRectF(0, std::clamp(y - 7, field.top(), field.bottom() - 14), kLeft - 6, 14),
                     Qt::AlignRight | Qt::AlignVCenter, text);
  };
  tick(field.top(), end);
  if (field.height() >= 42) tick(zero, QStringLiteral("0"));
  tick(field.bottom(), QStringLiteral("−") + end);
  const double step = stepWidth();
  if (m_dimension >= 0)
    painter.fillRect(
        QRectF(field.left() + static_cast<double>(m_dimension) * step, field.top(), step, field.height()),
        color(Role::Raised));
  painter.fillRect(QRectF(field.left(), std::round(zero), field.width(), 1), color(Role::FieldLine));
  const double gap = step >= 4 ? 1 : 0;
  for (size_t i = 0; i < lane.after.size(); ++i) {
    const double left = field.left() + static_cast<double>(i) * step;
    const double y = yOf(lane.after[i]);
    painter.fillRect(QRectF(left, std::min(y, zero), step - gap, std::abs(y - zero)), hue);
  }
  // Over the bars, so that the shorter of two is seen too.
  for (size_t i = 0; i < lane.before.size(); ++i)
    painter.fillRect(
        QRectF(field.left() + static_cast<double>(i) * step, yOf(lane.before[i]) - 1, step - gap, 2),
        color(Role::Text));
  painter.setPen(color(m_dimension < 0 ? Role::Muted : Role::Text));
  QFont mono = monoFont(11);
  const QString answer = m_dimension < 0 ? tr("dimension 0 to %1").arg(count() - 1) : readout(index);
  if (m_dimension >= 0) painter.setFont(mono);
  const double room = at.width() - kRight;
  painter.drawText(QRectF(0, field.bottom(), room, kAnswer), Qt::AlignRight | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(answer, Qt::ElideLeft, static_cast<int>(room)));
}

void QueryBars::paintEvent(QPaintEvent*) {
  if (count() == 0) return;
  QPainter painter(this);
  painter.setFont(captionOf(*this));
  paintNames(painter);
  const double high = (height() - kNames) / static_cast<double>(m_lanes.size());
  for (size_t lane = 0; lane < m_lanes.size(); ++lane)
    paintLane(painter, lane, QRectF(0, kNames + static_cast<double>(lane) * high, width(), high));
  if (!hasFocus()) return;
  painter.setPen(QPen(color(Role::Accent), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

}  // namespace orthros::widgets
