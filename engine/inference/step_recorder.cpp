#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "engine/inference/step_recorder_impl.h"
#include "engine/kernels/softmax_rows.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

double worse(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

bool is_chosen(const StepRecorderOptions& options, int64_t layer) {
  return options.level == CaptureLevel::c3 ||
         (options.level == CaptureLevel::c2 &&
          std::ranges::find(options.layers, layer) != options.layers.end());
}

/// Bytes of a row besides its scalars.
int64_t row_bytes(const StepRecorderOptions& options, int64_t layer, int64_t support) {
  if (options.level == CaptureLevel::c0) return 0;
  const bool whole = is_chosen(options, layer) || support <= kernels::kDigestValues;
  return whole ? support * static_cast<int64_t>(sizeof(float))
               : static_cast<int64_t>(sizeof(kernels::RowDigest));
}

Result<WindowSpec> window_of(const ModelConfig& config) {
  const WindowSpec window = config.layers.front().window;
  for (const LayerSpec& layer : config.layers) {
    if (layer.window != window) {
      return fail(Error{ErrorCode::unsupported, "the layers have different windows",
                        "look at one head at a time (attention_rows)"});
    }
  }
  return window;
}

}  // namespace

int64_t decode_record_bytes(const ModelConfig& config, const StepRecorderOptions& options) {
  int64_t total = 0;
  for (int64_t step = 0; step <= options.max_steps; ++step) {
    const int64_t position = options.prompt_tokens - 1 + step;
    for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
      const WindowSpec& window = config.layers[static_cast<size_t>(layer)].window;
      total += row_bytes(options, layer, window.support(position)) + int64_t{sizeof(RowScalars)};
      if (config.has_output_stream())
        total += row_bytes(options, layer, position + 1) + int64_t{sizeof(RowScalars)};
    }
  }
  return total * config.num_attention_heads;
}

StepRecorder::StepRecorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StepRecorder::~StepRecorder() = default;

Result<std::unique_ptr<StepRecorder>> StepRecorder::create(const ModelConfig& config,
                                                           const StepRecorderOptions& options) {
  if (options.prompt_tokens < 1 || options.max_steps < 0) {
    return fail(ErrorCode::invalid_argument, "a recording of {} steps after {} tokens is not possible",
                options.max_steps, options.prompt_tokens);
  }
  for (const int64_t layer : options.layers) {
    if (layer < 0 || layer >= config.num_hidden_layers) {
      return fail(ErrorCode::invalid_argument, "layer {} is not there: the model has 0 to {}", layer,
                  config.num_hidden_layers - 1);
    }
  }
  const int64_t bytes = decode_record_bytes(config, options);
  if (bytes > options.max_bytes) {
    return fail(Error{
        ErrorCode::out_of_memory,
        fmt::format("recording {} steps after {} tokens would take {}; the budget is {}", options.max_steps,
                    options.prompt_tokens, format_bytes(bytes), format_bytes(options.max_bytes)),
        "take a lower capture level or fewer new tokens"});
  }
  ORTHROS_TRY(const WindowSpec window, window_of(config));
  auto impl = std::make_unique<Impl>(config, options);
  impl->window = window;
  return std::unique_ptr<StepRecorder>(new StepRecorder(std::move(impl)));
}

AttentionRecord StepRecorder::record() const {
  AttentionRecord record;
  record.layers = impl_->config.num_hidden_layers;
  record.heads = impl_->config.num_attention_heads;
  record.num_keys = impl_->steps.empty() ? 0 : impl_->steps.back()->position + 1;
  record.window = impl_->window;
  record.level = impl_->options.level;
  record.has_output = impl_->config.has_output_stream();
  record.last_base_used = !record.has_output;
  record.rows.resize(static_cast<size_t>(record.layers));
  record.base_errors = impl_->base_errors;
  record.output_errors = impl_->output_errors;
  record.steps = impl_->steps;
  return record;
}

StepRecorder::Impl::Impl(const ModelConfig& model, const StepRecorderOptions& asked)
    : config(model), options(asked) {
  const auto heads = static_cast<size_t>(config.num_hidden_layers * config.num_attention_heads);
  base_errors.resize(heads);
  output_errors.resize(heads);
}

bool StepRecorder::Impl::wants(int64_t, StreamKind) const {
  return step_ != nullptr;
}

bool StepRecorder::Impl::keeps_whole(int64_t layer, int64_t support) const {
  return is_chosen(options, layer) || support <= kernels::kDigestValues;
}

