// TrainModel: the differentiable forward pass of every architecture, whole sequences at once. Output rows
// (plain models: the rows that the loss reads) exist at given positions only; base rows everywhere; the last
// layer makes of the base stream only what somebody reads. Shapes: ids [B, T] int64; positions [B, n] or
// [1, n] int64, non-decreasing; result [B * n, M] final-normalised rows. Errors: torch exceptions.
// Source: ORTHROS.md. Private: includes torch. Threads: torch's team.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

#include "engine/base/result.h"
#include "engine/mixers/rotary.h"
#include "engine/training/differentiable.h"
#include "engine/training/parameters.h"

namespace orthros::training {

struct ForwardOptions {
  ProductPolicy products;
  bool recompute_layers = false;  // activation checkpointing, a layer at a time
  /// Windows of the base stream instead of the config's (curriculum); full keeps the config's.
  WindowSpec window;
};

class TrainModel {
 public:
  /// unsupported: layers with and without an output stream in one model.
  static Result<TrainModel> create(const ModelConfig& config);

  Parameters& parameters() { return *parameters_; }
  const Parameters& parameters() const { return *parameters_; }

  /// positions undefined: every position (PT).
  at::Tensor forward(const at::Tensor& ids, const at::Tensor& positions, const ForwardOptions& options) const;

 private:
  struct Call;
  struct Streams;
  explicit TrainModel(const ModelConfig& config);
  Streams run_layer(const Call& call, int64_t i, const Streams& in) const;
  void run_dual(const Call& call, int64_t i, const Streams& in, Streams& out) const;
  void run_plain(const Call& call, int64_t i, const Streams& in, Streams& out) const;
  void finish_rows(const Call& call, int64_t i, const at::Tensor& mixed, at::Tensor& x,
                   at::Tensor& delta) const;
  const RotaryTable& table(int64_t positions) const;

  std::shared_ptr<Parameters> parameters_;
  RotaryEmbedding rotary_;
  mutable RotaryTable table_;
  bool dual_ = false;
};

}  // namespace orthros::training
