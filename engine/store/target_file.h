// A file written beside its final name and renamed at the end, or removed: a failed export leaves nothing.
// Throws Refusal with io. Private to engine/store.
#pragma once

#include <filesystem>

namespace orthros::store::detail {

class TargetFile {
 public:
  /// Refuses an existing target unless it may be overwritten.
  TargetFile(const std::filesystem::path& target, bool overwrite);
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  const std::filesystem::path& unfinished() const { return unfinished_; }
  void finish();

 private:
  std::filesystem::path target_, unfinished_;
};

}  // namespace orthros::store::detail
