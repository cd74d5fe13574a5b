#include "engine/inference/attention_rows.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "engine/inference/row_check.h"
#include "engine/inference/runner.h"

namespace orthros {
namespace {

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

  const RowErrors& errors() const { return errors_; }

 private:
  void take(const AttentionEvent& event, int64_t row, int64_t position) {
    const AttentionQuery query = query_of(event);
    const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, request_.head, row);
    const size_t start = result_.weights.size();
    result_.weights.resize(start + static_cast<size_t>(result_.num_keys), 0.0f);
    std::copy_n(weights.const_data_ptr<float>(), weights.numel(), result_.weights.data() + start);
    result_.positions.push_back(position);
    errors_.add(event, request_.head, row, weights);
  }

  const AttentionRowsRequest& request_;
  std::vector<int64_t> rows_;
  AttentionRows& result_;
  RowErrors errors_;
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
  result.max_sum_error = collector.errors().max_sum;
  result.max_output_error = collector.errors().max_output;
  return result;
}

}  // namespace orthros
