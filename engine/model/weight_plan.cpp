#include "engine/model/weight_plan.h"

#include "engine/kernels/matrix.h"

namespace orthros {
namespace {

constexpr const char* kEmbedding = "model.embed_tokens.weight";
constexpr const char* kLmHead = "lm_head.weight";

bool is_vocabulary(std::string_view tensor) { return tensor == kEmbedding || tensor == kLmHead; }

// Precision the source's weights had before a conversion wrote them wider, where the checkpoint records it.
BlockType source_type(const ModelConfig& config, std::string_view tensor, BlockType stored) {
  if (stored != BlockType::F32 || !config.source.is_object() || !config.source.contains("conversion")) return stored;
  const Json& conversion = config.source["conversion"];
  const char* key = is_vocabulary(tensor) ? "source_embedding_dtype" : "source_dtype";
  if (!conversion.is_object() || !conversion.contains(key)) return stored;
  const Json& name = conversion[key];
  for (const BlockType type : {BlockType::BF16, BlockType::Q8_0, BlockType::Q4_0, BlockType::Q4_1, BlockType::Q5_0,
                               BlockType::Q5_1, BlockType::Q4_K, BlockType::Q5_K, BlockType::Q6_K}) {
    if (name.is_string() && name.get<std::string>() == to_string(type)) return type;
  }
  return stored;
}

class PlanBuilder {
 public:
  PlanBuilder(const ModelConfig& config, const WeightFile& file, const LoadOptions& options)
      : config_(config), file_(file), options_(options) {}

  Result<MatrixPlan> matrix(std::vector<std::string> names, std::vector<int64_t> rows, int64_t columns) {
    MatrixPlan plan{std::move(names), std::move(rows), columns, WeightFormat::float32};
    bool first = true;
    for (size_t i = 0; i < plan.names.size(); ++i) {
      ORTHROS_TRY(const WeightRows source, file_.rows(plan.names[i], plan.rows[i], columns));
      const BlockType type = source_type(config_, plan.names[i], source.type);
      if (type == BlockType::F32 || type == BlockType::F16) at_most_bfloat16_ = false;
      WeightFormat format = choose_weight_format(options_, type, columns);
      // Four bits in the LM head alone cost more likelihood than in all layers together: it stays at eight.
      if (is_vocabulary(plan.names[i]) && format == WeightFormat::int4) format = WeightFormat::int8;
      // Fused tensors share one format: the widest that any part asks for (the enum runs from wide to narrow).
      plan.format = first ? format : std::min(plan.format, format);
      first = false;
      // A stacked part must begin on a row tile of the quantised layouts.
      const bool grouped = plan.format == WeightFormat::int8 || plan.format == WeightFormat::int4;
      if (grouped && plan.names.size() > 1 && plan.rows[i] % kernels::kRowTile != 0) {
        plan.format = WeightFormat::bfloat16;
      }
    }
    return plan;
  }

  bool at_most_bfloat16() const { return at_most_bfloat16_; }

