// ModelFiles: everything of a model that can be read without its weights' values: config, tokenizer, chat template,
// stop tokens, the tensor table. An HF-style folder or one .gguf file.
// Errors: not_found, corrupt_file, unsupported. A tokenizer that cannot be read is kept as its Error: the model
// still serves everything that takes ids. Threads: const after opening.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/chat_template.h"
#include "engine/formats/model_config.h"
#include "engine/formats/tokenizer.h"
#include "engine/model/weight_file.h"

namespace orthros {

struct ModelFiles {
  std::filesystem::path path;
  bool is_gguf = false;
  ModelConfig config;
  std::unique_ptr<WeightFile> weights;
  bool has_weights = true;  // false: only the config is there (WeightsNeeded::no)
  Result<Tokenizer> tokenizer = tl::unexpected(Error{ErrorCode::not_found, "the model has no tokenizer", {}});
  std::string chat_template;  // Jinja source, empty when there is none
  std::vector<TokenId> eos;   // union of config, generation_config, tokenizer files, GGUF keys; sorted
  std::string bos_token, eos_token;  // text, for chat templates
  Json generation_config;            // as read; null when absent
};

/// no: a folder with a config alone opens too, for memory plans.
enum class WeightsNeeded { yes, no };

Result<ModelFiles> open_model(const std::filesystem::path& path, WeightsNeeded needed = WeightsNeeded::yes);

}  // namespace orthros
