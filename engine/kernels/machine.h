// What this machine can do, measured without torch: the ceilings that decode and prefill are compared with.
// Units: GB/s = 1e9 bytes a second, GFLOP/s = 1e9 additions and multiplications a second.
// Errors: none; without memory a rate is 0. Threads: the measurements use an OpenMP team of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orthros::kernels {

struct CpuFeatures {
  std::string name;              // e.g. "AMD EPYC", "unknown" where the system does not say
  std::vector<std::string> isa;  // of those the kernels care about, e.g. {"avx2", "fma", "avx512bw"}
  int logical_cores = 1;         // that this process may use
};
CpuFeatures cpu_features();

/// Memory in large pages where the system has them, zeroed by writing, so that every page is its own.
class LargeBuffer {
 public:
  LargeBuffer() = default;
  /// data() is null when there is no memory.
  explicit LargeBuffer(int64_t bytes);
  ~LargeBuffer();
  LargeBuffer(LargeBuffer&& other) noexcept;
  LargeBuffer& operator=(LargeBuffer&& other) noexcept;
  LargeBuffer(const LargeBuffer&) = delete;
  LargeBuffer& operator=(const LargeBuffer&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
};

/// Asks for large pages behind [data, data + bytes) before it is first written; harmless where there are
/// none.
void advise_large_pages(void* data, int64_t bytes) noexcept;

/// One plain read of the buffer by `threads` threads, a contiguous part each.
double read_seconds(const LargeBuffer& buffer, int threads);
/// Best of a few reads; bytes should be many times the last-level cache.
double read_bandwidth(int64_t bytes, int threads);
/// fp32 multiply-add rate of `threads` threads on registers.
double fma_peak(int threads);

struct MachineReport {
  CpuFeatures cpu;
  double read_one_thread = 0;   // GB/s
  double read_all_threads = 0;  // GB/s
  double fma_one_thread = 0;    // GFLOP/s
  double fma_all_threads = 0;   // GFLOP/s
};
/// Takes about half a second and 256 MB.
MachineReport measure_machine();

}  // namespace orthros::kernels
