// TopKeys: the keys that one head reads most, with both streams' weights as bars.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace orthros::studio {

struct TopKeyRow {
  qsizetype key = 0;
  QString token;
  double base = 0, output = 0;
};

class TopKeys : public QWidget {
  Q_OBJECT
 public:
  explicit TopKeys(QWidget* parent = nullptr);
  void setRows(const std::vector<TopKeyRow>& rows, bool hasOutput);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;  // the whole of a token that has no room

 private:
  std::vector<TopKeyRow> m_rows;
  bool m_hasOutput = true;
};

}  // namespace orthros::studio
