// latency-256: a model to time and not to read: 8 layers of width 256, random weights, T* = 4096, so that a
// CPU sees what the paper sees at 47 thousand tokens. The same bytes as sample_models/make_latency_256.py
// writes. Errors: io, invalid_argument (the folder is there), internal (other bytes than these), cancelled.
// Threads: pure functions. Public: no torch.
#pragma once

#include <filesystem>

#include "engine/base/job_control.h"
#include "engine/base/result.h"

namespace orthros {

/// SHA-256 of its model.safetensors.
inline constexpr const char* kLatency256Sha256 =
    "d947366bfd657dce3b143fafb10ed9c1ab01e3cf3d30ff812566d7571322bc27";

/// Writes config.json and model.safetensors (17 MB) into `folder`, which must not be there yet; its parents
/// are made. Takes less than a second.
Result<void> write_latency_256(const std::filesystem::path& folder, const StopToken& stop = {},
                               const ProgressSink& progress = {});

}  // namespace orthros
