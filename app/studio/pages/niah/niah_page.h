// NiahPage: needles in haystacks: what to ask whom, one map an arm that fills while it runs, the difference
// of two arms, attention beside accuracy, the trials behind a cell; every trial is kept, what was stopped
// goes on later.
#pragma once

#include <functional>
#include <optional>

#include "app/studio/experiment_run.h"
#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/niah/niah_figure.h"
#include "app/studio/pages/niah/niah_runs.h"
#include "app/studio/workspace.h"
#include "widgets/needle_data.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace orthros::widgets {
class Notice;
}  // namespace orthros::widgets

namespace orthros::studio {

class NiahColumn;
class NiahForm;
class NiahInspector;

class NiahPage : public Page {
  Q_OBJECT
 public:
  explicit NiahPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("niah"); }
  QString title() const override { return tr("NIAH"); }
  QString iconName() const override { return QStringLiteral("niah"); }
  QString purpose() const override { return tr("Hide a needle in a long text and see who finds it, where"); }
  void primaryAction() override { run(); }
  bool escape() override;
  void prepareForPicture() override;
  QString runKind() const override { return QStringLiteral("niah"); }
  void useRun(const QString& uuid, RunUse use) override;
  NiahForm* form() const { return m_form; }
  NiahInspector* inspector() const { return m_inspector; }
  bool isRunning() const { return m_run->isRunning(); }
  bool isPaused() const { return m_run->isPaused(); }
  /// No trial begins while it is paused; the one that runs is finished.
  void setPaused(bool paused) { m_run->setPaused(paused); }
  /// What is shown; null: nothing yet.
  const NiahView* view() const { return m_view ? &*m_view : nullptr; }
  void open(const QString& uuid);
  /// The maps, the difference where it is shown, and how: what a figure of the page holds.
  NiahFigure figure() const;
  void setStyle(const widgets::NeedleStyle& style);
  /// .svg .pdf .png: the figure, in light colours; .csv: its numbers. Says on the page how it went.
  void exportTo(const QString& path);
  /// Opens the needle models that travel with the program and runs the quick preset on them.
  void runSamples();

 Q_SIGNALS:
  void shown();     // the maps are those of the store
  void finished();  // a run ended, however, and its maps are shown
  void exported();
  void attentionRequested(const AttentionRequest& request);

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // niah_page.cpp: what stands where
  QWidget* makeContent();
  void showView(NiahView view);
  void fillPairs();
  void showMaps();
  void lookAt(widgets::NeedleIndex index);
  void holdReadout();
  QList<NiahColumn*> shownColumns() const;
  QStringList readoutLines(widgets::NeedleIndex index) const;
  void choose(widgets::NeedleIndex index, qsizetype arm);
  void closeInspector();
  void refresh();
  QString stateText() const;
  // niah_commands.cpp: head, empty state, keys, export, kept runs
  QWidget* makeHead();
  QWidget* makeEmpty();
  QMenu* makeViewMenu();
  void makeActions();
  void fillKeptMenu();
  void chooseExport(const QString& suffix);
  void sayExported(const QString& path, const QString& problem);
  // niah_page_run.cpp: jobs
  void run();
  void runWhenSamplesAreOpen();
  void resume();
  void start(NiahPlan plan);
  void readMaps(const QString& uuid, const std::function<void()>& done);
  void readRates();
  void takeUse();
  void sayHowItEnded();

  Workspace& m_workspace;
  NiahForm* m_form;
  widgets::Notice* m_notice;
  QLabel* m_about;
  QComboBox* m_measure;
  QPushButton* m_viewButton;
  QPushButton* m_difference;
  QComboBox* m_pair;
  QPushButton* m_resume;
  QPushButton* m_kept;
  QMenu* m_keptMenu;
  QPushButton* m_export;
  QStackedWidget* m_stack;
  QWidget* m_maps = nullptr;
  QHBoxLayout* m_row = nullptr;
  QList<NiahColumn*> m_columns;
  NiahColumn* m_delta = nullptr;
  NiahInspector* m_inspector = nullptr;
  QLabel* m_readout = nullptr;
  std::optional<NiahView> m_view;
  widgets::NeedleStyle m_style;
  widgets::NeedleIndex m_chosen;
  QList<quint64> m_samples;     // being opened, to be run when all are ready
  RunUse m_use = RunUse::Show;  // what is to be done with the run that is being opened
  bool m_fillForm = false;
  ExperimentRun* m_run;
};

}  // namespace orthros::studio
