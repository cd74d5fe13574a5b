// TokenChips: text as the model made it: one chip a token, warm where the model was unsure, underlined as far
// as it was probable. Hover or arrow keys show what else could have come; a click keeps it open. Units:
// probabilities in 0..1, ms.
#pragma once

#include <QAbstractScrollArea>
#include <QByteArray>
#include <vector>

namespace orthros::widgets {

struct TokenAlternative {
  qint64 id = 0;
  QByteArray bytes;
  double probability = 0;
};

struct TokenChip {
  qint64 id = 0;
  QByteArray bytes;
  double probability = 0;
  double elapsedMs = 0;
  QList<TokenAlternative> alternatives;  // best first
  QString turn;                          // not empty: a user's turn, shown as text over the whole width
};

class AlternativesPopup;

class TokenChips : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TokenChips(QWidget* parent = nullptr);
  ~TokenChips() override;
  void clear();
  void addChip(const TokenChip& chip);
  void addTurn(const QString& text);
  void setPlaceholder(const QString& text);
  /// Ids of the generated chips, without turns.
  std::vector<qint64> ids() const;
  /// By generated chip: those that another output does not have get a dashed frame. Empty: no frames.
  void setApart(const std::vector<bool>& apart);
  const std::vector<bool>& apart() const { return m_apart; }
  const std::vector<TokenChip>& chips() const { return m_chips; }
  QString text() const;  // of the generated chips
  int current() const { return m_current; }
  QRect chipRect(int index) const;  // in the viewport
  void showAlternatives(int index, bool keep);

 Q_SIGNALS:
  /// The user wants to go on from this chip with another token.
  void branchRequested(int chip, qint64 id);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void layOut(size_t from);
  void updateScrollBar();
  int chipAt(const QPoint& point) const;
  void paintChip(QPainter& painter, size_t index, const QRectF& box) const;

  std::vector<TokenChip> m_chips;
  std::vector<QRectF> m_boxes;
  std::vector<QString> m_texts;
  std::vector<bool> m_apart;
  QPointF m_pen;
  int m_current = -1;
  bool m_kept = false;
  QString m_placeholder;
  AlternativesPopup* m_popup = nullptr;
};

}  // namespace orthros::widgets
