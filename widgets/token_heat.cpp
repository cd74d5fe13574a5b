#include "widgets/token_heat.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"
#include "widgets/token_text.h"

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
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("The prompt, tinted by attention"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

std::vector<TokenHeat::Box> TokenHeat::boxesFor(double width) const {
  const QFontMetricsF metrics(monoFont(12));
  const QFontMetricsF small(monoFont(10));
  std::vector<Box> boxes;
  double x = 0;
  double y = 0;
  const auto newLine = [&] {
    x = 0;
    y += kLine;
  };
  for (const TokenUnit& unit : m_units) {
    const double wide = std::min(metrics.horizontalAdvance(unit.text) + 6, width);
    if (x + wide > width && x > 0) newLine();
    Box box{QRectF(x, y, wide, kHigh), {}};
    x += wide + 1;
    const QString prediction = predictionText(unit.end - 1);
    if (!prediction.isEmpty()) {
      const double more = std::min(small.horizontalAdvance(prediction) + 8, width);
      if (x + more > width && x > 0) newLine();
      box.prediction = QRectF(x, y + 2, more, kHigh - 6);
      x += more + 5;
    }
    boxes.push_back(box);
    if (unit.text.endsWith(QStringLiteral("⏎"))) newLine();
  }
  return boxes;
}

void TokenHeat::layOut() {
  m_boxes = boxesFor(width());
  setMinimumHeight(heightForWidth(std::max(width(), 100)));
  updateGeometry();
  update();
}

int TokenHeat::heightForWidth(int width) const {
  const auto boxes = boxesFor(width);
  return boxes.empty()
             ? 0
             : static_cast<int>(std::max(boxes.back().frame.bottom(), boxes.back().prediction.bottom())) + 2;
}

void TokenHeat::setPieces(const QList<QByteArray>& pieces) {
  m_pieces = pieces;
  m_visible.clear();
  for (const QByteArray& piece : pieces) m_visible.append(visibleToken(piece));
  m_base.clear();
  m_output.clear();
  m_main = {};
  m_predictions.clear();
  m_lane.clear();
  m_marked = -1;
  makeUnits();
}

void TokenHeat::makeUnits() {
  if (m_granularity == Granularity::Pattern) {
    m_pattern = patternUnits(m_pieces, m_goodPattern);
    m_units = m_pattern.problem.isEmpty() ? m_pattern.units : tokenUnits(m_pieces, Granularity::Token);
  } else {
    m_units = tokenUnits(m_pieces, m_granularity);
  }
  layOut();
  Q_EMIT unitsChanged();
}

void TokenHeat::setPattern(const QString& pattern) {
  m_pattern = patternUnits(m_pieces, pattern);
  if (m_pattern.problem.isEmpty()) {
    m_goodPattern = pattern;
    if (m_granularity == Granularity::Pattern) {
      m_units = m_pattern.units;
      layOut();
    }
  }
  Q_EMIT unitsChanged();
}

void TokenHeat::setGranularity(Granularity granularity) {
  m_granularity = granularity;
  makeUnits();
}

void TokenHeat::setRows(const std::vector<float>& base, const std::vector<float>& output) {
  m_base = base;
  m_output = output;
  m_main = keysReaching(output.empty() ? base : output);
  std::ranges::sort(m_main.keys);
  update();
}

void TokenHeat::setPredictions(const std::vector<PredictedToken>& predictions) {
  m_predictions = predictions;
  layOut();
}

void TokenHeat::showPredictions(bool show) {
  m_showPredictions = show;
  layOut();
}

void TokenHeat::setLane(const std::vector<qsizetype>& keys) {
  m_lane = keys;
  update();
}

void TokenHeat::setOutputFrom(qsizetype position) {
  if (m_outputFrom == position) return;
  m_outputFrom = position;
  layOut();
}

void TokenHeat::setMarked(qsizetype key) {
  if (m_marked == key) return;
  m_marked = key;
  if (key >= 0 && !m_units.empty()) setAccessibleDescription(m_units[unitOf(key)].text);
  update();
}

void TokenHeat::setQueries(const std::vector<qsizetype>& positions) {
  m_queries = positions;
  update();
}

size_t TokenHeat::unitOf(qsizetype token) const {
  const auto after = std::ranges::upper_bound(m_units, token, {}, &TokenUnit::begin);
  return after == m_units.begin() ? 0 : static_cast<size_t>(after - m_units.begin()) - 1;
}

QRectF TokenHeat::boxOf(qsizetype position) const {
  if (position < 0 || position >= m_pieces.size() || m_boxes.size() != m_units.size()) return {};
  return m_boxes[unitOf(position)].frame;
}

bool TokenHeat::predicts(qsizetype token) const {
  const auto index = static_cast<size_t>(token);
  return token >= m_outputFrom && index < m_predictions.size() && m_predictions[index].probability >= 0;
}

QString TokenHeat::predictionText(qsizetype token) const {
  const auto index = static_cast<size_t>(token);
  if (!m_showPredictions || !predicts(token)) return {};
  return QStringLiteral("→%1 %2").arg(m_predictions[index].text,
                                      formatNumber(m_predictions[index].probability));
}

double TokenHeat::massOf(const std::vector<float>& row, const TokenUnit& unit) const {
  double mass = 0;
  for (qsizetype i = unit.begin; i < std::min(unit.end, static_cast<qsizetype>(row.size())); ++i)
    mass += static_cast<double>(row[static_cast<size_t>(i)]);
  return mass;
}

qsizetype TokenHeat::mainKeysIn(const TokenUnit& unit) const {
  return std::ranges::lower_bound(m_main.keys, unit.end) - std::ranges::lower_bound(m_main.keys, unit.begin);
}

qsizetype TokenHeat::findText(const QString& text, qsizetype from) const {
  if (text.isEmpty() || m_pieces.isEmpty()) return -1;
  QString all;
  std::vector<qsizetype> starts;
  QByteArray bytes;
  for (const QByteArray& piece : m_pieces) {
    starts.push_back(QString::fromUtf8(bytes).size());
    bytes += piece;
  }
  all = QString::fromUtf8(bytes);
  const qsizetype count = m_pieces.size();
  for (qsizetype step = 0; step < count; ++step) {
    const qsizetype token = (std::max<qsizetype>(from, 0) + step) % count;
    const qsizetype begin = starts[static_cast<size_t>(token)];
    const qsizetype end = token + 1 < count ? starts[static_cast<size_t>(token) + 1] : all.size();
    const qsizetype found = all.indexOf(text, begin, Qt::CaseInsensitive);
    if (found >= begin && found < std::max(end, begin + 1)) return token;
  }
  return -1;
}

QString TokenHeat::tipOf(size_t index) const {
  const TokenUnit& unit = m_units[index];
  QStringList more;
  if (unit.begin < static_cast<qsizetype>(m_base.size()))
    more.append(m_output.empty()
                    ? tr("x %1").arg(formatNumber(massOf(m_base, unit)))
                    : tr("x %1, x′ %2")
                          .arg(formatNumber(massOf(m_base, unit)), formatNumber(massOf(m_output, unit))));
  if (const qsizetype count = mainKeysIn(unit); count > 0)
    more.append(
        tr("corner: %1 of the %2 heaviest keys, which hold %3 of %4")
            .arg(count)
            .arg(m_main.keys.size())
            .arg(formatPercent(m_main.mass), m_output.empty() ? QStringLiteral("x") : QStringLiteral("x′")));
  const auto last = static_cast<size_t>(unit.end - 1);
  if (m_outputFrom >= 0) {
    const qsizetype copies = std::clamp<qsizetype>(unit.end - m_outputFrom, 0, unit.end - unit.begin);
    more.append(copies == 0                       ? tr("no x′ in this regime")
                : copies == unit.end - unit.begin ? tr("has x′")
                                                  : tr("x′ at the last %1 tokens").arg(copies));
  }
  if (predicts(unit.end - 1))
    more.append(tr("then predicts %1 with %2")
                    .arg(m_predictions[last].text, formatNumber(m_predictions[last].probability)));
  if (std::ranges::find(m_lane, unit.begin) != m_lane.end()) more.append(tr("sink lane: not tinted"));
  return unitTip(m_pieces, unit, more);
}

QMimeData* TokenHeat::mimeData() const {
  QByteArray bytes;
  const bool one = m_marked >= 0 && !m_units.empty();
  const qsizetype begin = one ? m_units[unitOf(m_marked)].begin : 0;
  const qsizetype end = one ? m_units[unitOf(m_marked)].end : m_pieces.size();
  for (qsizetype i = begin; i < end; ++i) bytes += m_pieces[i];
  auto* data = new QMimeData;
  data->setText(QString::fromUtf8(bytes));
  data->setData(QStringLiteral("application/octet-stream"), bytes);
  return data;
}

int TokenHeat::unitAt(const QPointF& point) const {
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    if (m_boxes[i].frame.contains(point) || m_boxes[i].prediction.contains(point)) return static_cast<int>(i);
  }
  return -1;
}

