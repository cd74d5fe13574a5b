#include "widgets/export_picture.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QPixmap>
#include <QSvgGenerator>
#include <QWidget>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr int kPngScale = 3;

void render(QWidget* view, QPaintDevice* device, double scale) {
  QPainter painter(device);
  painter.scale(scale, scale);
  painter.fillRect(view->rect(), color(Role::Surface));
  view->render(&painter, {}, {}, QWidget::DrawChildren);
}

}  // namespace

QString exportPicture(QWidget* view, const QString& path, const QString& title) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix == u"svg") {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(view->size());
    generator.setViewBox(view->rect());
    generator.setTitle(title);
    generator.setDescription(QCoreApplication::applicationName());
    render(view, &generator, 1);
    if (QFileInfo(path).size() > 0) return {};
  } else if (suffix == u"png") {
    QPixmap pixmap(view->size() * kPngScale);
    render(view, &pixmap, kPngScale);
    if (pixmap.save(path)) return {};
  } else {
    return QCoreApplication::translate("exportPicture", "%1: a picture ends in .svg or .png").arg(path);
  }
  return QCoreApplication::translate("exportPicture", "cannot write %1").arg(path);
}

}  // namespace orthros::widgets
