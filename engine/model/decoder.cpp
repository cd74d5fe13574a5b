#include "engine/model/decoder.h"

#include <numeric>

#include "engine/mixers/ops.h"
#include "engine/mixers/orthros_attention.h"

namespace orthros {

// Rows of one stream between layers: the fp32 residual and the last sublayer's result, added by the next
// norm.
struct Decoder::Stream {
  at::Tensor x;                   // fp32 [R, M]; undefined when the stream has no rows
  at::Tensor delta;               // [R, M] or undefined
  std::vector<StreamKind> kinds;  // in the order of their rows, equally many each

  bool empty() const { return !x.defined(); }
  void tell(const ChunkContext& context, PassTensor what, const at::Tensor& rows) const {
    if (!context.is_traced()) return;
    const int64_t count = rows.size(0) / static_cast<int64_t>(kinds.size());
    for (size_t i = 0; i < kinds.size(); ++i)
      context.tell(kinds[i], what, rows.narrow(0, static_cast<int64_t>(i) * count, count));
  }
};

struct Decoder::LayerCall {
  const LayerWeights& layer;
  const Mixer& mixer;
  const ChunkContext& context;
  bool last;
};

namespace {

std::unique_ptr<Mixer> make_mixer(const LayerSpec& spec, const std::shared_ptr<AttentionWeights>& weights) {
  if (spec.mixer == MixerKind::orthros_attention) return std::make_unique<OrthrosAttention>(weights, spec);
  return std::make_unique<SoftmaxAttention>(weights, spec);
}

// Rows `offsets` of each sequence in a batch-major matrix of `count` rows a sequence.
at::Tensor rows_at(const at::Tensor& x, int64_t batch, int64_t count, const RowOffsets& offsets) {
  if (static_cast<int64_t>(offsets.size()) == count) return x.clone();
  const at::Tensor index = at::tensor(offsets, at::TensorOptions().dtype(at::kLong)).to(x.device());
  return x.view({batch, count, -1}).index_select(1, index).reshape({-1, x.size(1)});
}

RowOffsets all_offsets(int64_t count) {
  RowOffsets offsets(static_cast<size_t>(count));
  std::iota(offsets.begin(), offsets.end(), 0);
  return offsets;
}

}  // namespace

Decoder::Decoder(std::shared_ptr<const ModelWeights> weights, const ModelConfig& config, ComputePolicy policy)
    : weights_(std::move(weights)),
      config_(config),
      policy_(policy),
      rotary_(config.rope_theta, config.head_dim, config.rope_scaling, config.max_position_embeddings),
      has_output_stream_(config.has_output_stream()) {
  for (size_t i = 0; i < config.layers.size(); ++i) {
    mixers_.push_back(make_mixer(config.layers[i], weights_->layers[i].attention));
  }
}

std::vector<LayerState> Decoder::make_states(int64_t batch, int64_t capacity, int64_t chunk,
                                             ScalarType kv_type, bool keep_everything) const {
  std::vector<LayerState> states;
  states.reserve(config_.layers.size());
  for (const LayerSpec& layer : config_.layers) {
    KvCacheSpec spec;
    spec.batch = batch;
    spec.num_key_value_heads = config_.num_key_value_heads;
    spec.head_dim = config_.head_dim;
    spec.capacity = capacity;
    spec.type = to_torch(kv_type);
    spec.device = weights_->norm.device();
    if (layer.mixer == MixerKind::sliding_attention && !keep_everything) {
      spec.keep = layer.window;
      spec.capacity = std::min(capacity, layer.window.window + layer.window.sinks + chunk);
    }
    states.push_back(LayerState{KvCache(spec)});
  }
  return states;
}

Result<at::Tensor> Decoder::forward(const ChunkInput& input, std::vector<LayerState>& states) const {
  ChunkContext context;
  context.batch = input.ids.size(0);
  context.count = input.ids.size(1);
  context.first = states.front().kv.length();
  context.policy = policy_;
  context.observer = input.observer;
  context.rotary = rotary_.table(context.first, context.count, weights_->norm.device());

  Stream base{weights_->embedding->lookup(input.ids.reshape({-1})).to(weights_->norm.device()),
              {},
              {StreamKind::base}};
  Stream output{{}, {}, {StreamKind::output}};
  if (has_output_stream_ && !input.wanted.empty() && input.output_on) {
    // Invariant 7: the output stream starts as a copy of the embedding.
    output.x = rows_at(base.x, context.batch, context.count, input.wanted);
  }
  if (input.pair && has_output_stream_) {
    base.x = at::cat({base.x, output.empty() ? at::zeros_like(base.x) : output.x}, 0);
    base.kinds = {StreamKind::base, StreamKind::output};
  }
  ORTHROS_TRY_VOID(run_layers(input, context, base, output, states));
  Stream& result = has_output_stream_ && !input.pair ? output : base;
  if (result.empty() || input.wanted.empty() || !input.output_on) return at::Tensor();
  return finish(context, result);
}

Result<void> Decoder::run_layers(const ChunkInput& input, ChunkContext& context, Stream& base, Stream& output,
                                 std::vector<LayerState>& states) const {
  const RowOffsets all = all_offsets(context.count);
  const RowOffsets none;
  for (size_t i = 0; i < mixers_.size(); ++i) {
    ORTHROS_TRY_VOID(input.stop.check("the run"));
    context.layer = static_cast<int64_t>(i);
    context.last_layer = i + 1 == mixers_.size();
    const LayerCall call{weights_->layers[i], *mixers_[i], context, context.last_layer};
    if (input.pair && has_output_stream_) {
      run_pair(call, base, states[i]);
      continue;
    }
    // Nothing reads the base rows behind the last layer, except the plain decoder's rows whose logits are
    // wanted. A watcher of the last layer's base rows has them made for it; the model does not use them.
    const bool watched = input.observer != nullptr && input.observer->wants(context.layer, StreamKind::base);
    const RowOffsets& wanted = !call.last ? all : has_output_stream_ && !watched ? none : input.wanted;
    run_base(call, base, wanted, states[i]);
    if (!output.empty()) run_output(call, output, input.wanted, states[i]);
  }
  return {};
}

void Decoder::run_base(const LayerCall& call, Stream& base, const RowOffsets& wanted,
                       LayerState& state) const {
  const at::Tensor x = enter_layer(call, base);
  base.delta = call.mixer.base_forward(x, call.context, wanted, state);
  if (!base.delta.defined() || (call.last && has_output_stream_)) {
    base.x = at::Tensor();
    return;
  }
  if (static_cast<int64_t>(wanted.size()) != call.context.count) {
    base.x = rows_at(base.x, call.context.batch, call.context.count, wanted);
  }
  run_mlp(call, base);
}

void Decoder::run_output(const LayerCall& call, Stream& output, const RowOffsets& rows,
                         const LayerState& state) const {
  const at::Tensor x = enter_layer(call, output);
  output.delta = call.mixer.output_forward(x, call.context, rows, state);
  run_mlp(call, output);
}

void Decoder::run_pair(const LayerCall& call, Stream& pair, LayerState& state) const {
  const int64_t batch = call.context.batch;
  const at::Tensor x = enter_layer(call, pair);
  pair.delta = call.mixer.pair_forward(x, call.context, !call.last, state);
  if (call.last) {
    pair.x = pair.x.narrow(0, batch, batch);
    pair.kinds = {StreamKind::output};
  }
  run_mlp(call, pair);
}

at::Tensor Decoder::enter_layer(const LayerCall& call, Stream& stream) const {
  const at::ScalarType type = policy_.row_type(stream.x.size(0), stream.x.device());
  at::Tensor normed =
      ops::add_rms_norm(stream.x, stream.delta, call.layer.input_norm, config_.rms_norm_eps, type);
  stream.tell(call.context, PassTensor::x, stream.x);
  stream.tell(call.context, PassTensor::normed, normed);
  return normed;
}

void Decoder::run_mlp(const LayerCall& call, Stream& stream) const {
  const at::ScalarType type = policy_.row_type(stream.x.size(0), stream.x.device());
  stream.tell(call.context, PassTensor::mixed, stream.delta);
  const at::Tensor x =
      ops::add_rms_norm(stream.x, stream.delta, call.layer.post_attention_norm, config_.rms_norm_eps, type);
  stream.tell(call.context, PassTensor::residual, stream.x);
  stream.tell(call.context, PassTensor::ffn_normed, x);
  const at::Tensor gate_up = call.layer.gate_up.forward(x, policy_);
  stream.tell(call.context, PassTensor::gate_up, gate_up);
  const at::Tensor hidden = ops::silu_mul(gate_up, type);
  stream.tell(call.context, PassTensor::hidden, hidden);
  stream.delta = call.layer.down.forward(hidden, policy_);
  stream.tell(call.context, PassTensor::ffn, stream.delta);
}

at::Tensor Decoder::finish(const ChunkContext& context, Stream& stream) const {
  const at::ScalarType type = policy_.row_type(stream.x.size(0), stream.x.device());
  at::Tensor normed = ops::add_rms_norm(stream.x, stream.delta, weights_->norm, config_.rms_norm_eps, type);
  stream.tell(context, PassTensor::last, stream.x);
  stream.tell(context, PassTensor::last_normed, normed);
  return normed;
}

at::Tensor Decoder::logits(const at::Tensor& rows) const {
  return weights_->lm_head->forward(rows, policy_).to(at::kFloat);
}

}  // namespace orthros
