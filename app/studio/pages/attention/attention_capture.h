// AttentionCapture: an attention record with what a page needs to show it: the prompt's tokens, the measures
// of each head at a position, the rows of one head as the pair view draws them. Made by a job, then only
// read. Units: shares in 0..1; NaN: not captured.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <memory>
#include <vector>

#include "engine/experiments/kept_record.h"
#include "engine/inference/attention_record.h"
#include "widgets/attention_measures.h"
#include "widgets/grid_map.h"
#include "widgets/pair_data.h"
#include "widgets/share_timeline.h"
#include "widgets/step_timeline.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

/// Where these texts stand for translators.
struct CaptureText {
  Q_DECLARE_TR_FUNCTIONS(CaptureText)
};

struct AttentionCapture {
  AttentionRecord record;
  std::vector<TokenId> ids;
  QList<QByteArray> pieces;                          // bytes of each key
  QStringList tokens;                                // visible text of each key
  std::vector<widgets::PredictedToken> predictions;  // after each key; empty: not kept
  QString text, modelName;                           // what was read, and by what
  QString kept;                                      // when it was kept; empty: captured now
  std::vector<GeneratedToken> said;                  // by a recorded decode, after each of its steps
  int headsPerGroup = 1;
  qint64 kvBytesPerToken = 0;
  bool bfloat16 = false;  // compute type

  widgets::RowParts parts() const {
    if (record.window.is_full()) return {0, static_cast<qsizetype>(record.num_keys)};
    return {static_cast<qsizetype>(record.window.sinks), static_cast<qsizetype>(record.window.window)};
  }
  qint64 lastPosition() const { return record.num_keys - 1; }
  bool isDecode() const { return !record.steps.empty(); }
  /// The rows of this layer are there at this position, exact or, of a recorded step, as a digest shows them.
  bool hasRow(int64_t layer, int64_t position) const;
  double tolerance() const;  // of row . V = o, by compute type
  bool holds(StreamKind stream, int64_t layer, int64_t head) const;
};

struct AttentionSpec {
  std::shared_ptr<const Model> model;
  std::string text;
  std::vector<TokenId> ids;  // used instead of the text when not empty
  WindowSpec window;
  Architecture architecture = Architecture::orthros;  // how the weights are read
  std::optional<ModelConfig> config;                  // instead of both, exactly this
  std::optional<CaptureLevel> level;                  // empty: as much as is quick
  int64_t layer = 0;
  std::string modelName;
};

/// The model as the spec reads it, and a capture of its prompt without rows.
Result<ModelConfig> configOf(const AttentionSpec& spec);
Result<AttentionCapture> emptyCapture(const AttentionSpec& spec, const ModelConfig& config);
/// One more key; what is predicted after a key.
void appendToken(AttentionCapture& capture, const GeneratedToken& token);
void predict(AttentionCapture& capture, int64_t position, const std::string& bytes, double probability);

Result<AttentionCapture> captureAttention(const AttentionSpec& spec, const StopToken& stop,
                                          const ProgressSink& progress);

/// Token count of a text and the bytes that C0..C3 would take.
struct CaptureEstimate {
  qint64 tokens = 0;
  std::vector<qint64> bytes;
};
Result<CaptureEstimate> estimateCapture(const AttentionSpec& spec);
constexpr qint64 kCaptureBudget = 512'000'000;  // bytes

/// Of one row; what a level did not keep is NaN, and support is 0. Induction and the distance of the streams
/// cost as much again: `All` has them, else they are NaN.
enum class Measures { Cheap, All };
widgets::RowMeasures measureAt(const AttentionCapture& capture, StreamKind stream, int64_t layer,
                               int64_t head, int64_t position, Measures which = Measures::All);
/// [layers, heads] at one position; what a level did not keep is NaN.
/// quick: of a recorded step, what was measured while it was recorded alone.
std::vector<widgets::RowMeasures> measuresAt(const AttentionCapture& capture, StreamKind stream,
                                             int64_t position, Measures which = Measures::Cheap,
                                             bool quick = false);

using CapturePointer = std::shared_ptr<const AttentionCapture>;
/// Of the output stream, here and below, the rows from this position on: others do not exist in a regime.
std::shared_ptr<const widgets::PairData> pairDataOf(const CapturePointer& capture, int64_t layer,
                                                    int64_t head, int64_t outputFrom = 0);
/// The recorded steps alone: one row each.
std::shared_ptr<const widgets::PairData> stepPairOf(const AttentionCapture& capture, int64_t layer,
                                                    int64_t head, int64_t outputFrom = 0);
/// Mean over heads.
RowShares meanShares(const DecodeStep& step, StreamKind stream, int64_t layer);
/// The steps of one layer for the timeline: time, entropy, mass beyond the window, invariants.
widgets::StepSeries stepSeriesOf(const AttentionCapture& capture, int64_t layer);
/// What the rows of the recorded steps are, in words: whole, or digests.
QString stepsInWords(const AttentionCapture& capture);
/// A - B cell by cell; both with the same tokens and window. Empty when they do not match.
std::shared_ptr<const widgets::PairData> differenceOf(const std::shared_ptr<const widgets::PairData>& a,
                                                      const std::shared_ptr<const widgets::PairData>& b);
/// [layers, keys]: mean over heads of the weights that a position pays to each key.
widgets::GridData readersOf(const AttentionCapture& capture, StreamKind stream, int64_t position);
/// [layers, positions]: mean over heads of the output stream's mass beyond the window.
widgets::GridData beyondByTime(const AttentionCapture& capture, int64_t outputFrom = 0);
std::vector<widgets::SharePoint> sharesOf(const AttentionCapture& capture, int64_t layer,
                                          int64_t outputFrom = 0);

/// Under a picture: model, window, tokens, regime (its text), level, build.
QString captionOf(const AttentionCapture& capture, const QString& regime);

/// What the atlas can show of a head.
enum class AtlasMeasure {
  Beyond,
  Entropy,
  First,
  Self,
  Previous,
  Distance,
  Window,
  Edge,
  Induction,
  Top,
  Divergence,
  Label
};
constexpr int kAtlasMeasures = 12;
QString measureName(AtlasMeasure measure);
QString measureFormula(AtlasMeasure measure);
double measureValue(const widgets::RowMeasures& row, AtlasMeasure measure);

}  // namespace orthros::studio
