#include "engine/model/weight_loader.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "engine/kernels/matrix.h"

namespace orthros {
namespace {

// Rows a thread converts at a time: a multiple of the kernels' row tile, small enough to stay in cache.
constexpr int64_t kBlockRows = 4 * kernels::kRowTile;

bool is_verbatim(WeightFormat format, BlockType type) {
  return (format == WeightFormat::int4 && type == BlockType::Q4_1) ||
         (format == WeightFormat::int8 && type == BlockType::Q8_0);
}

// Encodes source rows [begin, end) into `out`, which holds exactly those rows.
void encode_block(WeightFormat format, const WeightRows& source, int64_t begin, int64_t end, std::byte* out,
                  std::vector<float>& scratch) {
  const int64_t count = end - begin;
  if (is_verbatim(format, source.type)) {
    const size_t row_size = source.raw_row(0).size();
    std::vector<std::byte> rows(row_size * static_cast<size_t>(count));
    for (int64_t r = 0; r < count; ++r) {
      std::ranges::copy(source.raw_row(begin + r), rows.data() + static_cast<size_t>(r) * row_size);
    }
    if (format == WeightFormat::int4) {
      kernels::pack_q4_1_rows(rows.data(), count, source.columns, out);
    } else {
      kernels::pack_q8_0_rows(rows.data(), count, source.columns, out);
    }
    return;
  }
  scratch.resize(static_cast<size_t>(count * source.columns));
  source.read(begin, count, scratch.data());
  kernels::encode_rows(format, scratch.data(), count, source.columns, out);
}

}  // namespace

Result<std::shared_ptr<ModelWeights>> WeightLoader::load() {
  auto weights = std::make_shared<ModelWeights>();
  ORTHROS_TRY(Linear embedding, matrix(plan_.embedding));
  weights->embedding = std::make_shared<Linear>(std::move(embedding));
  weights->lm_head = weights->embedding;
  if (!plan_.lm_head.names.empty()) {
    ORTHROS_TRY(Linear lm_head, matrix(plan_.lm_head));
    weights->lm_head = std::make_shared<Linear>(std::move(lm_head));
  }
  for (int64_t i = 0; i < config_.num_hidden_layers; ++i) {
    ORTHROS_TRY(LayerWeights loaded, layer(i));
    weights->layers.push_back(std::move(loaded));
  }
  ORTHROS_TRY(weights->norm, vector("model.norm.weight", config_.hidden_size));
  return weights;
}

Result<LayerWeights> WeightLoader::layer(int64_t index) {
  const LayerPlan& plan = plan_.layers[static_cast<size_t>(index)];
  const std::string prefix = layer_prefix(index);
  LayerWeights weights;
  auto attention = std::make_shared<AttentionWeights>();
  attention->num_attention_heads = config_.num_attention_heads;
  attention->num_key_value_heads = config_.num_key_value_heads;
  attention->head_dim = config_.head_dim;
  attention->rms_norm_eps = config_.rms_norm_eps;
  ORTHROS_TRY(attention->qkv, matrix(plan.qkv));
  ORTHROS_TRY(attention->o, matrix(plan.o));
  if (config_.qk_norm()) {
    ORTHROS_TRY(attention->q_norm, vector(prefix + "self_attn.q_norm.weight", config_.head_dim));
    ORTHROS_TRY(attention->k_norm, vector(prefix + "self_attn.k_norm.weight", config_.head_dim));
  }
  if (config_.layers[static_cast<size_t>(index)].scale_offset) {
    ORTHROS_TRY(attention->base.scale, vector(prefix + "self_attn.alpha", config_.q_size()));
    ORTHROS_TRY(attention->base.offset, vector(prefix + "self_attn.beta", config_.q_size()));
    ORTHROS_TRY(attention->output.scale, vector(prefix + "self_attn.alpha_out", config_.q_size()));
    ORTHROS_TRY(attention->output.offset, vector(prefix + "self_attn.beta_out", config_.q_size()));
  }
  weights.attention = std::move(attention);
  ORTHROS_TRY(weights.gate_up, matrix(plan.gate_up));
  ORTHROS_TRY(weights.down, matrix(plan.down));
  ORTHROS_TRY(weights.input_norm, vector(prefix + "input_layernorm.weight", config_.hidden_size));
  ORTHROS_TRY(weights.post_attention_norm, vector(prefix + "post_attention_layernorm.weight", config_.hidden_size));
  return weights;
}

Result<Linear> WeightLoader::matrix(const MatrixPlan& plan) {
  Linear held(plan.format, plan.total_rows(), plan.columns);
  int64_t row = 0;
  for (size_t i = 0; i < plan.names.size(); ++i) {
    ORTHROS_TRY(const WeightRows source, file_.rows(plan.names[i], plan.rows[i], plan.columns));
    ORTHROS_TRY_VOID(fill(held, row, source));
    file_.release(plan.names[i]);
    row += plan.rows[i];
  }
  done_bytes_ += plan.held_bytes();
  report(progress_, "load", done_bytes_, plan_.held_bytes());
  return held;
}

Result<void> WeightLoader::fill(Linear& held, int64_t first_row, const WeightRows& source) const {
  const int64_t row_bytes = kernels::row_bytes(held.format(), held.columns());
  const int64_t blocks = (source.rows + kBlockRows - 1) / kBlockRows;
  at::parallel_for(0, blocks, 1, [&](int64_t first, int64_t last) {
    std::vector<float> scratch;
    for (int64_t block = first; block < last && !stop_.stop_requested(); ++block) {
      const int64_t begin = block * kBlockRows;
      const int64_t end = std::min(begin + kBlockRows, source.rows);
      encode_block(held.format(), source, begin, end, held.raw() + (first_row + begin) * row_bytes, scratch);
    }
  });
  return stop_.check("loading");
}

Result<at::Tensor> WeightLoader::vector(const std::string& name, int64_t size) const {
  ORTHROS_TRY(const WeightRows source, file_.rows(name, 1, size));
  at::Tensor out = at::empty({size}, at::kFloat);
  source.read(0, 1, out.data_ptr<float>());
  return out;
}

Result<void> WeightLoader::expand(ModelWeights& weights, at::ScalarType compute_type) const {
  int64_t done = 0;
  for (LayerWeights& layer : weights.layers) {
    ORTHROS_TRY_VOID(stop_.check("loading"));
    for (Linear* linear : {&layer.attention->qkv, &layer.attention->o, &layer.gate_up, &layer.down}) {
      linear->hold_expanded(compute_type);
    }
    report(progress_, "expand", ++done, config_.num_hidden_layers);
  }
  return {};
}

}  // namespace orthros
