// FullDisk: while one lives, files that SQLite opens share a number of bytes that they may still grow by;
// then the disk is full. The system's own file layer with another write. One at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>

#include <sqlite3.h>

namespace orthros::store::test {

class FullDisk {
 public:
  explicit FullDisk(int64_t free_bytes) : previous_(sqlite3_vfs_find(nullptr)), vfs_(*previous_) {
    free_ = free_bytes;
    real_ = previous_;
    vfs_.zName = "full-disk";
    vfs_.pNext = nullptr;
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FullDisk() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(previous_, 1);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  struct Methods {
    const sqlite3_io_methods* real = nullptr;
    sqlite3_io_methods limited{};
  };

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    const int code = real_->xOpen(real_, name, file, flags, out_flags);
    if (code != SQLITE_OK || file->pMethods == nullptr) return code;
    Methods& methods = methods_[file->pMethods];
    methods.real = file->pMethods;
    methods.limited = *file->pMethods;
    methods.limited.xWrite = write;
    real_of_[&methods.limited] = file->pMethods;
    file->pMethods = &methods.limited;
    return code;
  }
  static int write(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 offset) {
    sqlite3_int64 size = 0;
    const sqlite3_io_methods* real = real_of_.at(file->pMethods);
    if (const int code = real->xFileSize(file, &size); code != SQLITE_OK) return code;
    const sqlite3_int64 growth = std::max<sqlite3_int64>(0, offset + bytes - size);
    if (growth > free_) return SQLITE_FULL;
    free_ -= growth;
    return real->xWrite(file, data, bytes, offset);
  }

  sqlite3_vfs* previous_;
  sqlite3_vfs vfs_;
  static inline int64_t free_ = 0;
  static inline sqlite3_vfs* real_ = nullptr;
  // Never emptied: files opened on a full disk may outlive it.
  static inline std::map<const sqlite3_io_methods*, Methods> methods_;
  static inline std::map<const sqlite3_io_methods*, const sqlite3_io_methods*> real_of_;
};

}  // namespace orthros::store::test