// Room for all rows of a step at once, so that threads write without asking each other.
void StepRecorder::Impl::make_room(StepStream& stream, const WindowSpec& seen) const {
  stream.window = seen;
  const int64_t layers = config.num_hidden_layers;
  const int64_t heads = config.num_attention_heads;
  stream.scalars.resize(static_cast<size_t>(layers * heads));
  if (options.level == CaptureLevel::c0) return;
  const int64_t support = seen.support(step_->position);
  for (int64_t layer = 0; layer < layers; ++layer)
    (keeps_whole(layer, support) ? stream.exact_layers : stream.digest_layers).push_back(layer);
  stream.exact.resize(stream.exact_layers.size() * static_cast<size_t>(heads * support));
  stream.digests.resize(stream.digest_layers.size() * static_cast<size_t>(heads));
}

void StepRecorder::Impl::begin(int64_t position, TokenId id) {
  began_ = Clock::now();
  step_ = std::make_unique<DecodeStep>();
  step_->position = position;
  step_->id = id;
  step_->layers = config.num_hidden_layers;
  step_->heads = config.num_attention_heads;
  step_->sinks_and_window = window;
  make_room(step_->base, window);
  if (config.has_output_stream()) make_room(step_->output, WindowSpec::full());
  record_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
}

void StepRecorder::Impl::end() {
  step_->record_ms = record_ms_;
  step_->ms = std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
  steps.emplace_back(std::move(step_));
  if (options.on_step) options.on_step(steps.back());
}

// One attention call with the row that is kept of it. Threads write what is theirs alone: errors by head.
struct StepRecorder::Impl::Call {
  const AttentionEvent& event;
  kernels::AttentionArgs args;
  int64_t row = 0;  // in the event
  int64_t support = 0;
  bool output = false;
  int64_t first_checked = 0, last_checked = 0;  // KV heads [first, last)
  std::vector<RowErrorsOfHead>& errors;         // [heads]
};

void StepRecorder::Impl::on_attention(const AttentionEvent& event) {
  const auto found = std::ranges::find(*event.positions, step_->position);
  if (found == event.positions->end()) return;  // an earlier chunk of the prompt
  const auto start = Clock::now();
  TORCH_CHECK(event.cache->forgotten() == 0, "recording attention needs a cache that keeps every key");
  AttentionQuery query;
  query.q_BTHD = event.q_BTHD;
  query.positions = *event.positions;
  query.window = event.window;
  std::vector<RowErrorsOfHead> errors(static_cast<size_t>(config.num_attention_heads));
  Call call{event,
            kernel_args(query, *event.cache, *event.positions),
            found - event.positions->begin(),
            event.window.support(step_->position),
            event.stream == StreamKind::output,
            0,
            config.num_key_value_heads,
            errors};
  if (!options.check_every_head) {
    call.first_checked = (step_->position + event.layer) % config.num_key_value_heads;
    call.last_checked = call.first_checked + 1;
  }
  at::parallel_for(0, config.num_key_value_heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t kv = begin; kv < end; ++kv) take_group(call, kv);
  });
  StepCheck& check = step_->check;
  const StepStream& stream = call.output ? step_->output : step_->base;
  if (stream.window != event.window || event.cache->length() != step_->position + 1) ++check.outside;
  auto& all = call.output ? output_errors : base_errors;
  for (int64_t head = 0; head < config.num_attention_heads; ++head) {
    const RowErrorsOfHead& own = errors[static_cast<size_t>(head)];
    RowErrorsOfHead& whole = all[static_cast<size_t>(event.layer * config.num_attention_heads + head)];
    check.sum = worse(own.sum, check.sum);
    check.output = worse(own.output, check.output);
    check.outside += own.outside;
    ++check.rows;
    check.output_rows += own.rows;
    whole.sum = worse(own.sum, whole.sum);
    whole.output = worse(own.output, whole.output);
    whole.outside += own.outside;
    ++whole.rows;
  }
  record_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void StepRecorder::Impl::take_group(const Call& call, int64_t kv_head) {
  const AttentionEvent& event = call.event;
  const int64_t group = config.num_attention_heads / config.num_key_value_heads;
  const int64_t head_dim = call.args.head_dim;
  StepStream& stream = call.output ? step_->output : step_->base;
  static thread_local std::vector<float> work;
  static thread_local std::vector<double> sums;
  // Whole rows are made where they will stay.
  const auto place = std::ranges::lower_bound(stream.exact_layers, event.layer);
  const bool whole = place != stream.exact_layers.end() && *place == event.layer;
  float* weights = nullptr;
  if (whole) {
    const int64_t index =
        (place - stream.exact_layers.begin()) * config.num_attention_heads + kv_head * group;
    weights = stream.exact.data() + index * call.support;
  } else {
    work.resize(static_cast<size_t>(group * call.support));
    weights = work.data();
  }
  sums.resize(static_cast<size_t>(group * (1 + head_dim)));
  const bool checked = kv_head >= call.first_checked && kv_head < call.last_checked;
  double* out = sums.data() + group;
  const float* lse =
      event.lse_BHT.const_data_ptr<float>() + (kv_head * group) * call.args.num_queries + call.row;
  std::vector<float> own_lse(static_cast<size_t>(group));
  for (int64_t g = 0; g < group; ++g) own_lse[static_cast<size_t>(g)] = lse[g * call.args.num_queries];
  kernels::softmax_rows(call.args, 0, kv_head, call.row, own_lse.data(),
                        {weights, call.support, sums.data(), checked ? out : nullptr});
  for (int64_t g = 0; g < group; ++g) {
    const int64_t head = kv_head * group + g;
    take_row(call, head, weights + g * call.support, sums[static_cast<size_t>(g)]);
    if (!checked) continue;
    RowErrorsOfHead& errors = call.errors[static_cast<size_t>(head)];
    errors.rows = 1;
    const at::Tensor& own = event.out;
    const int64_t at = call.row * own.stride(0) + head * head_dim;
    for (int64_t i = 0; i < head_dim; ++i) {
      const double value = own.scalar_type() == at::kFloat
                               ? static_cast<double>(own.const_data_ptr<float>()[at + i])
                               : static_cast<double>(own.const_data_ptr<at::BFloat16>()[at + i]);
      errors.output = worse(std::abs(out[g * head_dim + i] - value), errors.output);
    }
  }
}

