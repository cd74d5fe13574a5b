// A PCRE2 pattern, compiled to machine code, with limits: for split patterns that have no scanner of their
// own. Oniguruma, which HF uses, and PCRE2 agree on the syntax such patterns use; Unicode versions may
// differ. Errors: unsupported for a pattern that does not compile here or that runs past its limits on a
// text. Threads: find is const; each Matcher belongs to one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace orthros {

class Regex {
 public:
  static Result<Regex> compile(const std::string& pattern);

  /// Working memory of a search.
  class Matcher {
   public:
    explicit Matcher(const Regex& regex);
    /// First match at or after `from` in valid UTF-8: [begin, end).
    Result<std::optional<std::pair<size_t, size_t>>> find(std::string_view text, size_t from);

   private:
    const Regex* regex_;
    std::shared_ptr<void> match_data_, context_, stack_;
  };

 private:
  std::string pattern_;
  std::shared_ptr<void> code_;
};

}  // namespace orthros
