// Needle tasks on token ids: a haystack of exactly L ids with needles hidden in it, a question at its end,
// and the answer. Same spec, seed and tokenizer give the same ids on every machine. L counts all ids fed to
// the model: prefix, frame, haystack, needles, question, answer prefix. Units: token ids; depths in ppm:
// haystack ids before the needle / haystack ids (0 first, 1,000,000 last). Errors: invalid_argument (L too
// small: says the least), not_found or io (text folder). Public: no torch. Threads: a NeedleTask is const and
// shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tasks/text_codec.h"

namespace orthros {

enum class NeedleVariant {
  passkey,      // "The pass key is 48213. Remember it. 48213 is the pass key." with `digits` digits
  word_number,  // " The magic number of NAME is 48213." asked by its own beginning
  uuid,         // a key and a UUID
  key_value,    // lines of one template; `distractors` other keys
  multi_key,    // word_number among `distractors` other names (default 3: four in all)
  multi_value,  // one name with `values` numbers, all asked (default 4)
  multi_query,  // `queries` names asked at once (default 4)
  k_needles,    // `needles` facts evenly spread, all asked
};
enum class HaystackKind { filler, noise, key_value_lines, folder };
enum class NeedleControl { none, no_needle, needle_only };
/// Which given names are keys. Held-out names are never in training data: they ask whether a model matches
/// names or remembers them.
enum class NeedleNames { common, held_out };
const char* to_string(NeedleVariant variant);
const char* to_string(HaystackKind kind);
const char* to_string(NeedleControl control);
const char* to_string(NeedleNames names);
Result<NeedleVariant> parse_needle_variant(std::string_view text);
Result<HaystackKind> parse_haystack_kind(std::string_view text);
Result<NeedleNames> parse_needle_names(std::string_view text);

struct NeedleTaskSpec {
  NeedleVariant variant = NeedleVariant::word_number;
  HaystackKind haystack = HaystackKind::filler;
  std::string folder;  // of UTF-8 text files, read in order of their names
  int64_t digits = 5;  // of numbers: 1 to 18
  NeedleNames names = NeedleNames::common;
  int64_t distractors = -1, values = 4, queries = 4, needles = 4;  // distractors -1: the variant's own
};

struct NeedlePromptRequest {
  int64_t length = 0;           // L; ignored by needle_only
  int64_t depth_ppm = 500'000;  // of the first (or only) target; k_needles spread evenly whatever it is
  uint64_t seed = 0;            // one of its own for every trial of every cell: equal seeds share text
  NeedleControl control = NeedleControl::none;
};

struct PlacedNeedle {
  bool distractor = false;
  std::string key, value, text;
  int64_t begin = 0, end = 0;  // ids [begin, end) of the prompt; both 0 for no_needle
  int64_t depth_requested_ppm = 0, depth_actual_ppm = 0;
};

struct NeedlePrompt {
  std::vector<int64_t> ids;  // exactly L of them
  std::vector<PlacedNeedle> needles;
  std::string question;               // text of the question and answer prefix at the end of the ids
  int64_t question_begin = 0;         // first id of it
  std::vector<std::string> expected;  // values asked for, in the order asked
  std::vector<int64_t> answer_ids;    // a full right answer as continuation of ids, for teacher forcing
  int64_t haystack_tokens = 0;
};

/// Share of the haystack that lies before a needle, to the nearest ppm; 0 where there is no haystack.
inline int64_t needle_depth_ppm(int64_t haystack_ids_before, int64_t haystack_ids) {
  if (haystack_ids == 0) return 0;
  return (haystack_ids_before * 2'000'000 + haystack_ids) / (2 * haystack_ids);
}

class NeedleTask {
 public:
  /// generator() and version name the text grammar: a change of either makes other ids, and resume refuses.
  static constexpr int64_t kVersion = 1;
  static Result<std::shared_ptr<const NeedleTask>> create(const NeedleTaskSpec& spec, TextCodec codec);
  virtual ~NeedleTask() = default;

  virtual Result<NeedlePrompt> build(const NeedlePromptRequest& request) const = 0;
  /// The least L at which every part fits, with room for a haystack of 16 ids.
  virtual int64_t min_length() const = 0;
  /// "word_number over filler"; for a folder with the sha256 of its content, never its path.
  virtual std::string generator() const = 0;
};

}  // namespace orthros
