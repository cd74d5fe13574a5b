// Names of the enumerations, as in specs, command lines and the run store.
#include <array>
#include <utility>

#include "engine/tasks/needle_task.h"
#include "engine/tasks/scorers.h"

namespace orthros {
namespace {

template <class E>
struct Named {
  E value;
  const char* name;
};

constexpr std::array kVariants{Named{NeedleVariant::passkey, "passkey"},
                               Named{NeedleVariant::word_number, "word-number"},
                               Named{NeedleVariant::uuid, "uuid"},
                               Named{NeedleVariant::key_value, "key-value"},
                               Named{NeedleVariant::multi_key, "multi-key"},
                               Named{NeedleVariant::multi_value, "multi-value"},
                               Named{NeedleVariant::multi_query, "multi-query"},
                               Named{NeedleVariant::k_needles, "k-needles"}};
constexpr std::array kHaystacks{Named{HaystackKind::filler, "filler"}, Named{HaystackKind::noise, "noise"},
                                Named{HaystackKind::key_value_lines, "key-value-lines"},
                                Named{HaystackKind::folder, "folder"}};
constexpr std::array kControls{Named{NeedleControl::none, "none"},
                               Named{NeedleControl::no_needle, "no-needle"},
                               Named{NeedleControl::needle_only, "needle-only"}};
constexpr std::array kNames{Named{NeedleNames::common, "common"}, Named{NeedleNames::held_out, "held-out"}};
constexpr std::array kScorers{Named{Scorer::value_match, "value-match"}, Named{Scorer::exact, "exact"},
                              Named{Scorer::first_answer, "first-answer"},
                              Named{Scorer::fraction, "fraction"}};

template <class Table, class E>
const char* name_of(const Table& table, E value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

template <class E, class Table>
Result<E> parse(const Table& table, std::string_view text, std::string_view what) {
  std::string all;
  for (const auto& entry : table) {
    if (text == entry.name) return entry.value;
    all += all.empty() ? entry.name : std::string(", ") + entry.name;
  }
  return fail(
      Error{ErrorCode::invalid_argument, fmt::format("unknown {} '{}'", what, text), "one of: " + all});
}

}  // namespace

const char* to_string(NeedleVariant variant) {
  return name_of(kVariants, variant);
}
const char* to_string(HaystackKind kind) {
  return name_of(kHaystacks, kind);
}
const char* to_string(NeedleControl control) {
  return name_of(kControls, control);
}
const char* to_string(NeedleNames names) {
  return name_of(kNames, names);
}
const char* to_string(Scorer scorer) {
  return name_of(kScorers, scorer);
}

Result<NeedleVariant> parse_needle_variant(std::string_view text) {
  return parse<NeedleVariant>(kVariants, text, "needle variant");
}
Result<HaystackKind> parse_haystack_kind(std::string_view text) {
  return parse<HaystackKind>(kHaystacks, text, "haystack");
}
Result<NeedleNames> parse_needle_names(std::string_view text) {
  return parse<NeedleNames>(kNames, text, "kind of names");
}
Result<Scorer> parse_scorer(std::string_view text) {
  return parse<Scorer>(kScorers, text, "scorer");
}

}  // namespace orthros
