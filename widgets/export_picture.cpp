#include "widgets/export_picture.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QWidget>
#include <limits>

#include "widgets/outline_svg.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr int kPngDotsPerInch = 300;
constexpr double kInchesPerMetre = 39.37;
constexpr int kMargin = 16;
constexpr int kTitle = 28;
constexpr int kCaptionGap = 6;
constexpr int kDotsPerInch = 96;  // a pixel of the view is 1/96 inch on paper

QFont captionFont(const QWidget* view) {
  return fontOf(*view, 10);
}

// A narrow picture says as much as a wide one, in more lines.
int captionHeight(const QWidget* view, const PictureText& text) {
  const QRect all(0, 0, view->width(), std::numeric_limits<int>::max());
  return QFontMetrics(captionFont(view)).boundingRect(all, Qt::TextWordWrap, text.caption).height();
}

QSize pictureSize(const QWidget* view, const PictureText& text) {
  return view->size() + QSize(2 * kMargin, 2 * kMargin + kTitle + kCaptionGap + captionHeight(view, text));
}

void render(QWidget* view, QPaintDevice* device, double scale, const PictureText& text) {
  QPainter painter(device);
  painter.scale(scale, scale);
  const QSize size = pictureSize(view, text);
  painter.fillRect(QRect(QPoint(), size), color(Role::Surface));
  painter.setFont(fontOf(*view, 14, QFont::DemiBold));
  painter.setPen(color(Role::Text));
  const int wide = size.width() - 2 * kMargin;
  painter.drawText(QRect(kMargin, kMargin, wide, kTitle - 8), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text.title, Qt::ElideRight, wide));
  painter.setFont(captionFont(view));
  painter.setPen(color(Role::Muted));
  const int high = captionHeight(view, text);
  painter.drawText(QRect(kMargin, size.height() - kMargin - high, wide, high), Qt::TextWordWrap,
                   text.caption);
  painter.translate(kMargin, kMargin + kTitle);
  view->render(&painter, {}, {}, QWidget::DrawChildren);
}

bool writeSvg(QWidget* view, const QString& path, const PictureText& text) {
  OutlineSvg svg(path, pictureSize(view, text), text.title, text.caption);
  render(view, &svg, 1, text);
  return QFileInfo(path).size() > 0;
}

bool writePdf(QWidget* view, const QString& path, const PictureText& text) {
  QPdfWriter writer(path);
  writer.setTitle(text.title);
  writer.setCreator(QCoreApplication::applicationName());
  writer.setResolution(kDotsPerInch);
  writer.setPageMargins({});
  constexpr double kPointsPerInch = 72;
  writer.setPageSize(QPageSize(QSizeF(pictureSize(view, text)) * kPointsPerInch / kDotsPerInch,
                               QPageSize::Point, {}, QPageSize::ExactMatch));
  render(view, &writer, 1, text);
  return QFileInfo(path).size() > 0;
}

bool writePng(QWidget* view, const QString& path, const PictureText& text) {
  constexpr double kScale = static_cast<double>(kPngDotsPerInch) / kDotsPerInch;
  QImage image(pictureSize(view, text) * kScale, QImage::Format_RGB32);
  render(view, &image, kScale, text);
  image.setDotsPerMeterX(qRound(kPngDotsPerInch * kInchesPerMetre));
  image.setDotsPerMeterY(qRound(kPngDotsPerInch * kInchesPerMetre));
  return image.save(path);
}

// Texts in labels take their colours from the style sheet.
bool onPaper(QWidget* view, const std::function<bool()>& write) {
  bool written = false;
  const QString own = view->styleSheet();
  ThemeHub::instance().onPaper([&] {
    view->setStyleSheet(theme().styleSheet());
    written = write();
    view->setStyleSheet(own);
  });
  return written;
}

}  // namespace

QString exportPicture(QWidget* view, const QString& path, const PictureText& text) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto write = suffix == u"svg"   ? writeSvg
                     : suffix == u"pdf" ? writePdf
                     : suffix == u"png" ? writePng
                                        : nullptr;
  if (write == nullptr)
    return QCoreApplication::translate("exportPicture", "%1: a picture ends in .svg, .pdf or .png").arg(path);
  const QFileInfo folder(QFileInfo(path).absolutePath());
  const auto writeIt = [&] { return write(view, path, text); };
  const bool paper = theme().isDark() && !text.inTheme;
  if (folder.isDir() && folder.isWritable() && (paper ? onPaper(view, writeIt) : writeIt())) return {};
  return QCoreApplication::translate("exportPicture", "cannot write %1").arg(path);
}

}  // namespace orthros::widgets
