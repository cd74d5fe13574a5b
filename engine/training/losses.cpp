#include "engine/training/losses.h"

#include <algorithm>

#include <torch/csrc/autograd/custom_function.h>

#include "engine/training/row_gradients.h"

namespace orthros::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Logits of a chunk stay within the last-level cache of common machines.
constexpr int64_t kChunkElements = int64_t{4} << 20;

int64_t chunk_rows(const at::Tensor& head, int64_t chunk) {
  return chunk > 0 ? chunk : std::max<int64_t>(16, kChunkElements / head.size(0));
}

at::Tensor multiply(const at::Tensor& a, const at::Tensor& b, bool bfloat16) {
  return bfloat16 ? at::mm(a.to(at::kBFloat16), b.to(at::kBFloat16)).to(at::kFloat) : at::mm(a, b);
}

/// Loss and, in place of the logits, its gradient for one chunk of rows.
struct ChunkLoss {
  at::Tensor loss, best;
};

ChunkLoss cross_entropy_chunk(at::Tensor& logits, const at::Tensor& targets, const at::Tensor& weights) {
  const int64_t rows = logits.size(0);
  if (!logits.device().is_cpu() || logits.scalar_type() != at::kFloat) {
    const at::Tensor log_p = at::log_softmax(logits, 1);
    ChunkLoss result{-log_p.gather(1, targets.unsqueeze(1)).squeeze(1), logits.argmax(1)};
    logits = log_p.exp();
    logits.scatter_add_(1, targets.unsqueeze(1), -at::ones_like(targets.unsqueeze(1)).to(logits.dtype()));
    logits.mul_(weights.unsqueeze(1));
    return result;
  }
  ChunkLoss result{at::empty({rows}, logits.options()), at::empty({rows}, targets.options())};
  const at::Tensor target_rows = targets.contiguous(), weight_rows = weights.contiguous();
  cross_entropy_rows({logits.data_ptr<float>(), target_rows.const_data_ptr<int64_t>(),
                      weight_rows.const_data_ptr<float>(), rows, logits.size(1),
                      result.loss.data_ptr<float>(), result.best.data_ptr<int64_t>()});
  return result;
}

ChunkLoss distillation_chunk(at::Tensor& logits, const at::Tensor& teacher_logits,
                             const at::Tensor& weights) {
  const at::Tensor log_p = at::log_softmax(logits, 1), log_t = at::log_softmax(teacher_logits, 1);
  const at::Tensor t = log_t.exp();
  ChunkLoss result{(t * (log_t - log_p)).sum(1), logits.argmax(1)};
  logits = log_p.exp().sub_(t).mul_(weights.unsqueeze(1));
  return result;
}

/// The gradients are made in the forward pass, while a chunk's logits are at hand.
struct LossFunction : Function<LossFunction> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& hidden, const at::Tensor& head,
                            const at::Tensor& targets, const at::Tensor& weights,
                            const std::vector<at::Tensor>& teacher, RowResults* results, bool bfloat16,
                            int64_t chunk, bool wants_hidden, bool wants_head) {
    const int64_t rows = hidden.size(0);
    const at::Tensor d_hidden = wants_hidden ? at::empty_like(hidden) : at::Tensor();
    const at::Tensor d_head = wants_head ? at::zeros_like(head) : at::Tensor();
    at::Tensor losses = at::empty({rows}, weights.options());
    at::Tensor best = at::empty({rows}, weights.options().dtype(at::kLong));
    for (int64_t begin = 0; begin < rows; begin += chunk) {
      const int64_t count = std::min(chunk, rows - begin);
      const at::Tensor part = hidden.narrow(0, begin, count), weight = weights.narrow(0, begin, count);
      at::Tensor logits = multiply(part, head.t(), bfloat16);
      const ChunkLoss loss =
          teacher.empty()
              ? cross_entropy_chunk(logits, targets.narrow(0, begin, count), weight)
              : distillation_chunk(
                    logits, multiply(teacher[0].narrow(0, begin, count), teacher[1].t(), bfloat16), weight);
      losses.narrow(0, begin, count).copy_(loss.loss);
      best.narrow(0, begin, count).copy_(loss.best);
      if (wants_hidden) d_hidden.narrow(0, begin, count).copy_(multiply(logits, head, bfloat16));
      if (wants_head) d_head.add_(multiply(logits.t(), part, bfloat16));
    }
    ctx->save_for_backward({d_hidden, d_head});
    if (results != nullptr) *results = {losses, best};
    return (losses * weights).sum();
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const auto scaled = [&](const at::Tensor& t) { return t.defined() ? t * grads[0] : t; };
    return {scaled(saved[0]), scaled(saved[1]), {}, {}, {}, {}, {}, {}, {}, {}};
  }
};

}  // namespace

at::Tensor cross_entropy(const LossRows& rows, const ProductPolicy& policy, RowResults* results,
                         int64_t chunk) {
  return LossFunction::apply(rows.hidden, rows.head, rows.targets, rows.weights, std::vector<at::Tensor>{},
                             results, policy.bfloat16, chunk_rows(rows.head, chunk),
                             rows.hidden.requires_grad(), rows.head.requires_grad());
}

at::Tensor distillation(const LossRows& rows, const Teacher& teacher, const ProductPolicy& policy,
                        RowResults* results, int64_t chunk) {
  const std::vector<at::Tensor> tensors{teacher.hidden.detach(), teacher.head.detach()};
  return LossFunction::apply(rows.hidden, rows.head, rows.targets, rows.weights, tensors, results,
                             policy.bfloat16, chunk_rows(rows.head, chunk), rows.hidden.requires_grad(),
                             rows.head.requires_grad());
}

}  // namespace orthros::training
