// Converter: a model folder or .gguf file -> an HF-style folder as Orthros, SWA or Transformer; the same weights.
// Memory: one tensor at a time (rows in blocks). The folder appears whole under its name, or not at all.
// Errors: as opening the source; invalid_argument (destination exists, window 0), io, cancelled. Threads: one caller.
// Source: ORTHROS.md "Conversion"; DESIGN.md "Orthros checkpoint".
#pragma once

#include <filesystem>
#include <optional>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/model/model_files.h"

namespace orthros {

struct ConvertOptions {
  Architecture to = Architecture::orthros;
  WindowSpec window{128, 0};
  std::optional<ScalarType> dtype;  // float32 or bfloat16; empty: bfloat16 for bfloat16 sources, else float32
};

struct ConvertReport {
  ScalarType dtype = ScalarType::float32;
  int64_t tensors = 0;
  int64_t bytes = 0;  // of the weights written
  std::string source_sha256;
  std::vector<std::string> notes;  // what a user should know: dropped scale-offset, missing tokenizer
};

Result<ConvertReport> convert_model(const ModelFiles& source, const std::filesystem::path& destination,
                                    const ConvertOptions& options, const StopToken& stop = {},
                                    const ProgressSink& progress = {});

}  // namespace orthros
