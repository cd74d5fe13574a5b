#include "engine/store/target_file.h"

#include "engine/store/digest.h"
#include "engine/store/failure.h"

namespace orthros::store::detail {

TargetFile::TargetFile(const std::filesystem::path& target, bool overwrite) : target_(target) {
  if (target.empty()) refuse(ErrorCode::invalid_argument, "no file is named to write to");
  if (std::filesystem::is_directory(target)) {
    refuse(ErrorCode::io, "{} is a folder: name a file in it", target.filename().string());
  }
  if (!overwrite && std::filesystem::exists(target)) {
    refuse(ErrorCode::io, "{} exists already: remove it or choose another name", target.filename().string());
  }
  unfinished_ = target;
  unfinished_ += "." + make_uuid().substr(0, 8) + ".tmp";
}

TargetFile::~TargetFile() {
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);
}

void TargetFile::finish() {
  std::filesystem::rename(unfinished_, target_);
}

}  // namespace orthros::store::detail
