// ShortcutOverlay: every key of the program on one sheet (?). Any key or click closes it.
#pragma once

#include <QList>
#include <QWidget>

class QAction;

namespace orthros::widgets {

struct ShortcutRow {
  QString keys, what;
};

class ShortcutOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit ShortcutOverlay(QWidget* window);
  /// The actions' own shortcuts, and further keys that are no actions.
  void open(const QList<QAction*>& actions, const QList<ShortcutRow>& more);
  const QList<ShortcutRow>& rows() const { return m_rows; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QList<ShortcutRow> m_rows;
};

}  // namespace orthros::widgets
