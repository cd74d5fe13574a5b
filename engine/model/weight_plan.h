// WeightPlan: which matrices a model has, where their rows come from, and in which format each is held.
// One list serves the loader, the memory plan and the converter, so that none of them can forget a tensor.
// Errors: as WeightFile. Threads: const.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/model_config.h"
#include "engine/model/model.h"
#include "engine/model/weight_file.h"

namespace orthros {

/// Source tensors that are stacked by rows into one held matrix (fused QKV, gate and up).
struct MatrixPlan {
  std::vector<std::string> names;
  std::vector<int64_t> rows;  // of each
  int64_t columns = 0;
  WeightFormat format = WeightFormat::float32;

  int64_t total_rows() const;
  int64_t held_bytes() const;
};

struct LayerPlan {
  MatrixPlan qkv, o, gate_up, down;
};

struct WeightPlan {
  MatrixPlan embedding;
  MatrixPlan lm_head;  // no names when tied
  std::vector<LayerPlan> layers;
  bool at_most_bfloat16 = true;  // no source matrix is more precise than bfloat16 (quantised ones are not)

  std::vector<const MatrixPlan*> matrices() const;
  int64_t held_bytes() const;
};

Result<WeightPlan> make_weight_plan(const ModelConfig& config, const WeightFile& file, const LoadOptions& options);

/// A tensor of the HF checkpoint with its shape: what a converter writes and what a loader must find.
struct TensorSpec {
  std::string name;
  int64_t rows = 0, columns = 0;
  bool is_vector = false;
};
std::vector<TensorSpec> checkpoint_tensors(const ModelConfig& config);

std::string layer_prefix(int64_t layer);  // "model.layers.3."

}  // namespace orthros
