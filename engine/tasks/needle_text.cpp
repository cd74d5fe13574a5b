#include "engine/tasks/needle_text.h"

#include <algorithm>
#include <numeric>

namespace orthros {
namespace {

/// What stands around keys and values.
struct Phrases {
  const char* one;          // before one key
  const char* several;      // before several keys or values
  const char* is;           // between one key and its value
  const char* are;          // between keys and values
  const char* after = ".";  // after the value
};

Phrases phrases_of(NeedleVariant variant) {
  switch (variant) {
    case NeedleVariant::uuid:
      return {" The access code of ", " The access codes of ", " is", " are"};
    case NeedleVariant::key_value:
      return {"\nThe entry for ", "\nThe entries for ", " reads", " read"};
    default:
      return {" The magic number of ", " The magic numbers of ", " is", " are"};
  }
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

uint64_t power_of_ten(int64_t exponent) {
  uint64_t power = 1;
  for (int64_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::string draw_uuid(Random& random) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string uuid = "xxxxxxxx-xxxx-4xxx-xxxx-xxxxxxxxxxxx";  // version 4: random
  for (char& c : uuid) {
    if (c == 'x') c = kHex[random.below(16)];
  }
  uuid[19] = "89ab"[random.below(4)];  // the variant of RFC 4122
  return uuid;
}

}  // namespace

std::string needle_text(NeedleVariant variant, const NeedleFact& fact) {
  const std::string& value = fact.value;
  if (variant == NeedleVariant::passkey) {
    return " The pass key is " + value + ". Remember it. " + value + " is the pass key.";
  }
  const Phrases phrases = phrases_of(variant);
  return phrases.one + fact.key + phrases.is + " " + value + phrases.after;
}

std::string question_text(NeedleVariant variant, const std::vector<std::string>& keys, size_t num_values) {
  if (variant == NeedleVariant::passkey) return " What is the pass key? The pass key is";
  const Phrases phrases = phrases_of(variant);
  const bool one = keys.size() == 1 && num_values == 1;
  return (one ? phrases.one : phrases.several) + listed(keys) + (one ? phrases.is : phrases.are);
}

std::string answer_text(const std::vector<std::string>& values) {
  return " " + listed(values);
}

std::string draw_number(Random& random, int64_t digits) {
  const uint64_t least = digits == 1 ? 0 : power_of_ten(digits - 1);
  return std::to_string(least + random.below(power_of_ten(digits) - least));
}

size_t num_needle_keys(NeedleVariant variant, NeedleNames names) {
  if (variant == NeedleVariant::passkey) return 1;
  return variant == NeedleVariant::key_value ? num_line_keys() : needle_names(names).size();
}

uint64_t num_needle_values(NeedleVariant variant, int64_t digits) {
  if (variant == NeedleVariant::uuid) return UINT64_MAX;
  return power_of_ten(digits) - (digits == 1 ? 0 : power_of_ten(digits - 1));
}

FactSource::FactSource(NeedleVariant variant, int64_t digits, uint64_t seed, NeedleNames names)
    : variant_(variant),
      names_(names),
      digits_(digits),
      random_(seed),
      key_order_(num_needle_keys(variant, names)) {
  std::iota(key_order_.begin(), key_order_.end(), 0u);
}

std::string FactSource::next_key() {
  if (variant_ == NeedleVariant::passkey) return "pass key";
  // One step of a shuffle for every key drawn.
  const size_t at = keys_drawn_++ % key_order_.size();
  std::swap(key_order_[at], key_order_[at + random_.below(key_order_.size() - at)]);
  const uint32_t key = key_order_[at];
  return variant_ == NeedleVariant::key_value ? line_key(key) : std::string(needle_names(names_)[key]);
}

std::string FactSource::next_value() {
  std::string value;
  for (int attempt = 0; attempt < 256; ++attempt) {
    value = variant_ == NeedleVariant::uuid ? draw_uuid(random_) : draw_number(random_, digits_);
    if (values_.insert(value).second) break;
  }
  return value;
}

NeedleFact FactSource::next() {
  std::string key = next_key();
  return {std::move(key), next_value()};
}

}  // namespace orthros