 private:
  const ModelConfig& config_;
  const WeightFile& file_;
  const LoadOptions& options_;
  bool at_most_bfloat16_ = true;
};

}  // namespace

std::string layer_prefix(int64_t layer) { return fmt::format("model.layers.{}.", layer); }

int64_t MatrixPlan::total_rows() const {
  int64_t total = 0;
  for (const int64_t r : rows) total += r;
  return total;
}

int64_t MatrixPlan::held_bytes() const { return kernels::matrix_bytes(format, total_rows(), columns); }

std::vector<const MatrixPlan*> WeightPlan::matrices() const {
  std::vector<const MatrixPlan*> all{&embedding};
  for (const LayerPlan& layer : layers) {
    all.insert(all.end(), {&layer.qkv, &layer.o, &layer.gate_up, &layer.down});
  }
  if (!lm_head.names.empty()) all.push_back(&lm_head);
  return all;
}

int64_t WeightPlan::held_bytes() const {
  int64_t total = 0;
  for (const MatrixPlan* matrix : matrices()) total += matrix->held_bytes();
  return total;
}

WeightFormat choose_weight_format(const LoadOptions& options, BlockType source, int64_t columns) {
  WeightFormat format = WeightFormat::float32;
  if (options.weight_format) {
    format = *options.weight_format;
  } else if (options.compute_type == ScalarType::float32) {
    format = WeightFormat::float32;  // asked for exact numbers
  } else {
    switch (source) {
      case BlockType::F32:
      case BlockType::F16: format = WeightFormat::float32; break;
      case BlockType::BF16: format = WeightFormat::bfloat16; break;
      case BlockType::Q4_0:
      case BlockType::Q4_1: format = WeightFormat::int4; break;
      default: format = WeightFormat::int8; break;
    }
  }
  const bool grouped = format == WeightFormat::int8 || format == WeightFormat::int4;
  return grouped && columns % kernels::kInt8Group != 0 ? WeightFormat::bfloat16 : format;
}

Result<WeightPlan> make_weight_plan(const ModelConfig& config, const WeightFile& file, const LoadOptions& options) {
  PlanBuilder builder(config, file, options);
  WeightPlan plan;
  const int64_t m = config.hidden_size;
  const int64_t f = config.intermediate_size;
  ORTHROS_TRY(plan.embedding, builder.matrix({kEmbedding}, {config.vocab_size}, m));
  if (!config.tie_word_embeddings) {
    ORTHROS_TRY(plan.lm_head, builder.matrix({kLmHead}, {config.vocab_size}, m));
  }
  for (int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const std::string attention = layer_prefix(i) + "self_attn.";
    const std::string mlp = layer_prefix(i) + "mlp.";
    LayerPlan layer;
    ORTHROS_TRY(layer.qkv, builder.matrix({attention + "q_proj.weight", attention + "k_proj.weight",
                                           attention + "v_proj.weight"},
                                          {config.q_size(), config.kv_size(), config.kv_size()}, m));
    ORTHROS_TRY(layer.o, builder.matrix({attention + "o_proj.weight"}, {m}, config.q_size()));
    ORTHROS_TRY(layer.gate_up, builder.matrix({mlp + "gate_proj.weight", mlp + "up_proj.weight"}, {f, f}, m));
    ORTHROS_TRY(layer.down, builder.matrix({mlp + "down_proj.weight"}, {m}, f));
    plan.layers.push_back(std::move(layer));
  }
  plan.at_most_bfloat16 = builder.at_most_bfloat16();
  return plan;
}

std::vector<TensorSpec> checkpoint_tensors(const ModelConfig& config) {
  const int64_t m = config.hidden_size;
  std::vector<TensorSpec> tensors{{kEmbedding, config.vocab_size, m, false}};
  for (int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const auto matrix = [&](const char* name, int64_t rows, int64_t columns) {
      tensors.push_back({layer_prefix(i) + name, rows, columns, false});
    };
    const auto vector = [&](const char* name, int64_t size) {
      tensors.push_back({layer_prefix(i) + name, 1, size, true});
    };
    vector("input_layernorm.weight", m);
    matrix("self_attn.q_proj.weight", config.q_size(), m);
    matrix("self_attn.k_proj.weight", config.kv_size(), m);
    matrix("self_attn.v_proj.weight", config.kv_size(), m);
    matrix("self_attn.o_proj.weight", m, config.q_size());
    if (config.qk_norm()) {
      vector("self_attn.q_norm.weight", config.head_dim);
      vector("self_attn.k_norm.weight", config.head_dim);
    }
    if (config.layers[static_cast<size_t>(i)].scale_offset) {
      for (const char* name : {"self_attn.alpha", "self_attn.beta", "self_attn.alpha_out", "self_attn.beta_out"}) {
        vector(name, config.q_size());
      }
    }
    vector("post_attention_layernorm.weight", m);
    matrix("mlp.gate_proj.weight", config.intermediate_size, m);
    matrix("mlp.up_proj.weight", config.intermediate_size, m);
    matrix("mlp.down_proj.weight", m, config.intermediate_size);
  }
  tensors.push_back({"model.norm.weight", 1, m, true});
  if (!config.tie_word_embeddings) tensors.push_back({kLmHead, config.vocab_size, m, false});
  return tensors;
}

}  // namespace orthros
