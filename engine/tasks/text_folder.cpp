#include "engine/tasks/text_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>

#include "engine/base/sha256.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

bool is_newline(char c) {
  return c == '\n' || c == '\r';
}
bool is_continuation(char c) {
  return (static_cast<uint8_t>(c) & 0xc0) == 0x80;
}

/// Length of the valid sequence at `at`, 0 if there is none. Source: Unicode 15, table 3-7.
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : 0; };
  const int first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const int second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

/// Offset of the first byte that is not text; npos if all is.
size_t find_not_text(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text, at);
    if (length == 0 || text[at] == '\0') return at;
    at += length;
  }
  return std::string_view::npos;
}

bool ends_with_cjk_stop(std::string_view text) {
  return text.ends_with("\u3002") || text.ends_with("\uff01") || text.ends_with("\uff1f");
}

bool is_boundary(std::string_view text, size_t at) {
  const char before = text[at - 1];
  if (is_newline(text[at])) return !is_newline(before);
  if (text[at] == ' ') return before == '.' || before == '?' || before == '!';
  return static_cast<uint8_t>(before) >= 0x80 && ends_with_cjk_stop(text.substr(0, at));
}

/// End of a piece of a sentence that is too long: before its last space, else before a character.
size_t cut_long(std::string_view text, size_t begin) {
  const size_t limit = begin + TextFolder::kMaxSentenceBytes;
  const size_t space = text.rfind(' ', limit);
  if (space != std::string_view::npos && space > begin) return space;
  size_t at = limit;
  while (is_continuation(text[at])) --at;
  return at;
}

void add_text(std::string& all, std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return;
  const size_t end = text.find_last_not_of(" \t\r\n") + 1;
  all.append("\n").append(text.substr(begin, end - begin));
}

/// A file's name in a message: one line, printable.
std::string shown(const fs::path& path) {
  std::string name = path.filename().string().substr(0, 96);
  for (char& c : name) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return "'" + name + "'";
}

Result<std::vector<fs::path>> list_files(const std::string& folder) {
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) {
    return fail(Error{ErrorCode::not_found, "the text folder does not exist or is no folder",
                      "name a folder of UTF-8 text files"});
  }
  std::vector<fs::path> files;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().filename().string().starts_with(".")) continue;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  if (error) return fail(ErrorCode::io, "cannot list the text folder: {}", error.message());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return a.filename().native() < b.filename().native();
  });
  return files;
}

/// At most `max_bytes`: the size of a file may change, or be unknown.
Result<std::string> read_text(const fs::path& path, uint64_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::io, "cannot open text file {}", shown(path));
  std::string text;
  std::vector<char> block(1 << 16);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<size_t>(file.gcount()));
    if (text.size() > max_bytes) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("the text folder holds more than {} MiB (reached in {})",
                                    TextFolder::kMaxBytes >> 20, shown(path)),
                        "use fewer or smaller files"});
    }
  }
  if (file.bad()) return fail(ErrorCode::io, "cannot read text file {}", shown(path));
  const size_t bad = find_not_text(text);
  if (bad != std::string::npos) {
    return fail(Error{ErrorCode::corrupt_file,
                      fmt::format("{} is not UTF-8 text (byte {})", shown(path), bad),
                      "convert it to UTF-8 or take it out of the folder"});
  }
  return text;
}

}  // namespace

std::vector<uint32_t> split_sentences(std::string_view text) {
  std::vector<uint32_t> begins{0};
  const auto cut_until = [&](size_t end) {
    while (end - begins.back() > TextFolder::kMaxSentenceBytes) {
      begins.push_back(static_cast<uint32_t>(cut_long(text, begins.back())));
    }
  };
  for (size_t at = 1; at < text.size(); ++at) {
    if (!is_boundary(text, at)) continue;
    cut_until(at);
    begins.push_back(static_cast<uint32_t>(at));
  }
  cut_until(text.size());
  begins.push_back(static_cast<uint32_t>(text.size()));
  return begins;
}

TextFolder TextFolder::from_texts(const std::vector<std::string>& texts) {
  TextFolder folder;
  for (const std::string& text : texts) add_text(folder.text_, text);
  folder.begins_ = split_sentences(folder.text_);
  Sha256 hash;
  hash.update(std::as_bytes(std::span(folder.text_)));
  folder.sha256_ = hash.finish();
  return folder;
}

std::string_view TextFolder::sentence(size_t index) const {
  return std::string_view(text_).substr(begins_[index], begins_[index + 1] - begins_[index]);
}

Result<TextFolder> TextFolder::read(const std::string& folder) {
  ORTHROS_TRY(const std::vector<fs::path> files, list_files(folder));
  if (files.empty()) {
    return fail(
        Error{ErrorCode::invalid_argument, "the text folder holds no files", "put UTF-8 text files into it"});
  }
  std::vector<std::string> texts;
  uint64_t left = kMaxBytes;
  for (const fs::path& file : files) {
    ORTHROS_TRY(std::string text, read_text(file, left));
    left -= text.size();
    texts.push_back(std::move(text));
  }
  TextFolder result = from_texts(texts);
  if (result.text_.empty()) {
    return fail(Error{ErrorCode::invalid_argument, "the files of the text folder are all empty",
                      "put UTF-8 text files into it"});
  }
  return result;
}

}  // namespace orthros
