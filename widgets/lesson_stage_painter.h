// StagePainter: draws a LessonStage at its progress between two moments. Private to the stage. Threads: GUI
// thread.
#pragma once

#include <QPainter>

#include "widgets/lesson_stage.h"
#include "widgets/theme.h"

namespace orthros::widgets {

class StagePainter {
 public:
  StagePainter(const LessonStage& stage, QPainter& painter);
  void paint();

  /// Of the pills of the shared weights, in the order of their use.
  static const QStringList& weightNames();
  static QRectF weightRect(const LessonStage& stage, const QString& name);

 private:
  void paintHeader();
  void paintFocus();
  void paintLane(bool isOutput);
  void paintCell(const QRectF& box, const StageCell& cell, bool isOutput, double opacity);
  void paintFlow(bool isOutput);
  void paintWeights();
  double pillSize() const;
  void paintPill(const QString& name);
  void paintShelf();
  void paintLegend(const QRectF& line);
  void paintSlot(int position);
  void paintTile(const QRectF& tile, const std::vector<float>& key);
  void paintBar(const QRectF& area, double weight, bool isOutput);
  void paintWindowBracket();
  void paintReads(bool isOutput);
  void paintMoves();
  void paintLabels();
  void paintGuesses();

  QFont font(double units, int weight = QFont::Normal) const;
  QFont mono(double units, int weight = QFont::Normal) const;
  QColor quiet() const;  // captions
  QColor hue(bool isOutput) const;
  QColor soft(bool isOutput) const;
  bool isHighlit(const QString& name) const;
  double laneScale(bool isOutput) const;
  double shown(StageData::Move move) const;  // how far a move of this moment is, 0..1; -1: it is another's

  const LessonStage& m_stage;
  const StageData& m_data;
  QPainter& m_painter;
  double m_unit;
};

}  // namespace orthros::widgets
