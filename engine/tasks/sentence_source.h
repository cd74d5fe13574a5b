// Haystack and SentenceSource: streams of sentences without end, of one HaystackKind. Every sentence begins
// with the white space that parts it from the one before, so that a needle can stand between any two.
// Units: bytes of UTF-8. Errors: of a text folder (not_found, io, invalid_argument, corrupt_file), each
// naming the file by its name only. Threads: a Haystack is const and shared; one SentenceSource, one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tasks/needle_task.h"

namespace orthros {

class SentenceSource {
 public:
  virtual ~SentenceSource() = default;
  /// Valid until the next call.
  virtual std::string_view next() = 0;
};

class Haystack {
 public:
  /// folder: of kind folder only. digits: of the values in key-value lines.
  static Result<std::shared_ptr<const Haystack>> create(HaystackKind kind, const std::string& folder = {},
                                                        int64_t digits = 5);
  virtual ~Haystack() = default;

  /// A stream given by its seed. Key-value lines hold none of the words and numbers in `avoid`; filler and
  /// noise hold neither digits nor names; the text of a folder is as it is.
  virtual std::unique_ptr<SentenceSource> sentences(uint64_t seed, std::vector<std::string> avoid) const = 0;
  /// "filler"; "folder sha256:..." with the hash of the text.
  virtual std::string name() const = 0;
};

}  // namespace orthros
