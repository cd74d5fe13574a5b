// WeightDelta: the few tensors that conversion training moved (scale-offsets, norms, ...), laid over the
// weights that they were trained from: a file of kilobytes in place of a second model. The file is
// safetensors with HF names and metadata format "orthros-delta", window, sinks, base_sha256. Errors:
// corrupt_file (no delta, unknown tensor, wrong shape), invalid_argument (made for other weights), as opening
// files, cancelled. Public: no torch. Threads: functions are pure; the result is a ModelFiles as any other.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/model/model_files.h"

namespace orthros {

inline constexpr const char* kDeltaFormat = "orthros-delta";

/// Metadata of a delta that makes Orthros of `base`.
std::map<std::string, std::string> delta_metadata(const WindowSpec& window, std::string base_sha256);

/// What a model's weights are known by: of a converted folder the hash of the file it was made from, so that
/// the GGUF file and its converted copies count as the same.
Result<std::string> base_sha256(const ModelFiles& files, const StopToken& stop = {},
                                const ProgressSink& progress = {});

/// `base` read as Orthros with the delta's tensors in place of its own.
Result<ModelFiles> with_delta(ModelFiles base, const std::filesystem::path& delta, const StopToken& stop = {},
                              const ProgressSink& progress = {});

}  // namespace orthros
