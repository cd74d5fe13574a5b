// Checkpoints of a run: weights, optimiser and where the run stands, in one file that appears whole or not at
// all; two are kept, the last and the best. Resuming continues bit for bit on one machine and thread count.
// Files: "checkpoint-00000200.safetensors" (fp32 tensors by parameter name; state as JSON in its metadata).
// Errors: io (disk full: the earlier ones are intact), corrupt_file, invalid_argument (of another config).
// Threads: one caller. Private: includes torch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/training/optimizer.h"
#include "engine/training/parameters.h"
#include "engine/training/train_config.h"

namespace orthros::training {

/// Where a run stands after `step` steps.
struct TrainState {
  int64_t step = 0, stage = 0, step_in_stage = 0, tokens = 0, skipped_steps = 0;
  double score = 0;        // running exact score of the stage
  double best_score = -1;  // at the best checkpoint of the stage it stands in
  int64_t best_stage = 0, best_step = -1;
  double seconds = 0;
  std::string config_sha256;
};

/// Saves and forgets all others but the best.
Result<void> save_checkpoint(const std::filesystem::path& folder, const TrainState& state,
                             const Parameters& parameters, const AdamW& optimizer);
/// The newest one in the config's output folder; nothing when there is none. invalid_argument when it belongs
/// to another config, corrupt_file when it is damaged or says a step or stage that cannot be.
Result<std::optional<TrainState>> resume_checkpoint(const TrainConfig& config, Parameters& parameters,
                                                    AdamW& optimizer);
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, int64_t step);

}  // namespace orthros::training
