// NiahPage: needles in haystacks: what to ask whom, one map an arm that fills while it runs, the difference
// of two arms; every trial is kept, what was stopped goes on later.
#pragma once

#include <QPointer>
#include <functional>
#include <optional>

#include "app/studio/page.h"
#include "app/studio/pages/niah/niah_runs.h"
#include "app/studio/workspace.h"
#include "widgets/needle_map.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTimer;

namespace orthros::widgets {
class ElidedLabel;
class Notice;
}  // namespace orthros::widgets

namespace orthros::studio {

class NiahColumn;
class NiahForm;

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
  NiahForm* form() const { return m_form; }
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  /// What is shown; null: nothing yet.
  const NiahView* view() const { return m_view ? &*m_view : nullptr; }
  void open(const QString& uuid);
  /// .svg .pdf .png: the maps as they stand; .csv: their numbers. Says on the page how it went.
  void exportTo(const QString& path);

 Q_SIGNALS:
  void shown();     // the maps are those of the store
  void finished();  // a run ended, however, and its maps are shown
  void exported();

 private:
  QWidget* makeHead();
  QWidget* makeEmpty();
  QWidget* makeContent();
  void makeActions();
  void run();
  void resume();
  void start(NiahPlan plan);
  void began(const QString& uuid);
  void advanced();
  void ended(const Result<void>& result);
  void read();
  void showView(NiahView view);
  void showMaps();
  void fillPairs();
  void lookAt(widgets::NeedleIndex index);
  void choose(widgets::NeedleIndex index);
  void sayHowItEnded();
  void refresh();
  void fillKeptMenu();
  void chooseExport(const QString& suffix);
  void sayExported(const QString& path, const QString& problem);

  Workspace& m_workspace;
  NiahForm* m_form;
  widgets::Notice* m_notice;
  widgets::ElidedLabel* m_about;
  QPushButton* m_difference;
  QComboBox* m_pair;
  QPushButton* m_resume;
  QPushButton* m_kept;
  QMenu* m_keptMenu;
  QPushButton* m_export;
  QStackedWidget* m_stack;
  QWidget* m_figure = nullptr;  // the maps: what a picture shows
  QHBoxLayout* m_row = nullptr;
  QList<NiahColumn*> m_columns;
  NiahColumn* m_delta = nullptr;
  QLabel* m_readout = nullptr;
  QTimer* m_readTimer;
  std::optional<NiahView> m_view;
  widgets::NeedleIndex m_chosen;
  QString m_uuid;     // shown, or about to be
  QString m_running;  // of the job
  bool m_isReading = false, m_readAgain = false, m_fillForm = false;
  std::optional<Error> m_failure;  // of the job that ended
  bool m_hasEnded = false;         // and its last maps are still being read
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
