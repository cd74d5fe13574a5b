#include "engine/formats/json_access.h"

#include "engine/formats/quote.h"

namespace orthros::json_access {
namespace {

tl::unexpected<Error> wrong_type(std::string_view key, const char* wanted, const Json& value) {
  return fail(ErrorCode::corrupt_file, "{} must be {}, not {}", quote(key), wanted, value.type_name());
}

}  // namespace

const Json* find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::optional<std::string>> text(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string()) return wrong_type(key, "a string", *value);
  return std::optional<std::string>(value->get<std::string>());
}

Result<bool> boolean(const Json& object, std::string_view key, bool fallback) {
  const Json* value = find(object, key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) return wrong_type(key, "true or false", *value);
  return value->get<bool>();
}

Result<int64_t> integer(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  if (value == nullptr) return fail(ErrorCode::corrupt_file, "{} is missing", quote(key));
  const bool fits = value->is_number_integer() &&
                    !(value->is_number_unsigned() && value->get<uint64_t>() > uint64_t{INT64_MAX});
  if (!fits) return wrong_type(key, "an integer", *value);
  return value->get<int64_t>();
}

Result<const Json*> array(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  if (value != nullptr && !value->is_array()) return wrong_type(key, "an array", *value);
  return value;
}

Result<std::string> type_of(const Json& part, std::string_view what) {
  if (!part.is_object()) {
    return fail(ErrorCode::corrupt_file, "tokenizer: {} must be an object, not {}", what, part.type_name());
  }
  ORTHROS_TRY(const std::optional<std::string> type, text(part, "type"));
  if (!type) return fail(ErrorCode::corrupt_file, "tokenizer: {} has no type", what);
  return *type;
}

}  // namespace orthros::json_access
