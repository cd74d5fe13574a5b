// Export dialog: where a figure or its numbers go, and what the page says afterwards; the same on every page.
// Threads: GUI thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

class QWidget;

namespace orthros::widgets {
class Notice;
}

namespace orthros::studio {

class Settings;

/// Where these texts stand for translators.
struct ExportText {
  Q_DECLARE_TR_FUNCTIONS(ExportText)
};

/// Asks for a path, beginning with NAME.SUFFIX in the folder of the last export, and keeps the folder.
/// suffixes: what the page can write, in the order they are listed: svg, pdf, png, csv, npy, json. A name
/// without suffix gets `suffix`. Empty: nothing was chosen.
QString askExportPath(QWidget* parent, Settings& settings, const QString& name, const QString& suffix,
                      const QStringList& suffixes);

/// "Written: PATH", or the problem.
void sayWritten(widgets::Notice& notice, const QString& path, const QString& problem);

}  // namespace orthros::studio
