#include "engine/formats/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <array>

#include <pcre2.h>

#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr size_t kMaxPatternBytes = 16384;
constexpr uint64_t kMaxMatchSteps = 1'000'000;  // and some for each byte, so that a long run is no error
constexpr uint64_t kMaxMatchStepsPerByte = 16;
constexpr uint32_t kMaxHeapKib = 16384;
constexpr size_t kMaxStackBytes = size_t{4} << 20;

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 160> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

std::shared_ptr<void> compile_context() {
  auto* context = pcre2_compile_context_create(nullptr);
  // As in Oniguruma, only a line feed ends a line.
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  return {context, [](void* p) { pcre2_compile_context_free(static_cast<pcre2_compile_context*>(p)); }};
}

/// \s as Oniguruma has it: Unicode's White_Space. PCRE2 counts U+180E too.
constexpr std::string_view kWhiteSpace =
    R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

tl::unexpected<Error> other_dialect(std::string_view construct) {
  return fail(ErrorCode::unsupported, "split pattern uses {}, which is not supported", quote(construct));
}

/// True at an option group such as (?im) or (?m-i:...) that names the option.
bool sets_option(std::string_view rest, char option) {
  if (!rest.starts_with("(?")) return false;
  const std::string_view letters = rest.substr(2, rest.find_first_not_of("imsx-", 2) - 2);
  return letters.find(option) != std::string_view::npos;
}

/// An Oniguruma pattern as PCRE2 must be given it; unsupported for what the two read differently.
Result<std::string> to_pcre2(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    if (rest[0] == '\\' && rest.size() > 1) {
      const char escaped = rest[1];
      if (std::string_view("hHQEKGXRN").find(escaped) != std::string_view::npos) {
        return other_dialect(rest.substr(0, 2));
      }
      if (escaped == 'S' && in_class) return other_dialect("\\S in a class");
      if (escaped == 's' || escaped == 'S') {
        out += in_class         ? std::string(kWhiteSpace)
               : escaped == 's' ? fmt::format("[{}]", kWhiteSpace)
                                : fmt::format("[^{}]", kWhiteSpace);
      } else {
        out += rest.substr(0, 2);
      }
      ++i;
      continue;
    }
    if (in_class && (rest[0] == '[' || rest.starts_with("&&"))) {
      return other_dialect(rest[0] == '[' ? "a class in a class" : "&& in a class");
    }
    if (!in_class && sets_option(rest, 'm')) {
      return other_dialect("(?m)");
    }
    if (!in_class && rest[0] == '[') {
      in_class = true;
      // A bracket right after the start is a plain character.
      const size_t first = rest.starts_with("[^") ? 2 : 1;
      const size_t taken = first + (rest.substr(first).starts_with(']') ? 1 : 0);
      out += rest.substr(0, taken);
      i += taken - 1;
      continue;
    }
    if (in_class && rest[0] == ']') in_class = false;
    out += rest[0];
  }
  return out;
}

}  // namespace

Result<Regex> Regex::compile(const std::string& pattern) {
  if (pattern.size() > kMaxPatternBytes) {
    return fail(ErrorCode::unsupported, "split pattern of {} bytes, more than {}", pattern.size(),
                kMaxPatternBytes);
  }
  ORTHROS_TRY(const std::string translated, to_pcre2(pattern));
  const std::shared_ptr<void> context = compile_context();
  int error = 0;
  PCRE2_SIZE where = 0;
  const uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(), options, &error,
                    &where, static_cast<pcre2_compile_context*>(context.get()));
  if (code == nullptr) {
    return fail(ErrorCode::unsupported, "split pattern {} does not compile: {} at byte {}", quote(pattern),
                message_of(error), where);
  }
  Regex regex;
  regex.pattern_ = pattern;
  regex.code_ = {code, [](void* p) { pcre2_code_free(static_cast<pcre2_code*>(p)); }};
  // Where there is no machine code, PCRE2 interprets the pattern instead.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return regex;
}

Regex::Matcher::Matcher(const Regex& regex) : regex_(&regex) {
  auto* code = static_cast<pcre2_code*>(regex.code_.get());
  match_data_ = {pcre2_match_data_create_from_pattern(code, nullptr),
                 [](void* p) { pcre2_match_data_free(static_cast<pcre2_match_data*>(p)); }};
  auto* context = pcre2_match_context_create(nullptr);
  context_ = {context, [](void* p) { pcre2_match_context_free(static_cast<pcre2_match_context*>(p)); }};
  pcre2_set_heap_limit(context, kMaxHeapKib);
  auto* stack = pcre2_jit_stack_create(size_t{32} << 10, kMaxStackBytes, nullptr);
  stack_ = {stack, [](void* p) { pcre2_jit_stack_free(static_cast<pcre2_jit_stack*>(p)); }};
  pcre2_jit_stack_assign(context, nullptr, stack);
}

Result<std::optional<std::pair<size_t, size_t>>> Regex::Matcher::find(std::string_view text, size_t from) {
  auto* data = static_cast<pcre2_match_data*>(match_data_.get());
  const uint64_t steps = kMaxMatchSteps + kMaxMatchStepsPerByte * (text.size() - from);
  pcre2_set_match_limit(static_cast<pcre2_match_context*>(context_.get()),
                        static_cast<uint32_t>(std::min<uint64_t>(steps, UINT32_MAX)));
  const int count = pcre2_match(static_cast<pcre2_code*>(regex_->code_.get()),
                                reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                                PCRE2_NO_UTF_CHECK, data, static_cast<pcre2_match_context*>(context_.get()));
  if (count == PCRE2_ERROR_NOMATCH) return std::optional<std::pair<size_t, size_t>>();
  if (count < 0) {
    return fail(ErrorCode::unsupported, "split pattern {} gave up at byte {} of the text: {}",
                quote(regex_->pattern_), from, message_of(count));
  }
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data);
  // \K can put the start after the end or before the text that is searched.
  if (offsets[0] > offsets[1] || offsets[0] < from) {
    return fail(ErrorCode::unsupported, "split pattern {} moves the start of a match",
                quote(regex_->pattern_));
  }
  return std::optional(std::pair<size_t, size_t>(offsets[0], offsets[1]));
}

}  // namespace orthros
