#include "app/studio/export_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

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

}  // namespace

QString askExportPath(QWidget* parent, Settings& settings, const QString& name, const QString& suffix,
                      const QStringList& suffixes) {
  QStringList kinds;
  for (const QString& one : suffixes) kinds.append(kindOf(one));
  QString chosen = kindOf(suffix.section(u'.', -1));  // of a name such as rows.tokens.csv the last counts
  QString path =
      QFileDialog::getSaveFileName(parent, ExportText::tr("Export"),
                                   QDir(settings.exportFolder()).filePath(name + QLatin1Char('.') + suffix),
                                   kinds.join(QStringLiteral(";;")), &chosen);
  if (path.isEmpty()) return path;
  if (QFileInfo(path).suffix().isEmpty()) path += QLatin1Char('.') + suffix;
  settings.setExportFolder(QFileInfo(path).absolutePath());
  return path;
}

void sayWritten(widgets::Notice& notice, const QString& path, const QString& problem) {
  notice.show(
      problem.isEmpty() ? widgets::Notice::Kind::Good : widgets::Notice::Kind::Bad,
      problem.isEmpty() ? ExportText::tr("Written: %1").arg(QDir::toNativeSeparators(path)) : problem);
}

}  // namespace orthros::studio
