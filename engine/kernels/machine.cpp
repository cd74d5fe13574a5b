#include "engine/kernels/machine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/kernels/machine_simd.h"

namespace orthros::kernels {
namespace {

constexpr int64_t kLargePage = 2 * 1024 * 1024;
constexpr int kRepeats = 5;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos && colon + 2 <= line.size()) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> isa;
#if defined(__x86_64__)
  // The compiler's check looks at the operating system's register state too. It takes literals only.
#define ORTHROS_ADD_IF_SUPPORTED(name) \
  if (__builtin_cpu_supports(name)) isa.emplace_back(name)
  ORTHROS_ADD_IF_SUPPORTED("sse4.2");
  ORTHROS_ADD_IF_SUPPORTED("avx2");
  ORTHROS_ADD_IF_SUPPORTED("fma");
  ORTHROS_ADD_IF_SUPPORTED("avx512f");
  ORTHROS_ADD_IF_SUPPORTED("avx512bw");
  ORTHROS_ADD_IF_SUPPORTED("avx512vnni");
  ORTHROS_ADD_IF_SUPPORTED("avx512bf16");
#undef ORTHROS_ADD_IF_SUPPORTED
#endif
  return isa;
}

/// An allocation beyond this may succeed and be killed when it is written.
int64_t physical_bytes() {
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

}  // namespace

CpuFeatures cpu_features() {
  return {processor_name(), instruction_sets(), omp_get_num_procs()};
}

void advise_large_pages(void* data, int64_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  // Only whole pages inside the range.
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const uintptr_t last =
      (begin + static_cast<uintptr_t>(std::max<int64_t>(bytes, 0))) / kLargePage * kLargePage;
  if (data != nullptr && first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
  (void)data;
  (void)bytes;
#endif
}

LargeBuffer::LargeBuffer(int64_t bytes) {
  if (bytes <= 0 || bytes > physical_bytes()) return;
  void* memory = ::operator new(static_cast<size_t>(bytes), std::align_val_t(kLargePage), std::nothrow);
  if (memory == nullptr) return;
  advise_large_pages(memory, bytes);
  std::memset(memory, 1, static_cast<size_t>(bytes));
  data_ = static_cast<std::byte*>(memory);
  bytes_ = bytes;
}

LargeBuffer::~LargeBuffer() {
  ::operator delete(data_, std::align_val_t(kLargePage));
}

LargeBuffer::LargeBuffer(LargeBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

LargeBuffer& LargeBuffer::operator=(LargeBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

double read_seconds(const LargeBuffer& buffer, int threads) {
  constexpr int64_t kUnit = 256;
  const int64_t units = buffer.bytes() / kUnit;
  [[maybe_unused]] uint64_t sum = 0;  // the calls cross a translation unit: nothing is left out
  const double begin = now_seconds();
#pragma omp parallel num_threads(threads) reduction(^ : sum)
  {
    const int64_t first = units * omp_get_thread_num() / omp_get_num_threads();
    const int64_t last = units * (omp_get_thread_num() + 1) / omp_get_num_threads();
    sum ^= read_all(buffer.data() + first * kUnit, (last - first) * kUnit);
  }
  const double seconds = now_seconds() - begin;
  return seconds;
}

double read_bandwidth(int64_t bytes, int threads) {
  if (bytes <= 0) return 0;
  const LargeBuffer buffer(bytes);
  if (buffer.data() == nullptr) return 0;
  double best = read_seconds(buffer, threads);
  for (int i = 1; i < kRepeats; ++i) best = std::min(best, read_seconds(buffer, threads));
  return static_cast<double>(bytes) / best * 1e-9;
}

double fma_peak(int threads) {
  constexpr int64_t kIterations = 1'000'000;
  double best = 0;
  for (int i = 0; i < kRepeats; ++i) {
    int64_t operations = 0;
    const double begin = now_seconds();
#pragma omp parallel num_threads(threads) reduction(+ : operations)
    operations += multiply_add(kIterations);
    best = std::max(best, static_cast<double>(operations) / (now_seconds() - begin) * 1e-9);
  }
  return best;
}

MachineReport measure_machine() {
  constexpr int64_t kBytes = 256 * 1024 * 1024;
  const int threads = omp_get_max_threads();
  MachineReport report;
  report.cpu = cpu_features();
  report.read_one_thread = read_bandwidth(kBytes, 1);
  report.read_all_threads = read_bandwidth(kBytes, threads);
  report.fma_one_thread = fma_peak(1);
  report.fma_all_threads = fma_peak(threads);
  return report;
}

}  // namespace orthros::kernels
