// Reads a GGUF file's keys of one architecture into the JSON of a config.json. Private to formats/.
// Errors: corrupt_file for a value of the wrong type, unsupported for what differs by layer.
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/gguf.h"
#include "engine/formats/json.h"

namespace orthros::config_detail {

/// Keys are "<architecture>.<key>"; absent keys leave the JSON as it is.
class GgufConfigReader {
 public:
  GgufConfigReader(const GgufFile& file, std::string architecture)
      : file_(file), architecture_(std::move(architecture)) {}

  const GgufFile& file() const { return file_; }
  const std::string& architecture() const { return architecture_; }
  std::string name(std::string_view key) const { return architecture_ + "." + std::string(key); }
  bool has(std::string_view key) const { return file_.has(name(key)); }

  Result<std::string> text(std::string_view key) const { return file_.text(name(key)); }
  /// GGUF stores fp32: 1e-5 would become 9.999999747e-06 in a config.json. The shortest decimal is what was
  /// meant.
  Result<double> number(std::string_view key) const;
  /// A size; a list of equal sizes, one a layer, counts as one.
  Result<int64_t> integer(std::string_view key) const;

  Result<void> copy_integer(std::string_view key, Json& json, const char* target) const;
  Result<void> copy_number(std::string_view key, Json& json, const char* target) const;

 private:
  const GgufFile& file_;
  std::string architecture_;
};

/// RoPE scaling from its keys, or from the divisors in the tensor rope_freqs.weight (Llama 3).
Result<void> copy_rope(const GgufConfigReader& reader, Json& json);

}  // namespace orthros::config_detail
