// AttentionPage: what both streams read at the last token of a prompt: all heads as an atlas, one head's rows
// in detail.
#pragma once

#include <QPointer>
#include <memory>

#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_capture.h"
#include "app/studio/workspace.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace orthros::widgets {
class HeadAtlas;
class Notice;
class RowPlot;
class TokenHeat;
}  // namespace orthros::widgets

namespace orthros::studio {

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
  void prepareForPicture() override;
  void setText(const QString& text);
  const AttentionCapture* capture() const { return m_capture.get(); }

 Q_SIGNALS:
  void captured();

 private:
  QWidget* makeLeft();
  QWidget* makeAtlas();
  QWidget* makeInspector();
  QWidget* makeEmpty();
  void look();
  void show(AttentionCapture capture);
  void showMeasure();
  void showHead(int layer, int head);
  void refresh();
  void exportView();

  Workspace& m_workspace;
  std::shared_ptr<AttentionCapture> m_capture;
  QPlainTextEdit* m_text;
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QPushButton* m_look;
  QComboBox* m_measure;
  widgets::HeadAtlas* m_atlas;
  RowInspector* m_inspector;
  widgets::Notice* m_notice;
  QStackedWidget* m_stack;
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
