// AlternativesPopup: the most probable tokens at one place, as bars. Click or Enter goes on from another one.
#pragma once

#include <QWidget>

#include "widgets/token_chips.h"

namespace orthros::widgets {

class AlternativesPopup : public QWidget {
  Q_OBJECT
 public:
  explicit AlternativesPopup(QWidget* window);
  void setChip(const TokenChip& chip);
  /// Beside `anchor` (in the window's coordinates), inside the window.
  void place(const QRect& anchor);

 Q_SIGNALS:
  void chosen(qint64 id);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int rowAt(const QPoint& point) const;

  TokenChip m_chip;
  int m_hovered = -1;
};

}  // namespace orthros::widgets
