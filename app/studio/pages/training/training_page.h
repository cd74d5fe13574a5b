// TrainingPage: recipes to train, trainings that were begun and can go on, kept ones to look at and compare;
// four plots over steps and what the model answers while it learns.
#pragma once

#include <QPointer>
#include <optional>

#include "app/studio/page.h"
#include "app/studio/pages/training/training_recipes.h"
#include "app/studio/pages/training/training_run.h"
#include "app/studio/workspace.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace orthros::widgets {
class ElidedLabel;
class Notice;
}  // namespace orthros::widgets

namespace orthros::studio {

class AnswerList;
class TrainingPlots;

class TrainingPage : public Page {
  Q_OBJECT
 public:
  explicit TrainingPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("training"); }
  QString title() const override { return tr("Training"); }
  QString iconName() const override { return QStringLiteral("training"); }
  QString purpose() const override { return tr("Train a small model and watch it learn"); }
  QString runKind() const override { return QStringLiteral("training"); }
  void useRun(const QString& uuid, RunUse use) override;
  void primaryAction() override { start(); }
  bool escape() override;
  void prepareForPicture() override;
  /// Puts a recipe file into the list and chooses it.
  void addRecipe(const QString& path);
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  TrainingPlots* plots() const { return m_plots; }
  AnswerList* answers() const { return m_answers; }
  /// .svg .pdf .png: the plots; .csv: the points of what is shown.
  void exportTo(const QString& path);

 Q_SIGNALS:
  void modelsRequested();
  void listed();    // recipes, folders and kept runs stand in the list
  void shown();     // the curves are those of the store
  void finished();  // a training ended, however
  void exported();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Listing {
    QList<TrainingRecipe> recipes;
    QList<TrainingFolder> folders;
    QList<KeptTraining> kept;
  };
  QWidget* makeList();
  QWidget* makeHead();
  QWidget* makeContent();
  QWidget* makeSide();
  void makeActions();
  void list();
  void showListing(const Listing& listing);
  void choiceChanged();
  void showFacts();
  void refresh();
  void start();
  void begin(const TrainingPlan& plan);
  void hear(const TrainingNews& news);
  void ended(const Result<TrainingEnd>& result);
  void open(const QStringList& uuids);
  void openModel();
  void chooseRecipe();
  void chooseOutput();
  void chooseExport(const QString& suffix);
  void sayExported(const QString& path, const QString& problem);
  const TrainingRecipe* chosenRecipe() const;
  const TrainingFolder* chosenFolder() const;
  QStringList chosenRuns() const;
  /// The folder of a kept run, where it is still there.
  const TrainingFolder* folderOf(const QString& uuid) const;

  Workspace& m_workspace;
  QTreeWidget* m_tree = nullptr;
  QTreeWidgetItem* m_recipeGroup = nullptr;
  QTreeWidgetItem* m_folderGroup = nullptr;
  QTreeWidgetItem* m_keptGroup = nullptr;
  widgets::ElidedLabel* m_about;
  widgets::Notice* m_notice;
  QLineEdit* m_output = nullptr;
  QPushButton* m_choose = nullptr;
  QSpinBox* m_steps = nullptr;
  QWidget* m_plan = nullptr;  // where to and how far
  QPushButton* m_start;
  QPushButton* m_openModel;
  QPushButton* m_log;
  QPushButton* m_export;
  QStackedWidget* m_stack = nullptr;
  QWidget* m_side = nullptr;
  TrainingPlots* m_plots = nullptr;
  QLabel* m_readout = nullptr;
  QLabel* m_facts = nullptr;
  AnswerList* m_answers = nullptr;
  QStringList m_ownRecipes;
  QList<TrainingRecipe> m_recipes;
  QList<TrainingFolder> m_folders;
  QList<KeptTraining> m_kept;
  QString m_running, m_runningName, m_runningFolder;  // of the job: uuid, what it is called, where it writes
  QString m_model;                                    // finished, offered to open
  QString m_wanted;                                   // kept run to choose when the list is there
  RunUse m_use = RunUse::Show;
  bool m_isListing = false, m_listAgain = false;
  bool m_startNext = false;  // the recipe that is wanted, once it stands in the list
  bool m_showsJob = false;   // the plots are those of the job
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
