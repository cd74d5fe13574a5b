// TopKeys: the keys that one head reads most, with both streams' weights as bars. What has no room is
// scrolled to, also by arrow and page keys.
#pragma once

#include <QAbstractScrollArea>
#include <QStringList>
#include <vector>

namespace orthros::studio {

struct TopKeyRow {
  qsizetype key = 0;
  QString token;
  double base = 0, output = 0;
};

class TopKeys : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TopKeys(QWidget* parent = nullptr);
  void setRows(const std::vector<TopKeyRow>& rows, bool hasOutput);
  const std::vector<TopKeyRow>& rows() const { return m_rows; }
  /// The row drawn at a point of the viewport; -1: none.
  qsizetype rowAt(const QPoint& point) const;
  QSize minimumSizeHint() const override { return {240, 22}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;  // the whole of a token that has no room

 private:
  void setRange();
  void paintHead(QPainter& painter) const;
  void paintRow(QPainter& painter, const TopKeyRow& row, int y) const;
  void paintCell(QPainter& painter, const QRect& at, double weight, bool isOutput) const;
  int barWidth() const;

  std::vector<TopKeyRow> m_rows;
  bool m_hasOutput = true;
};

}  // namespace orthros::studio
