// What the atlas can show of a head, in words and as a number.
#include <QCoreApplication>

#include "app/studio/pages/attention/attention_capture.h"
#include "widgets/head_label.h"

namespace orthros::studio {
QString measureName(AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return CaptureText::tr("Beyond the window");
    case AtlasMeasure::Entropy:
      return CaptureText::tr("Entropy / ln(n)");
    case AtlasMeasure::First:
      return CaptureText::tr("First token");
    case AtlasMeasure::Self:
      return CaptureText::tr("Itself");
    case AtlasMeasure::Previous:
      return CaptureText::tr("Previous token");
    case AtlasMeasure::Distance:
      return CaptureText::tr("Mean distance");
    case AtlasMeasure::Window:
      return CaptureText::tr("In the window");
    case AtlasMeasure::Edge:
      return CaptureText::tr("Window edge");
    case AtlasMeasure::Induction:
      return CaptureText::tr("Induction");
    case AtlasMeasure::Top:
      return CaptureText::tr("Heaviest key");
    case AtlasMeasure::Divergence:
      return CaptureText::tr("x against x′");
    case AtlasMeasure::Label:
      return CaptureText::tr("Labels");
  }
  return {};
}

QString measureFormula(AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return CaptureText::tr("Σ p_j over keys j ≤ t − w that are no sinks: what the base stream cannot read");
    case AtlasMeasure::Entropy:
      return CaptureText::tr("−Σ p ln p / ln(keys with p > 0): 0 is one key, 1 is uniform");
    case AtlasMeasure::First:
      return CaptureText::tr("p_0");
    case AtlasMeasure::Self:
      return CaptureText::tr("p_t");
    case AtlasMeasure::Previous:
      return CaptureText::tr("p_(t−1)");
    case AtlasMeasure::Distance:
      return CaptureText::tr("Σ p_j (t − j) / t");
    case AtlasMeasure::Window:
      return CaptureText::tr("Σ p_j over the last w keys");
    case AtlasMeasure::Edge:
      return CaptureText::tr("Σ p_j over offsets w − 8 to w − 1: the oldest keys that x can see");
    case AtlasMeasure::Induction:
      return CaptureText::tr(
          "Σ p_j over keys whose token before is the one that asks: token(j − 1) = token(t)");
    case AtlasMeasure::Top:
      return CaptureText::tr("max_j p_j");
    case AtlasMeasure::Divergence:
      return CaptureText::tr(
          "Jensen-Shannon distance of x and x′ over the last w keys, each brought to sum 1: "
          "0 alike, 1 on different keys");
    case AtlasMeasure::Label:
      return CaptureText::tr("What the row mostly does; the farthest above its threshold:") + u'\n' +
             widgets::labelRules();
  }
  return {};
}

double measureValue(const widgets::RowMeasures& row, AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return row.beyond;
    case AtlasMeasure::Entropy:
      return row.entropy;
    case AtlasMeasure::First:
      return row.first;
    case AtlasMeasure::Self:
      return row.self;
    case AtlasMeasure::Previous:
      return row.previous;
    case AtlasMeasure::Distance:
      return row.distance;
    case AtlasMeasure::Window:
      return row.window;
    case AtlasMeasure::Edge:
      return row.edge;
    case AtlasMeasure::Induction:
      return row.induction;
    case AtlasMeasure::Top:
      return row.top;
    case AtlasMeasure::Divergence:
      return row.divergence;
    case AtlasMeasure::Label:
      return row.support == 0 ? row.top : widgets::labelOf(row).score;
  }
  return 0;
}

}  // namespace orthros::studio
