#include "engine/formats/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/formats/file_handle.h"

namespace orthros {
namespace {

struct Mapping {
  void* address = nullptr;
  size_t size = 0;

  Mapping(void* address, size_t size) : address(address), size(size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(address, size); }
};

struct OpenFile {
  FileHandle handle;
  size_t size = 0;
};

Result<OpenFile> open_regular(const std::filesystem::path& path) {
  // O_NONBLOCK: a named pipe in the place of a model must not hang the program.
  OpenFile file{FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), 0};
  if (!file.handle.is_open()) {
    const int number = errno;
    if (number == ENOENT || number == ENOTDIR) {
      return fail(ErrorCode::not_found, "{}: no such file", path.string());
    }
    return fail(ErrorCode::io, "cannot open {}: {}", path.string(), std::strerror(number));
  }
  struct stat status {};
  if (::fstat(file.handle.get(), &status) != 0) {
    return fail(ErrorCode::io, "cannot read {}: {}", path.string(), std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) return fail(ErrorCode::io, "{} is a folder, not a file", path.string());
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::io, "{} is not a regular file", path.string());
  file.size = static_cast<size_t>(status.st_size);
  return file;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  ORTHROS_TRY(OpenFile file, open_regular(path));
  MappedFile mapped;
  if (file.size == 0) return mapped;  // mmap refuses an empty range
  void* address = ::mmap(nullptr, file.size, PROT_READ, MAP_PRIVATE, file.handle.get(), 0);
  if (address == MAP_FAILED) {
    return fail(ErrorCode::io, "cannot map {}: {}", path.string(), std::strerror(errno));
  }
  mapped.owner_ = std::make_shared<const Mapping>(address, file.size);
  mapped.bytes_ = {static_cast<const std::byte*>(address), file.size};
  return mapped;
}

void MappedFile::release(std::span<const std::byte> range) const {
  if (range.empty() || bytes_.empty()) return;
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto low = reinterpret_cast<uintptr_t>(bytes_.data());
  const auto high = low + bytes_.size();
  const auto first = reinterpret_cast<uintptr_t>(range.data());
  const auto last = first + range.size();
  if (first < low || last > high) return;
  // Only whole pages inside the range: neighbours may still be in use.
  const uintptr_t begin = (first + page - 1) / page * page;
  const uintptr_t end = last / page * page;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

Result<std::string> read_text(const std::filesystem::path& path, int64_t max_bytes) {
  ORTHROS_TRY(OpenFile file, open_regular(path));
  if (max_bytes < 0 || file.size > static_cast<size_t>(max_bytes)) {
    return fail(ErrorCode::unsupported, "{} has {} bytes, more than the {} read here", path.string(),
                file.size, max_bytes);
  }
  std::string text(file.size, '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::read(file.handle.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::io, "cannot read {}: {}", path.string(), std::strerror(errno));
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  text.resize(done);  // the file may have shrunk meanwhile
  return text;
}

}  // namespace orthros
