// The mini-map of the pair view: the whole matrix with the part that is shown, in the corner under the
// position labels, where no cell ever lies. Drawn once for the data; a frame costs one small picture and one
// rectangle.
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/pair_raster.h"
#include "widgets/pair_view.h"

namespace orthros::widgets {
namespace {

constexpr int kMap = 76;  // pixels a side
constexpr double kLeastFrame = 4;

}  // namespace

bool PairView::hasMap() const {
  const auto keys = m_data ? static_cast<double>(m_data->keys) : 0.0;
  return m_data && !m_data->positions.empty() && (m_shown.height() < keys || m_shown.width() < keys);
}

QRectF PairView::mapRect() const {
  return hasMap() ? QRectF(4, height() - kMap - 3, kMap, kMap) : QRectF();
}

// The output rows where there are any, else all that x reads.
bool PairView::mapsOutput() const {
  return !m_data->output.isEmpty();
}

QRectF PairView::mapFrame() const {
  const QRectF map = mapRect();
  const double scale = map.width() / static_cast<double>(m_data->keys);
  const bool isBand = !mapsOutput() && m_data->window > 0;  // not panned along its columns
  const QRectF frame(isBand ? map.left() : map.left() + m_shown.left() * scale,
                     map.top() + m_shown.top() * scale, isBand ? map.width() : m_shown.width() * scale,
                     m_shown.height() * scale);
  const double wide = std::max(kLeastFrame, frame.width());
  const double high = std::max(kLeastFrame, frame.height());
  return {std::clamp(frame.center().x() - wide / 2, map.left(), map.right() - wide),
          std::clamp(frame.center().y() - high / 2, map.top(), map.bottom() - high), wide, high};
}

void PairView::centreOn(const QPointF& pointInMap) {
  const QRectF map = mapRect();
  const double keys = static_cast<double>(m_data->keys) / map.width();
  QRectF area = m_shown;
  area.moveCenter({(pointInMap.x() - map.left()) * keys, (pointInMap.y() - map.top()) * keys});
  showArea(area);
}

void PairView::paintMap(QPainter& painter) {
  const QRectF map = mapRect();
  const double scale = std::max(1.0, painter.device()->devicePixelRatioF());
  const QSize size = (map.size() * scale).toSize();
  if (m_map.image.size() != size || !m_map.valid) {
    const bool output = mapsOutput();
    const MaxPyramid& matrix = m_data->matrix(output);
    const auto keys = static_cast<double>(m_data->keys);
    const double columns = output || m_data->window == 0 ? keys : static_cast<double>(matrix.columns());
    // One colour a weight in every style: rows are then merged by the pyramid before they are read.
    const WeightStyle style{ScaleMode::Log, false, m_style.lane};
    m_map.image = pairRaster({m_data.get(), output, QRectF(0, 0, columns, keys), size, style,
                              pairScale(*m_data, output, style, true)},
                             rasterColors(output));
    m_map.valid = true;
  }
  painter.drawImage(map, m_map.image);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::FieldLine), 1));
  painter.drawRect(map.adjusted(-0.5, -0.5, 0.5, 0.5));
  const QRectF frame = mapFrame();
  painter.setPen(QPen(color(Role::Surface), 3));
  painter.drawRect(frame);
  painter.setPen(QPen(color(Role::Text), 1.5));
  painter.drawRect(frame);
}

bool PairView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (mapRect().contains(help->pos())) {
    QToolTip::showText(help->globalPos(),
                       tr("The whole matrix, heaviest weight below each pixel, on a log₂ scale; the frame is "
                          "what is shown. Click or drag to move it; Home shows everything."),
                       this);
  } else {
    QToolTip::hideText();
  }
  return true;
}

}  // namespace orthros::widgets
