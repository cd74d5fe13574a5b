#include "engine/formats/pretokenizer.h"

#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

/// Adds [begin, end) as a match and the text before it as none.
void add_match(std::vector<Match>& matches, size_t& done, size_t begin, size_t end) {
  if (begin > done) matches.push_back({done, begin, false});
  matches.push_back({begin, end, true});
  done = end;
}

void finish(std::vector<Match>& matches, size_t done, size_t size) {
  if (done < size) matches.push_back({done, size, false});
}

std::vector<Match> scan(ScanPattern pattern, std::string_view text) {
  std::vector<Match> matches;
  for (size_t at = 0; at < text.size();) {
    const size_t end = pretoken_end(pattern, text, at);
    matches.push_back({at, end, true});
    at = end;
  }
  return matches;
}

std::vector<Match> find_literal(const std::string& literal, std::string_view text) {
  std::vector<Match> matches;
  size_t done = 0;
  for (size_t at = text.find(literal); at != std::string_view::npos; at = text.find(literal, done)) {
    add_match(matches, done, at, at + literal.size());
  }
  finish(matches, done, text.size());
  return matches;
}

Result<std::vector<Match>> find_regex(const Regex& regex, std::string_view text) {
  std::vector<Match> matches;
  Regex::Matcher matcher(regex);
  size_t done = 0;
  size_t from = 0;
  bool matched_before = false;
  while (from <= text.size()) {
    ORTHROS_TRY(const auto found, matcher.find(text, from));
    if (!found) break;
    const auto [begin, end] = *found;
    if (begin == end && matched_before && end == done) {
      // An empty match right after the last one would never end: step over one character.
      from += from < text.size() ? decode_utf8(text, from).length : 1;
      continue;
    }
    add_match(matches, done, begin, end);
    matched_before = true;
    from = end;
  }
  finish(matches, done, text.size());
  return matches;
}

std::vector<Match> find_digits(std::string_view text) {
  const uint8_t* classes = unicode::classes();
  std::vector<Match> matches;
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if ((classes[c.value] & unicode::kNumeric) != 0) add_match(matches, done, at, at + c.length);
    at += c.length;
  }
  finish(matches, done, text.size());
  return matches;
}

/// Joins each match that follows no match to the part before it.
std::vector<Match> merge_with_previous(const std::vector<Match>& matches) {
  std::vector<Match> parts;
  bool previous = false;
  for (const Match& match : matches) {
    if (match.is_match && !previous && !parts.empty()) {
      parts.back().end = match.end;
    } else {
      parts.push_back(match);
    }
    previous = match.is_match;
  }
  return parts;
}

/// Joins each match that precedes no match to the part after it.
std::vector<Match> merge_with_next(const std::vector<Match>& matches) {
  std::vector<Match> parts;
  bool next = false;
  for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
    if (match->is_match && !next && !parts.empty()) {
      parts.back().begin = match->begin;
    } else {
      parts.push_back(*match);
    }
    next = match->is_match;
  }
  return {parts.rbegin(), parts.rend()};
}

/// Joins neighbours of the same kind.
std::vector<Match> merge_equal(const std::vector<Match>& matches) {
  std::vector<Match> parts;
  bool previous = false;
  for (const Match& match : matches) {
    if (match.is_match == previous && !parts.empty()) {
      parts.back().end = match.end;
    } else {
      parts.push_back(match);
    }
    previous = match.is_match;
  }
  return parts;
}

void append_parts(const std::vector<Match>& parts, std::string_view text, Pretokens& out) {
  for (const Match& part : parts) {
    if (part.end > part.begin) out.parts.push_back(text.substr(part.begin, part.end - part.begin));
  }
}

}  // namespace

std::vector<Match> apply_behavior(const std::vector<Match>& matches, SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::removed: {
      std::vector<Match> parts;
      for (const Match& match : matches) {
        if (!match.is_match) parts.push_back(match);
      }
      return parts;
    }
    case SplitBehavior::isolated:
      return matches;
    case SplitBehavior::merged_with_previous:
      return merge_with_previous(matches);
    case SplitBehavior::merged_with_next:
      return merge_with_next(matches);
    case SplitBehavior::contiguous:
      return merge_equal(matches);
  }
  return matches;
}

Result<std::vector<Match>> Pretokenizer::matches_of(const SplitStep& step, std::string_view text) {
  std::vector<Match> matches;
  if (const auto* pattern = std::get_if<ScanPattern>(&step.pattern)) {
    matches = scan(*pattern, text);
  } else if (const auto* literal = std::get_if<std::string>(&step.pattern)) {
    matches = find_literal(*literal, text);
  } else {
    ORTHROS_TRY(matches, find_regex(std::get<Regex>(step.pattern), text));
  }
  if (step.invert) {
    for (Match& match : matches) match.is_match = !match.is_match;
  }
  return matches;
}

Result<void> Pretokenizer::run(const Step& step, std::string_view text, Pretokens& out) {
  if (const auto* split = std::get_if<SplitStep>(&step)) {
    ORTHROS_TRY(const std::vector<Match> matches, matches_of(*split, text));
    append_parts(apply_behavior(matches, split->behavior), text, out);
  } else if (const auto* digits = std::get_if<DigitsStep>(&step)) {
    const auto behavior = digits->individual ? SplitBehavior::isolated : SplitBehavior::contiguous;
    append_parts(apply_behavior(find_digits(text), behavior), text, out);
  } else {
    const auto& byte_level = std::get<ByteLevelStep>(step);
    if (byte_level.add_prefix_space && !text.starts_with(' ')) {
      text = out.storage.emplace_back(" " + std::string(text));
    }
    if (byte_level.use_regex) {
      append_parts(scan(ScanPattern::gpt2, text), text, out);
    } else {
      out.parts.push_back(text);
    }
  }
  return {};
}

Result<Pretokens> Pretokenizer::split(std::string_view text) const {
  Pretokens result;
  if (text.empty()) return result;
  result.parts.push_back(text);
  for (const Step& step : steps_) {
    Pretokens next;
    next.storage = std::move(result.storage);
    next.parts.reserve(result.parts.size());
    for (const std::string_view part : result.parts) ORTHROS_TRY_VOID(run(step, part, next));
    result = std::move(next);
  }
  return result;
}

}  // namespace orthros
