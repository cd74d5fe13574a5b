// LatencyPage: how long a prompt and a reply take, by length: what to time, curves that fill while it runs,
// where one arm overtakes another; every sample is kept, what was stopped goes on later.
#pragma once

#include <functional>
#include <optional>

#include "app/studio/experiment_run.h"
#include "app/studio/page.h"
#include "app/studio/pages/latency/latency_curves.h"
#include "app/studio/workspace.h"

class QComboBox;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace orthros::widgets {
class ElidedLabel;
class Notice;
}  // namespace orthros::widgets

namespace orthros::studio {

class LatencyForm;
class LatencyPanels;
class LatencyTable;

class LatencyPage : public Page {
  Q_OBJECT
 public:
  explicit LatencyPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("latency"); }
  QString title() const override { return tr("Latency"); }
  QString iconName() const override { return QStringLiteral("latency"); }
  QString purpose() const override {
    return tr("Time prompts and replies by length, several models in turns");
  }
  QString runKind() const override { return QStringLiteral("latency"); }
  void useRun(const QString& uuid, RunUse use) override;
  void primaryAction() override { run(); }
  void prepareForPicture() override;
  LatencyForm* form() const { return m_form; }
  LatencyPanels* panels() const { return m_panels; }
  bool isRunning() const { return m_run->isRunning(); }
  bool isPaused() const { return m_run->isPaused(); }
  /// What is shown; null: nothing yet.
  const LatencyView* view() const { return m_view ? &*m_view : nullptr; }
  void open(const QString& uuid);
  void setLook(const LatencyLook& look);
  const LatencyLook& look() const { return m_look; }
  /// .svg .pdf .png: the curves as they stand, or one of latencyPlots() alone; .csv: their numbers. Says on
  /// the page how it went.
  void exportTo(const QString& path, const QString& plot = {});

 Q_SIGNALS:
  void shown();     // the curves are those of the store
  void finished();  // a run ended, however, and its curves are shown
  void exported();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeEmpty();
  QWidget* makeContent();
  void makeActions();
  void run();
  void runSample();
  void resume();
  void start(LatencyPlan plan);
  void readCurves(const QString& uuid, const std::function<void()>& done);
  void showView(LatencyView view);
  void takeUse();
  void showFigures();
  void fillQuantities();
  void sayHowItEnded();
  void refresh();
  void fillKeptMenu();
  void chooseExport(const QString& suffix, const QString& plot = {});
  void sayExported(const QString& path, const QString& problem);
  void measureMachine();

  Workspace& m_workspace;
  LatencyForm* m_form;
  widgets::Notice* m_notice;
  widgets::ElidedLabel* m_about;
  QComboBox* m_quantity;
  QPushButton* m_log;
  QPushButton* m_model;
  QPushButton* m_paper;
  QPushButton* m_tableButton;
  QPushButton* m_resume;
  QPushButton* m_kept;
  QMenu* m_keptMenu;
  QPushButton* m_export;
  QPushButton* m_sample = nullptr;  // the empty page's one action
  QStackedWidget* m_stack;
  LatencyPanels* m_panels = nullptr;
  LatencyTable* m_table;
  QTableView* m_tableView = nullptr;
  LatencyLook m_look;
  std::optional<LatencyView> m_view;
  RunUse m_use = RunUse::Show;  // what is to be done with the run that is being opened
  bool m_fillForm = false, m_isMeasuring = false;
  ExperimentRun* m_run;
};

}  // namespace orthros::studio
