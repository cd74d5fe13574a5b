// AttentionCapture: one position's rows of all heads and both streams, with the prompt's tokens and the
// measures that the atlas shows. Made by a job. Units: shares in 0..1.
#pragma once

#include <QStringList>
#include <memory>
#include <vector>

#include "engine/inference/attention_atlas.h"
#include "widgets/attention_measures.h"

namespace orthros::studio {

struct AttentionCapture {
  AttentionAtlas atlas;
  QStringList tokens;  // visible text of each key
  widgets::RowParts parts;
  int headsPerGroup = 1;
  bool bfloat16 = false;                           // compute type
  std::vector<widgets::RowMeasures> base, output;  // [layers, heads]
};

struct AttentionSpec {
  std::shared_ptr<const Model> model;
  std::string text;
  WindowSpec window;
};

Result<AttentionCapture> captureAttention(const AttentionSpec& spec, const StopToken& stop,
                                          const ProgressSink& progress);

/// What the atlas can show of a head.
enum class AtlasMeasure { Beyond, Entropy, First, Self, Previous, Distance, Window };
QString measureName(AtlasMeasure measure);
QString measureFormula(AtlasMeasure measure);
double measureValue(const widgets::RowMeasures& row, AtlasMeasure measure);

}  // namespace orthros::studio
