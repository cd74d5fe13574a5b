// StagingFolder: the hidden folder ".NAME.part-PID-N" in which a new model folder grows until it is whole.
// It is removed unless it gets its final name; what a killed conversion left in the same parent goes as well.
// Errors: io, invalid_argument (the target came into being meanwhile). Threads: one caller. Private to
// model/.
#pragma once

#include <array>
#include <filesystem>
#include <utility>

#include "engine/base/result.h"

namespace orthros {

/// What stands in a model folder beside its config and weights, in the files' usual names.
inline constexpr std::array<const char*, 6> kCompanions{"tokenizer.json",          "tokenizer_config.json",
                                                        "special_tokens_map.json", "generation_config.json",
                                                        "chat_template.jinja",     "tokenizer.model"};

class StagingFolder {
 public:
  explicit StagingFolder(std::filesystem::path target) : target_(std::move(target)) {}
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  ~StagingFolder();

  Result<void> create();
  Result<void> rename_to_target();
  const std::filesystem::path& path() const { return path_; }

 private:
  bool is_abandoned_candidate(const std::filesystem::path& path) const;

  std::filesystem::path target_, path_;
  int lock_ = -1;  // held open: the folder is being written
};

}  // namespace orthros