// Scalars, checks and digest of one row over its support: sinks, what only x' sees, window.
void StepRecorder::Impl::take_row(const Call& call, int64_t head, const float* weights, double entropy) {
  const int64_t t = step_->position;
  const KeyRange sinks = window.sink(t);
  const KeyRange band = window.band(t);
  const bool sees_all = call.event.window.is_full();
  // In the support of a base row the band follows the sinks at once.
  const int64_t band_begin = sees_all ? band.begin : sinks.end;
  const int64_t band_shift = band.begin - band_begin;
  const auto sink = kernels::row_moments(weights, sinks.end);
  const auto beyond = kernels::row_moments(weights + sinks.end, band_begin - sinks.end);
  const auto near = kernels::row_moments(weights + band_begin, call.support - band_begin);
  const double sum = sink.sum + beyond.sum + near.sum;
  const double key = sink.index + beyond.index + beyond.sum * static_cast<double>(sinks.end) + near.index +
                     near.sum * static_cast<double>(band_begin + band_shift);
  StepStream& stream = call.output ? step_->output : step_->base;
  const int64_t layer = call.event.layer;
  RowScalars& scalars = stream.scalars[static_cast<size_t>(layer * config.num_attention_heads + head)];
  const double spread = call.support > 1 ? std::log(static_cast<double>(call.support)) : 1;
  scalars.shares = {static_cast<float>(sink.sum), static_cast<float>(near.sum),
                    static_cast<float>(beyond.sum), static_cast<float>(entropy / spread)};
  scalars.first = sinks.end > 0 || band.begin == 0 || sees_all ? weights[0] : 0;
  scalars.self = weights[call.support - 1];
  scalars.previous = call.support > 1 && (sees_all || window.window != 1) ? weights[call.support - 2] : 0;
  scalars.distance =
      t > 0 ? static_cast<float>((static_cast<double>(t) * sum - key) / static_cast<double>(t)) : 0;
  RowErrorsOfHead& errors = call.errors[static_cast<size_t>(head)];
  errors.sum = std::abs(1 - sum);
  if (options.level == CaptureLevel::c0 || std::ranges::binary_search(stream.exact_layers, layer)) return;
  static thread_local std::vector<int32_t> candidates;
  const auto place = std::ranges::lower_bound(stream.digest_layers, layer) - stream.digest_layers.begin();
  kernels::digest_row(weights, call.support,
                      stream.digests[static_cast<size_t>(place * config.num_attention_heads + head)],
                      candidates);
}

}  // namespace orthros
