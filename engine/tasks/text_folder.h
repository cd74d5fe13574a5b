// TextFolder: the UTF-8 text files of a folder as one list of sentences. Files directly in the folder whose
// name does not begin with a dot, in bytewise order of their names; a sentence ends at ". ", "? ", "! ", a
// new line, or a CJK full stop, and at the last word within 400 bytes. Units: bytes. Threads: const after
// reading. Errors: not_found, io, invalid_argument (nothing to read, too much), corrupt_file (not UTF-8 text:
// names it).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

class TextFolder {
 public:
  static constexpr uint64_t kMaxBytes = 64 << 20;
  static constexpr size_t kMaxSentenceBytes = 400;

  static Result<TextFolder> read(const std::string& folder);
  /// Texts in the order of their names, as if read from files.
  static TextFolder from_texts(const std::vector<std::string>& texts);

  size_t num_sentences() const { return begins_.size() - 1; }
  /// Begins with a space or a new line, unless the text has none between two sentences (CJK).
  std::string_view sentence(size_t index) const;
  const std::string& sha256() const { return sha256_; }

 private:
  std::string text_;
  std::vector<uint32_t> begins_;  // and the end of the text
  std::string sha256_;
};

/// Where sentences begin; the first is 0, the last the text's length.
std::vector<uint32_t> split_sentences(std::string_view text);

}  // namespace orthros
