#include "app/studio/pages/lessons/lesson_export.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QWidget>

#include "widgets/theme.h"

namespace orthros::studio {
namespace {

constexpr int kDotsPerInch = 96;
constexpr double kMargin = 36, kText = 250, kGap = 24;  // px at 96 dpi
constexpr int kHeading = 20, kBody = 15, kFoot = 10;

class Writer {
 public:
  Writer(QPdfWriter& pdf, const QString& title) : m_pdf(pdf), m_painter(&pdf), m_title(title) {}
  bool isActive() const { return m_painter.isActive(); }

  void page(const QString& heading, const QString& body, QWidget* figure) {
    if (m_number++ > 0) m_pdf.newPage();
    const QRectF all(kMargin, kMargin, m_pdf.width() - 2 * kMargin, m_pdf.height() - 2 * kMargin);
    m_painter.fillRect(QRectF(0, 0, m_pdf.width(), m_pdf.height()), widgets::color(widgets::Role::Surface));
    write({all.left(), all.top(), all.width(), 30}, heading, kHeading, QFont::DemiBold, widgets::Role::Text);
    const double wide = figure == nullptr ? all.width() : kText;
    write({all.left(), all.top() + 44, wide, all.height() - 70}, body, kBody, QFont::Normal,
          widgets::Role::Text);
    write({all.left(), all.bottom() - 14, all.width(), 16},
          m_title + QStringLiteral("  ·  ") + QString::number(m_number), kFoot, QFont::Normal,
          widgets::Role::Muted);
    if (figure == nullptr) return;
    const QRectF room(all.left() + kText + kGap, all.top() + 44, all.width() - kText - kGap,
                      all.height() - 70);
    const double scale = std::min(room.width() / figure->width(), room.height() / figure->height());
    m_painter.save();
    m_painter.translate(room.topLeft());
    m_painter.scale(scale, scale);
    figure->render(&m_painter, {}, {}, QWidget::DrawChildren);
    m_painter.restore();
  }

 private:
  void write(const QRectF& box, const QString& text, int pixels, int weight, widgets::Role role) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(static_cast<QFont::Weight>(weight));
    m_painter.setFont(font);
    m_painter.setPen(widgets::color(role));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
  }

  QPdfWriter& m_pdf;
  QPainter m_painter;
  QString m_title;
  int m_number = 0;
};

}  // namespace

QString writeLessonPdf(const QString& path, const QString& title, int cards, QWidget* figure,
                       const std::function<LessonPageText(int)>& turn, const QStringList& questions) {
  const QString failed = QCoreApplication::translate("exportPicture", "cannot write %1").arg(path);
  const QFileInfo folder(QFileInfo(path).absolutePath());
  if (!folder.isDir() || !folder.isWritable()) return failed;
  {
    QPdfWriter pdf(path);
    pdf.setTitle(title);
    pdf.setCreator(QCoreApplication::applicationName());
    pdf.setResolution(kDotsPerInch);
    pdf.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape, {}));
    Writer writer(pdf, title);
    if (!writer.isActive()) return failed;
    for (int card = 0; card < cards; ++card) {
      const LessonPageText text = turn(card);
      writer.page(text.heading, text.body, figure);
    }
    if (!questions.isEmpty())
      writer.page(QCoreApplication::translate("LessonText", "Questions"),
                  questions.join(QStringLiteral("\n\n")), nullptr);
  }
  return QFileInfo(path).size() > 0 ? QString() : failed;
}

}  // namespace orthros::studio
