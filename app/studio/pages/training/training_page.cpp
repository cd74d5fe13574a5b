#include "app/studio/pages/training/training_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeWidget>

#include "app/studio/pages/training/answer_list.h"
#include "app/studio/pages/training/training_plots.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {

using Kind = widgets::Notice::Kind;

void TrainingPage::list() {
  if (m_isListing) {
    m_listAgain = true;
    return;
  }
  m_isListing = true;
  m_listAgain = false;
  const auto work = [own = m_ownRecipes, root = trainingRoot(m_workspace.settings().dataFolder()),
                     store = m_workspace.settings().runStorePath()](JobContext&) -> Result<Listing> {
    Listing listing;
    for (const QString& path : own + recipePaths()) listing.recipes.append(readRecipe(path));
    listing.folders = trainingFolders(root);
    ORTHROS_TRY(listing.kept, readKeptTrainings(store));
    return listing;
  };
  m_workspace.files().start<Listing>(
      tr("Look for recipes"), work, this,
      [this](Result<Listing>& listing) {
        m_isListing = false;
        if (m_listAgain) {  // something has changed since: what was wanted may only stand in the next one
          list();
          return;
        }
        if (listing) {
          showListing(*listing);
        } else {
          m_notice->show(Kind::Bad, toQt(listing.error()));
        }
        Q_EMIT listed();
      },
      /*quiet=*/true);
}

const TrainingRecipe* TrainingPage::chosenRecipe() const {
  const auto items = m_tree->selectedItems();
  if (items.size() != 1 || items.front()->parent() != m_recipeGroup) return nullptr;
  return &m_recipes[m_recipeGroup->indexOfChild(items.front())];
}

const TrainingFolder* TrainingPage::chosenFolder() const {
  const auto items = m_tree->selectedItems();
  if (items.size() != 1 || items.front()->parent() != m_folderGroup) return nullptr;
  const QString path = items.front()->data(0, Qt::UserRole).toString();
  const auto found = std::ranges::find(m_folders, path, &TrainingFolder::path);
  return found == m_folders.end() ? nullptr : &*found;
}

QStringList TrainingPage::chosenRuns() const {
  QStringList uuids;
  for (const QTreeWidgetItem* item : m_tree->selectedItems()) {
    if (item->parent() == m_keptGroup) uuids.append(item->data(0, Qt::UserRole).toString());
  }
  return uuids;
}

const TrainingFolder* TrainingPage::folderOf(const QString& uuid) const {
  const auto found = std::ranges::find(m_folders, uuid, &TrainingFolder::uuid);
  return uuid.isEmpty() || found == m_folders.end() ? nullptr : &*found;
}

void TrainingPage::choiceChanged() {
  const QStringList runs = chosenRuns();
  if (const TrainingRecipe* recipe = chosenRecipe()) {
    m_output->setText(QDir::toNativeSeparators(
        freeFolder(trainingRoot(m_workspace.settings().dataFolder()), recipe->name)));
  } else if (const TrainingFolder* folder = chosenFolder()) {
    if (!isRunning() && !folder->uuid.isEmpty()) open({folder->uuid});
  } else if (!runs.isEmpty()) {
    if (runs.size() == 1 && isRunning() && runs.front() == m_running && m_showsJob) return;
    open(runs);
  }
  showFacts();
  refresh();
}

void TrainingPage::open(const QStringList& uuids) {
  const auto work = [store = m_workspace.settings().runStorePath(),
                     uuids](JobContext&) -> Result<QList<TrainingCurves>> {
    QList<TrainingCurves> runs;
    for (const QString& uuid : uuids) {
      ORTHROS_TRY(const TrainingCurves run, readTraining(store, uuid));
      runs.append(run);
    }
    return runs;
  };
  m_workspace.files().start<QList<TrainingCurves>>(
      tr("Read the curves"), work, this,
      [this](Result<QList<TrainingCurves>>& runs) {
        if (!runs) {
          m_notice->show(Kind::Bad, toQt(runs.error()));
          return;
        }
        m_showsJob = isRunning() && runs->size() == 1 && runs->front().uuid == m_running;
        m_plots->setRuns(*runs);
        m_stack->setCurrentIndex(1);
        const TrainingFolder* folder = runs->size() == 1 ? folderOf(runs->front().uuid) : nullptr;
        m_model = folder == nullptr ? QString() : folder->model;
        refresh();
        Q_EMIT shown();
      },
      /*quiet=*/true);
}

void TrainingPage::start() {
  if (isRunning()) return;
  TrainingPlan plan;
  plan.steps = m_steps->value();
  plan.threads = m_workspace.settings().threads();
  if (const TrainingRecipe* recipe = chosenRecipe()) {
    if (!recipe->problem.isEmpty()) {
      m_notice->show(Kind::Bad, recipe->problem);
      return;
    }
    plan.recipe = recipe->path;
    plan.output = QDir::fromNativeSeparators(m_output->text().trimmed());
    if (plan.output.isEmpty() || QDir::isRelativePath(plan.output)) {
      m_notice->show(Kind::Bad, tr("Say in which folder the training writes, with its whole path."));
      return;
    }
    m_runningName = recipe->name;
  } else {
    const QStringList runs = chosenRuns();
    const TrainingFolder* folder = chosenFolder();
    if (folder == nullptr && runs.size() == 1) folder = folderOf(runs.front());
    if (folder == nullptr || folder->isFinished()) return;
    if (!QFileInfo::exists(folder->recipe)) {
      m_notice->show(Kind::Bad, tr("The recipe of this training is not where it was. Choose it with \"Other "
                                   "recipe…\", give it this folder, and resume there."));
      return;
    }
    plan.recipe = folder->recipe;
    plan.output = folder->path;
    plan.resume = true;
    m_runningName = folder->name;
  }
  begin(plan);
}

