// PromptForm: what to ask, which arms answer, and how tokens are drawn.
#pragma once

#include <QWidget>

#include "app/studio/pages/prompt/prompt_types.h"

class QCheckBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace orthros::studio {

class SeedBox;

class PromptForm : public QWidget {
  Q_OBJECT
 public:
  explicit PromptForm(QWidget* parent = nullptr);
  /// Everything but the model and the store.
  PromptSpec spec() const;
  void setText(const QString& text);
  /// Everything as a run had it; `arms` by key.
  void setRun(const QString& text, bool chat, const QStringList& arms, const WindowSpec& window,
              const GenerateRequest& request);
  void setWindow(const WindowSpec& window);
  void setChatAvailable(bool available);
  void setRunning(bool running);
  void setModelThere(bool there);
  QPlainTextEdit* textEdit() const { return m_text; }

 Q_SIGNALS:
  void runRequested();
  void stopRequested();
  void newChatRequested();
  void armsChanged();

 private:
  QWidget* makeMode();
  QWidget* makeArms();
  QWidget* makeSampling();
  void refresh();

  QPushButton* m_promptMode;
  QPushButton* m_chatMode;
  QPushButton* m_newChat;
  QLineEdit* m_system;
  QPlainTextEdit* m_text = nullptr;
  QCheckBox* m_armBoxes[3];
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QSpinBox* m_maxTokens;
  QDoubleSpinBox* m_temperature;
  QSpinBox* m_topK;
  QDoubleSpinBox* m_topP;
  QDoubleSpinBox* m_minP;
  SeedBox* m_seed = nullptr;
  QLineEdit* m_stop;
  QPushButton* m_run = nullptr;
  bool m_running = false;
  bool m_modelThere = false;
};

}  // namespace orthros::studio
