#include "widgets/curve_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "widgets/curve_style.h"
#include "widgets/curve_ticks.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kReach = 24;  // pixels from the pointer to a point that it means
constexpr double kPixelsPerTickX = 64;
constexpr double kPixelsPerTickY = 42;
constexpr double kLinearRoom = 0.05;  // share of the range left free at its ends
constexpr double kLogRoom = 0.06;
constexpr double kWhisker = 6;
constexpr int kDenseMarks = 8;  // of a dense curve

bool isDrawn(const CurvePoint& point, const CurveAxis& x, const CurveAxis& y) {
  return std::isfinite(point.y) && (!x.isLog || point.x > 0) && (!y.isLog || point.y > 0);
}

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value, bool log) {
    if (!std::isfinite(value) || (log && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

QCPRange rangeOf(const CurveAxis& axis, Span span) {
  if (axis.holds) span.add(*axis.holds, axis.isLog);
  if (span.low > span.high) span = axis.isLog ? Span{1, 10} : Span{0, 1};
  if (axis.isLog) {
    if (span.low == span.high) span = {span.low / 2, span.high * 2};
    const double room = std::pow(span.high / span.low, kLogRoom);
    return {span.low / room, span.high * room};
  }
  if (span.low == span.high) {
    const double half = span.low == 0 ? 1 : std::abs(span.low) / 2;
    span = {span.low - half, span.high + half};
  }
  const double room = (span.high - span.low) * kLinearRoom;
  // Zero stays the foot of an axis of positive values.
  return {span.low == 0 ? 0 : span.low - room, span.high == 0 ? 0 : span.high + room};
}

QString valueText(double value, const CurveAxis& axis) {
  const bool whole = value == std::round(value) && std::abs(value) < 1e15;
  const QString number = whole ? formatCount(static_cast<qint64>(value)) : formatNumber(value);
  return axis.unit.isEmpty() ? number : number + u' ' + axis.unit;
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), m_plot(std::make_unique<QCustomPlot>()) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  m_plot->setBackground(QBrush(Qt::NoBrush));
  m_plot->plotLayout()->setMargins({});
  m_plot->axisRect()->setMinimumMargins(QMargins(8, 6, 12, 4));
  m_plot->setNoAntialiasingOnDrag(false);
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
    axis->setLabelPadding(4);
    axis->setTickLabelPadding(5);
    axis->setTickLength(0, 3);
    axis->setSubTicks(false);
  }
  applyTheme();
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, &CurvePlot::applyTheme);
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::setData(const CurvePlotData& data) {
  m_data = data;
  setAccessibleName(data.title);
  if (at(m_marked) == nullptr) m_marked = {};
  build();
}

// Every curve is one graph, and, where it has whiskers, one set of error bars: the same number in both lists.
void CurvePlot::build() {
  m_plot->clearPlottables();
  m_plot->clearItems();
  for (const Curve& curve : m_data.curves) {
    QCPGraph* graph = m_plot->addGraph();
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->setDataPlottable(graph);
    bars->setWhiskerWidth(kWhisker);
    bars->setSymbolGap(0);
    for (const CurvePoint& point : curve.points) {
      if (!isDrawn(point, m_data.x, m_data.y)) continue;
      graph->addData(point.x, point.y);
      bars->addData(point.y - point.low, point.high - point.y);
    }
  }
  for (const CurveGuide& guide : m_data.guides) {
    auto* line = new QCPItemStraightLine(m_plot.get());
    line->setLayer(QStringLiteral("grid"));
    const bool across = guide.orientation == Qt::Horizontal;
    line->point1->setCoords(across ? 1 : guide.at, across ? guide.at : 1);
    line->point2->setCoords(across ? 2 : guide.at, across ? guide.at : 2);
  }
  applyTheme();
}

void CurvePlot::append(qsizetype index, const CurvePoint& point) {
  if (index < 0 || index >= std::ssize(m_data.curves)) return;
  m_data.curves[static_cast<size_t>(index)].points.push_back(point);
  if (isDrawn(point, m_data.x, m_data.y)) {
    QCPGraph* graph = m_plot->graph(static_cast<int>(index));
    graph->addData(point.x, point.y);
    auto* bars = static_cast<QCPErrorBars*>(m_plot->plottable(2 * static_cast<int>(index) + 1));
    bars->addData(point.y - point.low, point.high - point.y);
  }
  layOut();
}

void CurvePlot::setLeastLeft(int pixels) {
  QMargins margins = m_plot->axisRect()->minimumMargins();
  margins.setLeft(pixels);
  m_plot->axisRect()->setMinimumMargins(margins);
  layOut();
}

double CurvePlot::axisLeft() const {
  return m_plot->axisRect()->left();
}

void CurvePlot::setLog(Qt::Orientation axis, bool log) {
  (axis == Qt::Horizontal ? m_data.x : m_data.y).isLog = log;
  build();
}

void CurvePlot::applyTheme() {
  QFont small = font();
  small.setPixelSize(11);
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
    axis->setLabelFont(small);
    axis->setTickLabelFont(small);
    axis->setLabelColor(color(Role::Muted));
    axis->setTickLabelColor(color(Role::Muted));
    axis->setBasePen(QPen(color(Role::FieldLine), 1));
    axis->setTickPen(QPen(color(Role::FieldLine), 1));
    axis->grid()->setPen(QPen(color(Role::Line), 1));
    axis->grid()->setZeroLinePen(QPen(color(Role::Line), 1));
  }
  for (size_t i = 0; i < m_data.curves.size(); ++i) {
    const Curve& curve = m_data.curves[i];
    const CurveStyle style = curveStyle(curve);
    QCPGraph* graph = m_plot->graph(static_cast<int>(i));
    graph->setPen(style.pen);
    graph->setScatterStyle(style.mark);
    m_plot->plottable(2 * static_cast<int>(i) + 1)->setPen(QPen(style.pen.color(), 1));
  }
  QPen guide(color(Role::FieldLine), 1);
  guide.setDashPattern({3, 3});
  for (int i = 0; i < m_plot->itemCount(); ++i)
    static_cast<QCPItemStraightLine*>(m_plot->item(i))->setPen(guide);
  layOut();
}

