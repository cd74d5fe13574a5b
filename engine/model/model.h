// Model: weights in memory, shared by every decoder (architecture) that reads them.
// Errors: out_of_memory (refused by the plan before anything is allocated), and what opening the files gives.
// Threads: const and shared once loaded. Public: no torch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/base/scalar_type.h"
#include "engine/model/cost_model.h"
#include "engine/model/model_files.h"

namespace orthros {

/// Types left empty are "auto": the fastest here that is not below the source file's precision.
struct LoadOptions {
  std::optional<ScalarType> compute_type;  // float32 or bfloat16
  std::optional<WeightFormat> weight_format;
  std::optional<ScalarType> kv_type;  // float32 or bfloat16
  int64_t plan_tokens = 0;            // tokens the caller will need cache for: part of the refusal before loading
  bool expand_for_prefill = true;     // hold quantised weights in the compute type as well, where memory allows
};

/// What was chosen, and why, for the run record and for the user.
struct LoadReport {
  ScalarType compute_type = ScalarType::float32;
  ScalarType kv_type = ScalarType::float32;
  std::string weights;  // "int4 210 matrices, int8 1 matrix"
  int64_t held_bytes = 0;
  int64_t expanded_bytes = 0;
  double seconds = 0;
  MemoryPlan plan;
};

struct ModelWeights;
struct ComputePolicy;

class Model {
 public:
  static Result<std::shared_ptr<const Model>> load(ModelFiles files, const LoadOptions& options,
                                                   const StopToken& stop = {}, const ProgressSink& progress = {});

  const ModelFiles& files() const { return files_; }
  const ModelConfig& config() const { return files_.config; }
  const LoadReport& report() const { return report_; }

  /// For the engine's own folders.
  const std::shared_ptr<const ModelWeights>& weights() const { return weights_; }

 private:
  explicit Model(ModelFiles files) : files_(std::move(files)) {}

  ModelFiles files_;
  LoadReport report_;
  std::shared_ptr<const ModelWeights> weights_;
};

/// How one matrix of the source would be held.
WeightFormat choose_weight_format(const LoadOptions& options, BlockType source, int64_t columns);

}  // namespace orthros
