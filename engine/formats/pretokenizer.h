// Pre-tokenizers of tokenizer.json: Split, Digits and a final ByteLevel, alone or in a Sequence.
// They cut text into pre-tokens, which BPE never crosses.
// Errors: unsupported names any other part, or a sequence that does not end with ByteLevel.
// Threads: split is const. Source: HF tokenizers' behaviours, tests/fixtures/tokenizers.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/json.h"
#include "engine/formats/pretoken_scanner.h"
#include "engine/formats/regex.h"

namespace orthros {

/// What becomes of the text between and inside the matches of a Split.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct Match {
  size_t begin = 0, end = 0;
  bool is_match = false;  // or the text between two matches
};

/// Applies a behaviour to adjacent matches that cover a text; parts may be empty.
std::vector<Match> apply_behavior(const std::vector<Match>& matches, SplitBehavior behavior);

/// Pre-tokens; `storage` owns the text of those that are not parts of the input.
struct Pretokens {
  std::vector<std::string_view> parts;
  std::deque<std::string> storage;
};

class Pretokenizer {
 public:
  static Result<Pretokenizer> from_json(const Json* config);

  /// Cuts one valid UTF-8 text. The text must outlive the result.
  Result<Pretokens> split(std::string_view text) const;

 private:
  struct SplitStep {
    std::variant<ScanPattern, Regex, std::string> pattern;  // a string is searched as it is
    SplitBehavior behavior = SplitBehavior::isolated;
    bool invert = false;
  };
  struct DigitsStep {
    bool individual = false;
  };
  struct ByteLevelStep {
    bool add_prefix_space = true, use_regex = true;
  };
  using Step = std::variant<SplitStep, DigitsStep, ByteLevelStep>;

  Result<void> add(const Json& config, int depth);
  static Result<Step> split_step(const Json& config);
  static Result<Step> byte_level_step(const Json& config);
  static Result<std::vector<Match>> matches_of(const SplitStep& step, std::string_view text);
  static Result<void> run(const Step& step, std::string_view text, Pretokens& out);

  std::vector<Step> steps_;
};

}  // namespace orthros
