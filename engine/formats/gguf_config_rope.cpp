#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "engine/formats/gguf_config_reader.h"
#include "engine/formats/model_config.h"
#include "engine/formats/quote.h"

namespace orthros::config_detail {
namespace {

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

Result<void> copy_scaling_keys(const GgufConfigReader& reader, const std::string& type, Json& json) {
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

}  // namespace

Result<void> copy_rope(const GgufConfigReader& reader, Json& json) {
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

}  // namespace orthros::config_detail
