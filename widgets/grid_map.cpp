#include "widgets/grid_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>
#include <limits>

#include "widgets/cell_marks.h"
#include "widgets/format.h"
#include "widgets/pair_raster.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 34;
constexpr double kRight = 12;
constexpr double kTop = 24;
constexpr double kBottom = 34;

}  // namespace

GridMap::GridMap(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void GridMap::setData(const GridData& data) {
  m_data = data;
  m_most = 0;
  for (const float value : data.values) {
    if (std::isfinite(value)) m_most = std::max(m_most, std::abs(static_cast<double>(value)));
  }
  if (m_most <= 0) m_most = 1;
  m_row = m_column = -1;
  setAccessibleName(data.title);
  update();
}

void GridMap::setMarked(qsizetype row, qsizetype column) {
  m_markedRow = row;
  m_markedColumn = column;
  update();
}

QRectF GridMap::field() const {
  return {kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kBottom)};
}

std::pair<qsizetype, qsizetype> GridMap::cellAt(const QPointF& point) const {
  const QRectF at = field();
  if (m_data.rows == 0 || !at.contains(point)) return {-1, -1};
  const auto row =
      static_cast<qsizetype>((point.y() - at.top()) / at.height() * static_cast<double>(m_data.rows));
  const auto column =
      static_cast<qsizetype>((point.x() - at.left()) / at.width() * static_cast<double>(m_data.columns));
  return {std::min(row, m_data.rows - 1), std::min(column, m_data.columns - 1)};
}

QString GridMap::readout(qsizetype row, qsizetype column) const {
  if (row < 0 || column < 0) return {};
  const float value = m_data.values[static_cast<size_t>(row * m_data.columns + column)];
  const QString token = m_data.columnTexts.value(column);
  return QStringLiteral("%1 %2   %3 %4 %5   ")
             .arg(m_data.rowName)
             .arg(row)
             .arg(m_data.columnName)
             .arg(column)
             .arg(token) +
         (std::isnan(value)  ? tr("not captured")
          : value == kUnseen ? (m_data.unseenText.isEmpty() ? tr("unseen") : m_data.unseenText)
                             : formatNumber(value));
}

QColor GridMap::colorOf(float value) const {
  const bool isDifference = m_data.ramp == Ramp::Difference;
  return theme().ramp(m_data.ramp, rampPlace(value, isDifference, m_data.isLog, m_most));
}

void GridMap::paintField(QPainter& painter) const {
  const QRectF at = field();
  const double high = at.height() / static_cast<double>(m_data.rows);
  const auto pixels = static_cast<qsizetype>(at.width());
  const qsizetype cells = std::min(m_data.columns, std::max<qsizetype>(1, pixels));
  const double wide = at.width() / static_cast<double>(cells);
  const double gap = wide > 6 && high > 6 ? 1 : 0;
  for (qsizetype row = 0; row < m_data.rows; ++row) {
    QRectF missing;  // neighbours are hatched as one
    const auto hatch = [&] {
      if (!missing.isEmpty()) fillHatched(painter, missing, color(Role::FieldLine));
      missing = QRectF();
    };
    for (qsizetype cell = 0; cell < cells; ++cell) {
      const qsizetype begin = cell * m_data.columns / cells;
      const qsizetype end = std::max(begin + 1, (cell + 1) * m_data.columns / cells);
      float value = std::numeric_limits<float>::quiet_NaN();
      for (qsizetype column = begin; column < end; ++column) {
        const float one = m_data.values[static_cast<size_t>(row * m_data.columns + column)];
        if (std::isnan(value) || value == kUnseen) {
          value = one;
        } else if (std::isfinite(one) && std::abs(one) > std::abs(value)) {
          value = one;
        }
      }
      const QRectF box(at.left() + static_cast<double>(cell) * wide,
                       at.top() + static_cast<double>(row) * high, wide - gap + 0.01, high - gap + 0.01);
      if (std::isnan(value)) {
        missing |= box;
        continue;
      }
      hatch();
      if (value != kUnseen) painter.fillRect(box, colorOf(value));
    }
    hatch();
  }
  if (cells < m_data.columns) paintBinnedCorner(painter, at);
}

