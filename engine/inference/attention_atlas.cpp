#include "engine/inference/attention_atlas.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "engine/inference/row_check.h"
#include "engine/inference/runner.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

// Copies one position's row out of every head of every layer.
class AtlasCollector final : public AttentionObserver {
 public:
  explicit AtlasCollector(AttentionAtlas& atlas) : atlas_(atlas) {}

  bool wants(int64_t, StreamKind) const override { return true; }

  void on_attention(const AttentionEvent& event) override {
    const auto row = std::ranges::find(*event.positions, atlas_.position) - event.positions->begin();
    if (row == std::ssize(*event.positions)) return;
    const AttentionQuery query = query_of(event);
    for (int64_t head = 0; head < atlas_.heads; ++head) {
      const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, head, row);
      std::vector<float>& all = event.stream == StreamKind::output ? atlas_.output : atlas_.base;
      std::copy_n(weights.const_data_ptr<float>(), std::min(weights.numel(), atlas_.num_keys),
                  all.data() + (event.layer * atlas_.heads + head) * atlas_.num_keys);
      errors_.add(event, head, row, weights);
    }
  }

  const RowErrors& errors() const { return errors_; }

 private:
  AttentionAtlas& atlas_;
  RowErrors errors_;
};

Result<AttentionAtlas> empty_atlas(const ModelConfig& config, const AttentionAtlasRequest& request) {
  const auto tokens = static_cast<int64_t>(request.ids.size());
  if (tokens == 0)
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  AttentionAtlas atlas;
  atlas.position = request.position.value_or(tokens - 1);
  if (atlas.position < 0 || atlas.position >= tokens) {
    return fail(ErrorCode::invalid_argument, "row {} is not there: the prompt has 0 to {}", atlas.position,
                tokens - 1);
  }
  atlas.layers = config.num_hidden_layers;
  atlas.heads = config.num_attention_heads;
  atlas.num_keys = atlas.position + 1;  // later tokens are not read at all
  const int64_t numbers = atlas.layers * atlas.heads * atlas.num_keys;
  const int64_t bytes = numbers * 4 * (config.has_output_stream() ? 2 : 1);
  if (bytes > request.max_bytes) {
    return fail(Error{ErrorCode::out_of_memory,
                      fmt::format("all heads' rows at position {} would take {}; the budget is {}",
                                  atlas.position, format_bytes(bytes), format_bytes(request.max_bytes)),
                      "ask for single heads (attention_rows) or a shorter prompt"});
  }
  atlas.base.assign(static_cast<size_t>(numbers), 0.0f);
  if (config.has_output_stream()) atlas.output.assign(static_cast<size_t>(numbers), 0.0f);
  atlas.last_base_used = !config.has_output_stream();
  return atlas;
}

}  // namespace

Result<AttentionAtlas> attention_atlas(std::shared_ptr<const Model> model, const ModelConfig& config,
                                       const AttentionAtlasRequest& request, const StopToken& stop,
                                       const ProgressSink& progress) {
  ORTHROS_TRY(AttentionAtlas atlas, empty_atlas(config, request));
  SessionOptions options;
  options.capacity = atlas.num_keys;
  options.chunk = request.chunk;
  options.keep_all_keys = true;
  ORTHROS_TRY(const std::unique_ptr<Runner> runner, Runner::create(std::move(model), config, options));
  const Batch batch{{request.ids.begin(), request.ids.begin() + atlas.num_keys}};
  ORTHROS_TRY_VOID(runner->check_batch(batch));
  AtlasCollector collector(atlas);
  for (int64_t begin = 0; begin < atlas.num_keys; begin += request.chunk) {
    const int64_t count = std::min(request.chunk, atlas.num_keys - begin);
    Runner::Advance how;
    if (begin + count == atlas.num_keys) {  // the last chunk has the row
      how.observer = &collector;
      how.wanted.push_back(count - 1);
    }
    ORTHROS_TRY([[maybe_unused]] const at::Tensor hidden, runner->advance(batch, begin, count, how, stop));
    report(progress, "attention", begin + count, atlas.num_keys);
  }
  atlas.max_sum_error = collector.errors().max_sum;
  atlas.max_output_error = collector.errors().max_output;
  return atlas;
}

}  // namespace orthros
