// AttentionPage: what both streams read, in every head: run bar, token strip, head atlas, the views of one
// head, the inspector; keep and reopen; export.
#pragma once

#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/attention/pins.h"
#include "app/studio/workspace.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTimer;

namespace orthros::widgets {
class HeadAtlas;
class Notice;
class TokenHeat;
}  // namespace orthros::widgets

namespace orthros::studio {

class AttentionForm;
struct Bookmark;
class HeadViews;
class RowInspector;

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
  void pinQuery(qint64 position);
  /// One more query asks; the rows of all are shown as one.
  void addPin(qint64 position);
  /// What is on the screen, by suffix: .svg .pdf .png a picture, .csv .npy the values, .json a
  /// bookmark. Says on the page how
  /// it went.
  void exportTo(const QString& path);
  /// The same text, window, head, query and view again: looks with the model that is open.
  void openBookmark(const QString& path);

 Q_SIGNALS:
  void captured();
  void kept();
  void exported();
  void compared();  // the Transformer's rows came, or not

 private:
  QWidget* makeTop();
  QWidget* makeStrip();
  QWidget* makeStripBar();
  QWidget* makeAtlas();
  QWidget* makeEmpty();
  void makeActions();
  void makeViewActions();
  void showPins();
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
  std::optional<AttentionRequest> m_asked;  // by another page
  AttentionForm* m_form;
  QComboBox* m_measure;
  QComboBox* m_order;
  widgets::HeadAtlas* m_atlas;
  QLabel* m_rank;
  HeadViews* m_views;
  RowInspector* m_inspector;
  widgets::TokenHeat* m_heat;
  QWidget* m_stripPanel = nullptr;
  QScrollArea* m_stripScroll = nullptr;
  QLineEdit* m_find = nullptr;
  widgets::Notice* m_notice;
  QStackedWidget* m_stack;
  QPushButton* m_keep;
  QPushButton* m_keptButton;
  QMenu* m_keptMenu;
  QPushButton* m_export;
  QTimer* m_estimateTimer;
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
