// LessonStage: one moment of a pass as a picture: the lane of x below, that of x′ above it, the shared
// weights once between them, the KV shelf at the right. Every cell is the engine's vector at this step, four
// numbers a line; hover, click or the arrow keys point at one. Between two moments it moves (or cuts). Units:
// positions 0-based; weights 0..1; NaN: not read. Threads: GUI thread.
#pragma once

#include <QRectF>
#include <QStringList>
#include <QVariantAnimation>
#include <QWidget>
#include <limits>
#include <vector>

namespace orthros::widgets {

struct StageCell {
  std::vector<float> values;  // empty: there is no row here
  bool isUnused = false;      // the model makes nothing here
};

struct StageSlot {
  bool isFilled = false;
  std::vector<float> key;
  double base = std::numeric_limits<double>::quiet_NaN();    // weight paid by x of the row in focus
  double output = std::numeric_limits<double>::quiet_NaN();  // by x′
  bool isInWindow = false;                                   // of the row in focus
};

struct StageGuess {
  QString text;
  double probability = 0;
};

struct StageData {
  enum class Move { None, Copy, Store, ReadBase, ReadOutput, Drop };
  QStringList tokens;
  int layers = 1, layer = 0, head = 0;
  int step = 0;  // 0..13, of the names below
  QString stepTitle;
  std::vector<StageCell> base, output;  // one a token
  std::vector<StageSlot> shelf;         // one a token
  int row = 0;                          // in focus
  int window = 0;                       // keys that a row of x may read
  Move move = Move::None;
  bool baseWorks = false, outputWorks = false;  // which lane this step changes
  bool isBaseUnused = false;                    // behind the last layer's shelf
  bool isBaseDropped = false;
  QStringList lit;  // weights in use: "norm" "W_K" "W_V" "W_Q" "alpha" "alpha'" "W_O" "FFN" "head"
  QStringList highlight;
  std::vector<StageGuess> guesses;
  bool outputOn = true;
  QString hash;  // of the shelf
};

/// What the pointer is on.
struct StageTarget {
  enum class Kind { None, Base, Output, Slot, Weight, Token };
  Kind kind = Kind::None;
  int position = -1;
  int column = -1;  // of a cell's vector
  QString weight;
  bool operator==(const StageTarget&) const = default;
};

/// Numbers of a vector in one line of its cell.
constexpr int kNumbersOfLine = 4;

class LessonStage : public QWidget {
  Q_OBJECT
  Q_PROPERTY(double progress READ progress WRITE setProgress)
 public:
  explicit LessonStage(QWidget* parent = nullptr);
  /// Moves there from what is shown, in `milliseconds`; 0 cuts.
  void showMoment(const StageData& data, int milliseconds);
  const StageData& data() const { return m_data; }
  /// Fully at its moment.
  void finishMove();
  bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
  double progress() const { return m_progress; }
  void setProgress(double progress);
  /// Large type and full contrast, for a wall.
  void setPresenting(bool presenting);
  /// Lights what a symbol of an equation names.
  void setLit(const QString& symbol);
  void setPointed(const StageTarget& target);
  const StageTarget& pointed() const { return m_pointed; }

  QRectF cellRect(bool isOutput, int position) const;
  QRectF slotRect(int position) const;
  /// Of a token's word below the lanes; those of one line do not touch.
  QRectF wordRect(int position) const;
  QRectF weightRect(const QString& name) const;
  /// Of the shared weights, in the order of their use.
  static QStringList weightNames();
  StageTarget targetAt(const QPointF& point) const;
  QSize minimumSizeHint() const override { return {360, 260}; }
  QSize sizeHint() const override { return {760, 540}; }

 Q_SIGNALS:
  void pointedAt(const StageTarget& target);
  void chosen(const StageTarget& target);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  friend class StagePainter;
  void layOut();
  bool needsStagger() const;

  StageData m_data, m_before;
  StageTarget m_pointed;
  QString m_lit;
  bool m_isPresenting = false;
  double m_progress = 1;
  QVariantAnimation m_animation;
  // Geometry, from the size and the number of tokens.
  double m_unit = 13;                             // px of body text
  double m_column = 0, m_number = 0, m_slot = 0;  // a column, the side of one number, a place of the shelf
  int m_lines = 16;                               // of a cell
  bool m_isStaggered = false;                     // words too long for a column stand in two lines
  QRectF m_lanes, m_outputLane, m_weights, m_baseLane, m_labels, m_shelf, m_guesses;
};

}  // namespace orthros::widgets
