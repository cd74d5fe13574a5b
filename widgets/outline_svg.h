// OutlineSvg: an SVG file whose text is written as outlines, so that the picture is the same where its fonts
// are not installed. Everything else goes to QSvgGenerator. Paint on it like on any device. Threads: one
// painter.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QSvgGenerator>
#include <memory>

namespace orthros::widgets {

class OutlineSvg : public QPaintDevice {
 public:
  OutlineSvg(const QString& path, const QSize& size, const QString& title, const QString& description);
  ~OutlineSvg() override;
  QPaintEngine* paintEngine() const override;

 protected:
  int metric(PaintDeviceMetric metric) const override;

 private:
  class Engine;
  QSize m_size;
  QSvgGenerator m_generator;
  std::unique_ptr<Engine> m_engine;
};

}  // namespace orthros::widgets
