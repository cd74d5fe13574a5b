#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "engine/formats/model_config_detail.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr const char* kWhere = "GGUF metadata as config.json";

/// GGUF stores fp32: 1e-5 would become 9.999999747e-06 in a config.json. The shortest decimal is what was
/// meant.
double shortest(double value) {
  std::array<char, 32> text;
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) != value) return value;
  const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), narrow);
  double result = value;
  if (status == std::errc()) std::from_chars(text.data(), end, result);
  return result;
}

/// Reads "<architecture>.<key>"; absent keys leave the JSON as it is.
class Reader {
 public:
  Reader(const GgufFile& file, std::string architecture)
      : file_(file), architecture_(std::move(architecture)) {}

  std::string name(std::string_view key) const { return architecture_ + "." + std::string(key); }
  bool has(std::string_view key) const { return file_.has(name(key)); }
  Result<double> number(std::string_view key) const {
    ORTHROS_TRY(const double value, file_.number(name(key)));
    return shortest(value);
  }
  Result<std::string> text(std::string_view key) const { return file_.text(name(key)); }
  const GgufFile& file() const { return file_; }

  /// A size; a list of equal sizes, one a layer, counts as one.
  Result<int64_t> integer(std::string_view key) const {
    const std::vector<int64_t>* list = file_.integers(name(key));
    if (list == nullptr) return file_.integer(name(key));
    for (const int64_t value : *list) {
      if (value != list->front()) {
        return fail(ErrorCode::unsupported, "GGUF {} differs by layer, which is not read here",
                    quote(name(key)));
      }
    }
    if (list->empty()) return fail(ErrorCode::corrupt_file, "GGUF {} is an empty list", quote(name(key)));
    return list->front();
  }

  Result<void> copy_integer(std::string_view key, Json& json, const char* target) const {
    if (!has(key)) return {};
    ORTHROS_TRY(json[target], integer(key));
    return {};
  }
  Result<void> copy_number(std::string_view key, Json& json, const char* target) const {
    if (!has(key)) return {};
    ORTHROS_TRY(json[target], number(key));
    return {};
  }

 private:
  const GgufFile& file_;
  std::string architecture_;
};

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

/// What Llama 3.1 divides each pair's frequency by.
double llama3_divisor(double frequency, const RopeScaling& scaling) {
  const double wavelength = 2 * std::numbers::pi / frequency;
  const auto original = static_cast<double>(scaling.original_max_position_embeddings);
  if (wavelength < original / scaling.high_freq_factor) return 1;
  if (wavelength > original / scaling.low_freq_factor) return scaling.factor;
  const double smooth = (original / wavelength - scaling.low_freq_factor) /
                        (scaling.high_freq_factor - scaling.low_freq_factor);
  return 1 / ((1 - smooth) / scaling.factor + smooth);
}

bool matches(const std::vector<float>& divisors, double theta, const RopeScaling& scaling) {
  const auto pairs = static_cast<double>(divisors.size());
  for (size_t i = 0; i < divisors.size(); ++i) {
    const double expected = llama3_divisor(std::pow(theta, -static_cast<double>(i) / pairs), scaling);
    if (!(std::abs(divisors[i] - expected) <= 2e-3 * expected)) return false;
  }
  return true;
}

