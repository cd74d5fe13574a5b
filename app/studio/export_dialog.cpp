#include "app/studio/export_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QTemporaryFile>

#include "app/studio/settings.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

QString kindOf(const QString& suffix) {
  if (suffix == u"svg") return ExportText::tr("SVG picture (*.svg)");
  if (suffix == u"pdf") return ExportText::tr("PDF (*.pdf)");
  if (suffix == u"png") return ExportText::tr("PNG picture (*.png)");
  if (suffix == u"csv") return ExportText::tr("CSV (*.csv)");
  if (suffix == u"npy") return ExportText::tr("NumPy array (*.npy)");
  return ExportText::tr("Bookmark (*.json)");
}

// Qt's own opens every file that it lists, to see what it is: some never answer, in /proc for one.
class PlainIcons : public QFileIconProvider {
 public:
  QIcon icon(const QFileInfo& info) const override {
    return QFileIconProvider::icon(info.isDir() ? IconType::Folder : IconType::File);
  }
  QString type(const QFileInfo& info) const override { return info.isDir() ? QString() : info.suffix(); }
};

}  // namespace

QString askExportPath(QWidget* parent, Settings& settings, const QString& name, const QString& suffix,
                      const QStringList& suffixes) {
  QStringList kinds;
  for (const QString& one : suffixes) kinds.append(kindOf(one));
  PlainIcons icons;
  QFileDialog dialog(parent, ExportText::tr("Export"), settings.exportFolder());
  dialog.setObjectName(QStringLiteral("exportDialog"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setIconProvider(&icons);
  dialog.setNameFilters(kinds);
  dialog.selectNameFilter(
      kindOf(suffix.section(u'.', -1)));  // of a name such as rows.tokens.csv the last counts
  // The dialog itself completes the name: it asks before it writes over a file.
  dialog.setDefaultSuffix(suffix);
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& kind) {
    const qsizetype at = kinds.indexOf(kind);
    if (at >= 0) dialog.setDefaultSuffix(suffixes[at]);
  });
  dialog.selectFile(name + QLatin1Char('.') + suffix);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  const QString path = dialog.selectedFiles().constFirst();
  const QString folder = QFileInfo(path).absolutePath();
  if (QTemporaryFile(QDir(folder).filePath(QStringLiteral(".orthros-XXXXXX"))).open())
    settings.setExportFolder(folder);  // the next export begins where one could be written
  return path;
}

void sayWritten(widgets::Notice& notice, const QString& path, const QString& problem) {
  notice.show(
      problem.isEmpty() ? widgets::Notice::Kind::Good : widgets::Notice::Kind::Bad,
      problem.isEmpty() ? ExportText::tr("Written: %1").arg(QDir::toNativeSeparators(path)) : problem);
}

}  // namespace orthros::studio
