// FactStrip: short facts side by side, one row for each subject: a caption, a value in figures, a note. Facts
// flow into more lines where the strip is narrow. Threads: GUI thread.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include "widgets/theme.h"

namespace orthros::widgets {

struct Fact {
  QString caption, value, note;
  Role role = Role::Text;  // of the value: Good and Warn have a sign as well
  QString tip;
};

struct FactRow {
  QString title;
  QString architecture;  // key of the theme; empty: no mark
  QList<Fact> facts;
};

class FactStrip : public QWidget {
  Q_OBJECT
 public:
  explicit FactStrip(QWidget* parent = nullptr);
  void setRows(const QList<FactRow>& rows);
  const QList<FactRow>& rows() const { return m_rows; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {600, heightForWidth(600)}; }
  QSize minimumSizeHint() const override { return {200, heightForWidth(width())}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Place {
    QRectF box;
    qsizetype row = 0, fact = -1;  // -1: the row's title
  };
  QList<Place> places(double width) const;

  QList<FactRow> m_rows;
};

}  // namespace orthros::widgets
