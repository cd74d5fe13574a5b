// ModelIdentity: what names a model in run records: its weights' bytes, how they are read, and its tokenizer.
// Units: SHA-256 in hex. Errors: cancelled. Threads: const inputs, one caller; hashing reads every weight
// file once. No path of a machine enters an identity. Public: no torch.
#pragma once

#include <string>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/base/sha256.h"
#include "engine/model/model_files.h"

namespace orthros {

/// Of all weight files' bytes, in their fixed order.
Result<std::string> weights_sha256(const WeightFile& file, const StopToken& stop = {},
                                   const ProgressSink& progress = {});

/// Canonical JSON of the architecture that `config` reads the weights as: what decides the result, nothing
/// else.
Json architecture_json(const ModelConfig& config);
/// "transformer", "swa", "orthros" or "mixed".
std::string architecture_name(const ModelConfig& config);
/// "Orthros w=128 s=4"
std::string architecture_label(const ModelConfig& config);

/// Of the canonical tokenizer.json.
std::string tokenizer_sha256(const Tokenizer& tokenizer);
/// The file's or folder's own name, without what leads there.
std::string model_name(const ModelFiles& files);

}  // namespace orthros
