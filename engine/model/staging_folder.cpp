#include "engine/model/staging_folder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "engine/formats/unfinished.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part-";

// What a new model folder holds, whole or unfinished: only a folder of such files is ever tidied away.
bool is_model_file(std::string_view name) {
  name = name.substr(0, name.find(kPart));
  return name == "config.json" || name == "model.safetensors" ||
         std::ranges::find(kCompanions, name) != kCompanions.end();
}

// A name has at most 255 bytes, and this one is longer than the target's.
constexpr size_t kMaxNameBytes = 200;

fs::path staging_path(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.parent_path() / fmt::format(".{}{}{}-{}", target.filename().string().substr(0, kMaxNameBytes),
                                            kPart, ::getpid(), counter.fetch_add(1));
}

Error io_error(const fs::path& target, const std::error_code& error) {
  Error result{ErrorCode::io, fmt::format("cannot create {}: {}", target.string(), error.message()), {}};
  const int code = error.value();
  if (code == EACCES || code == EPERM || code == EROFS) result.hint = "choose a folder you may write to";
  return result;
}

}  // namespace

StagingFolder::~StagingFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

bool StagingFolder::is_abandoned_candidate(const fs::path& path) const {
  const std::string name = path.filename().string();
  const size_t part = name.rfind(kPart);
  std::error_code error;
  if (!name.starts_with('.') || part == std::string::npos ||
      !is_part_number(std::string_view(name).substr(part + kPart.size())) ||
      !fs::is_directory(fs::symlink_status(path, error))) {
    return false;
  }
  // Another program's folder may have such a name; one with anything but files of ours is left alone.
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (!fs::is_regular_file(entry->symlink_status(ignored)) ||
        !is_model_file(entry->path().filename().string()))
      return false;
  }
  return !error;
}

Result<void> StagingFolder::create() {
  remove_abandoned_parts(target_.parent_path(),
                         [this](const fs::path& path) { return is_abandoned_candidate(path); });
  for (;;) {
    const fs::path path = staging_path(target_);
    std::error_code error;
    // False without an error: the name is taken, by the part of a process that had our number.
    if (!fs::create_directory(path, error)) {
      if (error) return fail(io_error(target_, error));
      continue;
    }
    path_ = path;
    if (lock_ >= 0) ::close(lock_);
    lock_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) return fail(io_error(target_, {errno, std::generic_category()}));
    if (claim_part(lock_, path)) return {};
  }
}

Result<void> StagingFolder::rename_to_target() {
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error == std::errc::directory_not_empty || error == std::errc::file_exists ||
      error == std::errc::not_a_directory) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("{} came into being meanwhile and was left as it is", target_.string()),
                      "name a folder that does not exist yet"});
  }
  if (error) return fail(io_error(target_, error));
  path_.clear();
  return {};
}

}  // namespace orthros
