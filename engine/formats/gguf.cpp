#include "engine/formats/gguf.h"

#include "engine/formats/quote.h"

namespace orthros {
namespace {

const char* type_name(const GgufValue& value) {
  static constexpr const char* kNames[] = {
      "a boolean", "an integer",        "an unsigned integer",  "a number",
      "a text",    "an array of texts", "an array of integers", "an array of numbers"};
  return kNames[value.index()];
}

Result<const GgufValue*> value_of(const std::map<std::string, GgufValue, std::less<>>& metadata,
                                  std::string_view key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return fail(ErrorCode::not_found, "GGUF has no key {}", quote(key));
  return &found->second;
}

tl::unexpected<Error> wrong_type(std::string_view key, const char* wanted, const GgufValue& value) {
  return fail(ErrorCode::corrupt_file, "GGUF key {} should be {} and is {}", quote(key), wanted,
              type_name(value));
}

}  // namespace

int64_t GgufTensor::num_elements() const {
  int64_t product = 1;
  for (const int64_t size : shape) product *= size;
  return product;
}

Result<GgufFile> GgufFile::open(const std::filesystem::path& path) {
  ORTHROS_TRY(MappedFile mapped, MappedFile::open(path));
  Result<GgufFile> parsed = parse(mapped.bytes());
  if (!parsed) {
    Error error = std::move(parsed).error();
    error.message = path.string() + ": " + error.message;
    return fail(std::move(error));
  }
  parsed->file_ = std::move(mapped);
  return parsed;
}

const GgufTensor* GgufFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

Result<std::string> GgufFile::text(std::string_view key) const {
  ORTHROS_TRY(const GgufValue* value, value_of(metadata_, key));
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  return wrong_type(key, "a text", *value);
}

Result<int64_t> GgufFile::integer(std::string_view key) const {
  ORTHROS_TRY(const GgufValue* value, value_of(metadata_, key));
  if (const auto* number = std::get_if<int64_t>(value)) return *number;
  if (const auto* number = std::get_if<uint64_t>(value)) {
    if (*number <= static_cast<uint64_t>(INT64_MAX)) return static_cast<int64_t>(*number);
    return fail(ErrorCode::corrupt_file, "GGUF key {} is {}, too large", quote(key), *number);
  }
  return wrong_type(key, "an integer", *value);
}

Result<double> GgufFile::number(std::string_view key) const {
  ORTHROS_TRY(const GgufValue* value, value_of(metadata_, key));
  if (const auto* number = std::get_if<double>(value)) return *number;
  if (const auto* number = std::get_if<int64_t>(value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<uint64_t>(value)) return static_cast<double>(*number);
  return wrong_type(key, "a number", *value);
}

Result<bool> GgufFile::boolean(std::string_view key) const {
  ORTHROS_TRY(const GgufValue* value, value_of(metadata_, key));
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  return wrong_type(key, "a boolean", *value);
}

const std::vector<std::string>* GgufFile::strings(std::string_view key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? nullptr : std::get_if<std::vector<std::string>>(&found->second);
}

const std::vector<int64_t>* GgufFile::integers(std::string_view key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second);
}

}  // namespace orthros
