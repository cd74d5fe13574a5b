// Loss of prediction rows, in chunks of rows: logits of [rows, V] never exist at once, forward or backward.
// Shapes: hidden [R, M] final-normalised rows; head [V, M]; targets [R] int64; weights [R] fp32. Units: nats.
// Errors: torch exceptions. Threads: torch's team. Private: includes torch.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

#include "engine/training/differentiable.h"

namespace orthros::training {

struct LossRows {
  at::Tensor hidden, head, targets, weights;
};

/// What a row said, besides its gradient.
struct RowResults {
  at::Tensor loss;  // [R] fp32, unweighted; of distillation the divergence from the teacher
  at::Tensor best;  // [R] int64, the most probable class
};

/// sum of weights * -log p(target). `chunk` rows at a time; 0 chooses.
at::Tensor cross_entropy(const LossRows& rows, const ProductPolicy& policy, RowResults* results = nullptr,
                         int64_t chunk = 0);

/// Rows of another model whose distribution is to be matched.
struct Teacher {
  at::Tensor hidden, head;
};
/// sum of weights * KL(teacher || student) over the whole vocabulary.
at::Tensor distillation(const LossRows& rows, const Teacher& teacher, const ProductPolicy& policy,
                        RowResults* results = nullptr, int64_t chunk = 0);

}  // namespace orthros::training
