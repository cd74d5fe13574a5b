#include "engine/inference/row_check.h"

namespace orthros {

double output_error(const at::Tensor& expected, const at::Tensor& own) {
  const at::Tensor exact = own.to(at::kDouble);
  return ((expected - exact).abs().amax(1) / exact.abs().amax(1).clamp_min(1)).max().item<double>();
}

AttentionQuery query_of(const AttentionEvent& event) {
  AttentionQuery query;
  query.q_BTHD = event.q_BTHD;
  query.positions = *event.positions;
  query.window = event.window;
  return query;
}

void RowErrors::add(const AttentionEvent& event, int64_t head, int64_t row, const at::Tensor& weights) {
  const at::Tensor exact = weights.to(at::kDouble);
  max_sum = worse(max_sum, std::abs(1 - exact.sum().item<double>()));
  const at::Tensor& v = event.cache->v();
  const int64_t group = event.q_BTHD.size(2) / v.size(1);
  const int64_t head_dim = v.size(3);
  const at::Tensor values = v[0][head / group].narrow(0, 0, event.cache->num_slots());
  // Only the support is multiplied: slots that no row sees may hold anything.
  const at::Tensor used = exact.nonzero().view({-1});
  const at::Tensor expected =
      at::mv(values.index_select(0, used).to(at::kDouble).t(), exact.index_select(0, used));
  const at::Tensor own = event.out[row].narrow(0, head * head_dim, head_dim).to(at::kDouble);
  max_output = worse(max_output, output_error(expected.unsqueeze(0), own.unsqueeze(0)));
}

}  // namespace orthros
