#include "engine/inference/record_collector.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <ATen/Parallel.h>

#include "engine/inference/row_check.h"

namespace orthros {
namespace {

std::optional<int64_t> index_of(const std::vector<int64_t>& positions, int64_t position) {
  const auto found = std::ranges::lower_bound(positions, position);
  if (found == positions.end() || *found != position) return {};
  return found - positions.begin();
}

}  // namespace

// One attention call with the rows that the record wants of it.
struct RecordCollector::Call {
  const AttentionEvent& event;
  kernels::AttentionArgs args;
  std::vector<int64_t> rows;  // index in the event
  bool output = false;
};

void RecordCollector::on_attention(const AttentionEvent& event) {
  TORCH_CHECK(event.cache->forgotten() == 0, "an attention record needs a cache that keeps every key");
  Call call{event, {}, {}, event.stream == StreamKind::output};
  for (int64_t i = 0; i < std::ssize(*event.positions); ++i) {
    const int64_t position = (*event.positions)[static_cast<size_t>(i)];
    if (index_of(record_.share_positions, position) ||
        index_of(record_.rows[static_cast<size_t>(event.layer)].positions, position))
      call.rows.push_back(i);
  }
  if (call.rows.empty()) return;
  if (wants_tensors(event.layer)) keep_queries(call);
  AttentionQuery query;
  query.q_BTHD = event.q_BTHD;
  query.positions = *event.positions;
  query.window = event.window;
  call.args = kernel_args(query, *event.cache, *event.positions);  // no key is forgotten: slots are positions
  at::parallel_for(0, record_.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) take_head(call, head);
  });
}

bool RecordCollector::wants_tensors(int64_t layer) const {
  return !record_.rows[static_cast<size_t>(layer)].base_queries.projected.empty();
}

void RecordCollector::keep_queries(const Call& call) {
  LayerRows& layer = record_.rows[static_cast<size_t>(call.event.layer)];
  QueryRows& kept = call.output ? layer.output_queries : layer.base_queries;
  for (const int64_t row : call.rows) {
    const auto index = index_of(layer.positions, (*call.event.positions)[static_cast<size_t>(row)]);
    if (index) queries_.put(row, *index, kept);
  }
}

void RecordCollector::take_head(const Call& call, int64_t head) {
  const AttentionEvent& event = call.event;
  const int64_t keys = call.args.num_keys;
  const int64_t queries = call.args.num_queries;
  const auto count = std::ssize(call.rows);
  at::Tensor weights_RS = at::empty({count, keys}, at::kFloat);
  auto& errors = (call.output ? record_.output_errors
                              : record_.base_errors)[static_cast<size_t>(event.layer * record_.heads + head)];
  for (int64_t r = 0; r < count; ++r) {
    const int64_t row = call.rows[static_cast<size_t>(r)];
    const int64_t position = (*event.positions)[static_cast<size_t>(row)];
    float* weights = weights_RS.data_ptr<float>() + r * keys;
    kernels::attention_row(call.args, 0, head, row,
                           event.lse_BHT.const_data_ptr<float>()[head * queries + row], weights);
    double sum = 0;
    const WindowSpec support = call.output ? WindowSpec::full() : record_.window;
    for (int64_t key = 0; key < keys; ++key) {
      sum += weights[key];
      if (weights[key] != 0 && !support.sees(position, key)) ++errors.outside;
    }
    errors.sum = worse(std::abs(1 - sum), errors.sum);
    ++errors.rows;
    share(call, head, position, weights);
    keep(call, head, position, weights);
  }
  const at::Tensor& v = event.cache->v();
  const int64_t head_dim = v.size(3);
  const at::Tensor values = v[0][head / (record_.heads / v.size(1))].narrow(0, 0, keys).to(at::kDouble);
  const at::Tensor expected = at::mm(weights_RS.to(at::kDouble), values);
  const at::Tensor own =
      event.out.index_select(0, at::tensor(call.rows)).narrow(1, head * head_dim, head_dim);
  errors.output = worse(output_error(expected, own), errors.output);
}

void RecordCollector::share(const Call& call, int64_t head, int64_t position, const float* weights) {
  const auto index = index_of(record_.share_positions, position);
  if (!index) return;
  auto& all = call.output ? record_.output_shares : record_.base_shares;
  const auto row = (call.event.layer * record_.heads + head) * std::ssize(record_.share_positions) + *index;
  all[static_cast<size_t>(row)] =
      shares_of_row({weights, static_cast<size_t>(position + 1)}, position, record_.window);
}

void RecordCollector::keep(const Call& call, int64_t head, int64_t position, const float* weights) {
  LayerRows& layer = record_.rows[static_cast<size_t>(call.event.layer)];
  const auto index = index_of(layer.positions, position);
  if (!index) return;
  const int64_t columns = call.output ? record_.num_keys : record_.band_width();
  float* row = (call.output ? layer.output : layer.base).data() +
               (head * std::ssize(layer.positions) + *index) * columns;
  if (call.output) {
    std::copy_n(weights, position + 1, row);
    return;
  }
  for (int64_t column = 0; column < columns; ++column) {
    const int64_t key = record_.band_key(position, column);
    row[column] = key >= 0 ? weights[key] : 0.0f;
  }
}

}  // namespace orthros
