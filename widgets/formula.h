// Formula: one line of mathematics set from a small TeX-like markup, drawn as glyph outlines by any painter,
// so it is sharp at every size and in every export. Markup: letters are italic, digits and signs upright; _
// and ^ with { }; ' is a prime; \frac{a}{b} \sqrt{a} \rm{upright text} \sum \exp \cdot \odot \times \in \le
// \dots \alpha \beta \quad \, ; \s{NAME}{...} marks a symbol that can be pointed at ("x", "x'", "shelf",
// "W_Q"). What is not known is drawn as it stands. Units: px. Threads: GUI thread.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <vector>

class QPainter;

namespace orthros::widgets {

class Formula {
 public:
  struct Symbol {
    QString name;
    QRectF area;
  };

  Formula() = default;
  Formula(const QString& markup, double pixelSize);

  bool isEmpty() const { return m_pieces.empty(); }
  double width() const { return m_width; }
  double ascent() const { return m_ascent; }
  double descent() const { return m_descent; }
  double height() const { return m_ascent + m_descent; }
  const std::vector<Symbol>& symbols() const { return m_symbols; }
  /// Name of the symbol at a point, from the left end of the baseline; empty: none.
  QString symbolAt(const QPointF& point) const;
  /// `origin` is the left end of the baseline. Symbols of the base stream are blue, of the output stream
  /// orange; the lit one has a ground.
  void draw(QPainter& painter, const QPointF& origin, const QColor& ink, const QString& lit = {}) const;

 private:
  friend class FormulaSetter;
  struct Piece {
    QPainterPath path;
    QString symbol;
  };

  double m_width = 0, m_ascent = 0, m_descent = 0;
  std::vector<Piece> m_pieces;
  std::vector<Symbol> m_symbols;
};

}  // namespace orthros::widgets
