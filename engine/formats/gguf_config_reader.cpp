#include "engine/formats/gguf_config_reader.h"

#include <array>
#include <charconv>

#include "engine/formats/quote.h"

namespace orthros::config_detail {
namespace {

double shortest(double value) {
  std::array<char, 32> text;
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) != value) return value;
  const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), narrow);
  double result = value;
  if (status == std::errc()) std::from_chars(text.data(), end, result);
  return result;
}

}  // namespace

Result<double> GgufConfigReader::number(std::string_view key) const {
  ORTHROS_TRY(const double value, file_.number(name(key)));
  return shortest(value);
}

Result<int64_t> GgufConfigReader::integer(std::string_view key) const {
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

Result<void> GgufConfigReader::copy_integer(std::string_view key, Json& json, const char* target) const {
  if (!has(key)) return {};
  ORTHROS_TRY(json[target], integer(key));
  return {};
}

Result<void> GgufConfigReader::copy_number(std::string_view key, Json& json, const char* target) const {
  if (!has(key)) return {};
  ORTHROS_TRY(json[target], number(key));
  return {};
}

}  // namespace orthros::config_detail