/// GGUF keeps Llama 3.1's scaling as a tensor of divisors; config.json needs the numbers they were made from.
Result<void> derive_llama3(const GgufTensor& tensor, double theta, Json& json) {
  if (tensor.type != BlockType::F32 || tensor.shape.size() != 1 || tensor.shape[0] < 1 ||
      tensor.shape[0] > 4096) {
    return fail(ErrorCode::corrupt_file, "GGUF tensor rope_freqs.weight is not a list of F32 divisors");
  }
  std::vector<float> divisors(static_cast<size_t>(tensor.shape[0]));
  std::memcpy(divisors.data(), tensor.bytes.data(), divisors.size() * sizeof(float));
  RopeScaling scaling;
  scaling.type = RopeType::llama3;
  scaling.low_freq_factor = 1;
  scaling.high_freq_factor = 4;
  scaling.original_max_position_embeddings = 8192;
  scaling.factor = std::round(divisors.back());  // the slowest pair is divided by the whole factor
  if (scaling.factor == 1 && matches(divisors, theta, scaling)) return {};
  if (!(scaling.factor > 1 && scaling.factor <= 1024) || !matches(divisors, theta, scaling)) {
    Error error{ErrorCode::unsupported,
                "GGUF tensor rope_freqs.weight holds no Llama 3 scaling that is known here",
                "use the model in safetensors form"};
    return fail(std::move(error));
  }
  json["rope_scaling"] = {{"rope_type", "llama3"},
                          {"factor", scaling.factor},
                          {"low_freq_factor", scaling.low_freq_factor},
                          {"high_freq_factor", scaling.high_freq_factor},
                          {"original_max_position_embeddings", scaling.original_max_position_embeddings}};
  return {};
}

Result<void> copy_scaling_keys(const Reader& reader, const std::string& type, Json& json) {
  Json scaling{{"rope_type", type}};
  ORTHROS_TRY_VOID(reader.copy_number("rope.scaling.factor", scaling, "factor"));
  if (type == "yarn") {
    ORTHROS_TRY_VOID(reader.copy_integer("rope.scaling.original_context_length", scaling,
                                         "original_max_position_embeddings"));
    ORTHROS_TRY_VOID(reader.copy_number("rope.scaling.yarn_beta_fast", scaling, "beta_fast"));
    ORTHROS_TRY_VOID(reader.copy_number("rope.scaling.yarn_beta_slow", scaling, "beta_slow"));
  }
  for (const char* key :
       {"rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_ext_factor"}) {
    if (!reader.has(key)) continue;
    ORTHROS_TRY(const double value, reader.number(key));
    if (value != 1.0) {
      return fail(ErrorCode::unsupported, "GGUF {} is {}, only 1 is read here", reader.name(key), value);
    }
  }
  if (reader.has("rope.scaling.yarn_log_multiplier")) {
    ORTHROS_TRY(const double value, reader.number("rope.scaling.yarn_log_multiplier"));
    if (value != 0.0)
      return fail(ErrorCode::unsupported, "GGUF rope.scaling.yarn_log_multiplier is not read here");
  }
  json["rope_scaling"] = scaling;
  return {};
}

Result<void> copy_rope(const Reader& reader, Json& json) {
  std::string type = "none";
  if (reader.has("rope.scaling.type")) {
    ORTHROS_TRY(type, reader.text("rope.scaling.type"));
  } else if (reader.has("rope.scale_linear")) {
    ORTHROS_TRY(const double factor, reader.number("rope.scale_linear"));
    if (factor != 1.0) json["rope_scaling"] = {{"rope_type", "linear"}, {"factor", factor}};
  }
  const GgufTensor* divisors = reader.file().find("rope_freqs.weight");
  if (type != "none") {
    if (divisors != nullptr) {
      return fail(ErrorCode::unsupported, "GGUF file has both rope_freqs.weight and RoPE scaling {}",
                  quote(type));
    }
    return copy_scaling_keys(reader, type, json);
  }
  if (divisors == nullptr) return {};
  const double theta = json.contains("rope_theta") ? json["rope_theta"].get<double>() : 10000.0;
  return derive_llama3(*divisors, theta, json);
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
Result<void> write_types(const Reader& reader, const std::string& architecture, Json& json) {
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
  ORTHROS_TRY(const std::string architecture, file.text("general.architecture"));
  Json json = Json::object();
  ORTHROS_TRY_VOID(write_types(reader, architecture, json));
  ORTHROS_TRY_VOID(copy_sizes(reader, json));
  ORTHROS_TRY_VOID(copy_tokens(reader, json));
  ORTHROS_TRY_VOID(copy_rope(reader, json));
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
