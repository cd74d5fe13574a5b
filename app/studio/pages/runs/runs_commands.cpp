// What the Runs page does to runs: stars, names, tags and notes; delete and undo; files out and in.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "app/studio/export_dialog.h"
#include "app/studio/pages/runs/runs_page.h"
#include "app/studio/text.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using Kind = widgets::Notice::Kind;

RunName nameOf(const RunRow& row) {
  return {row.id, row.uuid, row.kind, row.name};
}

}  // namespace

void RunsPage::change(const QString& title, std::function<Result<void>(store::RunStore&, JobContext&)> work,
                      std::function<void(const Result<void>&)> done, bool quiet) {
  const auto job = [path = m_workspace.settings().runStorePath(), &workspace = m_workspace,
                    work = std::move(work)](JobContext& context) -> Result<void> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    return work(*store, context);
  };
  m_workspace.files().start<void>(
      title, job, this,
      [this, done = std::move(done)](Result<void>& result) {
        done(result);
        m_workspace.announceRun();
        Q_EMIT changed();
      },
      quiet);
}

void RunsPage::edit(qint64 id, RunField field, const QString& text) {
  const auto work = [id, field, value = toStd(text)](store::RunStore& store, JobContext&) {
    switch (field) {
      case RunField::Name:
        return store.set_name(id, value);
      case RunField::Tags:
        return store.set_tags(id, value);
      case RunField::Note:
        return store.set_note(id, value);
      case RunField::Starred:
        break;
    }
    return store.set_starred(id, !value.empty());
  };
  const auto done = [this](const Result<void>& result) {
    if (!result) complain(result.error());
  };
  change(tr("Write to the run"), work, done, /*quiet=*/true);
}

void RunsPage::toggleStar() {
  const QList<RunRow> runs = selectedRuns();
  // All get what the first one has not.
  for (const RunRow& run : runs)
    edit(run.id, RunField::Starred, runs.front().starred ? QString() : QStringLiteral("yes"));
}

QList<RunName> RunsPage::selectedNames() const {
  QList<RunName> names;
  for (const RunRow& run : selectedRuns()) names.append(nameOf(run));
  return names;
}

void RunsPage::removeSelected() {
  const QList<RunName> names = selectedNames();
  if (names.isEmpty()) return;
  m_runDetails->commit();
  const auto gone = std::make_shared<QList<RunName>>();
  const auto work = [names, gone](store::RunStore& store, JobContext& context) {
    return deleteRuns(store, names, context, *gone);
  };
  change(tr("Delete runs"), work, [this, gone](const Result<void>& result) {
    if (!gone->isEmpty()) m_deleted = *gone;
    const QString undo = gone->isEmpty() ? QString() : tr("Undo");
    if (!result) {
      m_notice->show(Kind::Bad, toQt(result.error()), undo);
    } else if (gone->size() == 1) {
      m_notice->show(Kind::Info,
                     tr("Deleted: %1. A bundle of it is kept for 30 days.").arg(gone->front().name), undo);
    } else {
      m_notice->show(Kind::Info,
                     tr("%1 runs deleted. Bundles of them are kept for 30 days.").arg(gone->size()), undo);
    }
  });
}

void RunsPage::undo() {
  if (m_deleted.isEmpty()) return;
  const auto work = [names = m_deleted](store::RunStore& store, JobContext& context) {
    return undeleteRuns(store, names, context);
  };
  change(tr("Undo the deletion"), work, [this](const Result<void>& result) {
    if (!result) {
      complain(result.error());
      return;
    }
    m_notice->show(Kind::Good, m_deleted.size() == 1 ? tr("It is back: %1").arg(m_deleted.front().name)
                                                     : tr("%1 runs are back").arg(m_deleted.size()));
    m_deleted.clear();
  });
}

bool RunsPage::isBundle(const QString& path) {
  return QFileInfo(path).suffix().toLower() == u"sqlite";
}

void RunsPage::importFiles(const QStringList& paths) {
  if (paths.isEmpty()) return;
  const auto report = std::make_shared<store::ImportReport>();
  const auto work = [paths, report](store::RunStore& store, JobContext& context) -> Result<void> {
    ORTHROS_TRY(*report, importRuns(store, paths, context));
    return {};
  };
  change(tr("Import runs"), work, [this, report](const Result<void>& result) {
    if (!result) {
      complain(result.error());
    } else if (report->experiments_added == 0) {
      m_notice->show(Kind::Info, report->experiments_present == 1
                                     ? tr("Nothing was added: the store has this run already.")
                                     : tr("Nothing was added: the store has these %1 runs already.")
                                           .arg(report->experiments_present));
    } else {
      m_notice->show(Kind::Good, tr("Runs added: %1, there already: %2, results added: %3")
                                     .arg(report->experiments_added)
                                     .arg(report->experiments_present)
                                     .arg(widgets::formatCount(report->results_added)));
    }
  });
}

void RunsPage::chooseImport() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(this, tr("Import runs"), m_workspace.settings().exportFolder(),
                                    tr("Run bundles (*.sqlite);;All files (*)"));
  importFiles(paths);
}

void RunsPage::exportTo(const QString& path) {
  const QList<RunName> names = selectedNames();
  if (names.size() != 1) return;
  const auto work = [store = m_workspace.settings().runStorePath(), run = names.front(), path](JobContext&) {
    return exportRun(store, run, path);
  };
  m_workspace.files().start<void>(tr("Export a run"), work, this, [this, path](Result<void>& written) {
    if (written) {
      sayWritten(*m_notice, path, {});
    } else {
      complain(written.error());
    }
    Q_EMIT exported();
  });
}

void RunsPage::exportMany(const QString& folder, const QString& suffix) {
  const auto work = [store = m_workspace.settings().runStorePath(), names = selectedNames(), folder,
                     suffix](JobContext& context) -> Result<void> {
    for (qsizetype i = 0; i < names.size(); ++i) {
      context.progress(tr("Export"), i, names.size());
      ORTHROS_TRY_VOID(context.stop().check("the export"));
      ORTHROS_TRY_VOID(exportRun(store, names[i], QDir(folder).filePath(fileNameOf(names[i], suffix))));
    }
    return {};
  };
  m_workspace.files().start<void>(
      tr("Export runs"), work, this, [this, folder, count = selectedNames().size()](Result<void>& written) {
        if (written) {
          m_notice->show(Kind::Good,
                         tr("%1 files written to %2").arg(count).arg(QDir::toNativeSeparators(folder)));
        } else {
          complain(written.error());
        }
        Q_EMIT exported();
      });
}

void RunsPage::chooseExport(const QString& suffix) {
  const QList<RunName> names = selectedNames();
  if (names.isEmpty()) return;
  const QDir folder(m_workspace.settings().exportFolder());
  if (names.size() > 1) {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Export runs to a folder"), folder.path());
    if (chosen.isEmpty()) return;
    m_workspace.settings().setExportFolder(chosen);
    exportMany(chosen, suffix);
    return;
  }
  const QString filter = suffix == u"sqlite" ? tr("Run bundle (*.sqlite)")
                         : suffix == u"csv"  ? tr("CSV (*.csv)")
                                             : tr("JSON lines (*.jsonl)");
  QString path = QFileDialog::getSaveFileName(this, tr("Export a run"),
                                              folder.filePath(fileNameOf(names.front(), suffix)), filter);
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += u'.' + suffix;
  m_workspace.settings().setExportFolder(QFileInfo(path).absolutePath());
  exportTo(path);
}

}  // namespace orthros::studio
