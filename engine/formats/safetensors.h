// safetensors files: u64 little-endian header length N | N bytes of JSON | tensor bytes.
// Shapes: as in the file (torch order, row-major). Units: bytes.
// Errors: corrupt_file for every breach of the format (holes, overlap, wrong size, duplicate names, bad
// header). Threads: immutable once parsed. Source: huggingface/safetensors README "Format".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/scalar_type.h"
#include "engine/formats/mapped_file.h"

namespace orthros {

/// Element types that occur in files; the ones ScalarType has can be loaded, the rest can be listed.
struct TensorEntry {
  std::string name;
  std::string dtype;  // as in the file: "F32", "BF16", "I64", ...
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;

  int64_t num_elements() const;
};

/// The ScalarType of a file's dtype; unsupported otherwise.
Result<ScalarType> scalar_type_of(const TensorEntry& entry);

class SafetensorsFile {
 public:
  static Result<SafetensorsFile> open(const std::filesystem::path& path);
  /// For fuzzing and tests: the bytes must outlive the object.
  static Result<SafetensorsFile> parse(std::span<const std::byte> bytes);

  const std::vector<TensorEntry>& tensors() const { return tensors_; }  // in file order
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const TensorEntry* find(std::string_view name) const;
  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  std::vector<TensorEntry> tensors_;
  std::map<std::string, size_t, std::less<>> index_;
  std::map<std::string, std::string> metadata_;
};

/// What to write for one tensor: `produce` streams its bytes (exactly as many as shape and dtype say).
struct TensorToWrite {
  std::string name;
  std::string dtype;  // "F32", "BF16", "I64"
  std::vector<int64_t> shape;
  std::function<Result<void>(ByteSink&)> produce;
};

/// Atomic; tensors are produced one after another, so memory holds one at a time at most.
Result<void> write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata = {});

}  // namespace orthros
