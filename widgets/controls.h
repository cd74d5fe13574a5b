// Small parts that every page uses: labels by kind, panels, buttons with a themed icon, an inline notice.
// The kinds are the style sheet's: title, section, caption, muted, mono.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "widgets/theme.h"

namespace orthros::widgets {

QLabel* makeLabel(const QString& text, const char* kind, QWidget* parent = nullptr);
QFrame* makePanel(QWidget* parent = nullptr);
/// kind: "primary", "plain" or "danger".
QPushButton* makeButton(const QString& text, const QString& iconName, const char* kind = "plain",
                        QWidget* parent = nullptr);
QToolButton* makeToolButton(const QString& iconName, const QString& tip, QWidget* parent = nullptr);
QFrame* makeLine(Qt::Orientation orientation, QWidget* parent = nullptr);
/// Makes the style sheet look at the widget's properties again.
void restyle(QWidget* widget);

/// Text that ends in … where it has no room; the whole of it is the tooltip.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(const char* kind, QWidget* parent = nullptr);
  void setWhole(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// A message on the page, with a sign, what to do, and at most one action.
class Notice : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { Info, Good, Warn, Bad };
  explicit Notice(QWidget* parent = nullptr);
  void show(Kind kind, const QString& text, const QString& action = {});
  QString text() const;

 Q_SIGNALS:
  void actionRequested();

 private:
  void paintSign();

  Kind m_kind = Kind::Info;
  QLabel* m_sign;
  QLabel* m_text;
  QPushButton* m_action;
  QToolButton* m_close;
};

}  // namespace orthros::widgets
