#include "engine/inference/attention_rows.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "engine/inference/runner.h"
#include "engine/mixers/attention.h"

namespace orthros {
namespace {

// The larger error; what is no number is the largest.
double worse(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

// Copies the wanted rows of one head out of each chunk that has them.
class RowCollector final : public AttentionObserver {
 public:
  RowCollector(const AttentionRowsRequest& request, std::vector<int64_t> rows, AttentionRows& result)
      : request_(request), rows_(std::move(rows)), result_(result) {}

  bool wants(int64_t layer, StreamKind stream) const override {
    return layer == request_.layer && stream == request_.stream;
  }

  void on_attention(const AttentionEvent& event) override {
    for (size_t i = 0; i < event.positions->size(); ++i) {
      const int64_t position = (*event.positions)[i];
      if (std::ranges::binary_search(rows_, position)) take(event, static_cast<int64_t>(i), position);
    }
  }

 private:
  void take(const AttentionEvent& event, int64_t row, int64_t position) {
    AttentionQuery query;
    query.q_BTHD = event.q_BTHD;
    query.positions = *event.positions;
    query.window = event.window;
    const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, request_.head, row);
    const size_t start = result_.weights.size();
    result_.weights.resize(start + static_cast<size_t>(result_.num_keys), 0.0f);
    std::copy_n(weights.const_data_ptr<float>(), weights.numel(), result_.weights.data() + start);
    result_.positions.push_back(position);
    check(event, row, weights);
  }

  // Invariant 8, on every row that is shown.
  void check(const AttentionEvent& event, int64_t row, const at::Tensor& weights) {
    const at::Tensor exact = weights.to(at::kDouble);
    result_.max_sum_error = worse(result_.max_sum_error, std::abs(1 - exact.sum().item<double>()));
    const at::Tensor& v = event.cache->v();
    const int64_t group = event.q_BTHD.size(2) / v.size(1);
    const int64_t head_dim = v.size(3);
    const at::Tensor values = v[0][request_.head / group].narrow(0, 0, event.cache->num_slots());
    // Only the support is multiplied: slots that no row sees may hold anything.
    const at::Tensor used = exact.nonzero().view({-1});
    const at::Tensor expected =
        at::mv(values.index_select(0, used).to(at::kDouble).t(), exact.index_select(0, used));
    const at::Tensor own = event.out[row].narrow(0, request_.head * head_dim, head_dim).to(at::kDouble);
    result_.max_output_error = worse(result_.max_output_error, (expected - own).abs().max().item<double>());
  }

  const AttentionRowsRequest& request_;
  std::vector<int64_t> rows_;
  AttentionRows& result_;
};

Result<void> check(const AttentionRowsRequest& request, const ModelConfig& config) {
  if (request.ids.empty()) {
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  }
  if (request.layer < 0 || request.layer >= config.num_hidden_layers) {
    return fail(ErrorCode::invalid_argument, "layer {} is not there: the model has 0 to {}", request.layer,
                config.num_hidden_layers - 1);
  }
  if (request.head < 0 || request.head >= config.num_attention_heads) {
    return fail(ErrorCode::invalid_argument, "head {} is not there: the model has 0 to {}", request.head,
                config.num_attention_heads - 1);
  }
  if (request.stream == StreamKind::output && !config.has_output_stream()) {
    return fail(Error{ErrorCode::invalid_argument, "this model has no output stream",
                      "use --stream base or --as orthros"});
  }
  const auto tokens = static_cast<int64_t>(request.ids.size());
  for (const int64_t row : request.rows) {
    if (row < 0 || row >= tokens) {
      return fail(ErrorCode::invalid_argument, "row {} is not there: the prompt has 0 to {}", row,
                  tokens - 1);
    }
  }
  return {};
}

}  // namespace

Result<AttentionRows> attention_rows(std::shared_ptr<const Model> model, const ModelConfig& config,
                                     const AttentionRowsRequest& request, const StopToken& stop,
                                     const ProgressSink& progress) {
  ORTHROS_TRY_VOID(check(request, config));
  const auto tokens = static_cast<int64_t>(request.ids.size());
  std::vector<int64_t> rows = request.rows.empty() ? std::vector<int64_t>{tokens - 1} : request.rows;
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  AttentionRows result;
  result.num_keys = tokens;
  result.used_by_model = request.stream == StreamKind::output || !config.has_output_stream() ||
                         request.layer + 1 < config.num_hidden_layers;
  SessionOptions options;
  options.capacity = tokens;
  options.chunk = request.chunk;
  options.keep_all_keys = true;
  ORTHROS_TRY(const std::unique_ptr<Runner> runner, Runner::create(std::move(model), config, options));
  const Batch batch{request.ids};
  ORTHROS_TRY_VOID(runner->check_batch(batch));
  RowCollector collector(request, rows, result);
  for (int64_t begin = 0; begin < tokens; begin += request.chunk) {
    const int64_t count = std::min(request.chunk, tokens - begin);
    Runner::Advance how;
    how.observer = &collector;
    for (const int64_t row : rows) {
      if (row >= begin && row < begin + count) how.wanted.push_back(row - begin);
    }
    ORTHROS_TRY([[maybe_unused]] const at::Tensor hidden, runner->advance(batch, begin, count, how, stop));
    report(progress, "attention", begin + count, tokens);
  }
  return result;
}

}  // namespace orthros
