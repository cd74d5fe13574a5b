// Rotary position embedding: frequencies with the scalings of HF (none, linear, llama3, YaRN) and cos/sin
// tables. Shapes: tables [positions, D/2] fp32; pairs are (i, i + D/2) as in HF. Units: radians; angles are
// formed in fp64. Source: HF modeling_rope_utils.py (formulas in research/engine.md 6.2). Private: includes
// torch.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "engine/formats/model_config.h"

namespace orthros {

struct RotaryTable {
  at::Tensor cos, sin;  // [count, D/2]
};

class RotaryEmbedding {
 public:
  RotaryEmbedding() = default;
  RotaryEmbedding(double theta, int64_t head_dim, const RopeScaling& scaling,
                  int64_t max_position_embeddings);

  /// Table of positions first .. first + count - 1.
  RotaryTable table(int64_t first, int64_t count, const at::Device& device) const;
  const std::vector<double>& frequencies() const { return frequencies_; }

 private:
  std::vector<double> frequencies_;  // [D/2]
  double amplitude_ = 1;             // YaRN's attention factor, on cos and sin alike
};

}  // namespace orthros
