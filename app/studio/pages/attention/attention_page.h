// AttentionPage: what both streams read, in every head: run bar, token strip, head atlas, the views of one
// head, the inspector; keep and reopen; export.
#pragma once

#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

#include "app/studio/newest_job.h"
#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/attention/pins.h"
#include "app/studio/pages/attention/regime_choice.h"
#include "app/studio/workspace.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QStackedWidget;
class QTimer;

namespace orthros::widgets {
class ElidedLabel;
class HeadAtlas;
class Notice;
class TokenHeat;
}  // namespace orthros::widgets

namespace orthros::studio {

class AttentionForm;
struct Bookmark;
class HeadViews;
class LiveFollow;
class RegimeBar;
class RowInspector;
class StripUnits;

class AttentionPage : public Page {
  Q_OBJECT
 public:
  explicit AttentionPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("attention"); }
  QString title() const override { return tr("Attention"); }
  QString iconName() const override { return QStringLiteral("attention"); }
  QString purpose() const override { return tr("See which keys x and x′ read, in every head"); }
  void primaryAction() override { look(); }
  QString runKind() const override { return QStringLiteral("attention"); }
  void useRun(const QString& uuid, RunUse use) override;
  bool escape() override;
  QList<widgets::ShortcutRow> moreKeys() const override;
  void prepareForPicture() override;
  void setText(const QString& text);
  /// From another page: this text, with this window, at once.
  void lookAt(const QString& text, const WindowSpec& window);
  /// These very ids, read as asked, at their last row; until the text or the window is changed.
  void lookAt(const AttentionRequest& request);
  const AttentionCapture* capture() const { return m_capture.get(); }
  void setCapture(AttentionCapture capture);
  HeadViews* views() const { return m_views; }
  qint64 query() const { return m_pins.current; }
  const Pins& pins() const { return m_pins; }
  const RegimeChoice& regime() const { return m_regime; }
  /// Which x′ rows there are; the rows themselves are the same in every regime.
  void setRegime(const RegimeChoice& choice);
  void pinQuery(qint64 position);
  /// One more query asks; the rows of all are shown as one.
  void addPin(qint64 position);
  /// Decodes the prompt and shows every step as it comes; again: stops, and keeps on showing what was
  /// recorded.
  void follow();
  bool isFollowing() const;
  /// What is on the screen, by suffix: .svg .pdf .png a picture, .csv .npy the values, .json a
  /// bookmark. Says on the page how
  /// it went.
  void exportTo(const QString& path);
  /// The same text, window, head, query and view again: looks with the model that is open.
  void openBookmark(const QString& path);

 Q_SIGNALS:
  void captured();
  void kept();
  void followed(qint64 steps);  // more steps are shown
  void followEnded();
  void exported();
  void compared();  // the Transformer's rows came, or not

 private:
  QWidget* makeTop();
  QWidget* makeFollow();
  void grow(const CapturePointer& capture);
  void endFollow(bool stopped, const QString& problem);
  void showCapture();
  void showPair();
  bool isBusy() const;
  void showFollowState(bool ready);
  AttentionSpec specOf(const OpenedModel& model) const;
  /// Once every drawing under way is there.
  void whenDrawn(const std::function<void()>& then);
  QWidget* makeStrip();
  QWidget* makeStripBar();
  QWidget* makeAtlas();
  QWidget* makeEmpty();
  void makeActions();
  void makeViewActions();
  void showPins();
  void sayWhatStripShows();
  void applyRegime();
  void splitAt(qint64 position);
  void findToken();
  qint64 cursorQuery() const;
  /// Does nothing while there is no capture.
  QAction* addCaptureKey(const char* name, const QString& text, const char* keys, std::function<void()> run);
  void look();
  /// The same ids once more, read as a Transformer, for the comparison.
  void lookAsTransformer();
  void explain();
  void selectFirstHead();
  void showMeasure();
  void showHead();
  void showQueryInStrip();
  void refresh();
  void estimate();
  void sayExported(const QString& path, const QString& problem);
  void chooseExport(const QString& suffix);
  void keep();
  void fillKeptMenu();
  void openKept(const QString& uuid, std::function<void()> then = {});
  Bookmark bookmark() const;

  Workspace& m_workspace;
  CapturePointer m_capture;
  Pins m_pins;
  RegimeChoice m_regime;
  bool m_wasDecode = false;                 // what was shown last
  std::optional<AttentionRequest> m_asked;  // by another page
  AttentionForm* m_form;
  RegimeBar* m_regimeBar;
  QComboBox* m_measure;
  QComboBox* m_order;
  widgets::HeadAtlas* m_atlas;
  QLabel* m_rank;
  HeadViews* m_views;
  RowInspector* m_inspector;
  widgets::TokenHeat* m_heat;
  QWidget* m_stripPanel = nullptr;
  QScrollArea* m_stripScroll = nullptr;
  widgets::ElidedLabel* m_stripHint = nullptr;
  StripUnits* m_stripUnits = nullptr;
  QLineEdit* m_find = nullptr;
  widgets::Notice* m_notice;
  QStackedWidget* m_stack;
  QPushButton* m_keep;
  QPushButton* m_keptButton;
  QMenu* m_keptMenu;
  QPushButton* m_export;
  QTimer* m_estimateTimer;
  LiveFollow* m_live;
  QPushButton* m_follow;
  QSpinBox* m_newTokens;
  std::shared_ptr<const Model> m_liveModel;  // that the recording on the screen was made with
  bool m_isFirstStep = false, m_isLiveKept = false;
  NewestJob<std::shared_ptr<const widgets::PairData>> m_pairs{this};
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
