// Normalizers of tokenizer.json: NFC, NFD, NFKC, NFKD, Prepend, Replace (of a string) and Sequence.
// Errors: unsupported names any other. Threads: const methods may run concurrently.
// Source: Unicode annex 15; decompositions and compositions from utf8proc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/json.h"

namespace orthros {

class Normalizer {
 public:
  static Result<Normalizer> from_json(const Json* config);  // nullptr: leaves text as it is

  bool is_identity() const { return steps_.empty(); }
  /// Valid UTF-8 in, valid UTF-8 out.
  std::string apply(std::string_view text) const;

 private:
  enum class Kind { nfc, nfd, nfkc, nfkd, prepend, replace };
  struct Step {
    Kind kind = Kind::nfc;
    std::string pattern, content;
  };
  Result<void> add(const Json& config, int depth);
  static Result<Step> replace_step(const Json& config);
  static std::string apply(const Step& step, std::string text);

  std::vector<Step> steps_;
};

}  // namespace orthros