void GridMap::paintAxes(QPainter& painter) const {
  const QRectF at = field();
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  const double high = at.height() / static_cast<double>(m_data.rows);
  const qsizetype rowStep = high >= 12 ? 1 : high >= 3 ? 5 : 10;
  for (qsizetype row = 0; row < m_data.rows; row += rowStep)
    painter.drawText(QRectF(0, at.top() + (static_cast<double>(row) + 0.5) * high - 8, kLeft - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(row));
  painter.drawText(QRectF(at.left(), at.bottom() + 2, 60, 14), Qt::AlignLeft, QStringLiteral("0"));
  painter.drawText(QRectF(at.right() - 80, at.bottom() + 2, 80, 14), Qt::AlignRight,
                   QString::number(m_data.columns - 1));
  painter.drawText(QRectF(at.left(), at.bottom() + 2, at.width(), 14), Qt::AlignHCenter,
                   tr("%1 ↓   %2 →").arg(m_data.rowName, m_data.columnName));
  const double y = at.bottom() + 20;
  double x = at.left();
  const QString low = m_data.isLog ? QStringLiteral("2⁻¹⁶") : QStringLiteral("0");
  painter.drawText(QRectF(x, y - 3, 40, 14), Qt::AlignLeft | Qt::AlignVCenter, low);
  x += painter.fontMetrics().horizontalAdvance(low) + 6;
  for (int i = 0; i < 60; ++i)
    painter.fillRect(QRectF(x + i * 1.5, y, 2, 8), theme().ramp(m_data.ramp, i / 59.0));
  painter.drawText(QRectF(x + 98, y - 3, 80, 14), Qt::AlignLeft | Qt::AlignVCenter,
                   m_data.isLog ? QStringLiteral("1") : formatNumber(m_most));
}

void GridMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_data.rows == 0 || m_data.columns == 0) return;
  paintField(painter);
  paintAxes(painter);
  const QRectF at = field();
  const double high = at.height() / static_cast<double>(m_data.rows);
  const double wide = at.width() / static_cast<double>(m_data.columns);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Text), 1.5));
  if (m_markedRow >= 0)
    painter.drawRect(QRectF(at.left(), at.top() + static_cast<double>(m_markedRow) * high, at.width(), high));
  if (m_markedColumn >= 0)
    painter.drawRect(QRectF(at.left() + static_cast<double>(m_markedColumn) * wide, at.top(),
                            std::max(wide, 1.0), at.height()));
  const QString text = readout(m_row, m_column);
  QFont name = font();
  name.setPixelSize(12);
  name.setWeight(QFont::DemiBold);
  painter.setFont(text.isEmpty() ? name : monoFont(12));
  painter.setPen(color(Role::Text));
  painter.drawText(QRectF(at.left(), 2, at.width(), 18), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text.isEmpty() ? m_data.title : text, Qt::ElideRight,
                                                    static_cast<int>(at.width())));
  if (m_row < 0) return;
  painter.setPen(QPen(color(Role::Text), 2));
  painter.drawRect(QRectF(at.left() + static_cast<double>(m_column) * wide,
                          at.top() + static_cast<double>(m_row) * high, std::max(wide, 3.0),
                          std::max(high, 3.0)));
}

void GridMap::mouseMoveEvent(QMouseEvent* event) {
  std::tie(m_row, m_column) = cellAt(event->position());
  update();
}

void GridMap::mousePressEvent(QMouseEvent* event) {
  const auto [row, column] = cellAt(event->position());
  if (row >= 0) Q_EMIT chosen(row, column);
}

void GridMap::keyPressEvent(QKeyEvent* event) {
  const auto move = [this](qsizetype rows, qsizetype columns) {
    if (m_data.rows == 0) return;
    m_row = std::clamp<qsizetype>(m_row + rows, 0, m_data.rows - 1);
    m_column = std::clamp<qsizetype>(m_column + columns, 0, m_data.columns - 1);
    setAccessibleDescription(readout(m_row, m_column));
    update();
  };
  switch (event->key()) {
    case Qt::Key_Up:
      return move(-1, 0);
    case Qt::Key_Down:
      return move(1, 0);
    case Qt::Key_Left:
      return move(0, -1);
    case Qt::Key_Right:
      return move(0, 1);
    case Qt::Key_Space:
    case Qt::Key_Return:
      if (m_row >= 0) Q_EMIT chosen(m_row, m_column);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void GridMap::leaveEvent(QEvent*) {
  m_row = m_column = -1;
  update();
}

}  // namespace orthros::widgets
