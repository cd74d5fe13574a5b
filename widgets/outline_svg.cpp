#include "widgets/outline_svg.h"

#include <QPainterPath>
#include <QPixmap>
#include <limits>

namespace orthros::widgets {
namespace {

constexpr int kDotsPerInch = 96;
constexpr double kMillimetresPerInch = 25.4;

QPaintEngine::PaintEngineFeatures featuresOf(const QPaintEngine& engine) {
  QPaintEngine::PaintEngineFeatures features;
  for (uint bit = 1; bit != 0 && bit <= QPaintEngine::ObjectBoundingModeGradients; bit <<= 1) {
    const auto feature = static_cast<QPaintEngine::PaintEngineFeature>(bit);
    if (engine.hasFeature(feature)) features |= feature;
  }
  return features;
}

QPaintEngine* engineOf(const QPaintDevice& device) {
  return device.paintEngine();
}

}  // namespace

// Hands everything to the generator's engine but text, which QPaintEngine's own drawTextItem paints as a
// path.
class OutlineSvg::Engine : public QPaintEngine {
 public:
  explicit Engine(QSvgGenerator& generator)
      : QPaintEngine(featuresOf(*engineOf(generator))),
        m_generator(generator),
        m_inner(*engineOf(generator)) {}

  bool begin(QPaintDevice*) override {
    share();
    return m_inner.begin(&m_generator);
  }
  bool end() override { return m_inner.end(); }
  void updateState(const QPaintEngineState& now) override {
    share();
    m_inner.updateState(now);
  }
  void drawPath(const QPainterPath& path) override { m_inner.drawPath(path); }
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    m_inner.drawPolygon(points, count, mode);
  }
  void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override {
    m_inner.drawPixmap(to, pixmap, from);
  }
  void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                 Qt::ImageConversionFlags flags) override {
    m_inner.drawImage(to, image, from, flags);
  }
  Type type() const override { return User; }

 private:
  // The painter sets its state on this engine alone; the inner one reads its own.
  void share() { m_inner.*(&Engine::state) = state; }

  QSvgGenerator& m_generator;
  QPaintEngine& m_inner;
};

OutlineSvg::OutlineSvg(const QString& path, const QSize& size, const QString& title,
                       const QString& description)
    : m_size(size) {
  m_generator.setFileName(path);
  m_generator.setSize(size);
  m_generator.setViewBox(QRect(QPoint(), size));
  m_generator.setResolution(kDotsPerInch);
  m_generator.setTitle(title);
  m_generator.setDescription(description);
  m_engine = std::make_unique<Engine>(m_generator);
}

OutlineSvg::~OutlineSvg() = default;

QPaintEngine* OutlineSvg::paintEngine() const {
  return m_engine.get();
}

int OutlineSvg::metric(PaintDeviceMetric metric) const {
  switch (metric) {
    case PdmWidth:
      return m_size.width();
    case PdmHeight:
      return m_size.height();
    case PdmWidthMM:
      return qRound(m_size.width() * kMillimetresPerInch / kDotsPerInch);
    case PdmHeightMM:
      return qRound(m_size.height() * kMillimetresPerInch / kDotsPerInch);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return kDotsPerInch;
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return qRound(devicePixelRatioFScale());
    case PdmDepth:
      return 32;
    case PdmNumColors:
      return std::numeric_limits<int>::max();
    default:  // newer questions of Qt; its own answer is a warning on stderr
      return 0;
  }
}

}  // namespace orthros::widgets
