#include "engine/inference/pass_trace.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "engine/base/sha256.h"
#include "engine/inference/evaluate.h"
#include "engine/inference/row_check.h"
#include "engine/inference/runner.h"
#include "engine/mixers/rotary.h"
#include "engine/mixers/torch_guard.h"

namespace orthros {
namespace {

TraceTensor copy_of(const at::Tensor& rows) {
  const at::Tensor flat = rows.reshape({rows.size(0), -1}).to(at::kFloat).contiguous();
  const float* first = flat.const_data_ptr<float>();
  return {flat.size(1), std::vector<float>(first, first + flat.numel())};
}

class Tracer final : public AttentionObserver {
 public:
  Tracer(PassTrace& trace, int64_t first) : trace_(trace), first_(first) {}

  // The base rows behind the last layer's shelf are no part of the model's pass, so none is asked for.
  bool wants(int64_t layer, StreamKind stream) const override {
    return stream == StreamKind::output || layer + 1 < std::ssize(trace_.layers);
  }
  bool wants_tensors(int64_t) const override { return true; }

  void on_tensor(const TensorEvent& event) override {
    StreamTrace& stream = stream_of(event.layer, event.stream);
    stream[event.what] = copy_of(event.rows);
    if (event.what == PassTensor::x && event.stream == StreamKind::base) {
      for (int64_t i = 0; i < event.rows.size(0); ++i) stream.positions.push_back(first_ + i);
    }
  }

  void on_attention(const AttentionEvent& event) override {
    StreamTrace& stream = stream_of(event.layer, event.stream);
    stream[PassTensor::query] = copy_of(event.q_BTHD[0]);
    stream[PassTensor::attended] = copy_of(event.out);
    const AttentionQuery query = query_of(event);
    const int64_t rows = std::ssize(*event.positions);
    stream.weights.columns = trace_.heads * trace_.num_tokens();
    stream.weights.values.assign(static_cast<size_t>(rows * stream.weights.columns), 0.0F);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t head = 0; head < trace_.heads; ++head) {
        const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, head, row);
        std::copy_n(weights.const_data_ptr<float>(), weights.numel(),
                    stream.weights.values.data() + row * stream.weights.columns + head * trace_.num_tokens());
      }
    }
  }

 private:
  StreamTrace& stream_of(int64_t layer, StreamKind stream) {
    LayerTrace& traced = trace_.layers[static_cast<size_t>(layer)];
    return stream == StreamKind::base ? traced.base : traced.output;
  }

  PassTrace& trace_;
  int64_t first_;  // position of the pass's first row
};

Result<void> check(const ModelConfig& config, const PassTraceRequest& request) {
  const int64_t tokens = std::ssize(request.ids);
  if (!config.has_output_stream())
    return fail(ErrorCode::invalid_argument, "this model has no output stream to trace");
  if (tokens < 1 || tokens > kMostTracedTokens) {
    return fail(ErrorCode::invalid_argument, "a trace has 1 to {} tokens, not {}", kMostTracedTokens, tokens);
  }
  if (request.regime == Regime::sft && (request.prompt_length < 1 || request.prompt_length > tokens)) {
    return fail(ErrorCode::invalid_argument, "the sft regime needs a prompt length from 1 to {}, not {}",
                tokens, request.prompt_length);
  }
  return {};
}

PassTrace empty_trace(const ModelConfig& config, const PassTraceRequest& request) {
  PassTrace trace;
  trace.request = request;
  trace.heads = config.num_attention_heads;
  trace.key_value_heads = config.num_key_value_heads;
  trace.head_dim = config.head_dim;
  const int64_t tokens = trace.num_tokens();
  std::vector<int64_t> rows;
  if (request.output_on) {
    rows = request.regime == Regime::decode ? std::vector<int64_t>{tokens - 1}
                                            : regime_rows(request.regime, tokens, request.prompt_length);
  }
  trace.layers.resize(config.layers.size());
  for (size_t layer = 0; layer < config.layers.size(); ++layer) {
    trace.layers[layer].window = config.layers[layer].window;
    trace.layers[layer].output.positions = rows;
  }
  return trace;
}

