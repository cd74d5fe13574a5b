// WeightFile: the tensors of a model by their HF names, whatever the file: an HF folder (one or more safetensors) or
// a GGUF file. Rows come as fp32, so that a loader needs one path; quantised rows can be taken as they are.
// Shapes: matrices [rows, columns] in HF's order (the q/k row permutation of GGUF llama files is undone here).
// Errors: not_found (missing shard or tensor), corrupt_file, unsupported (dtype). Threads: const, concurrent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/gguf.h"
#include "engine/formats/model_config.h"
#include "engine/formats/safetensors.h"

namespace orthros {

/// One tensor as rows. Vectors are one row.
class WeightRows {
 public:
  int64_t rows = 0, columns = 0;
  BlockType type = BlockType::F32;
  std::span<const std::byte> bytes;
  int64_t permuted_heads = 0;  // > 0: rows are in llama.cpp's order for this many heads

  /// Row r (HF order) as stored.
  std::span<const std::byte> raw_row(int64_t r) const;
  /// Rows [begin, begin + count) as fp32 [count, columns].
  void read(int64_t begin, int64_t count, float* out) const;
};

class WeightFile {
 public:
  virtual ~WeightFile() = default;
  /// not_found names the tensor; the shape must be [rows, columns] (or [columns] when rows is 1).
  Result<WeightRows> rows(std::string_view name, int64_t rows, int64_t columns) const;
  virtual bool has(std::string_view name) const = 0;
  /// HF names of everything in the file, in its order.
  virtual std::vector<std::string> names() const = 0;
  /// Drops the file's pages of a tensor that was read (memory is counted while opening a model).
  virtual void release(std::string_view name) const = 0;
  /// The bytes of every weight file, in a fixed order (hash of a conversion's source).
  virtual std::vector<std::span<const std::byte>> file_spans() const = 0;
  int64_t file_bytes() const;

 protected:
  struct Found {
    WeightRows rows;
    std::vector<int64_t> shape;
  };
  virtual Result<Found> find(std::string_view name) const = 0;
  /// For files that are laid over another one.
  static Result<Found> find_in(const WeightFile& file, std::string_view name) { return file.find(name); }
};

/// A folder with model.safetensors, or model.safetensors.index.json and its shards.
Result<std::unique_ptr<WeightFile>> open_safetensors_weights(const std::filesystem::path& folder);
/// The config tells the head counts that the row permutation needs.
Result<std::unique_ptr<WeightFile>> open_gguf_weights(GgufFile file, const ModelConfig& config);

/// Stands for the weights of a model of which only the config is at hand: shapes and types, no values.
std::unique_ptr<WeightFile> config_only_weights(const ModelConfig& config);

/// GGUF tensor name of an HF name, e.g. "model.layers.3.mlp.up_proj.weight" -> "blk.3.ffn_up.weight"; empty if none.
std::string gguf_name_of(std::string_view hf_name);

}  // namespace orthros
