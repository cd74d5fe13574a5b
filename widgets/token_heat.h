// TokenHeat: a prompt as text, each token tinted by the weight that the output stream (above) and the base
// stream (below) pay it; a click chooses the token that asks. Units: weights in 0..1, tinted on a log2 scale
// from 2^-10.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace orthros::widgets {

class TokenHeat : public QWidget {
  Q_OBJECT
 public:
  explicit TokenHeat(QWidget* parent = nullptr);
  void setTokens(const QStringList& tokens);
  void setRows(const std::vector<float>& base, const std::vector<float>& output);
  void setMarked(qsizetype key);
  /// The token whose rows are shown; -1: the last.
  void setQuery(qsizetype position);
  QRectF boxOf(qsizetype position) const;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  void keyHovered(qsizetype key);
  void chosen(qsizetype position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  std::vector<QRectF> boxesFor(double width) const;

  QStringList m_tokens;
  std::vector<float> m_base, m_output;
  std::vector<QRectF> m_boxes;
  qsizetype m_marked = -1, m_query = -1;
};

}  // namespace orthros::widgets