void TokenHeat::paintUnit(QPainter& painter, size_t index) const {
  const TokenUnit& unit = m_units[index];
  const QRectF box = m_boxes[index].frame;
  QColor ground = color(Role::Surface);
  const bool inLane = std::ranges::any_of(m_lane, [&](qsizetype key) {
    return key >= unit.begin && key < unit.end && unit.end - unit.begin == 1;
  });
  const double strong = shade(massOf(m_output.empty() ? m_base : m_output, unit));
  if (strong > 0 && !inLane) {
    ground = theme().ramp(m_output.empty() ? Ramp::Base : Ramp::Output, strong);
    painter.fillRect(box, ground);
  }
  painter.setFont(monoFont(12));
  painter.setPen(theme().textOn(ground));
  painter.drawText(
      box.adjusted(3, 0, 0, -3), Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(unit.text, Qt::ElideRight, static_cast<int>(box.width()) - 3));
  const double weak = shade(massOf(m_base, unit));
  if (!m_output.empty() && weak > 0 && !inLane) {
    const double high = 1 + 4 * weak;
    painter.fillRect(QRectF(box.left(), box.bottom() - high, box.width(), high), color(Role::Accent));
  }
  if (mainKeysIn(unit) > 0) {
    constexpr double kCorner = 6;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().textOn(ground));
    painter.drawPolygon(QPolygonF(
        {box.topRight(), box.topRight() - QPointF(kCorner, 0), box.topRight() + QPointF(0, kCorner)}));
  }
  const auto frame = [&](double pen, Qt::PenStyle style) {
    painter.setPen(QPen(color(Role::Text), pen, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  };
  if (inLane) frame(1, Qt::DotLine);
  // Several tokens that make one character, or a match: one frame that says so.
  if (unit.isMatch || (m_granularity == Granularity::Token && unit.end - unit.begin > 1)) {
    painter.setPen(QPen(color(Role::FieldLine), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  const qsizetype current = m_queries.empty() ? m_pieces.size() - 1 : m_queries.front();
  for (const qsizetype query : m_queries) {
    if (query >= unit.begin && query < unit.end && query != current) frame(1, Qt::DashLine);
  }
  if (current >= unit.begin && current < unit.end) frame(1, Qt::SolidLine);
  if (m_marked >= unit.begin && m_marked < unit.end) frame(2, Qt::SolidLine);
  if (m_outputFrom >= 0 && unit.end > m_outputFrom) {  // the second chip, behind the first
    const double wide = std::min(10.0, box.width() - 2);
    const QRectF tab(box.left() + 1, box.top(), wide, 4);
    painter.fillRect(tab.adjusted(-1, 0, 1, 1), color(Role::Surface));
    painter.fillRect(tab, color(Role::Output));
  }
  const QRectF after = m_boxes[index].prediction;
  if (after.isEmpty()) return;
  painter.setFont(monoFont(10));
  painter.setPen(color(Role::Output));
  painter.drawText(after.adjusted(3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(predictionText(unit.end - 1), Qt::ElideRight,
                                                    static_cast<int>(after.width()) - 4));
}

void TokenHeat::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    if ((m_boxes[i].frame | m_boxes[i].prediction).intersects(QRectF(event->rect()).adjusted(-2, -2, 2, 2)))
      paintUnit(painter, i);
  }
}

void TokenHeat::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_boxes = boxesFor(width());
  setMinimumHeight(heightForWidth(width()));
}

void TokenHeat::mousePressEvent(QMouseEvent* event) {
  const int unit = unitAt(event->position());
  if (unit < 0) return;
  const qsizetype token = m_units[static_cast<size_t>(unit)].end - 1;
  if ((event->modifiers() & Qt::ShiftModifier) != 0) {
    Q_EMIT added(token);
  } else {
    Q_EMIT chosen(token);
  }
}

void TokenHeat::mouseMoveEvent(QMouseEvent* event) {
  const int unit = unitAt(event->position());
  setMarked(unit < 0 ? -1 : m_units[static_cast<size_t>(unit)].begin);
  Q_EMIT keyHovered(m_marked);
}

void TokenHeat::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    QGuiApplication::clipboard()->setMimeData(mimeData());
    return;
  }
  if (m_units.empty()) return QWidget::keyPressEvent(event);
  const qsizetype from = m_marked >= 0       ? m_marked
                         : m_queries.empty() ? m_pieces.size() - 1
                                             : m_queries.front();
  auto unit = static_cast<qsizetype>(unitOf(from));
  const auto last = static_cast<qsizetype>(m_units.size()) - 1;
  const qsizetype step = (event->modifiers() & Qt::ShiftModifier) != 0 ? 10 : 1;
  const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (direction != 0 && (event->modifiers() & Qt::ControlModifier) != 0) {
    do {
      unit += direction;
    } while (unit > 0 && unit < last &&
             !startsParagraph(m_visible, m_units[static_cast<size_t>(unit)].begin));
  } else if (direction != 0) {
    unit += direction * step;
  } else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End) {
    unit = event->key() == Qt::Key_Home ? 0 : last;
  } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) {
    Q_EMIT chosen(m_units[static_cast<size_t>(unit)].end - 1);
    return;
  } else {
    return QWidget::keyPressEvent(event);
  }
  setMarked(m_units[static_cast<size_t>(std::clamp<qsizetype>(unit, 0, last))].begin);
  Q_EMIT keyHovered(m_marked);
}

bool TokenHeat::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int unit = unitAt(help->pos());
  if (unit < 0) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), tipOf(static_cast<size_t>(unit)), this);
  }
  return true;
}

void TokenHeat::leaveEvent(QEvent*) {
  setMarked(-1);
  Q_EMIT keyHovered(-1);
}

}  // namespace orthros::widgets
