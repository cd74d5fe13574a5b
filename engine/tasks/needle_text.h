// The sentences of needle tasks: facts, how they are told, asked and answered. Needle tasks and training
// build on these, one or several facts a sequence. Every text begins with the white space before it.
// Threads: functions are pure; one FactSource, one thread.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tasks/needle_task.h"
#include "engine/tasks/random.h"

namespace orthros {

struct NeedleFact {
  std::string key, value;
};

/// " The magic number of Anna is 48213."
std::string needle_text(NeedleVariant variant, const NeedleFact& fact);
/// " The magic number of Anna is", or " The magic numbers of Anna and Boris are"; one key with several values
/// is asked in the plural too.
std::string question_text(NeedleVariant variant, const std::vector<std::string>& keys, size_t num_values);
/// " 48213", or " 48213, 10377 and 92846".
std::string answer_text(const std::vector<std::string>& values);

/// Draws facts with keys and values that fit a variant. No key comes twice before all have come; no value
/// comes twice while at most half of all possible ones have come.
class FactSource {
 public:
  FactSource(NeedleVariant variant, int64_t digits, uint64_t seed, NeedleNames names = NeedleNames::common);
  NeedleFact next();
  /// Another value for the same key.
  std::string next_value();

 private:
  std::string next_key();

  NeedleVariant variant_;
  NeedleNames names_;
  int64_t digits_;
  Random random_;
  std::vector<uint32_t> key_order_;
  size_t keys_drawn_ = 0;
  std::set<std::string> values_;
};

/// How many different keys, and values of so many digits, there are.
size_t num_needle_keys(NeedleVariant variant, NeedleNames names = NeedleNames::common);
uint64_t num_needle_values(NeedleVariant variant, int64_t digits);
/// Given names, none of which occurs in filler or noise.
const std::vector<std::string_view>& needle_names(NeedleNames names = NeedleNames::common);
/// Keys of key-value lines: "amber coastal lantern".
std::string line_key(uint64_t index);
uint64_t num_line_keys();
/// The three words of such keys: every key has one of each, in this order.
std::array<std::span<const std::string_view>, 3> line_key_words();
/// A number of exactly so many digits, 1 to 18.
std::string draw_number(Random& random, int64_t digits);

}  // namespace orthros
