// The Training page's list as it is filled, its state, recipes and folders that are chosen, export.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeWidget>

#include "app/studio/export_dialog.h"
#include "app/studio/pages/runs/run_row.h"
#include "app/studio/pages/training/training_page.h"
#include "app/studio/pages/training/training_plots.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using Kind = widgets::Notice::Kind;

void addItem(QTreeWidgetItem* group, const QString& name, const QString& caption, const QString& key,
             const QString& tip) {
  auto* item = new QTreeWidgetItem(group, {name, caption});
  item->setData(0, Qt::UserRole, key);
  item->setToolTip(0, tip);
  item->setToolTip(1, tip);
  item->setForeground(1, widgets::color(widgets::Role::Muted));
  item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
}

QByteArray number(double value) {
  return QByteArray::number(value, 'g', 9);
}

Result<void> writePoints(const QList<TrainingCurves>& runs, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly))
    return fail(ErrorCode::io, "cannot write {}: {}", toStd(path), toStd(file.errorString()));
  file.write("run,uuid,step,loss [nats],learning_rate,gradient_norm,speed [tok/s]\r\n");
  for (const TrainingCurves& run : runs) {
    const QByteArray name = '"' + run.name.toUtf8().replace('"', "\"\"") + '"';
    for (const TrainingPoint& point : run.points) {
      file.write(QList<QByteArray>{name, run.uuid.toUtf8(), QByteArray::number(point.step),
                                   number(point.loss), number(point.rate), number(point.norm),
                                   number(point.tokensPerSecond)}
                     .join(',') +
                 "\r\n");
    }
  }
  if (!file.commit())
    return fail(ErrorCode::io, "cannot write {}: {}", toStd(path), toStd(file.errorString()));
  return {};
}

}  // namespace

void TrainingPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  list();
}

void TrainingPage::showListing(const Listing& listing) {
  QStringList chosen;
  for (const QTreeWidgetItem* item : m_tree->selectedItems())
    chosen.append(item->data(0, Qt::UserRole).toString());
  if (!m_wanted.isEmpty()) chosen = QStringList{m_wanted};
  m_recipes = listing.recipes;
  m_folders = listing.folders;
  m_kept = listing.kept;
  {
    const QSignalBlocker quiet(m_tree);
    for (QTreeWidgetItem* group : {m_recipeGroup, m_folderGroup, m_keptGroup})
      qDeleteAll(group->takeChildren());
    for (const TrainingRecipe& recipe : m_recipes) {
      addItem(m_recipeGroup, recipe.name,
              recipe.problem.isEmpty() ? widgets::formatCount(recipe.steps) : tr("cannot run"), recipe.path,
              recipe.problem.isEmpty() ? recipe.about : recipe.problem);
    }
    for (const TrainingFolder& folder : m_folders) {
      if (folder.isFinished() || (isRunning() && folder.path == m_runningFolder)) continue;
      addItem(m_folderGroup, folder.name, tr("step %1").arg(widgets::formatCount(folder.step)), folder.path,
              QDir::toNativeSeparators(folder.path));
    }
    for (const KeptTraining& run : m_kept)
      addItem(m_keptGroup, run.name, statusText(run.status), run.uuid,
              tr("%1\n%2, %3 steps kept")
                  .arg(run.created, statusText(run.status), widgets::formatCount(run.steps)));
    m_folderGroup->setHidden(m_folderGroup->childCount() == 0);
    m_keptGroup->setHidden(m_keptGroup->childCount() == 0);
    for (QTreeWidgetItem* group : {m_recipeGroup, m_folderGroup, m_keptGroup}) {
      for (int i = 0; i < group->childCount(); ++i)
        group->child(i)->setSelected(chosen.contains(group->child(i)->data(0, Qt::UserRole).toString()));
    }
  }
  const QString wanted = std::exchange(m_wanted, {});
  const RunUse use = std::exchange(m_use, RunUse::Show);
  if (!wanted.isEmpty() && (use == RunUse::Again || use == RunUse::Copy)) {
    const auto kept = std::ranges::find(m_kept, wanted, &KeptTraining::uuid);
    const TrainingFolder* folder = folderOf(wanted);
    if (folder != nullptr && QFileInfo::exists(folder->recipe)) {
      addRecipe(folder->recipe);
      m_startNext = use == RunUse::Again;
      return;
    }
    for (const TrainingRecipe& recipe : m_recipes) {
      if (kept != m_kept.end() && recipe.name == kept->name) {
        addRecipe(recipe.path);
        m_startNext = use == RunUse::Again;
        return;
      }
    }
    m_notice->show(Kind::Warn,
                   tr("The recipe of this training is not here: choose it with \"Other recipe…\"."));
  }
  if (!wanted.isEmpty()) choiceChanged();
  if (std::exchange(m_startNext, false)) start();
  if (use == RunUse::Resume) {
    if (folderOf(wanted) == nullptr) {
      m_notice->show(Kind::Warn,
                     tr("The folder with the checkpoints of this training is not in the data folder "
                        "any more: it cannot go on."));
    } else {
      start();
    }
  }
  showFacts();
  refresh();
}

