// "MODEL:orthros,w=128,s=4": the last colon that is followed by an architecture or a setting divides.
#include <charconv>
#include <filesystem>

#include "engine/experiments/arm.h"

namespace orthros {
namespace {

constexpr std::string_view kForm =
    "write MODEL, or MODEL:transformer, MODEL:swa,w=128,s=4, MODEL:orthros,w=128,s=4; settings w, s, dtype, "
    "weights, kv";

Result<int64_t> whole_number(std::string_view key, std::string_view text, int64_t least) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    return fail(ErrorCode::invalid_argument, "--arm: {}={} must be a whole number from {} on", key, text,
                least);
  }
  return value;
}

Result<ScalarType> scalar(std::string_view key, std::string_view text) {
  if (const auto type = find_named(kComputeTypes, text)) return *type;
  return fail(ErrorCode::invalid_argument, "--arm: {}={} must be float32 or bfloat16", key, text);
}

Result<WeightFormat> weight_format(std::string_view text) {
  if (const auto format = find_named(kWeightFormats, text)) return *format;
  return fail(ErrorCode::invalid_argument, "--arm: weights={} must be float32, bfloat16, int8 or int4", text);
}

bool is_set(const ArmSpec& arm, std::string_view key) {
  return (key == "w" && arm.window) || (key == "s" && arm.sinks) || (key == "dtype" && arm.dtype) ||
         (key == "kv" && arm.kv_dtype) || (key == "weights" && arm.weights);
}

Result<void> apply_setting(ArmSpec& arm, std::string_view key, std::string_view value) {
  if (is_set(arm, key)) return fail(ErrorCode::invalid_argument, "--arm: {} is set twice", key);
  if (key == "w") {
    ORTHROS_TRY(arm.window, whole_number(key, value, 1));
  } else if (key == "s") {
    ORTHROS_TRY(arm.sinks, whole_number(key, value, 0));
  } else if (key == "dtype") {
    ORTHROS_TRY(arm.dtype, scalar(key, value));
  } else if (key == "kv") {
    ORTHROS_TRY(arm.kv_dtype, scalar(key, value));
  } else if (key == "weights") {
    ORTHROS_TRY(arm.weights, weight_format(value));
  } else {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("--arm: there is no setting '{}'", key),
                      std::string(kForm)});
  }
  return {};
}

bool starts_settings(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(",="));
  for (const std::string_view known : {"transformer", "swa", "orthros", "w", "s", "dtype", "kv", "weights"}) {
    if (first == known) return true;
  }
  return false;
}

Result<void> apply_part(ArmSpec& arm, std::string_view part) {
  const size_t equals = part.find('=');
  if (equals != std::string_view::npos)
    return apply_setting(arm, part.substr(0, equals), part.substr(equals + 1));
  if (arm.architecture) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("--arm: '{}' stands after an architecture", part), std::string(kForm)});
  }
  ORTHROS_TRY(arm.architecture, parse_architecture(part));
  return {};
}

}  // namespace

Result<ArmSpec> parse_arm(std::string_view text) {
  ArmSpec arm;
  const size_t colon = text.rfind(':');
  const bool divided = colon != std::string_view::npos && starts_settings(text.substr(colon + 1));
  arm.model = std::string(divided ? text.substr(0, colon) : text);
  if (arm.model.empty()) {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("--arm '{}' names no model", text),
                      std::string(kForm)});
  }
  // A colon may be part of a name; where the model lies before it, what follows was meant for us.
  if (!divided && colon != std::string_view::npos) {
    std::error_code error;
    if (!std::filesystem::exists(arm.model, error) &&
        std::filesystem::exists(std::string(text.substr(0, colon)), error)) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("--arm '{}': '{}' is neither transformer, swa or orthros nor a setting",
                                    text, text.substr(colon + 1)),
                        std::string(kForm)});
    }
  }
  std::string_view rest = divided ? text.substr(colon + 1) : std::string_view();
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    ORTHROS_TRY_VOID(apply_part(arm, rest.substr(0, comma)));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  if (arm.architecture == Architecture::transformer && (arm.window || arm.sinks)) {
    return fail(ErrorCode::invalid_argument, "--arm '{}': a Transformer has no window and no sinks", text);
  }
  return arm;
}

}  // namespace orthros
