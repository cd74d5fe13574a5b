// GGUF files: tensor names and row order of llama.cpp's export, seen under HF names.
#include <array>
#include <charconv>
#include <utility>

#include "engine/model/weight_file.h"

namespace orthros {
namespace {

using NamePair = std::pair<std::string_view, std::string_view>;

constexpr std::array<NamePair, 3> kModelNames{{{"model.embed_tokens.weight", "token_embd.weight"},
                                               {"model.norm.weight", "output_norm.weight"},
                                               {"lm_head.weight", "output.weight"}}};

constexpr std::array<NamePair, 11> kLayerNames{{{"input_layernorm.weight", "attn_norm.weight"},
                                                {"post_attention_layernorm.weight", "ffn_norm.weight"},
                                                {"self_attn.q_proj.weight", "attn_q.weight"},
                                                {"self_attn.k_proj.weight", "attn_k.weight"},
                                                {"self_attn.v_proj.weight", "attn_v.weight"},
                                                {"self_attn.o_proj.weight", "attn_output.weight"},
                                                {"self_attn.q_norm.weight", "attn_q_norm.weight"},
                                                {"self_attn.k_norm.weight", "attn_k_norm.weight"},
                                                {"mlp.gate_proj.weight", "ffn_gate.weight"},
                                                {"mlp.up_proj.weight", "ffn_up.weight"},
                                                {"mlp.down_proj.weight", "ffn_down.weight"}}};

constexpr std::string_view kHfLayer = "model.layers.";
constexpr std::string_view kGgufLayer = "blk.";

// Splits "<prefix>N.<rest>"; rest is empty when the name has another form.
std::pair<std::string_view, std::string_view> split_layer(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return {};
  const std::string_view tail = name.substr(prefix.size());
  const size_t dot = tail.find('.');
  if (dot == std::string_view::npos) return {};
  return {tail.substr(0, dot), tail.substr(dot + 1)};
}

std::string translate(std::string_view name, bool to_gguf) {
  const auto from = [&](const NamePair& pair) { return to_gguf ? pair.first : pair.second; };
  const auto to = [&](const NamePair& pair) { return to_gguf ? pair.second : pair.first; };
  for (const NamePair& pair : kModelNames) {
    if (name == from(pair)) return std::string(to(pair));
  }
  const auto [number, rest] = split_layer(name, to_gguf ? kHfLayer : kGgufLayer);
  for (const NamePair& pair : kLayerNames) {
    if (!rest.empty() && rest == from(pair)) {
      return fmt::format("{}{}.{}", to_gguf ? kGgufLayer : kHfLayer, number, to(pair));
    }
  }
  return {};
}

class GgufWeights final : public WeightFile {
 public:
  GgufWeights(GgufFile file, const ModelConfig& config)
      : file_(std::move(file)),
        heads_(config.num_attention_heads),
        kv_heads_(config.num_key_value_heads),
        // Only the llama architecture's rows are reordered; Qwen files keep HF's order.
        permuted_(config.base_model_type == "llama" || config.base_model_type == "mistral") {}

  bool has(std::string_view name) const override { return file_.find(gguf_name_of(name)) != nullptr; }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const GgufTensor& tensor : file_.tensors()) {
      std::string name = translate(tensor.name, false);
      names.push_back(name.empty() ? tensor.name : std::move(name));
    }
    return names;
  }

  void release(std::string_view name) const override {
    if (const GgufTensor* tensor = file_.find(gguf_name_of(name))) file_.file().release(tensor->bytes);
  }

  std::vector<std::span<const std::byte>> file_spans() const override { return {file_.file().bytes()}; }

 private:
  Result<Found> find(std::string_view name) const override {
    const std::string gguf_name = gguf_name_of(name);
    const GgufTensor* tensor = gguf_name.empty() ? nullptr : file_.find(gguf_name);
    if (tensor == nullptr) {
      return fail(ErrorCode::not_found, "tensor {} ({} in GGUF) is missing from the model", name, gguf_name);
    }
    Found found;
    found.shape = tensor->shape;
    found.rows.type = tensor->type;
    found.rows.bytes = tensor->bytes;
    if (permuted_ && gguf_name.ends_with("attn_q.weight")) found.rows.permuted_heads = heads_;
    if (permuted_ && gguf_name.ends_with("attn_k.weight")) found.rows.permuted_heads = kv_heads_;
    return found;
  }

  GgufFile file_;
  int64_t heads_, kv_heads_;
  bool permuted_;
};

}  // namespace

std::string gguf_name_of(std::string_view hf_name) { return translate(hf_name, true); }

Result<std::unique_ptr<WeightFile>> open_gguf_weights(GgufFile file, const ModelConfig& config) {
  return std::unique_ptr<WeightFile>(std::make_unique<GgufWeights>(std::move(file), config));
}

}  // namespace orthros
