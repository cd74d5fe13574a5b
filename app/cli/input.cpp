// Ids, rows and prompts as given on the command line.
#include <charconv>

#include "app/cli/cli.h"
#include "engine/formats/mapped_file.h"

namespace orthros::cli {
namespace {

constexpr int64_t kMaxIdsBytes = int64_t{256} << 20;

Result<std::vector<int64_t>> parse_integers(std::string_view text, std::string_view what) {
  std::vector<int64_t> values;
  const char* at = text.data();
  const char* end = at + text.size();
  const auto separator = [](char c) { return c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (at != end) {
    if (separator(*at)) {
      ++at;
      continue;
    }
    int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && !separator(*next))) {
      const auto shown = std::string_view(at, static_cast<size_t>(std::min<std::ptrdiff_t>(end - at, 20)));
      return fail(Error{ErrorCode::invalid_argument, fmt::format("{}: '{}' is no whole number", what, shown),
                        "give whole numbers with commas or white space between them"});
    }
    values.push_back(value);
    at = next;
  }
  return values;
}

}  // namespace

Result<std::vector<TokenId>> parse_ids(const std::string& text, const std::string& option) {
  std::string content = text;
  if (text.starts_with('@')) {
    if (text.size() == 1)
      return fail(ErrorCode::invalid_argument, "{}: no file is named after the @", option);
    ORTHROS_TRY(content, read_text(text.substr(1), kMaxIdsBytes));
  }
  ORTHROS_TRY(std::vector<TokenId> ids, parse_integers(content, option));
  if (ids.empty()) {
    return fail(
        Error{ErrorCode::invalid_argument, fmt::format("{} holds no id", option), "give at least one token"});
  }
  return ids;
}

Result<std::vector<TokenId>> model_ids(const ModelFiles& files, const std::string& text) {
  ORTHROS_TRY(std::vector<TokenId> ids, parse_ids(text));
  for (const TokenId id : ids) {
    if (id < 0 || id >= files.config.vocab_size) {
      return fail(ErrorCode::invalid_argument, "token id {} is outside the vocabulary (0 to {})", id,
                  files.config.vocab_size - 1);
    }
  }
  return ids;
}

Result<std::vector<int64_t>> parse_rows(const std::string& text, int64_t tokens) {
  std::vector<int64_t> rows;
  if (text == "last") return std::vector<int64_t>{tokens - 1};
  if (text == "all") {
    for (int64_t t = 0; t < tokens; ++t) rows.push_back(t);
    return rows;
  }
  ORTHROS_TRY(rows, parse_integers(text, "--rows"));
  if (rows.empty())
    return fail(ErrorCode::invalid_argument, "--rows holds no row: all, last or a list such as 0,5,9");
  for (const int64_t row : rows) {
    if (row < 0 || row >= tokens) {
      return fail(ErrorCode::invalid_argument, "row {} is not there: the prompt has 0 to {}", row,
                  tokens - 1);
    }
  }
  return rows;
}

Result<std::vector<TokenId>> prompt_ids(const ModelFiles& files, const CLI::Option& prompt_option,
                                        const std::string& prompt, const std::string& ids) {
  if (prompt_option.count() == 0) return model_ids(files, ids);
  if (!files.tokenizer) {
    Error error = files.tokenizer.error();
    error.hint = "use --ids";
    return fail(std::move(error));
  }
  ORTHROS_TRY(std::vector<TokenId> encoded, files.tokenizer->encode(prompt));
  if (encoded.empty()) {
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  }
  return encoded;
}

}  // namespace orthros::cli
