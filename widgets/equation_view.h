// EquationView: the equations of a step, how the number that is pointed at was made, and a small table, set
// as glyph outlines. Hovering a symbol names it. Threads: GUI thread.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/formula.h"

namespace orthros::widgets {

struct EquationStory {
  QString name, formula, operands, value;  // markup; value is plain
  bool isOutput = false;
  bool isEmpty() const { return name.isEmpty(); }
};

struct EquationRow {
  QString name, value, unit;
};

class EquationView : public QWidget {
  Q_OBJECT
 public:
  explicit EquationView(QWidget* parent = nullptr);
  void setEquations(const QStringList& markup);
  void setStory(const EquationStory& story);
  const EquationStory& story() const { return m_story; }
  void setTable(const QString& title, const std::vector<EquationRow>& rows);
  /// Type this many times its size.
  void setZoom(double zoom);
  void setLit(const QString& symbol);
  const QString& lit() const { return m_lit; }
  QSize minimumSizeHint() const override { return {200, 120}; }

 Q_SIGNALS:
  void symbolPointedAt(const QString& symbol);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Placed {
    Formula formula;
    QPointF origin;
  };
  double px(double units) const { return units * m_zoom; }
  // Each paints from the top of its area and gives where it ended.
  double paintEquations(QPainter& painter, const QRectF& area);
  double paintStory(QPainter& painter, const QRectF& area);
  void paintTable(QPainter& painter, const QRectF& area);
  double paintHeading(QPainter& painter, const QString& text, const QRectF& area) const;
  QStringList broken(const QString& markup, double room) const;
  Formula fitted(const QString& markup, double size, double room) const;

  QStringList m_equations;
  EquationStory m_story;
  QString m_tableTitle, m_lit;
  std::vector<EquationRow> m_rows;
  std::vector<Placed> m_placed;
  double m_zoom = 1;
};

}  // namespace orthros::widgets
