// The pass that fills an AttentionRecord.
#include <numeric>

#include <ATen/ATen.h>

#include "engine/inference/record_collector.h"
#include "engine/inference/runner.h"
#include "engine/mixers/torch_guard.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

std::vector<int64_t> all_positions(int64_t count) {
  std::vector<int64_t> positions(static_cast<size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

// Rows of the LM head's product at a time, as in evaluation.
constexpr int64_t kLogitRows = 64;

Result<void> predict(const Runner& runner, const at::Tensor& hidden,
                     std::vector<TokenPrediction>& predictions) {
  return run_guarded("predicting the next tokens", [&]() -> Result<void> {
    const c10::InferenceMode inference;
    const Decoder& decoder = runner.decoder();
    for (int64_t begin = 0; begin < hidden.size(0); begin += kLogitRows) {
      const at::Tensor rows = hidden.narrow(0, begin, std::min(kLogitRows, hidden.size(0) - begin));
      const at::Tensor logits = decoder.logits(rows.to(decoder.row_type(rows.size(0)))).to(at::kFloat);
      const auto [most, ids] = logits.max(1);
      const at::Tensor probability = (most - logits.logsumexp(1)).exp();
      for (int64_t i = 0; i < rows.size(0); ++i)
        predictions.push_back({ids[i].item<int64_t>(), probability[i].item<float>()});
    }
    return {};
  });
}

Result<void> check(const ModelConfig& config, const AttentionRecordRequest& request) {
  if (request.ids.empty())
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  if (request.layer < 0 || request.layer >= config.num_hidden_layers) {
    return fail(ErrorCode::invalid_argument, "layer {} is not there: the model has 0 to {}", request.layer,
                config.num_hidden_layers - 1);
  }
  const int64_t bytes = record_bytes(config, request);
  if (bytes > request.max_bytes) {
    return fail(Error{ErrorCode::out_of_memory,
                      fmt::format("this capture would take {}; the budget is {}", format_bytes(bytes),
                                  format_bytes(request.max_bytes)),
                      "take a lower capture level or a shorter prompt"});
  }
  return {};
}

AttentionRecord empty_record(const ModelConfig& config, const AttentionRecordRequest& request,
                             const WindowSpec& window) {
  AttentionRecord record;
  record.layers = config.num_hidden_layers;
  record.heads = config.num_attention_heads;
  record.num_keys = std::ssize(request.ids);
  record.window = window;
  record.level = request.level;
  record.has_output = config.has_output_stream();
  record.last_base_used = !record.has_output;
  record.head_dim = config.head_dim;
  record.scale_offset_layers = scale_offset_layers(config);
  const std::vector<int64_t> last{record.num_keys - 1};
  const std::vector<int64_t> every = all_positions(record.num_keys);
  record.share_positions = request.level == CaptureLevel::c1 ? last : every;
  record.rows.resize(static_cast<size_t>(record.layers));
  for (int64_t layer = 0; layer < record.layers; ++layer) {
    LayerRows& rows = record.rows[static_cast<size_t>(layer)];
    const bool whole =
        request.level == CaptureLevel::c3 || (request.level == CaptureLevel::c2 && layer == request.layer);
    if (request.level != CaptureLevel::c0) rows.positions = whole ? every : last;
    const auto count = static_cast<size_t>(record.heads * std::ssize(rows.positions));
    rows.base.assign(count * static_cast<size_t>(record.band_width()), 0.0f);
    if (record.has_output) rows.output.assign(count * static_cast<size_t>(record.num_keys), 0.0f);
    if (!whole || !record.has_scale_offset(layer)) continue;
    rows.base_queries.resize(count * static_cast<size_t>(record.head_dim));
    if (record.has_output) rows.output_queries.resize(count * static_cast<size_t>(record.head_dim));
  }
  const auto heads = static_cast<size_t>(record.layers * record.heads);
  record.base_shares.resize(heads * record.share_positions.size());
  record.base_errors.resize(heads);
  if (record.has_output) record.output_shares.resize(heads * record.share_positions.size());
  record.output_errors.resize(heads);
  return record;
}

}  // namespace

Result<WindowSpec> common_window(const ModelConfig& config) {
  const WindowSpec window = config.layers.front().window;
  for (const LayerSpec& layer : config.layers) {
    if (layer.window != window) {
      return fail(Error{ErrorCode::unsupported, "the layers have different windows",
                        "look at one head at a time (attention_rows)"});
    }
  }
  return window;
}

Result<AttentionRecord> attention_record(std::shared_ptr<const Model> model, const ModelConfig& config,
                                         const AttentionRecordRequest& request, const StopToken& stop,
                                         const ProgressSink& progress) {
  ORTHROS_TRY_VOID(check(config, request));
  ORTHROS_TRY(const WindowSpec window, common_window(config));
  AttentionRecord record = empty_record(config, request, window);
  const int64_t tokens = record.num_keys;
  SessionOptions options;
  options.capacity = tokens;
  options.chunk = request.chunk;
  options.keep_all_keys = true;
  ORTHROS_TRY(const std::unique_ptr<Runner> runner, Runner::create(std::move(model), config, options));
  const Batch batch{request.ids};
  ORTHROS_TRY_VOID(runner->check_batch(batch));
  RecordCollector collector(record);
  for (int64_t begin = 0; begin < tokens; begin += request.chunk) {
    const int64_t count = std::min(request.chunk, tokens - begin);
    Runner::Advance how;
    for (const int64_t position : record.share_positions) {
      if (position >= begin && position < begin + count) how.wanted.push_back(position - begin);
    }
    if (!how.wanted.empty()) how.observer = &collector;
    ORTHROS_TRY(const at::Tensor hidden, runner->advance(batch, begin, count, how, stop));
    if (request.predict && !how.wanted.empty())
      ORTHROS_TRY_VOID(predict(*runner, hidden, record.predictions));
    report(progress, "attention", begin + count, tokens);
  }
  return record;
}

}  // namespace orthros
