// GGUF v2/v3: magic "GGUF" | u32 version | u64 tensor count | u64 kv count | kv pairs | tensor infos | padding | data.
// Shapes: given in torch order (reversed from the file, whose ne[0] is fastest).
// Errors: corrupt_file for every breach, unsupported for versions and block types that are not read here.
// Threads: immutable once parsed. Source: ggml docs/gguf.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/quant_blocks.h"

namespace orthros {

/// A metadata value. Arrays of strings and of numbers are what models use; nested arrays are refused.
using GgufValue = std::variant<bool, int64_t, uint64_t, double, std::string, std::vector<std::string>,
                               std::vector<int64_t>, std::vector<double>>;

struct GgufTensor {
  std::string name;
  BlockType type = BlockType::F32;
  std::vector<int64_t> shape;  // torch order
  std::span<const std::byte> bytes;

  int64_t num_elements() const;
};

class GgufFile {
 public:
  static Result<GgufFile> open(const std::filesystem::path& path);
  static Result<GgufFile> parse(std::span<const std::byte> bytes);

  uint32_t version() const { return version_; }
  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  const GgufTensor* find(std::string_view name) const;
  const std::map<std::string, GgufValue, std::less<>>& metadata() const { return metadata_; }
  const MappedFile& file() const { return file_; }

  /// Typed getters: not_found when absent, corrupt_file when of another type. Integers convert when they fit.
  Result<std::string> text(std::string_view key) const;
  Result<int64_t> integer(std::string_view key) const;
  Result<double> number(std::string_view key) const;  // an integer counts as a number
  Result<bool> boolean(std::string_view key) const;
  const std::vector<std::string>* strings(std::string_view key) const;
  const std::vector<int64_t>* integers(std::string_view key) const;
  bool has(std::string_view key) const { return metadata_.find(key) != metadata_.end(); }

 private:
  MappedFile file_;
  uint32_t version_ = 0;
  std::vector<GgufTensor> tensors_;
  std::map<std::string, size_t, std::less<>> index_;
  std::map<std::string, GgufValue, std::less<>> metadata_;
};

}  // namespace orthros
