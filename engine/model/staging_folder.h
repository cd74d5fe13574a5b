// StagingFolder: the hidden folder ".NAME.part-PID-N" in which a new model folder grows until it is whole.
// It is removed unless it gets its final name; what a killed conversion left in the same parent goes as well.
// Errors: io, invalid_argument (the target came into being meanwhile). Threads: one caller. Private to
// model/.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "engine/base/result.h"

namespace orthros {

class StagingFolder {
 public:
  /// `is_own_file` knows the names of the files that such a folder may hold.
  StagingFolder(std::filesystem::path target, std::function<bool(std::string_view)> is_own_file)
      : target_(std::move(target)), is_own_file_(std::move(is_own_file)) {}
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  ~StagingFolder();

  Result<void> create();
  Result<void> rename_to_target();
  const std::filesystem::path& path() const { return path_; }

 private:
  bool is_abandoned_candidate(const std::filesystem::path& path) const;

  std::filesystem::path target_, path_;
  std::function<bool(std::string_view)> is_own_file_;
  int lock_ = -1;  // held open: the folder is being written
};

}  // namespace orthros