void TrainingPage::showFacts() {
  QStringList lines;
  const TrainingRecipe* recipe = chosenRecipe();
  if (recipe != nullptr) {
    if (!recipe->problem.isEmpty()) lines.append(recipe->problem);
    lines.append(recipe->about);
    for (qsizetype i = 0; i < recipe->stages.size(); ++i)
      lines.append(tr("Stage %1: %2").arg(i + 1).arg(recipe->stages[i]));
  } else if (const TrainingFolder* folder = chosenFolder()) {
    lines = QStringList{folder->name, tr("Checkpoint of step %1").arg(widgets::formatCount(folder->step))};
  } else if (const QStringList runs = chosenRuns(); runs.size() == 1) {
    const auto kept = std::ranges::find(m_kept, runs.front(), &KeptTraining::uuid);
    if (kept != m_kept.end())
      lines = QStringList{
          kept->name, kept->created,
          tr("%1, %2 steps kept").arg(statusText(kept->status), widgets::formatCount(kept->steps))};
  } else if (runs.size() > 1) {
    lines.append(tr("%1 trainings compared").arg(runs.size()));
  }
  lines.removeAll(QString());
  m_facts->setText(lines.isEmpty() ? tr("Choose a recipe or a training on the left.") : lines.join(u'\n'));
}

void TrainingPage::refresh() {
  const bool running = isRunning();
  const TrainingRecipe* recipe = chosenRecipe();
  const QStringList runs = chosenRuns();
  const TrainingFolder* folder = chosenFolder();
  if (folder == nullptr && runs.size() == 1) folder = folderOf(runs.front());
  const bool canResume = folder != nullptr && !folder->isFinished();
  m_start->setText(running ? tr("Stop") : canResume ? tr("Resume") : tr("Train"));
  m_start->setIcon(
      widgets::icon(running ? QStringLiteral("stop") : QStringLiteral("play"), widgets::Role::OnAccent));
  m_start->setEnabled(running || recipe != nullptr || canResume);
  m_steps->setVisible(!running && (recipe != nullptr || canResume));
  m_plan->setVisible(!running && recipe != nullptr);
  m_openModel->setVisible(!m_model.isEmpty() && !running);
  m_export->setEnabled(!m_plots->runs().isEmpty() && !m_plots->runs().front().points.empty());
  if (running) {
    if (m_running.isEmpty()) m_about->setWhole(tr("%1: preparing…").arg(m_runningName));
    return;
  }
  QStringList about;
  for (const TrainingCurves& run : m_plots->runs()) {
    if (!run.points.empty())
      about.append(tr("%1 · %2 · step %3 · loss %4 nats")
                       .arg(run.name, run.created, widgets::formatCount(run.points.back().step),
                            widgets::formatNumber(run.points.back().loss)));
  }
  m_about->setWhole(about.join(QStringLiteral("   |   ")));
}

bool TrainingPage::escape() {
  if (!isRunning()) return false;
  m_job->stop();
  return true;
}

void TrainingPage::addRecipe(const QString& path) {
  if (!m_ownRecipes.contains(path) && !recipePaths().contains(path)) m_ownRecipes.prepend(path);
  m_wanted = path;
  m_use = RunUse::Show;
  list();
}

void TrainingPage::chooseRecipe() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Choose a recipe"), m_workspace.settings().exportFolder(),
                                   tr("Training recipe (*.json);;All files (*)"));
  if (!path.isEmpty()) addRecipe(path);
}

void TrainingPage::chooseOutput() {
  const QString path = QFileDialog::getExistingDirectory(this, tr("Where the training writes"),
                                                         trainingRoot(m_workspace.settings().dataFolder()));
  if (!path.isEmpty()) m_output->setText(QDir::toNativeSeparators(path));
}

void TrainingPage::exportTo(const QString& path) {
  const QList<TrainingCurves> runs = m_plots->runs();
  if (runs.isEmpty()) return;
  if (QFileInfo(path).suffix().toLower() == u"csv") {
    m_workspace.files().start<void>(
        tr("Write points"), [runs, path](JobContext&) { return writePoints(runs, path); }, this,
        [this, path](Result<void>& written) {
          sayExported(path, written ? QString() : toQt(written.error()));
        });
    return;
  }
  QStringList names;
  for (const TrainingCurves& run : runs) names.append(run.name);
  sayExported(path,
              widgets::exportPicture(m_plots, path,
                                     {names.join(QStringLiteral(", ")),
                                      tr("%1, run %2, %3 steps")
                                          .arg(runs.front().created, runs.front().uuid.left(8),
                                               widgets::formatCount(std::ssize(runs.front().points)))}));
}

void TrainingPage::sayExported(const QString& path, const QString& problem) {
  sayWritten(*m_notice, path, problem);
  Q_EMIT exported();
}

void TrainingPage::chooseExport(const QString& suffix) {
  const QString path = askExportPath(
      this, m_workspace.settings(), QStringLiteral("training-") + m_plots->runs().front().uuid.left(8),
      suffix, {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png"), QStringLiteral("csv")});
  if (!path.isEmpty()) exportTo(path);
}

}  // namespace orthros::studio
