#include "engine/formats/unfinished.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/formats/file_handle.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

// Whether the name still leads to the opened file: it may have been removed between open and lock.
bool is_at(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void remove_if_abandoned(const fs::path& path) {
  // No following of links and no waiting for pipes: such a thing is no part of ours.
  const FileHandle handle(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!handle.is_open() || ::flock(handle.get(), LOCK_EX | LOCK_NB) != 0 || !is_at(handle.get(), path))
    return;
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

bool claim_part(int descriptor, const fs::path& path) {
  // A file system without locks protects nothing, and there nothing is ever tidied.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return is_at(descriptor, path);
}

bool is_part_number(std::string_view text) {
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return all_digits(text);
  return all_digits(text.substr(0, dash)) && all_digits(text.substr(dash + 1));
}

void remove_abandoned_parts(const fs::path& folder, const std::function<bool(const fs::path&)>& is_part) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_part(entry->path())) remove_if_abandoned(entry->path());
  }
}

}  // namespace orthros
