// attention_record: the exact softmax weights of a prompt's rows, as many as a level of capture keeps, from
// one pass. Shapes: of one layer, base [heads, rows, band] with band_width() columns (sinks, then offsets
// w-1..0), output [heads, rows, T]; 0 outside the support. Units: weights sum to 1 a row; shares in 0..1;
// bytes. Errors: invalid_argument, as Session; out_of_memory beyond max_bytes, with the numbers. Watching
// never changes the run. Source: ORTHROS.md invariants 1 and 8. Public: no torch. Threads: one caller.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/regime.h"
#include "engine/base/window_spec.h"
#include "engine/inference/decode_step.h"
#include "engine/inference/session.h"

namespace orthros {

/// c0: shares of every row. c1: the exact rows of the last token in all heads (one prefill). c2: c0, c1 and
/// every row of one layer. c3: every row of every layer.
enum class CaptureLevel { c0, c1, c2, c3 };

struct AttentionRecordRequest {
  std::vector<TokenId> ids;
  CaptureLevel level = CaptureLevel::c1;
  int64_t layer = 0;  // of c2
  int64_t chunk = 512;
  int64_t max_bytes = 512'000'000;
  bool predict = false;  // what the model predicts at the share positions, too: a product of the LM head more
};

/// The likeliest next token of one position.
struct TokenPrediction {
  TokenId id = 0;
  float probability = 0;  // at temperature 1
};

/// The one window of all layers; unsupported where they differ.
Result<WindowSpec> common_window(const ModelConfig& config);

/// Of a row over keys 0..position.
RowShares shares_of_row(std::span<const float> weights, int64_t position, const WindowSpec& window);

/// A head's query of one row as the engine had it: x W_Q, and alpha * (x W_Q) + beta; norm and rotation
/// follow. Empty: not kept.
struct QueryRow {
  std::span<const float> projected, scaled;  // [head_dim]

  bool empty() const { return projected.empty(); }
};

/// Largest errors of the rows of one head and stream.
struct RowErrorsOfHead {
  double sum = 0;       // |1 - sum of the row|, double sum
  double output = 0;    // |row . V - the engine's own o|
  int64_t outside = 0;  // weights other than 0 outside the support
  int64_t rows = 0;     // rows looked at
};

struct LayerRows {
  std::vector<int64_t> positions;  // of the exact rows, ascending
  std::vector<float> base, output;
  QueryRows base_queries, output_queries;  // of a layer with scale-offset whose every row is kept
};

struct AttentionRecord {
  int64_t layers = 0, heads = 0, num_keys = 0;
  WindowSpec window;
  CaptureLevel level = CaptureLevel::c1;
  bool has_output = false;
  /// The base row of an Orthros model's last layer is made for the picture: the model does not use it.
  bool last_base_used = true;
  int64_t head_dim = 0;
  /// Ascending; nullopt: a record that was kept before this was written down.
  std::optional<std::vector<int64_t>> scale_offset_layers;
  std::vector<LayerRows> rows;                              // [layers]
  std::vector<int64_t> share_positions;                     // ascending
  std::vector<RowShares> base_shares, output_shares;        // [layers, heads, share_positions]
  std::vector<RowErrorsOfHead> base_errors, output_errors;  // [layers, heads]
  std::vector<TokenPrediction> predictions;                 // [share_positions]; empty: not asked for
  /// A recorded decode: the last prompt token and every step, by position, without a gap. `rows` and shares
  /// then hold nothing of them.
  std::vector<DecodeStepPointer> steps;

  /// The recorded step at this position; null: none.
  const DecodeStep* step_at(int64_t position) const;
  int64_t band_width() const;
  /// Key of a column of the base band for the row at `position`; -1 where the row has none.
  int64_t band_key(int64_t position, int64_t column) const;
  /// Weights over keys 0..position; empty when the row was not kept. Of a step that kept a digest alone, what
  /// DecodeStep::shown_row makes of it: is_exact() says which.
  std::vector<float> row(StreamKind stream, int64_t layer, int64_t head, int64_t position) const;
  bool is_exact(StreamKind stream, int64_t layer, int64_t position) const;
  bool has_scale_offset(int64_t layer) const;
  /// The query of a row before and after scale-offset: where the layer has it, and c2 or c3 chose the layer.
  QueryRow query(StreamKind stream, int64_t layer, int64_t head, int64_t position) const;
  /// Ascending: where the layer's queries are kept.
  std::vector<int64_t> query_positions(int64_t layer) const;
  /// Ascending: where the rows of this layer are exact in every stream.
  std::vector<int64_t> exact_positions(int64_t layer) const;
  /// [rows, band_width()] or [rows, T] of one head as it lies in memory.
  std::span<const float> matrix(StreamKind stream, int64_t layer, int64_t head) const;
  const RowErrorsOfHead& errors(StreamKind stream, int64_t layer, int64_t head) const;
  int64_t bytes() const;
};

/// Layers of the configuration that have scale-offset, ascending.
std::vector<int64_t> scale_offset_layers(const ModelConfig& config);

/// What a record of this level will hold.
int64_t record_bytes(const ModelConfig& config, const AttentionRecordRequest& request);

Result<AttentionRecord> attention_record(std::shared_ptr<const Model> model, const ModelConfig& config,
                                         const AttentionRecordRequest& request, const StopToken& stop = {},
                                         const ProgressSink& progress = {});

}  // namespace orthros
