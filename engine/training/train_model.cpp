#include "engine/training/train_model.h"

#include <algorithm>

namespace orthros::training {

/// Residual and the last sublayer's result of each stream; undefined streams have no rows.
struct TrainModel::Streams {
  at::Tensor base, base_delta, rows, rows_delta;

  std::vector<at::Tensor> list() const { return {base, base_delta, rows, rows_delta}; }
  static Streams of(const std::vector<at::Tensor>& list) { return {list[0], list[1], list[2], list[3]}; }
};

struct TrainModel::Call {
  const ForwardOptions& options;
  int64_t batch = 1, tokens = 0;
  at::Tensor positions;  // [B, n] or [1, n]
  at::Tensor gather;     // [B * n] rows of the base stream
  bool every_position = false;
  Rotation base_rotation, rows_rotation;
};

namespace {

// [B * n]: the table row of each row.
at::Tensor flat_positions(const at::Tensor& positions, int64_t batch) {
  return positions.expand({batch, positions.size(1)}).reshape({-1}).contiguous();
}

}  // namespace

Result<TrainModel> TrainModel::create(const ModelConfig& config) {
  const auto is_dual = [](const LayerSpec& layer) { return layer.mixer == MixerKind::orthros_attention; };
  const auto dual = std::ranges::count_if(config.layers, is_dual);
  if (dual != 0 && dual != static_cast<int64_t>(config.layers.size())) {
    return fail(Error{ErrorCode::unsupported,
                      "layers with and without an output stream cannot be trained together",
                      "make all layers orthros_attention, or none"});
  }
  return TrainModel(config);
}

TrainModel::TrainModel(const ModelConfig& config)
    : parameters_(std::make_shared<Parameters>(config)),
      rotary_(config.rope_theta, config.head_dim, config.rope_scaling, config.max_position_embeddings),
      dual_(config.has_output_stream()) {}

const RotaryTable& TrainModel::table(int64_t positions) const {
  if (!table_.cos.defined() || table_.cos.size(0) < positions) table_ = rotary_.table(0, positions, at::kCPU);
  return table_;
}

at::Tensor TrainModel::forward(const at::Tensor& ids, const at::Tensor& positions,
                               const ForwardOptions& options) const {
  const Parameters& p = *parameters_;
  Call call{options, ids.size(0), ids.size(1), positions, {}, !positions.defined(), {}, {}};
  const at::Tensor every = at::arange(call.tokens, at::kLong).unsqueeze(0);
  if (call.every_position) call.positions = every;
  const RotaryTable& rotary = table(call.tokens);
  call.base_rotation = {rotary.cos, rotary.sin, flat_positions(every, call.batch)};
  call.rows_rotation = {rotary.cos, rotary.sin, flat_positions(call.positions, call.batch)};
  const at::Tensor first = at::arange(call.batch, at::kLong).mul(call.tokens).unsqueeze(1);
  call.gather = (first + call.positions).reshape({-1});

  const at::Tensor flat_ids = ids.reshape({-1});
  Streams streams;
  streams.base = at::embedding(p.embedding(), flat_ids);
  if (dual_) {
    streams.rows = call.every_position ? streams.base
                                       : at::embedding(p.embedding(), flat_ids.index_select(0, call.gather));
  }
  const auto layers = static_cast<int64_t>(p.config().layers.size());
  for (int64_t i = 0; i < layers; ++i) streams = run_layer(call, i, streams);
  const bool from_rows = streams.rows.defined();
  return add_rms_norm(from_rows ? streams.rows : streams.base,
                      from_rows ? streams.rows_delta : streams.base_delta, p.norm(), p.config().rms_norm_eps)
      .second;
}

TrainModel::Streams TrainModel::run_layer(const Call& call, int64_t i, const Streams& in) const {
  const auto run = [this, &call, i](const Streams& streams) {
    Streams out;
    if (dual_) {
      run_dual(call, i, streams, out);
    } else {
      run_plain(call, i, streams, out);
    }
    return out;
  };
  if (!call.options.recompute_layers) return run(in);
  // What is undefined here stays so: only the rest passes through the function that runs again.
  std::vector<at::Tensor> inputs;
  std::vector<size_t> in_slots;
  const std::vector<at::Tensor> in_list = in.list();
  for (size_t slot = 0; slot < in_list.size(); ++slot) {
    if (!in_list[slot].defined()) continue;
    inputs.push_back(in_list[slot]);
    in_slots.push_back(slot);
  }
  const auto out_slots = std::make_shared<std::vector<size_t>>();
  // The call is copied: the backward pass runs the layer after this frame is gone.
  const auto kept = std::make_shared<std::pair<ForwardOptions, Call>>(call.options, call);
  const LayerFunction layer = [this, kept, i, in_slots, out_slots](const std::vector<at::Tensor>& given) {
    std::vector<at::Tensor> list(4);
    for (size_t k = 0; k < given.size(); ++k) list[in_slots[k]] = given[k];
    const Call again{kept->first,
                     kept->second.batch,
                     kept->second.tokens,
                     kept->second.positions,
                     kept->second.gather,
                     kept->second.every_position,
                     kept->second.base_rotation,
                     kept->second.rows_rotation};
    Streams out;
    const Streams streams = Streams::of(list);
    dual_ ? run_dual(again, i, streams, out) : run_plain(again, i, streams, out);
    std::vector<at::Tensor> results;
    out_slots->clear();
    for (size_t slot = 0; slot < 4; ++slot) {
      if (!out.list()[slot].defined()) continue;
      results.push_back(out.list()[slot]);
      out_slots->push_back(slot);
    }
    return results;
  };
  const std::vector<at::Tensor> results = recomputed(layer, inputs, parameters_->of_layer(i));
  std::vector<at::Tensor> list(4);
  for (size_t k = 0; k < results.size(); ++k) list[(*out_slots)[k]] = results[k];
  return Streams::of(list);
}

void TrainModel::finish_rows(const Call& call, int64_t i, const at::Tensor& mixed, at::Tensor& x,
                             at::Tensor& delta) const {
  const LayerParameters& p = parameters_->layer(i);
  const ProductPolicy& products = call.options.products;
  const at::Tensor projected = training::linear(mixed, p.o, products);
  const auto normed = add_rms_norm(x, projected, p.post_norm, parameters_->config().rms_norm_eps);
  x = normed.first;
  delta = training::linear(silu_mul(training::linear(normed.second, p.gate_up, products)), p.down, products);
}

namespace {

WindowSpec base_window(const LayerSpec& spec, const ForwardOptions& options) {
  return spec.window.is_full() || options.window.is_full() ? spec.window : options.window;
}

HeadWeights head_weights(const LayerParameters& p, const ModelConfig& config, bool output) {
  return {output ? p.alpha_out : p.alpha, output ? p.beta_out : p.beta, p.q_norm, p.k_norm,
          config.rms_norm_eps};
}

}  // namespace

void TrainModel::run_dual(const Call& call, int64_t i, const Streams& in, Streams& out) const {
  const LayerParameters& p = parameters_->layer(i);
  const ModelConfig& c = parameters_->config();
  const int64_t h = c.num_attention_heads, kv_heads = c.num_key_value_heads, d = c.head_dim;
  const ProductPolicy& products = call.options.products;
  const bool last = i + 1 == c.num_hidden_layers;
  const auto base = add_rms_norm(in.base, in.base_delta, p.input_norm, c.rms_norm_eps);
  at::Tensor kv;
  if (last) {
    const at::Tensor projected =
        training::linear(base.second, p.qkv.narrow(0, c.q_size(), 2 * c.kv_size()), products);
    kv = prepare_heads(projected, {0, kv_heads, d}, head_weights(p, c, false), call.base_rotation).kv;
  } else {
    const PreparedHeads heads =
        prepare_heads(training::linear(base.second, p.qkv, products), {h, kv_heads, d},
                      head_weights(p, c, false), call.base_rotation);
    kv = heads.kv;
    const at::Tensor mixed =
        attention(heads.q, kv,
                  {call.batch, h, kv_heads, d, at::arange(call.tokens, at::kLong).unsqueeze(0),
                   base_window(c.layers[static_cast<size_t>(i)], call.options)});
    out.base = base.first;
    finish_rows(call, i, mixed, out.base, out.base_delta);
  }
  // The streams of the first layer are one in PT: its norm is not made twice.
  const auto rows =
      in.rows.is_same(in.base) ? base : add_rms_norm(in.rows, in.rows_delta, p.input_norm, c.rms_norm_eps);
  const at::Tensor projected = training::linear(rows.second, p.qkv.narrow(0, 0, c.q_size()), products);
  const at::Tensor q = prepare_heads(projected, {h, 0, d}, head_weights(p, c, true), call.rows_rotation).q;
  const at::Tensor mixed = attention(q, kv, {call.batch, h, kv_heads, d, call.positions, WindowSpec::full()});
  out.rows = rows.first;
  finish_rows(call, i, mixed, out.rows, out.rows_delta);
}

void TrainModel::run_plain(const Call& call, int64_t i, const Streams& in, Streams& out) const {
  const LayerParameters& p = parameters_->layer(i);
  const ModelConfig& c = parameters_->config();
  const int64_t h = c.num_attention_heads, kv_heads = c.num_key_value_heads, d = c.head_dim;
  const ProductPolicy& products = call.options.products;
  const WindowSpec window = base_window(c.layers[static_cast<size_t>(i)], call.options);
  const HeadWeights weights = head_weights(p, c, false);
  const auto base = add_rms_norm(in.base, in.base_delta, p.input_norm, c.rms_norm_eps);
  if (i + 1 < c.num_hidden_layers || call.every_position) {
    const PreparedHeads heads = prepare_heads(training::linear(base.second, p.qkv, products),
                                              {h, kv_heads, d}, weights, call.base_rotation);
    const at::Tensor mixed =
        attention(heads.q, heads.kv,
                  {call.batch, h, kv_heads, d, at::arange(call.tokens, at::kLong).unsqueeze(0), window});
    out.base = base.first;
    finish_rows(call, i, mixed, out.base, out.base_delta);
    return;
  }
  const at::Tensor keys =
      training::linear(base.second, p.qkv.narrow(0, c.q_size(), 2 * c.kv_size()), products);
  const at::Tensor kv = prepare_heads(keys, {0, kv_heads, d}, weights, call.base_rotation).kv;
  const at::Tensor queries =
      training::linear(base.second.index_select(0, call.gather), p.qkv.narrow(0, 0, c.q_size()), products);
  const at::Tensor q = prepare_heads(queries, {h, 0, d}, weights, call.rows_rotation).q;
  const at::Tensor mixed = attention(q, kv, {call.batch, h, kv_heads, d, call.positions, window});
  out.rows = base.first.index_select(0, call.gather);
  finish_rows(call, i, mixed, out.rows, out.rows_delta);
}

}  // namespace orthros::training