void TrainingPage::begin(const TrainingPlan& plan) {
  m_notice->hide();
  m_answers->clear();
  m_running.clear();
  m_runningFolder = plan.output;
  m_model.clear();
  TrainingCurves fresh;
  fresh.name = m_runningName;
  if (const TrainingRecipe* recipe = chosenRecipe()) fresh.architecture = recipe->architecture;
  // A resumed one goes on where its curves end.
  if (plan.resume && m_plots->runs().size() == 1) fresh = m_plots->runs().front();
  m_plots->setRuns({fresh});
  m_showsJob = true;
  m_stack->setCurrentIndex(1);
  const auto work = [plan, path = m_workspace.settings().runStorePath(), &workspace = m_workspace,
                     page = QPointer<TrainingPage>(this)](JobContext& context) -> Result<TrainingEnd> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    const auto tell = [page](TrainingNews news) {
      QMetaObject::invokeMethod(
          page, [page, news = std::move(news)] { page->hear(news); }, Qt::QueuedConnection);
    };
    ORTHROS_TRY(TrainingEnd end, runTraining(plan, *store, context, tell));
    context.setMessage(end.isFinished ? tr("%1 steps").arg(widgets::formatCount(end.steps))
                                      : tr("stopped after step %1").arg(widgets::formatCount(end.steps)));
    return end;
  };
  m_job = m_workspace.engine().start<TrainingEnd>(tr("Train %1").arg(m_runningName), work, this,
                                                  [this](Result<TrainingEnd>& result) { ended(result); });
  refresh();
}

void TrainingPage::hear(const TrainingNews& news) {
  if (m_running.isEmpty() && !news.uuid.isEmpty()) {
    m_running = news.uuid;
    list();
    m_workspace.announceRun();
  }
  m_answers->add(news.probes);
  if (m_showsJob) {
    m_plots->append(news.points);
  }
  if (!news.points.empty()) {
    const TrainingPoint& last = news.points.back();
    m_about->setWhole(
        tr("%1 · step %2 of %3 · stage %4 · loss %5 nats · %6 tok/s · answers right %7")
            .arg(m_runningName, widgets::formatCount(last.step), widgets::formatCount(news.totalSteps))
            .arg(news.stage)
            .arg(widgets::formatNumber(last.loss), widgets::formatNumber(last.tokensPerSecond),
                 widgets::formatPercent(news.score)));
  }
}

void TrainingPage::ended(const Result<TrainingEnd>& result) {
  m_job = nullptr;
  if (!result) {
    const Error& error = result.error();
    const TrainingFolder* there = nullptr;
    for (const TrainingFolder& folder : m_folders) {
      if (folder.path == m_runningFolder && !folder.isFinished()) there = &folder;
    }
    // The engine's advice is the command line's.
    if (there != nullptr && error.message.find("holds a checkpoint") != std::string::npos) {
      m_notice->show(Kind::Warn, tr("%1 holds an unfinished training: resume it from the list, or choose "
                                    "another folder.")
                                     .arg(QDir::toNativeSeparators(there->path)));
    } else {
      m_notice->show(Kind::Bad, toQt(error));
    }
    if (m_running.isEmpty()) m_plots->setRuns({});
  } else if (result->isFinished) {
    m_model = result->model;
    m_notice->show(Kind::Good,
                   tr("Trained: %1 steps in %2, loss %3 nats, answers right %4. The model is ready.")
                       .arg(widgets::formatCount(result->steps), widgets::formatSeconds(result->seconds),
                            widgets::formatNumber(result->loss), widgets::formatPercent(result->score)),
                   tr("Open the model"));
  } else {
    m_notice->show(Kind::Info, tr("Stopped after step %1, with a checkpoint. It can go on at any time.")
                                   .arg(widgets::formatCount(result->steps)));
  }
  m_workspace.announceRun();
  m_wanted = m_running;
  list();
  refresh();
  Q_EMIT finished();
}

void TrainingPage::useRun(const QString& uuid, RunUse use) {
  m_wanted = uuid;
  m_use = use;
  list();
}

void TrainingPage::openModel() {
  if (m_model.isEmpty()) return;
  m_workspace.library().open(m_model);
  Q_EMIT modelsRequested();
}

void TrainingPage::prepareForPicture() {
  const auto draw = [this] { QTimer::singleShot(100, this, &Page::readyForPicture); };
  const auto fill = [this, draw] {
    if (m_kept.isEmpty()) {
      if (m_recipeGroup->childCount() > 0) m_tree->setCurrentItem(m_recipeGroup->child(0));
      draw();
      return;
    }
    connect(this, &TrainingPage::shown, this, draw, Qt::SingleShotConnection);
    m_tree->setCurrentItem(m_keptGroup->child(0));
  };
  connect(this, &TrainingPage::listed, this, fill, Qt::SingleShotConnection);
  list();
}

}  // namespace orthros::studio
