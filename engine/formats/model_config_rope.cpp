#include <algorithm>

#include "engine/formats/model_config_detail.h"
#include "engine/formats/quote.h"

namespace orthros::config_detail {
namespace {

constexpr NumberRange kTheta{2.0, 1e18};
constexpr NumberRange kFactor{1.0, 1e6};
constexpr NumberRange kPositive{1e-9, 1e9};

const Json kNoObject = Json::object();

/// The object that describes the scaling. transformers 5 takes rope_scaling first when a file has both.
Result<const Json*> scaling_object(const ConfigFields& fields) {
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    const Json* object = fields.find(key);
    if (object == nullptr) continue;
    if (!object->is_object())
      return fail(ErrorCode::corrupt_file, "{}: {} is not an object", fields.where(), key);
    if (object->empty()) continue;
    for (const auto& [name, value] : object->get_ref<const Json::object_t&>()) {
      if (value.is_object()) {
        return fail(ErrorCode::unsupported, "{}: {} differs by layer ({}), which is not read here",
                    fields.where(), key, quote(name));
      }
    }
    return object;
  }
  return &kNoObject;
}

Result<double> read_theta(const ConfigFields& fields, const ConfigFields& rope) {
  ORTHROS_TRY(const std::optional<double> nested, rope.number("rope_theta", kTheta));
  if (nested) return *nested;
  return fields.number_or("rope_theta", kTheta, 10000.0);
}

Result<RopeType> read_type(const ConfigFields& rope) {
  ORTHROS_TRY(std::optional<std::string> type, rope.text("rope_type"));
  if (!type) {
    ORTHROS_TRY(type, rope.text("type"));  // the old alias
  }
  if (!type || *type == "default") return RopeType::none;
  if (*type == "linear") return RopeType::linear;
  if (*type == "llama3") return RopeType::llama3;
  if (*type == "yarn") return RopeType::yarn;
  Error error{ErrorCode::unsupported,
              fmt::format("{}: RoPE type {} is not read here", rope.where(), quote(*type)),
              "default, linear, llama3 and yarn are"};
  return fail(std::move(error));
}

Result<void> read_llama3(const ConfigFields& rope, RopeScaling& scaling) {
  ORTHROS_TRY(scaling.factor, rope.required_number("factor", kFactor));
  ORTHROS_TRY(scaling.low_freq_factor, rope.required_number("low_freq_factor", kPositive));
  ORTHROS_TRY(scaling.high_freq_factor, rope.required_number("high_freq_factor", kPositive));
  if (scaling.high_freq_factor > scaling.low_freq_factor) return {};
  return fail(ErrorCode::corrupt_file, "{}: high_freq_factor {} should be greater than low_freq_factor {}",
              rope.where(), scaling.high_freq_factor, scaling.low_freq_factor);
}

/// transformers takes a zero mscale for a missing one.
Result<std::optional<double>> read_mscale(const ConfigFields& rope, const char* key) {
  ORTHROS_TRY(std::optional<double> value, rope.number(key, {0.0, 1e6}));
  if (value == 0.0) value.reset();
  return value;
}

Result<void> read_yarn(const ConfigFields& rope, int64_t max_position_embeddings, RopeScaling& scaling) {
  const double implied = static_cast<double>(max_position_embeddings) /
                         static_cast<double>(scaling.original_max_position_embeddings);
  ORTHROS_TRY(scaling.factor, rope.number_or("factor", kFactor, std::max(1.0, implied)));
  ORTHROS_TRY(scaling.beta_fast, rope.number_or("beta_fast", kPositive, 32.0));
  ORTHROS_TRY(scaling.beta_slow, rope.number_or("beta_slow", kPositive, 1.0));
  if (scaling.beta_fast < scaling.beta_slow) {
    return fail(ErrorCode::corrupt_file, "{}: beta_fast {} should not be below beta_slow {}", rope.where(),
                scaling.beta_fast, scaling.beta_slow);
  }
  ORTHROS_TRY(scaling.attention_factor, rope.number("attention_factor", {1e-6, 1e6}));
  ORTHROS_TRY(scaling.mscale, read_mscale(rope, "mscale"));
  ORTHROS_TRY(scaling.mscale_all_dim, read_mscale(rope, "mscale_all_dim"));
  ORTHROS_TRY(scaling.truncate, rope.boolean_or("truncate", true));
  return {};
}

const char* type_name(RopeType type) {
  switch (type) {
    case RopeType::none:
      return "default";
    case RopeType::linear:
      return "linear";
    case RopeType::llama3:
      return "llama3";
    case RopeType::yarn:
      return "yarn";
  }
  return "default";
}

Json scaling_to_json(const RopeScaling& scaling) {
  Json json{{"rope_type", type_name(scaling.type)}, {"factor", scaling.factor}};
  if (scaling.type == RopeType::linear) return json;
  json["original_max_position_embeddings"] = scaling.original_max_position_embeddings;
  if (scaling.type == RopeType::llama3) {
    json["low_freq_factor"] = scaling.low_freq_factor;
    json["high_freq_factor"] = scaling.high_freq_factor;
    return json;
  }
  json["beta_fast"] = scaling.beta_fast;
  json["beta_slow"] = scaling.beta_slow;
  if (scaling.attention_factor) json["attention_factor"] = *scaling.attention_factor;
  if (scaling.mscale) json["mscale"] = *scaling.mscale;
  if (scaling.mscale_all_dim) json["mscale_all_dim"] = *scaling.mscale_all_dim;
  if (!scaling.truncate) json["truncate"] = false;
  return json;
}

}  // namespace

Result<Rope> read_rope(const ConfigFields& fields, int64_t max_position_embeddings) {
  ORTHROS_TRY(const Json* object, scaling_object(fields));
  const ConfigFields rope(*object, fields.where() + " RoPE");
  Rope result;
  ORTHROS_TRY(result.theta, read_theta(fields, rope));
  ORTHROS_TRY(const double rotary, rope.number_or("partial_rotary_factor", {0.0, 1.0}, 1.0));
  if (rotary != 1.0) {
    return fail(ErrorCode::unsupported, "{}: partial_rotary_factor {} is not read here, only 1 is",
                rope.where(), rotary);
  }
  RopeScaling& scaling = result.scaling;
  ORTHROS_TRY(scaling.type, read_type(rope));
  if (scaling.type == RopeType::none) return result;
  if (scaling.type == RopeType::linear) {
    ORTHROS_TRY(scaling.factor, rope.required_number("factor", kFactor));
    return result;
  }
  ORTHROS_TRY(
      scaling.original_max_position_embeddings,
      rope.integer_or("original_max_position_embeddings", {1, kMaxPositions}, max_position_embeddings));
  if (scaling.type == RopeType::llama3) {
    ORTHROS_TRY_VOID(read_llama3(rope, scaling));
  } else {
    ORTHROS_TRY_VOID(read_yarn(rope, max_position_embeddings, scaling));
  }
  return result;
}

void write_rope(Json& json, const ModelConfig& config) {
  const Rope wanted{config.rope_theta, config.rope_scaling};
  if (json.contains("rope_theta") || json.contains("rope_parameters")) {
    const Result<Rope> present = read_rope(ConfigFields(json, "config.json"), config.max_position_embeddings);
    if (present && *present == wanted) return;
  }
  json.erase("rope_parameters");
  json["rope_theta"] = config.rope_theta;
  json["rope_scaling"] = nullptr;
  if (config.rope_scaling.type != RopeType::none) json["rope_scaling"] = scaling_to_json(config.rope_scaling);
}

}  // namespace orthros::config_detail
