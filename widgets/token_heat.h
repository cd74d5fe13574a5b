// TokenHeat: a prompt as text, each frame tinted by the weight that the output stream (tint) and the base
// stream (underline) pay it, a tab on its upper edge where an output copy x′ exists; a click chooses the
// token that asks, Shift+click adds it to those that ask. Frames are tokens, or words, lines, paragraphs,
// matches of a pattern, with summed weights. Arrow keys move from frame to frame, Ctrl+C copies the bytes.
// Units: weights in 0..1, tinted on a log2 scale from 2^-10.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/attention_measures.h"
#include "widgets/pattern_units.h"

class QMimeData;

namespace orthros::widgets {

/// What the model predicts after a token.
struct PredictedToken {
  QString text;
  double probability = 0;  // below 0: not known
};

class TokenHeat : public QWidget {
  Q_OBJECT
 public:
  explicit TokenHeat(QWidget* parent = nullptr);
  void setPieces(const QList<QByteArray>& pieces);
  void setGranularity(Granularity granularity);
  Granularity granularity() const { return m_granularity; }
  /// For Granularity::Pattern. One that does not work leaves the last that did.
  void setPattern(const QString& pattern);
  /// What became of the last pattern: its matches, or what is wrong with it.
  const PatternUnits& patternState() const { return m_pattern; }
  /// The keys that hold 70 % of x′ (of x, where it is alone) get a corner.
  void setRows(const std::vector<float>& base, const std::vector<float>& output);
  /// Ascending: keys with a corner.
  const std::vector<qsizetype>& mainKeys() const { return m_main.keys; }
  /// By token; drawn after it while shown.
  void setPredictions(const std::vector<PredictedToken>& predictions);
  void showPredictions(bool show);
  /// Keys of the sink lane: no tint, a dotted frame. Empty: off.
  void setLane(const std::vector<qsizetype>& keys);
  /// Tokens from here on have an output copy: a tab on their frames; what others would predict is not shown.
  /// -1: one stream, no tabs.
  void setOutputFrom(qsizetype position);
  void setMarked(qsizetype key);
  qsizetype marked() const { return m_marked; }
  /// The tokens whose rows are shown, the current one first; empty: the last.
  void setQueries(const std::vector<qsizetype>& positions);
  /// The next token at or after `from` whose text begins at it, without regard to case; -1: none.
  qsizetype findText(const QString& text, qsizetype from) const;
  QRectF boxOf(qsizetype position) const;
  const std::vector<TokenUnit>& units() const { return m_units; }
  QString tipOf(size_t unit) const;
  /// The bytes of the marked frame, else of all: as text, and exactly (application/octet-stream).
  QMimeData* mimeData() const;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  void unitsChanged();
  void keyHovered(qsizetype key);
  void chosen(qsizetype position);
  void added(qsizetype position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Box {
    QRectF frame, prediction;
  };
  std::vector<Box> boxesFor(double width) const;
  void layOut();
  void makeUnits();
  size_t unitOf(qsizetype token) const;
  bool predicts(qsizetype token) const;
  QString predictionText(qsizetype token) const;
  double massOf(const std::vector<float>& row, const TokenUnit& unit) const;
  /// How many of the main keys lie in a frame.
  qsizetype mainKeysIn(const TokenUnit& unit) const;
  void paintUnit(QPainter& painter, size_t index) const;
  int unitAt(const QPointF& point) const;

  QList<QByteArray> m_pieces;
  QStringList m_visible;  // text of each token
  Granularity m_granularity = Granularity::Token;
  QString m_goodPattern;
  PatternUnits m_pattern;
  std::vector<TokenUnit> m_units;
  std::vector<Box> m_boxes;
  std::vector<float> m_base, m_output;
  KeySet m_main;  // of x′, or of the one stream; its keys ascending
  std::vector<PredictedToken> m_predictions;
  bool m_showPredictions = false;
  std::vector<qsizetype> m_lane, m_queries;
  qsizetype m_marked = -1, m_outputFrom = -1;
};

}  // namespace orthros::widgets
