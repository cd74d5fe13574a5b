#include "engine/formats/normalizer.h"

#include "engine/formats/json_access.h"
#include "engine/formats/quote.h"
#include "engine/formats/unicode_normal_form.h"

namespace orthros {
namespace {

constexpr int kMaxDepth = 8;
constexpr size_t kMaxInsertedBytes = 64;  // bounds how much a text can grow

std::string replace_all(std::string_view text, std::string_view pattern, std::string_view content) {
  std::string result;
  size_t at = 0;
  while (true) {
    const size_t found = text.find(pattern, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    result += content;
    at = found + pattern.size();
  }
}

}  // namespace

Result<Normalizer> Normalizer::from_json(const Json* config) {
  Normalizer normalizer;
  if (config != nullptr) ORTHROS_TRY_VOID(normalizer.add(*config, 0));
  return normalizer;
}

Result<Normalizer::Step> Normalizer::replace_step(const Json& config) {
  const Json* pattern = json_access::find(config, "pattern");
  if (pattern == nullptr) return fail(ErrorCode::corrupt_file, "normalizer Replace has no pattern");
  if (json_access::find(*pattern, "Regex") != nullptr) {
    return fail(ErrorCode::unsupported, "normalizer Replace with a regular expression is not supported");
  }
  ORTHROS_TRY(std::optional<std::string> literal, json_access::text(*pattern, "String"));
  ORTHROS_TRY(std::optional<std::string> content, json_access::text(config, "content"));
  if (!literal || literal->empty() || !content) {
    return fail(ErrorCode::corrupt_file, "normalizer Replace needs a pattern and content");
  }
  return Step{Kind::replace, std::move(*literal), std::move(*content)};
}

Result<void> Normalizer::add(const Json& config, int depth) {
  ORTHROS_TRY(const std::string type, json_access::type_of(config, "normalizer"));
  if (type == "Sequence") {
    if (depth >= kMaxDepth) return fail(ErrorCode::corrupt_file, "normalizers are nested too deeply");
    ORTHROS_TRY(const Json* parts, json_access::array(config, "normalizers"));
    if (parts == nullptr) return fail(ErrorCode::corrupt_file, "normalizer Sequence has no normalizers");
    for (const Json& part : *parts) ORTHROS_TRY_VOID(add(part, depth + 1));
    return {};
  }
  Step step;
  if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") {
    step.kind = type == "NFC"    ? Kind::nfc
                : type == "NFD"  ? Kind::nfd
                : type == "NFKC" ? Kind::nfkc
                                 : Kind::nfkd;
  } else if (type == "Prepend") {
    ORTHROS_TRY(std::optional<std::string> content, json_access::text(config, "prepend"));
    if (!content) return fail(ErrorCode::corrupt_file, "normalizer Prepend has nothing to prepend");
    step = {Kind::prepend, {}, std::move(*content)};
  } else if (type == "Replace") {
    ORTHROS_TRY(step, replace_step(config));
  } else {
    return fail(ErrorCode::unsupported, "normalizer {} is not supported", quote(type));
  }
  if (step.content.size() > kMaxInsertedBytes) {
    return fail(ErrorCode::unsupported, "normalizer {} inserts {} bytes, more than {}", type,
                step.content.size(), kMaxInsertedBytes);
  }
  if (steps_.size() >= kMaxDepth) {
    return fail(ErrorCode::unsupported, "more than {} normalizers", kMaxDepth);
  }
  steps_.push_back(std::move(step));
  return {};
}

std::string Normalizer::apply(const Step& step, std::string text) {
  using unicode::NormalForm;
  switch (step.kind) {
    case Kind::nfc:
      return unicode::to_normal_form(text, NormalForm::nfc);
    case Kind::nfd:
      return unicode::to_normal_form(text, NormalForm::nfd);
    case Kind::nfkc:
      return unicode::to_normal_form(text, NormalForm::nfkc);
    case Kind::nfkd:
      return unicode::to_normal_form(text, NormalForm::nfkd);
    case Kind::prepend:
      return text.empty() ? text : step.content + text;
    case Kind::replace:
      return replace_all(text, step.pattern, step.content);
  }
  return text;
}

std::string Normalizer::apply(std::string_view text) const {
  std::string result(text);
  for (const Step& step : steps_) result = apply(step, std::move(result));
  return result;
}

}  // namespace orthros
