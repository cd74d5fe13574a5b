// CompareView: A and B, each a head of a capture, and A − B row by row. A stays where it was set, B follows
// the selection, so that two heads, two windows, two models or two prompts can be compared. Against the
// Transformer: A is x′ of the head that is chosen, B the same head of the same weights read as a Transformer.
#pragma once

#include <QWidget>

#include "app/studio/newest_job.h"
#include "app/studio/pages/attention/compare_rows.h"
#include "app/studio/pages/attention/regime_choice.h"

class QLabel;
class QPushButton;

namespace orthros::widgets {
class ElidedLabel;
class PairView;
}  // namespace orthros::widgets

namespace orthros::studio {

class CompareView : public QWidget {
  Q_OBJECT
 public:
  explicit CompareView(QWidget* parent = nullptr);
  /// Where differences are made; null: at once.
  void setRunner(JobRunner* runner) { m_runner = runner; }
  void setCurrent(const CapturePointer& capture, int layer, int head);
  /// For both sides.
  void setRegime(const RegimeChoice& regime);
  void setA();
  /// The capture of the same ids as a Transformer; empty: there is none.
  void setTransformer(const CapturePointer& capture);
  void setAgainstTransformer(bool on);
  bool isAgainstTransformer() const;
  QString name() const;
  widgets::PairView* pairView() const { return m_pair; }

 Q_SIGNALS:
  /// There is no capture of the Transformer yet.
  void transformerWanted();

 private:
  static QString textOf(const HeadOf& side);
  std::pair<HeadOf, HeadOf> sides() const;
  void refresh();
  void show(const Comparison& comparison);
  QString noteOf(const Comparison& comparison) const;

  JobRunner* m_runner = nullptr;
  NewestJob<Comparison> m_comparisons{this};
  HeadOf m_a, m_b;  // set, and chosen
  RegimeChoice m_regime;
  CapturePointer m_transformer;
  QPushButton* m_against;
  widgets::ElidedLabel* m_aLabel;
  widgets::ElidedLabel* m_bLabel;
  QLabel* m_note;
  QPushButton* m_set;
  widgets::PairView* m_pair;
};

}  // namespace orthros::studio
