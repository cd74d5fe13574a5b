#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "engine/inference/row_check.h"
#include "engine/inference/step_recorder_impl.h"
#include "engine/kernels/softmax_rows.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

/// Of a layer one KV head's rows are multiplied with V at every so many steps.
constexpr int64_t kCheckPeriod = 4;

bool is_chosen(const StepRecorderOptions& options, int64_t layer) {
  return options.level == CaptureLevel::c3 ||
         (options.level == CaptureLevel::c2 &&
          std::ranges::find(options.layers, layer) != options.layers.end());
}

bool keeps_queries(const ModelConfig& config, const StepRecorderOptions& options, int64_t layer) {
  return config.layers[static_cast<size_t>(layer)].scale_offset && is_chosen(options, layer);
}

/// Bytes of a row besides its scalars.
int64_t row_bytes(const StepRecorderOptions& options, int64_t layer, int64_t support) {
  if (options.level == CaptureLevel::c0) return 0;
  const bool whole = is_chosen(options, layer) || support <= kernels::kDigestValues;
  return whole ? support * static_cast<int64_t>(sizeof(float))
               : static_cast<int64_t>(sizeof(kernels::RowDigest));
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
      if (keeps_queries(config, options, layer))
        total += (config.has_output_stream() ? 2 : 1) * 2 * config.head_dim * int64_t{sizeof(float)};
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
  ORTHROS_TRY(const WindowSpec window, common_window(config));
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
  record.head_dim = impl_->config.head_dim;
  record.scale_offset_layers = scale_offset_layers(impl_->config);
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

bool StepRecorder::Impl::wants_tensors(int64_t layer) const {
  return step_ != nullptr && keeps_queries(config, options, layer);
}

// Room for all rows of a step at once, so that threads write without asking each other.
void StepRecorder::Impl::make_room(StreamKind stream, const WindowSpec& seen) {
  StepStream& kept = kept_of(stream);
  Work& work = work_of(stream);
  kept.window = seen;
  const int64_t layers = config.num_hidden_layers;
  const int64_t heads = config.num_attention_heads;
  work.support = seen.support(step_->position);
  kept.scalars.resize(static_cast<size_t>(layers * heads));
  for (int64_t layer = 0; layer < layers; ++layer) {
    const bool whole = options.level != CaptureLevel::c0 &&
                       (is_chosen(options, layer) || work.support <= kernels::kDigestValues);
    if (whole) kept.exact_layers.push_back(layer);
    if (!whole && options.level != CaptureLevel::c0) kept.digest_layers.push_back(layer);
    if (keeps_queries(config, options, layer)) kept.query_layers.push_back(layer);
  }
  kept.queries.resize(kept.query_layers.size() * static_cast<size_t>(config.q_size()));
  kept.exact.resize(kept.exact_layers.size() * static_cast<size_t>(heads * work.support));
  kept.digests.resize(kept.digest_layers.size() * static_cast<size_t>(heads));
  work.scores.assign(static_cast<size_t>(layers), {});
  work.entropy.assign(static_cast<size_t>(layers * heads), 0.0);
  work.errors.assign(static_cast<size_t>(layers * heads), {});
}

float* StepRecorder::Impl::row_of(StreamKind stream, int64_t layer, int64_t head) {
  StepStream& kept = kept_of(stream);
  Work& work = work_of(stream);
  const auto place = std::ranges::lower_bound(kept.exact_layers, layer);
  // Whole rows are made where they will stay.
  if (place != kept.exact_layers.end() && *place == layer) {
    const int64_t index = (place - kept.exact_layers.begin()) * config.num_attention_heads + head;
    return kept.exact.data() + index * work.support;
  }
  const int64_t all = config.num_hidden_layers * config.num_attention_heads * work.support;
  if (std::ssize(work.rows) < all) work.rows.resize(static_cast<size_t>(all));
  return work.rows.data() + (layer * config.num_attention_heads + head) * work.support;
}

void StepRecorder::Impl::begin(int64_t position, TokenId id) {
  began_ = Clock::now();
  calls_.clear();
  step_ = std::make_unique<DecodeStep>();
  step_->position = position;
  step_->id = id;
  step_->layers = config.num_hidden_layers;
  step_->heads = config.num_attention_heads;
  step_->sinks_and_window = window;
  make_room(StreamKind::base, window);
  if (config.has_output_stream()) make_room(StreamKind::output, WindowSpec::full());
  record_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
}

void StepRecorder::Impl::on_attention(const AttentionEvent& event) {
  const auto found = std::ranges::find(*event.positions, step_->position);
  if (found == event.positions->end()) return;  // an earlier part of the prompt
  const auto start = Clock::now();
  TORCH_CHECK(event.cache->forgotten() == 0, "recording attention needs a cache that keeps every key");
  if (!calls_.empty() && calls_.front().event.layer != event.layer) take_calls();
  Call& call = calls_.emplace_back();
  call.event = event;
  call.positions = *event.positions;
  call.event.positions = nullptr;
  call.row = found - event.positions->begin();
  if (wants_tensors(event.layer)) {
    StepStream& kept = kept_of(event.stream);
    queries_.put(call.row,
                 std::ranges::lower_bound(kept.query_layers, event.layer) - kept.query_layers.begin(),
                 kept.queries);
  }
  const int64_t queries = event.lse_BHT.size(2);
  const float* lse = event.lse_BHT.const_data_ptr<float>() + call.row;
  for (int64_t head = 0; head < config.num_attention_heads; ++head) call.lse.push_back(lse[head * queries]);
  if (event.window != kept_of(event.stream).window || event.cache->length() != step_->position + 1)
    ++step_->check.outside;
  if (event.scores.defined()) {
    AttentionQuery query;
    query.q_BTHD = event.q_BTHD;
    work_of(event.stream).scores[static_cast<size_t>(event.layer)] = {
        event.scores, call.lse, kernel_args(query, *event.cache, call.positions).scale};
  }
  if (std::ssize(calls_) == (config.has_output_stream() ? 2 : 1)) take_calls();
  record_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void StepRecorder::Impl::take_calls() {
  const int64_t group = config.num_attention_heads / config.num_key_value_heads;
  const int64_t part = kernels::kSoftmaxRowsPart;
  struct Part {
    const Call* call;
    int64_t kv_head;
    std::vector<double> entropy, out;
  };
  std::vector<Part> parts;
  std::vector<kernels::SoftmaxRows> tasks;
  for (Call& call : calls_) {
    AttentionQuery query;
    query.q_BTHD = call.event.q_BTHD;
    query.positions = call.positions;
    query.window = call.event.window;
    call.args =
        kernel_args(query, *call.event.cache, call.positions);  // no key is forgotten: slots are positions
    const StreamKind stream = call.event.stream;
    const int64_t support = work_of(stream).support;
    for (int64_t kv = 0; kv < config.num_key_value_heads; ++kv) {
      const bool checked = is_checked(call.event.layer, kv);
      if (!checked && call.event.scores.defined()) continue;  // follows from the engine's own products
      for (int64_t begin = 0; begin < support; begin += part) {
        parts.push_back({&call, kv, std::vector<double>(static_cast<size_t>(group)), {}});
        if (checked) parts.back().out.resize(static_cast<size_t>(group * call.args.head_dim));
        tasks.push_back({&call.args, 0, kv, call.row, call.lse.data() + kv * group, begin,
                         std::min(begin + part, support), row_of(stream, call.event.layer, kv * group),
                         support, nullptr, nullptr});
      }
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    tasks[i].entropy = parts[i].entropy.data();
    if (!parts[i].out.empty()) tasks[i].out = parts[i].out.data();
  }
  if (!tasks.empty()) kernels::softmax_rows_all(tasks);
  for (size_t i = 0; i < parts.size(); ++i) {
    Part& one = parts[i];
    const AttentionEvent& event = one.call->event;
    double* entropy =
        work_of(event.stream).entropy.data() + event.layer * config.num_attention_heads + one.kv_head * group;
    for (int64_t g = 0; g < group; ++g) entropy[g] += one.entropy[static_cast<size_t>(g)];
    if (one.out.empty()) continue;
    const bool more =
        i + 1 < parts.size() && parts[i + 1].call == one.call && parts[i + 1].kv_head == one.kv_head;
    if (more) {
      std::ranges::transform(one.out, parts[i + 1].out, parts[i + 1].out.begin(), std::plus());
    } else {
      compare_output(*one.call, one.kv_head, one.out);
    }
  }
  calls_.clear();
}

bool StepRecorder::Impl::is_checked(int64_t layer, int64_t kv_head) const {
  if (options.check_every_head) return true;
  const int64_t turn = (step_->position + layer) % (kCheckPeriod * config.num_key_value_heads);
  return turn == kCheckPeriod * kv_head;
}

void StepRecorder::Impl::compare_output(const Call& call, int64_t kv_head, const std::vector<double>& out) {
  const int64_t group = config.num_attention_heads / config.num_key_value_heads;
  const int64_t head_dim = call.args.head_dim;
  const at::Tensor& own = call.event.out;
  for (int64_t g = 0; g < group; ++g) {
    const int64_t head = kv_head * group + g;
    RowErrorsOfHead& errors =
        work_of(call.event.stream)
            .errors[static_cast<size_t>(call.event.layer * config.num_attention_heads + head)];
    errors.rows = 1;
    const int64_t at = call.row * own.stride(0) + head * head_dim;
    double error = 0, largest = 1;  // as output_error
    for (int64_t i = 0; i < head_dim; ++i) {
      const double value = own.scalar_type() == at::kFloat
                               ? static_cast<double>(own.const_data_ptr<float>()[at + i])
                               : static_cast<double>(own.const_data_ptr<at::BFloat16>()[at + i]);
      error = worse(std::abs(out[static_cast<size_t>(g * head_dim + i)] - value), error);
      largest = std::max(largest, std::abs(value));
    }
    errors.output = worse(error / largest, errors.output);
  }
}

void StepRecorder::Impl::end() {
  const auto start = Clock::now();
  if (!calls_.empty()) take_calls();
  const int64_t rows = config.num_hidden_layers * config.num_attention_heads;
  const int64_t streams = config.has_output_stream() ? 2 : 1;
  at::parallel_for(0, rows * streams, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / streams;
      take_row(i % streams == 0 ? StreamKind::base : StreamKind::output, row / config.num_attention_heads,
               row % config.num_attention_heads);
    }
  });
  add_up();
  const auto now = Clock::now();
  step_->record_ms = record_ms_ + std::chrono::duration<double, std::milli>(now - start).count();
  step_->ms = std::chrono::duration<double, std::milli>(now - began_).count();
  steps.emplace_back(std::move(step_));
  if (options.on_step) options.on_step(steps.back());
}

void StepRecorder::Impl::take_row(StreamKind stream, int64_t layer, int64_t head) {
  StepStream& kept = kept_of(stream);
  Work& work = work_of(stream);
  const Scores& scores = work.scores[static_cast<size_t>(layer)];
  const bool whole = std::ranges::binary_search(kept.exact_layers, layer);
  static thread_local std::vector<float> passing;  // a row that is not kept whole
  if (!whole && scores.scores_HS.defined()) passing.resize(static_cast<size_t>(work.support));
  float* weights = !whole && scores.scores_HS.defined() ? passing.data() : row_of(stream, layer, head);
  const auto index = static_cast<size_t>(layer * config.num_attention_heads + head);
  const int64_t t = step_->position;
  if (scores.scores_HS.defined()) {
    const float* own = scores.scores_HS.const_data_ptr<float>() + head * scores.scores_HS.size(1);
    work.entropy[index] = kernels::softmax_of_scores(own, kept.window, t, scores.scale,
                                                     scores.lse[static_cast<size_t>(head)], weights);
  }
  const KeyRange sinks = window.sink(t);
  const KeyRange band = window.band(t);
  const bool sees_all = kept.window.is_full();
  // In the support of a base row the band follows the sinks at once.
  const int64_t band_begin = sees_all ? band.begin : sinks.end;
  const auto sink = kernels::row_moments(weights, sinks.end);
  const auto beyond = kernels::row_moments(weights + sinks.end, band_begin - sinks.end);
  const auto near = kernels::row_moments(weights + band_begin, work.support - band_begin);
  const double sum = sink.sum + beyond.sum + near.sum;
  const double key = sink.index + beyond.index + beyond.sum * static_cast<double>(sinks.end) + near.index +
                     near.sum * static_cast<double>(band.begin);
  const double most = work.support > 1 ? std::log(static_cast<double>(work.support)) : 1;
  RowScalars& scalars = kept.scalars[index];
  scalars.shares = {static_cast<float>(sink.sum), static_cast<float>(near.sum),
                    static_cast<float>(beyond.sum), static_cast<float>(work.entropy[index] / most)};
  scalars.first = sinks.end > 0 || band.begin == 0 || sees_all ? weights[0] : 0;
  scalars.self = weights[work.support - 1];
  scalars.previous = work.support > 1 && (sees_all || window.window != 1) ? weights[work.support - 2] : 0;
  if (t > 0) {
    const auto range = static_cast<double>(t);
    scalars.distance = static_cast<float>((range * sum - key) / range);
  }
  work.errors[index].sum = std::abs(1 - sum);
  const auto place = std::ranges::lower_bound(kept.digest_layers, layer);
  if (place == kept.digest_layers.end() || *place != layer) return;
  static thread_local std::vector<int32_t> candidates;
  const int64_t digest = (place - kept.digest_layers.begin()) * config.num_attention_heads + head;
  kernels::digest_row(weights, work.support, kept.digests[static_cast<size_t>(digest)], candidates);
}

void StepRecorder::Impl::add_up() {
  StepCheck& check = step_->check;
  const auto add = [&check](const Work& work, std::vector<RowErrorsOfHead>& all) {
    for (size_t i = 0; i < work.errors.size(); ++i) {
      const RowErrorsOfHead& own = work.errors[i];
      check.sum = worse(own.sum, check.sum);
      check.output = worse(own.output, check.output);
      check.output_rows += own.rows;
      ++check.rows;
      all[i].sum = worse(own.sum, all[i].sum);
      all[i].output = worse(own.output, all[i].output);
      ++all[i].rows;
    }
  };
  add(base_work_, base_errors);
  if (config.has_output_stream()) add(output_work_, output_errors);
}

}  // namespace orthros
