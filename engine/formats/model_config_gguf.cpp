#include <algorithm>
#include <map>
#include <utility>

#include "engine/formats/gguf_config_reader.h"
#include "engine/formats/model_config_detail.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

using Reader = config_detail::GgufConfigReader;

constexpr const char* kWhere = "GGUF metadata as config.json";

Result<Reader> make_reader(const GgufFile& file) {
  ORTHROS_TRY(std::string architecture, file.text("general.architecture"));
  if (architecture == "llama" || architecture == "qwen3") return Reader(file, std::move(architecture));
  Error error{ErrorCode::unsupported,
              fmt::format("GGUF architecture {} is not read here", quote(architecture)),
              "llama (with Mistral) and qwen3 are"};
  return fail(std::move(error));
}

Result<int64_t> vocabulary(const Reader& reader) {
  if (const GgufTensor* embedding = reader.file().find("token_embd.weight");
      embedding != nullptr && embedding->shape.size() == 2) {
    return embedding->shape.front();
  }
  if (reader.has("vocab_size")) return reader.integer("vocab_size");
  if (const auto* tokens = reader.file().strings("tokenizer.ggml.tokens"))
    return static_cast<int64_t>(tokens->size());
  return fail(ErrorCode::corrupt_file, "GGUF file says nothing of the vocabulary's size");
}

Result<void> copy_sizes(const Reader& reader, Json& json) {
  ORTHROS_TRY_VOID(reader.copy_integer("embedding_length", json, "hidden_size"));
  ORTHROS_TRY_VOID(reader.copy_integer("feed_forward_length", json, "intermediate_size"));
  ORTHROS_TRY_VOID(reader.copy_integer("block_count", json, "num_hidden_layers"));
  ORTHROS_TRY_VOID(reader.copy_integer("attention.head_count", json, "num_attention_heads"));
  ORTHROS_TRY_VOID(reader.copy_integer("attention.head_count_kv", json, "num_key_value_heads"));
  ORTHROS_TRY_VOID(reader.copy_integer("attention.key_length", json, "head_dim"));
  ORTHROS_TRY_VOID(reader.copy_integer("context_length", json, "max_position_embeddings"));
  ORTHROS_TRY_VOID(reader.copy_number("attention.layer_norm_rms_epsilon", json, "rms_norm_eps"));
  ORTHROS_TRY_VOID(reader.copy_number("rope.freq_base", json, "rope_theta"));
  ORTHROS_TRY(json["vocab_size"], vocabulary(reader));
  json["tie_word_embeddings"] = reader.file().find("output.weight") == nullptr;
  return {};
}

Result<void> copy_tokens(const Reader& reader, Json& json) {
  const GgufFile& file = reader.file();
  for (const auto& [key, target] : {std::pair{"tokenizer.ggml.bos_token_id", "bos_token_id"},
                                    std::pair{"tokenizer.ggml.padding_token_id", "pad_token_id"}}) {
    if (!file.has(key)) continue;
    ORTHROS_TRY(json[target], file.integer(key));
  }
  Json ends = Json::array();
  for (const char* key :
       {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    if (!file.has(key)) continue;
    ORTHROS_TRY(const Json id, file.integer(key));
    if (std::find(ends.begin(), ends.end(), id) == ends.end()) ends.push_back(id);
  }
  if (ends.size() == 1) json["eos_token_id"] = ends.front();
  if (ends.size() > 1) json["eos_token_id"] = ends;
  return {};
}

Result<void> refuse_unsupported(const Reader& reader, const Json& json) {
  if (reader.has("expert_count")) {
    ORTHROS_TRY(const int64_t experts, reader.integer("expert_count"));
    if (experts != 0)
      return fail(ErrorCode::unsupported, "GGUF model has {} experts; these are not read here", experts);
  }
  for (const GgufTensor& tensor : reader.file().tensors()) {
    if (tensor.name.ends_with(".bias")) {
      return fail(ErrorCode::unsupported, "GGUF tensor {}: models with biases are not read here",
                  quote(tensor.name));
    }
  }
  const int64_t head_dim = json["head_dim"].get<int64_t>();
  const GgufTensor* divisors = reader.file().find("rope_freqs.weight");
  if (divisors != nullptr && divisors->num_elements() * 2 != head_dim) {
    return fail(ErrorCode::corrupt_file, "GGUF tensor rope_freqs.weight has {} divisors for {} pairs",
                divisors->num_elements(), head_dim / 2);
  }
  for (const char* key : {"attention.key_length", "attention.value_length", "rope.dimension_count"}) {
    if (!reader.has(key)) continue;
    ORTHROS_TRY(const int64_t size, reader.integer(key));
    if (size != head_dim) {
      return fail(ErrorCode::unsupported,
                  "GGUF {} is {} and the heads have {}; only equal sizes are read here", reader.name(key),
                  size, head_dim);
    }
  }
  return {};
}

/// The element type that most of the weights have.
std::string weight_type(const GgufFile& file) {
  std::map<BlockType, int64_t> elements;
  for (const GgufTensor& tensor : file.tensors()) {
    if (tensor.shape.size() >= 2) elements[tensor.type] += tensor.num_elements();
  }
  BlockType most = BlockType::F32;
  for (const auto& [type, count] : elements) {
    if (count > elements[most]) most = type;
  }
  switch (most) {
    case BlockType::F32:
      return "float32";
    case BlockType::F16:
      return "float16";
    case BlockType::BF16:
      return "bfloat16";
    default:
      return to_string(most);
  }
}

/// What the file is called in transformers; Mistral is llama with a window.
Result<void> write_types(const Reader& reader, Json& json) {
  const std::string& architecture = reader.architecture();
  json["model_type"] = architecture;
  json["architectures"] = {architecture == "qwen3" ? "Qwen3ForCausalLM" : "LlamaForCausalLM"};
  json["hidden_act"] = "silu";
  json["attention_bias"] = false;
  if (architecture == "llama") json["mlp_bias"] = false;
  if (!reader.has("attention.sliding_window")) return {};
  ORTHROS_TRY(const int64_t window, reader.integer("attention.sliding_window"));
  if (window == 0) return {};
  if (architecture != "llama") {
    return fail(ErrorCode::unsupported, "GGUF {} is not read here for {}",
                reader.name("attention.sliding_window"), architecture);
  }
  json["model_type"] = "mistral";
  json["architectures"] = {"MistralForCausalLM"};
  json["sliding_window"] = window;
  json.erase("mlp_bias");
  return {};
}

}  // namespace

Result<ModelConfig> model_config_from_gguf(const GgufFile& file) {
  ORTHROS_TRY(const Reader reader, make_reader(file));
  Json json = Json::object();
  ORTHROS_TRY_VOID(write_types(reader, json));
  ORTHROS_TRY_VOID(copy_sizes(reader, json));
  ORTHROS_TRY_VOID(copy_tokens(reader, json));
  ORTHROS_TRY_VOID(config_detail::copy_rope(reader, json));
  const std::string type = weight_type(file);
  json["torch_dtype"] = type == "bfloat16" || type == "float16" ? type : "float32";
  ORTHROS_TRY(ModelConfig config, config_detail::parse(json, kWhere));
  // Made explicit for readers with other defaults.
  config.source["head_dim"] = config.head_dim;
  config.source["num_key_value_heads"] = config.num_key_value_heads;
  ORTHROS_TRY_VOID(refuse_unsupported(reader, config.source));
  config.torch_dtype = type;
  return config;
}

}  // namespace orthros
