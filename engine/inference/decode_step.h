// DecodeStep: what a recorded decode step keeps: the rows of attention of one new position in every layer and
// head, both streams, at a level of capture, with the time it took and the invariants it held.
// Shapes: scalars [layers, heads]; a kept row is whole over its support, or a digest (64 heaviest keys, 256
// stretches). Units: shares in 0..1; ms. Source: attention-explorer.md 5.1. Threads: made by a recorder, then
// only read. Public: no torch.
#pragma once

#include <memory>
#include <vector>

#include "engine/base/regime.h"
#include "engine/base/window_spec.h"
#include "engine/formats/tokenizer.h"
#include "engine/kernels/row_digest.h"

namespace orthros {

/// Where one row's weight goes, and how spread it is: entropy / ln(support).
struct RowShares {
  float sink = 0, window = 0, beyond = 0, entropy = 0;
};

/// Capture C0 of a row. distance: mean of t - key, over t.
struct RowScalars {
  RowShares shares;
  float first = 0, self = 0, previous = 0, distance = 0;
};

/// Queries of rows of one layer, or of one row of several: before scale-offset and after it, before norm and
/// rotation. Shapes: [rows or layers, heads, head_dim].
struct QueryRows {
  std::vector<float> projected, scaled;

  void resize(size_t count) {
    projected.resize(count);
    scaled.resize(count);
  }
  int64_t bytes() const { return static_cast<int64_t>((projected.size() + scaled.size()) * sizeof(float)); }
};

/// One stream of a step.
struct StepStream {
  WindowSpec window;  // what its rows see
  std::vector<RowScalars> scalars;
  std::vector<int64_t> exact_layers;        // ascending
  std::vector<float> exact;                 // [exact layers, heads, support]
  std::vector<int64_t> digest_layers;       // ascending
  std::vector<kernels::RowDigest> digests;  // [digest layers, heads]
  std::vector<int64_t> query_layers;        // ascending: chosen, and with scale-offset
  QueryRows queries;                        // [query layers, heads, head_dim]
};

/// The worst of all rows of a step. Rows whose product with V was not looked at count in `rows` alone.
struct StepCheck {
  double sum = 0;       // |1 - sum of a row|, double sum
  double output = 0;    // |row . V - the engine's own o|
  int64_t outside = 0;  // rows with another support than the window gives; layers with another cache length
  int64_t rows = 0, output_rows = 0;
};

class DecodeStep {
 public:
  int64_t position = 0;  // of the token that was read: keys 0..position
  TokenId id = 0;
  double ms = 0;  // of the whole step; the recording alone:
  double record_ms = 0;
  int64_t layers = 0, heads = 0;
  WindowSpec sinks_and_window;  // of the base stream: where "beyond" begins
  StepStream base, output;      // output.scalars is empty where there is no output stream
  StepCheck check;

  const StepStream& of(StreamKind stream) const { return stream == StreamKind::output ? output : base; }
  const RowScalars& scalars(StreamKind stream, int64_t layer, int64_t head) const;
  /// Over keys 0..position, 0 outside the support; empty when only a digest or nothing was kept.
  std::vector<float> row(StreamKind stream, int64_t layer, int64_t head) const;
  /// As row(); from a digest: the 64 heaviest keys exactly, the rest of each stretch spread evenly over it.
  std::vector<float> shown_row(StreamKind stream, int64_t layer, int64_t head) const;
  bool is_exact(StreamKind stream, int64_t layer) const;
  const kernels::RowDigest* digest(StreamKind stream, int64_t layer, int64_t head) const;
  int64_t bytes() const;
};

using DecodeStepPointer = std::shared_ptr<const DecodeStep>;

}  // namespace orthros