void add(Sha256& hash, const TraceTensor& tensor) {
  hash.update(std::as_bytes(std::span(tensor.values)));
}

void take_shelf(PassTrace& trace, const std::vector<LayerState>& states) {
  Sha256 all;
  for (size_t layer = 0; layer < states.size(); ++layer) {
    LayerTrace& traced = trace.layers[layer];
    const KvCache& cache = states[layer].kv;
    const auto slots = [&](const at::Tensor& tensor) {
      return copy_of(tensor[0].narrow(1, 0, cache.num_slots()).transpose(0, 1));
    };
    traced.keys = slots(cache.k());
    traced.values = slots(cache.v());
    Sha256 own;
    for (Sha256* hash : {&own, &all}) {
      add(*hash, traced.keys);
      add(*hash, traced.values);
    }
    traced.shelf_sha256 = own.finish();
  }
  trace.shelf_sha256 = all.finish();
}

// All but the pass that is traced: in decode, the tokens before the new one are on the shelf already.
Result<at::Tensor> run_pass(Runner& runner, PassTrace& trace, const StopToken& stop) {
  const int64_t tokens = trace.num_tokens();
  const bool decode = trace.request.regime == Regime::decode;
  const Batch batch{trace.request.ids};
  const int64_t first = decode ? tokens - 1 : 0;
  if (first > 0) {
    ORTHROS_TRY([[maybe_unused]] const at::Tensor none, runner.advance(batch, 0, first, {}, stop));
  }
  Tracer tracer(trace, first);
  Runner::Advance how;
  how.pair = decode;
  how.output_on = trace.request.output_on;
  how.observer = &tracer;
  for (const int64_t position : trace.output_positions()) how.wanted.push_back(position - first);
  if (decode) how.wanted = {0};
  return runner.advance(batch, first, tokens - first, how, stop);
}

}  // namespace

int64_t StreamTrace::row_of(int64_t position) const {
  const auto found = std::ranges::lower_bound(positions, position);
  return found != positions.end() && *found == position ? found - positions.begin() : -1;
}

std::span<const float> StreamTrace::weights_of(int64_t position, int64_t head, int64_t num_keys) const {
  const int64_t row = row_of(position);
  if (row < 0 || row >= weights.rows()) return {};
  return weights.row(row).subspan(static_cast<size_t>(head * num_keys), static_cast<size_t>(num_keys));
}

std::vector<Candidate> PassTrace::candidates(int64_t position, size_t count) const {
  const int64_t row = layers.back().output.row_of(position);
  if (row < 0 || row >= logits.rows()) return {};
  const std::span<const float> all = logits.row(row);
  const double most = *std::ranges::max_element(all);
  double sum = 0;
  std::vector<Candidate> best(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    best[i] = {static_cast<TokenId>(i), std::exp(static_cast<double>(all[i]) - most)};
    sum += best[i].probability;
  }
  count = std::min(count, best.size());
  std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(count), std::ranges::greater(),
                            &Candidate::probability);
  best.resize(count);
  for (Candidate& candidate : best) candidate.probability /= sum;
  return best;
}

Result<PassTrace> trace_pass(std::shared_ptr<const Model> model, const ModelConfig& config,
                             const PassTraceRequest& request, const StopToken& stop) {
  ORTHROS_TRY_VOID(check(config, request));
  PassTrace trace = empty_trace(config, request);
  SessionOptions options;
  options.capacity = trace.num_tokens();
  options.chunk = trace.num_tokens();
  options.keep_all_keys = true;
  ORTHROS_TRY(const std::unique_ptr<Runner> runner, Runner::create(std::move(model), config, options));
  ORTHROS_TRY_VOID(runner->check_batch({request.ids}));
  ORTHROS_TRY(const at::Tensor hidden, run_pass(*runner, trace, stop));
  return run_guarded("tracing a pass", [&]() -> Result<PassTrace> {
    const c10::InferenceMode inference;
    if (hidden.defined()) trace.logits = copy_of(runner->decoder().logits(hidden));
    take_shelf(trace, runner->states());
    const RotaryEmbedding rotary(config.rope_theta, config.head_dim, config.rope_scaling,
                                 config.max_position_embeddings);
    const RotaryTable table = rotary.table(0, trace.num_tokens(), at::kCPU);
    trace.cos = copy_of(table.cos);
    trace.sin = copy_of(table.sin);
    return std::move(trace);
  });
}

