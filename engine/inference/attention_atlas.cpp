#include "engine/inference/attention_atlas.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "engine/inference/runner.h"
#include "engine/mixers/attention.h"
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
    AttentionQuery query;
    query.q_BTHD = event.q_BTHD;
    query.positions = *event.positions;
    query.window = event.window;
    for (int64_t head = 0; head < atlas_.heads; ++head) {
      const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, head, row);
      std::vector<float>& all = event.stream == StreamKind::output ? atlas_.output : atlas_.base;
      std::copy_n(weights.const_data_ptr<float>(), std::min(weights.numel(), atlas_.num_keys),
                  all.data() + (event.layer * atlas_.heads + head) * atlas_.num_keys);
      check(event, head, row, weights);
    }
  }

 private:
  // Invariant 8, on every row that is shown.
  void check(const AttentionEvent& event, int64_t head, int64_t row, const at::Tensor& weights) {
    const at::Tensor exact = weights.to(at::kDouble);
    atlas_.max_sum_error = std::max(atlas_.max_sum_error, std::abs(1 - exact.sum().item<double>()));
    const at::Tensor& v = event.cache->v();
    const int64_t group = event.q_BTHD.size(2) / v.size(1);
    const int64_t head_dim = v.size(3);
    const at::Tensor values = v[0][head / group].narrow(0, 0, event.cache->num_slots());
    // Only the support is multiplied: slots that no row sees may hold anything.
    const at::Tensor used = exact.nonzero().view({-1});
    const at::Tensor expected =
        at::mv(values.index_select(0, used).to(at::kDouble).t(), exact.index_select(0, used));
    const at::Tensor own = event.out[row].narrow(0, head * head_dim, head_dim).to(at::kDouble);
    atlas_.max_output_error = std::max(atlas_.max_output_error, (expected - own).abs().max().item<double>());
  }

  AttentionAtlas& atlas_;
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
  return atlas;
}

}  // namespace orthros
