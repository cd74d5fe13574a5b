#include "engine/mixers/attention.h"

#include <cmath>
#include <limits>

#include "engine/mixers/linear.h"

namespace orthros {
namespace {

std::vector<int64_t> slots_of(const std::vector<int64_t>& positions, const KvCache& cache) {
  std::vector<int64_t> slots(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) slots[i] = cache.slot_of(positions[i]);
  return slots;
}

float softmax_scale(const at::Tensor& q) {
  return 1.0f / std::sqrt(static_cast<float>(q.size(3)));
}

}  // namespace

kernels::AttentionArgs kernel_args(const AttentionQuery& query, const KvCache& cache,
                                   const std::vector<int64_t>& slots) {
  const at::Tensor& q = query.q_BTHD;
  const at::Tensor& k = cache.k();
  kernels::AttentionArgs args;
  args.batch = q.size(0);
  args.num_queries = q.size(1);
  args.num_heads = q.size(2);
  args.head_dim = q.size(3);
  args.num_kv_heads = k.size(1);
  args.num_keys = cache.num_slots();
  args.positions = slots.data();
  args.window = query.window;
  args.scale = softmax_scale(q);
  args.q_type = from_torch(q.scalar_type());
  args.q = q.const_data_ptr();
  args.q_stride_b = q.stride(0);
  args.q_stride_t = q.stride(1);
  args.q_stride_h = q.stride(2);
  args.kv_type = from_torch(k.scalar_type());
  args.k = k.const_data_ptr();
  args.v = cache.v().const_data_ptr();
  args.kv_stride_b = k.stride(0);
  args.kv_stride_h = k.stride(1);
  args.kv_stride_s = k.stride(2);
  args.out_type = from_torch(query.out_type);
  return args;
}

AttentionResult attend(const AttentionQuery& query, const KvCache& cache) {
  const at::Tensor& q = query.q_BTHD;
  if (!q.device().is_cpu()) return reference::attend(query, cache);
  const std::vector<int64_t> slots = slots_of(query.positions, cache);
  kernels::AttentionArgs args = kernel_args(query, cache, slots);
  AttentionResult result;
  const int64_t heads_dim = args.num_heads * args.head_dim;
  result.out =
      query.out.defined() ? query.out : at::empty({args.batch * args.num_queries, heads_dim}, query.out_type);
  args.out = result.out.data_ptr();
  args.out_stride_b = args.num_queries * heads_dim;
  args.out_stride_t = heads_dim;
  args.out_stride_h = args.head_dim;
  if (query.want_lse) {
    result.lse = at::empty({args.batch, args.num_heads, args.num_queries}, at::kFloat);
    args.lse = result.lse.data_ptr<float>();
    if (kernels::attention_gives_scores(args)) {
      result.scores = at::empty({args.num_heads, args.num_keys}, at::kFloat);
      args.scores = result.scores.data_ptr<float>();
    }
  }
  kernels::attention_forward(args);
  return result;
}

at::Tensor attention_row(const AttentionQuery& query, const KvCache& cache, const at::Tensor& lse_BHT,
                         int64_t b, int64_t head, int64_t row) {
  TORCH_CHECK(cache.forgotten() == 0, "attention rows need a cache that keeps every key");
  const std::vector<int64_t> slots = slots_of(query.positions, cache);
  const kernels::AttentionArgs args = kernel_args(query, cache, slots);
  at::Tensor weights = at::empty({cache.num_slots()}, at::kFloat);
  const float lse = lse_BHT.const_data_ptr<float>()[(b * args.num_heads + head) * args.num_queries + row];
  kernels::attention_row(args, b, head, row, lse, weights.data_ptr<float>());
  return weights;
}

namespace reference {

AttentionResult attend(const AttentionQuery& query, const KvCache& cache) {
  const at::Tensor& q = query.q_BTHD;
  const std::vector<int64_t> slots = slots_of(query.positions, cache);
  const int64_t keys = cache.num_slots();
  const int64_t rows = q.size(1);
  const int64_t groups = q.size(2) / cache.k().size(1);
  at::Tensor hidden = at::ones({rows, keys}, at::kBool);
  auto* mask = hidden.data_ptr<bool>();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < keys; ++j)
      mask[i * keys + j] = !query.window.sees(slots[static_cast<size_t>(i)], j);
  }
  const at::Tensor k = cache.k().narrow(2, 0, keys).to(at::kFloat).repeat_interleave(groups, 1);
  const at::Tensor v = cache.v().narrow(2, 0, keys).to(at::kFloat).repeat_interleave(groups, 1);
  at::Tensor scores = at::matmul(q.to(at::kFloat).transpose(1, 2), k.transpose(2, 3)) * softmax_scale(q);
  scores.masked_fill_(hidden.to(q.device()), -std::numeric_limits<double>::infinity());
  AttentionResult result;
  const at::Tensor out = at::matmul(at::softmax(scores, 3), v).transpose(1, 2);
  result.out = out.reshape({q.size(0) * rows, q.size(2) * q.size(3)}).to(query.out_type);
  if (query.out.defined()) {
    query.out.copy_(result.out);
    result.out = query.out;
  }
  if (query.want_lse) result.lse = at::logsumexp(scores, {3});
  return result;
}

}  // namespace reference
}  // namespace orthros
