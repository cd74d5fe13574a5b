#include "app/studio/kept_runs.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMenu>
#include <QScreen>
#include <algorithm>

#include "app/studio/text.h"
#include "app/studio/workspace.h"

namespace orthros::studio {
namespace {

constexpr qsizetype kMostListed = 30;
constexpr int kWidest = 560;  // of an entry, pixels

}  // namespace

QString localTime(const std::string& utc) {
  const QDateTime time = QDateTime::fromString(toQt(utc), Qt::ISODateWithMs).toLocalTime();
  return time.isValid() ? time.toString(QStringLiteral("yyyy-MM-dd hh:mm")) : toQt(utc);
}

Result<QList<ListedRun>> readKeptRuns(const QString& storePath, store::ExperimentKind kind) {
  if (!QFileInfo::exists(storePath)) return QList<ListedRun>();
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto summaries, reader->experiments(kind));
  QList<ListedRun> rows;
  for (const store::ExperimentSummary& summary : summaries) {
    if (rows.size() == kMostListed) break;
    QStringList arms;
    for (const std::string& arm : summary.arms) arms.append(toQt(arm));
    rows.append({toQt(summary.experiment.uuid), toQt(summary.experiment.name),
                 arms.join(QStringLiteral(" | ")), localTime(summary.experiment.created_utc),
                 toQt(to_string(summary.status))});
  }
  return rows;
}

void fillKeptRuns(Workspace& workspace, QMenu* menu, store::ExperimentKind kind, const QString& prefix,
                  std::function<void(const QString& uuid)> open) {
  menu->clear();
  menu->setToolTipsVisible(true);
  menu->addAction(KeptText::tr("Reading…"))->setEnabled(false);
  workspace.files().start<QList<ListedRun>>(
      KeptText::tr("Read kept runs"),
      [path = workspace.settings().runStorePath(), kind](JobContext&) { return readKeptRuns(path, kind); },
      menu,
      [menu, prefix, open = std::move(open)](Result<QList<ListedRun>>& rows) {
        menu->clear();
        if (!rows || rows->isEmpty()) {
          menu->addAction(rows ? KeptText::tr("Nothing kept yet") : toQt(rows.error()))->setEnabled(false);
          return;
        }
        for (const ListedRun& row : *rows) {
          const QString whole =
              QStringLiteral("%1   %2   %3   %4").arg(row.created, row.status, row.name, row.arms);
          QString text = menu->fontMetrics().elidedText(whole, Qt::ElideRight, kWidest);
          QAction* action = menu->addAction(text.replace(u'&', QStringLiteral("&&")));
          action->setToolTip(whole);
          action->setObjectName(prefix + QLatin1Char('-') + row.uuid);
          QObject::connect(action, &QAction::triggered, menu, [open, uuid = row.uuid] { open(uuid); });
        }
        if (!menu->isVisible()) return;
        // It was put where it fitted while it said "Reading…".
        menu->adjustSize();
        const QRect screen = menu->screen()->availableGeometry();
        menu->move(std::max(screen.left(), std::min(menu->x(), screen.right() + 1 - menu->width())),
                   std::max(screen.top(), std::min(menu->y(), screen.bottom() + 1 - menu->height())));
      },
      /*quiet=*/true);
}

}  // namespace orthros::studio