PassFlop count_flop(const ModelConfig& config, const PassTrace& trace) {
  PassFlop flop;
  const auto width = static_cast<double>(config.q_size());
  const auto support = [&](const StreamTrace& stream, const WindowSpec& window) {
    double keys = 0;
    for (const int64_t position : stream.positions) keys += static_cast<double>(window.support(position));
    return 4 * width * keys;
  };
  for (size_t layer = 0; layer < trace.layers.size(); ++layer) {
    const LayerTrace& traced = trace.layers[layer];
    const bool last = layer + 1 == trace.layers.size();
    const auto matrices = static_cast<double>(layer_matrix_weights(config));
    const auto keys_values = static_cast<double>(2 * config.hidden_size * config.kv_size());
    flop.matrices += 2 * (last ? keys_values : matrices) * static_cast<double>(traced.base.positions.size());
    // An output row makes no key and no value.
    flop.matrices += 2 * (matrices - keys_values) * static_cast<double>(traced.output.positions.size());
    if (!last) flop.base_scores += support(traced.base, traced.window);
    flop.output_scores += support(traced.output, WindowSpec::full());
  }
  flop.head = 2.0 * static_cast<double>(config.hidden_size * config.vocab_size * trace.logits.rows());
  return flop;
}

Result<TracedWeights> traced_weights(const Model& model) {
  constexpr int64_t kMostWeights = 16'000'000;
  if (count_parameters(model.config()).total() > kMostWeights)
    return fail(ErrorCode::unsupported, "this model is too large to show its single weights");
  return run_guarded("reading the weights", [&]() -> Result<TracedWeights> {
    const c10::InferenceMode inference;
    const ModelWeights& weights = *model.weights();
    const auto rows = [](const Linear& linear, int64_t begin, int64_t end) {
      return copy_of(linear.lookup(at::arange(begin, end, at::kLong)));
    };
    const auto vector = [](const at::Tensor& tensor) {
      return tensor.defined() ? copy_of(tensor.view({1, -1})).values : std::vector<float>();
    };
    TracedWeights traced;
    traced.rms_norm_eps = model.config().rms_norm_eps;
    traced.norm = vector(weights.norm);
    traced.head = rows(*weights.lm_head, 0, weights.lm_head->rows());
    for (const LayerWeights& layer : weights.layers) {
      const AttentionWeights& attention = *layer.attention;
      const int64_t q = attention.q_size(), kv = attention.kv_size(), half = layer.gate_up.rows() / 2;
      TracedWeights::Layer own;
      own.query = rows(attention.qkv, 0, q);
      own.key = rows(attention.qkv, q, q + kv);
      own.value = rows(attention.qkv, q + kv, q + 2 * kv);
      own.output = rows(attention.o, 0, attention.o.rows());
      own.gate = rows(layer.gate_up, 0, half);
      own.up = rows(layer.gate_up, half, 2 * half);
      own.down = rows(layer.down, 0, layer.down.rows());
      own.input_norm = vector(layer.input_norm);
      own.post_attention_norm = vector(layer.post_attention_norm);
      own.alpha = vector(attention.base.scale);
      own.beta = vector(attention.base.offset);
      own.alpha_out = vector(attention.output.scale);
      own.beta_out = vector(attention.output.offset);
      traced.layers.push_back(std::move(own));
    }
    return traced;
  });
}

}  // namespace orthros
