// AttentionForm: what to look at: the text, window and sinks, how much to capture with the memory it takes.
#pragma once

#include <QWidget>
#include <optional>

#include "app/studio/pages/attention/attention_capture.h"

class QComboBox;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace orthros::studio {

class AttentionForm : public QWidget {
  Q_OBJECT
 public:
  explicit AttentionForm(QWidget* parent = nullptr);
  QString text() const;
  void setText(const QString& text);
  WindowSpec window() const;
  void setWindow(const WindowSpec& window);
  std::optional<CaptureLevel> level() const;
  void setLevel(std::optional<CaptureLevel> level);
  void setEstimate(const CaptureEstimate& estimate);
  void setState(bool running, bool ready);
  QPlainTextEdit* textEdit() const { return m_text; }

 Q_SIGNALS:
  void lookRequested();  // or stop, while running
  void changed();

 private:
  QPlainTextEdit* m_text;
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QComboBox* m_level;
  QPushButton* m_look;
};

}  // namespace orthros::studio
