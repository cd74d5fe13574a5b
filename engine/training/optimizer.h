// AdamW with decoupled decay on fp32 masters, through torch's fused op, and clipping by the global norm.
// Units: rates as in the AdamW paper. Errors: torch exceptions. Threads: torch's team. Private: includes
// torch. Source: Loshchilov and Hutter, Decoupled weight decay regularization (2019).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "engine/training/parameters.h"

namespace orthros::training {

/// What a run changes: a conversion may move the scale-offsets alone.
enum class Trainable { all, scale_offset, scale_offset_norms, scale_offset_norms_qo };
Result<Trainable> parse_trainable(std::string_view text);
/// Whether a tensor of the checkpoint (HF name) is among what moves.
bool moves(Trainable what, std::string_view hf_name);
/// Sets requires_grad. qo: W_Q and W_O; of the fused qkv only the query rows move.
void set_trainable(const Parameters& parameters, Trainable what);

struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.98, eps = 1e-8;
  double weight_decay = 0.05;  // matrices and head; never norms or scale-offsets
  bool decay_embedding = true;
  double clip_norm = 1.0;  // 0: none
};

class AdamW {
 public:
  AdamW(const Parameters& parameters, const AdamWOptions& options, Trainable what);

  /// Norm of all gradients, before clipping, which this does as well. Not finite: something is wrong.
  double clip_gradients();
  void step(double learning_rate);
  void clear_gradients();

  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps);

  struct Moments {
    std::string name;
    at::Tensor first, second;
  };
  /// State by parameter name, for checkpoints; the tensors are the optimiser's own.
  std::vector<Moments> state() const;

 private:
  struct Group {
    std::vector<std::string> names;
    std::vector<at::Tensor> parameters, first, second, steps;
    double decay = 0;
  };
  std::vector<at::Tensor> gradients(const Group& group) const;

  AdamWOptions options_;
  std::vector<Group> groups_;
  int64_t frozen_key_rows_ = 0;  // qo: gradient rows of qkv from here on are dropped; 0: none
  int64_t steps_ = 0;
};

}  // namespace orthros::training