void CurvePlot::fitAxes() {
  Span x, y;
  for (const Curve& curve : m_data.curves) {
    for (const CurvePoint& point : curve.points) {
      x.add(point.x, m_data.x.isLog);
      for (const double value : {point.y, point.low, point.high}) y.add(value, m_data.y.isLog);
    }
  }
  const std::pair<QCPAxis*, const CurveAxis*> axes[] = {{m_plot->xAxis, &m_data.x},
                                                        {m_plot->yAxis, &m_data.y}};
  for (const auto& [axis, wanted] : axes) {
    const bool across = axis == m_plot->xAxis;
    axis->setScaleType(wanted->isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setRange(rangeOf(*wanted, across ? x : y));
    axis->setLabel(across ? wanted->label : QString());  // the value's label stands above its axis
    const double room = across ? width() / kPixelsPerTickX : (height() - headHeight()) / kPixelsPerTickY;
    const TickKind kind = wanted->isTokens ? (wanted->isLog ? TickKind::LogTokens : TickKind::Tokens)
                                           : (wanted->isLog ? TickKind::LogNumbers : TickKind::Numbers);
    axis->setTicker(makeTicker(kind, static_cast<int>(room)));
  }
}

void CurvePlot::spaceMarks() {
  for (size_t i = 0; i < m_data.curves.size(); ++i) {
    QCPGraph* graph = m_plot->graph(static_cast<int>(i));
    const bool dense = m_data.curves[i].isDense;
    graph->setScatterSkip(dense ? std::max(0, graph->dataCount() / kDenseMarks - 1) : 0);
  }
}

// Without drawing: positions hold from here on.
void CurvePlot::layOut() {
  fitAxes();
  spaceMarks();
  const int top = static_cast<int>(headHeight());
  m_plot->setViewport(QRect(0, top, std::max(1, width()), std::max(1, height() - top)));
  m_plot->plotLayout()->update(QCPLayoutElement::upPreparation);
  m_plot->plotLayout()->update(QCPLayoutElement::upMargins);
  m_plot->plotLayout()->update(QCPLayoutElement::upLayout);
  update();
}

void CurvePlot::resizeEvent(QResizeEvent*) {
  layOut();
}

const CurvePoint* CurvePlot::at(CurveIndex index) const {
  if (index.curve < 0 || index.curve >= std::ssize(m_data.curves)) return nullptr;
  const std::vector<CurvePoint>& points = m_data.curves[static_cast<size_t>(index.curve)].points;
  return index.point >= 0 && index.point < std::ssize(points) ? &points[static_cast<size_t>(index.point)]
                                                              : nullptr;
}

QPointF CurvePlot::position(CurveIndex index) const {
  const CurvePoint* point = at(index);
  if (point == nullptr || (m_data.x.isLog && point->x <= 0)) return {};
  const double x = m_plot->xAxis->coordToPixel(point->x);
  // A point without a value stands at the top edge.
  if (!std::isfinite(point->y)) return {x, m_plot->axisRect()->top() + kWhisker + 1};
  if (!isDrawn(*point, m_data.x, m_data.y)) return {};
  return {x, m_plot->yAxis->coordToPixel(point->y)};
}

CurveIndex CurvePlot::pointAt(const QPointF& where) const {
  CurveIndex best;
  double nearest = kReach;
  for (qsizetype curve = 0; curve < std::ssize(m_data.curves); ++curve) {
    const Curve& one = m_data.curves[static_cast<size_t>(curve)];
    for (qsizetype point = 0; point < std::ssize(one.points); ++point) {
      const QPointF to = position({curve, point});
      if (to.isNull()) continue;
      const double distance = QLineF(where, to).length();
      if (distance >= nearest) continue;
      nearest = distance;
      best = {curve, point};
    }
  }
  return best;
}

QString CurvePlot::readout(CurveIndex index) const {
  const CurvePoint* point = at(index);
  if (point == nullptr) return {};
  QStringList parts{m_data.curves[static_cast<size_t>(index.curve)].label, valueText(point->x, m_data.x)};
  if (std::isfinite(point->y)) {
    QString value = valueText(point->y, m_data.y);
    if (std::isfinite(point->low) && std::isfinite(point->high))
      value += tr(" (95 %: %1 to %2)").arg(formatNumber(point->low), formatNumber(point->high));
    parts.append(value);
  }
  parts.append(point->note);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

std::pair<double, double> CurvePlot::range(Qt::Orientation axis) const {
  const QCPRange range = (axis == Qt::Horizontal ? m_plot->xAxis : m_plot->yAxis)->range();
  return {range.lower, range.upper};
}

QStringList CurvePlot::tickTexts(Qt::Orientation axis) const {
  const QCPAxis* one = axis == Qt::Horizontal ? m_plot->xAxis : m_plot->yAxis;
  QVector<double> ticks;
  QVector<QString> texts;
  one->ticker()->generate(one->range(), QLocale::c(), u'g', 6, ticks, nullptr, &texts);
  return texts;
}

void CurvePlot::setMarked(CurveIndex index) {
  if (index == m_marked) return;
  m_marked = index;
  setAccessibleDescription(readout(index));
  update();
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event) {
  const CurveIndex index = pointAt(event->position());
  if (index == m_marked) return;
  setMarked(index);
  Q_EMIT hovered(index);
}

void CurvePlot::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  event->accept();
}

// Left and right along a curve, up and down to the point of the next curve that is nearest in x.
void CurvePlot::keyPressEvent(QKeyEvent* event) {
  const bool along = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const bool between = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if ((!along && !between) || m_data.curves.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const int step = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1 : -1;
  CurveIndex next = m_marked;
  if (at(m_marked) == nullptr) {
    next = {0, 0};
  } else if (along) {
    next.point += step;
  } else {
    next.curve = std::clamp<qsizetype>(next.curve + step, 0, std::ssize(m_data.curves) - 1);
    const std::vector<CurvePoint>& points = m_data.curves[static_cast<size_t>(next.curve)].points;
    const double x = at(m_marked)->x;
    const auto nearest =
        std::ranges::min_element(points, {}, [x](const CurvePoint& point) { return std::abs(point.x - x); });
    next.point = nearest - points.begin();
  }
  if (at(next) == nullptr) return;
  setMarked(next);
  Q_EMIT hovered(next);
}

void CurvePlot::leaveEvent(QEvent*) {
  setMarked({});
  Q_EMIT hovered({});
}

}  // namespace orthros::widgets
