// Bounded JSON reading on nlohmann::json: depth, size and duplicate keys are checked while parsing.
// Errors: corrupt_file with the byte offset and what is wrong.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/result.h"

namespace orthros {

using Json = nlohmann::json;

struct JsonLimits {
  int64_t max_bytes = int64_t{100} << 20;
  int64_t max_depth = 64;
  int64_t max_values = 20'000'000;
};

/// `what` names the document in messages ("config.json").
Result<Json> parse_json(std::string_view text, std::string_view what, const JsonLimits& limits = {});

}  // namespace orthros
