#include "widgets/icon.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace orthros::widgets {

QPixmap iconPixmap(const QString& name, Role role, int size, qreal devicePixelRatio) {
  QFile file(QStringLiteral(":/orthros/icons/") + name + QStringLiteral(".svg"));
  QPixmap pixmap(QSize(size, size) * devicePixelRatio);
  pixmap.fill(Qt::transparent);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  if (!file.open(QIODevice::ReadOnly)) return pixmap;
  QByteArray svg = file.readAll();
  svg.replace("#000", color(role).name().toLatin1());
  QSvgRenderer renderer(svg);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  renderer.render(&painter, QRectF(0, 0, size, size));
  return pixmap;
}

QIcon icon(const QString& name, Role role) {
  QIcon result;
  for (const qreal ratio : {1.0, 2.0, 3.0}) {
    result.addPixmap(iconPixmap(name, role, 24, ratio));
    result.addPixmap(iconPixmap(name, Role::Muted, 24, ratio), QIcon::Disabled);
    result.addPixmap(iconPixmap(name, Role::Accent, 24, ratio), QIcon::Normal, QIcon::On);
  }
  return result;
}

void setThemedIcon(QAbstractButton* button, const QString& name, Role role) {
  button->setIcon(icon(name, role));
  QObject::connect(&ThemeHub::instance(), &ThemeHub::changed, button,
                   [button, name, role] { button->setIcon(icon(name, role)); });
}

}  // namespace orthros::widgets
