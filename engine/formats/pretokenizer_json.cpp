#include "engine/formats/json_access.h"
#include "engine/formats/pretokenizer.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr int kMaxDepth = 8;
constexpr size_t kMaxSteps = 32;

Result<SplitBehavior> behavior_of(const Json& config) {
  ORTHROS_TRY(const std::optional<std::string> name, json_access::text(config, "behavior"));
  if (!name) return fail(ErrorCode::corrupt_file, "pre-tokenizer Split has no behavior");
  if (*name == "Removed") return SplitBehavior::removed;
  if (*name == "Isolated") return SplitBehavior::isolated;
  if (*name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (*name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (*name == "Contiguous") return SplitBehavior::contiguous;
  return fail(ErrorCode::corrupt_file, "pre-tokenizer Split has behavior {}", quote(*name));
}

}  // namespace

Result<Pretokenizer::Step> Pretokenizer::split_step(const Json& config) {
  const Json* pattern = json_access::find(config, "pattern");
  if (pattern == nullptr) return fail(ErrorCode::corrupt_file, "pre-tokenizer Split has no pattern");
  SplitStep step;
  ORTHROS_TRY(step.behavior, behavior_of(config));
  ORTHROS_TRY(step.invert, json_access::boolean(config, "invert", false));
  ORTHROS_TRY(std::optional<std::string> literal, json_access::text(*pattern, "String"));
  ORTHROS_TRY(const std::optional<std::string> regex, json_access::text(*pattern, "Regex"));
  if (literal && !literal->empty()) {
    step.pattern = std::move(*literal);
  } else if (regex) {
    if (const std::optional<ScanPattern> known = known_pattern(*regex)) {
      step.pattern = *known;
    } else {
      ORTHROS_TRY(step.pattern, Regex::compile(*regex));
    }
  } else {
    return fail(ErrorCode::corrupt_file, "pre-tokenizer Split needs a String or Regex pattern");
  }
  return Step(std::move(step));
}

Result<Pretokenizer::Step> Pretokenizer::byte_level_step(const Json& config) {
  ByteLevelStep step;
  ORTHROS_TRY(step.add_prefix_space, json_access::boolean(config, "add_prefix_space", true));
  ORTHROS_TRY(step.use_regex, json_access::boolean(config, "use_regex", true));
  return Step(step);
}

Result<void> Pretokenizer::add(const Json& config, int depth) {
  ORTHROS_TRY(const std::string type, json_access::type_of(config, "pre-tokenizer"));
  if (type == "Sequence") {
    if (depth >= kMaxDepth) return fail(ErrorCode::corrupt_file, "pre-tokenizers are nested too deeply");
    ORTHROS_TRY(const Json* parts, json_access::array(config, "pretokenizers"));
    if (parts == nullptr) return fail(ErrorCode::corrupt_file, "pre-tokenizer Sequence has no pretokenizers");
    for (const Json& part : *parts) ORTHROS_TRY_VOID(add(part, depth + 1));
    return {};
  }
  if (steps_.size() >= kMaxSteps) {
    return fail(ErrorCode::unsupported, "more than {} pre-tokenizers", kMaxSteps);
  }
  if (!steps_.empty() && std::holds_alternative<ByteLevelStep>(steps_.back())) {
    return fail(ErrorCode::unsupported, "pre-tokenizer {} after ByteLevel is not supported", quote(type));
  }
  Step step;
  if (type == "Split") {
    ORTHROS_TRY(step, split_step(config));
  } else if (type == "Digits") {
    DigitsStep digits;
    ORTHROS_TRY(digits.individual, json_access::boolean(config, "individual_digits", false));
    step = digits;
  } else if (type == "ByteLevel") {
    ORTHROS_TRY(step, byte_level_step(config));
  } else {
    return fail(ErrorCode::unsupported, "pre-tokenizer {} is not supported", quote(type));
  }
  steps_.push_back(std::move(step));
  return {};
}

Result<Pretokenizer> Pretokenizer::from_json(const Json* config) {
  Pretokenizer result;
  if (config != nullptr) ORTHROS_TRY_VOID(result.add(*config, 0));
  if (result.steps_.empty() || !std::holds_alternative<ByteLevelStep>(result.steps_.back())) {
    return fail(ErrorCode::unsupported,
                "the tokenizer is not byte-level: its pre-tokenizers do not end with ByteLevel");
  }
  return result;
}

}  // namespace orthros
