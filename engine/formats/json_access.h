// Typed reading of a JSON object whose keys may be absent or null.
// Errors: corrupt_file naming the key when a value has another type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/formats/json.h"

namespace orthros::json_access {

/// The value of a key; nullptr when it is absent or null, or when `object` is no object.
const Json* find(const Json& object, std::string_view key);

Result<std::optional<std::string>> text(const Json& object, std::string_view key);
Result<bool> boolean(const Json& object, std::string_view key, bool fallback);
Result<int64_t> integer(const Json& object, std::string_view key);
/// An array; an absent one is nullptr.
Result<const Json*> array(const Json& object, std::string_view key);

/// The "type" of a part of the tokenizer, such as a normalizer.
Result<std::string> type_of(const Json& part, std::string_view what);

}  // namespace orthros::json_access
