// Attention speed beside ceilings measured in the same run: multiply-add peak, and reading the same bytes
// plainly. Units: useful GFLOP/s = 4 * D per visible (query, key) pair; GB/s of K and V bytes. Best of
// interleaved rounds. Usage: bench_attention [name filter]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <omp.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/kernels/attention.h"
#include "tests/support/attention_cases.h"

namespace orthros::kernels {
namespace {

using testing::AttentionCase;
using testing::AttentionProblem;
using testing::contiguous_positions;

constexpr int kRounds = 7;

bool g_cpu_time = false;

double now() {
  if (g_cpu_time) {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds(const std::function<void()>& work) {
  const double begin = now();
  work();
  return now() - begin;
}

#if defined(__x86_64__)
constexpr int64_t kPeakSteps = 2'000'000;

__attribute__((target("avx512f"))) float peak_avx512() {
  __m512 acc[16];
  for (auto& a : acc) a = _mm512_set1_ps(1.0f);
  const __m512 x = _mm512_set1_ps(0.999f);
  for (int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 16
    for (auto& a : acc) a = _mm512_fmadd_ps(a, x, x);
  }
  float lanes[16];
  for (auto& a : acc) acc[0] = _mm512_add_ps(acc[0], a);
  _mm512_storeu_ps(lanes, acc[0]);
  return lanes[0];
}

__attribute__((target("avx512f,avx512bf16"))) float peak_bf16() {
  __m512 acc[16];
  for (auto& a : acc) a = _mm512_set1_ps(1.0f);
  const __m512bh x = (__m512bh)_mm512_set1_epi32(0x3f003f00);
  for (int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 16
    for (auto& a : acc) a = _mm512_dpbf16_ps(a, x, x);
  }
  float lanes[16];
  for (auto& a : acc) acc[0] = _mm512_add_ps(acc[0], a);
  _mm512_storeu_ps(lanes, acc[0]);
  return lanes[0];
}

__attribute__((target("avx2,fma"))) float peak_avx2() {
  __m256 acc[12];
  for (auto& a : acc) a = _mm256_set1_ps(1.0f);
  const __m256 x = _mm256_set1_ps(0.999f);
  for (int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 12
    for (auto& a : acc) a = _mm256_fmadd_ps(a, x, x);
  }
  float lanes[8];
  for (auto& a : acc) acc[0] = _mm256_add_ps(acc[0], a);
  _mm256_storeu_ps(lanes, acc[0]);
  return lanes[0];
}
#endif

volatile float g_sink;

/// GFLOP/s of multiply-adds on all threads; 0 where the instruction set is missing.
double multiply_add_peak(bool bf16) {
#if defined(__x86_64__)
  float (*loop)() = nullptr;
  double flop = 0;
  if (bf16) {
    if (!__builtin_cpu_supports("avx512bf16")) return 0;
    loop = peak_bf16;
    flop = 16.0 * 64;
  } else if (__builtin_cpu_supports("avx512f")) {
    loop = peak_avx512;
    flop = 16.0 * 32;
  } else if (__builtin_cpu_supports("avx2")) {
    loop = peak_avx2;
    flop = 12.0 * 16;
  } else {
    return 0;
  }
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double time = seconds([&] {
#pragma omp parallel
      {
        const float result = loop();
#pragma omp critical
        g_sink = result;
      }
    });
    best = std::max(best, flop * kPeakSteps * omp_get_max_threads() / time);
  }
  return best * 1e-9;
#else
  return bf16 ? 0 : 0;
#endif
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) uint64_t read_part(const char* part, size_t bytes) {
  __m256i sum[4] = {};
  for (size_t i = 0; i + 128 <= bytes; i += 128) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      sum[j] =
          _mm256_add_epi64(sum[j], _mm256_loadu_si256(reinterpret_cast<const __m256i*>(part + i + 32 * j)));
    }
  }
  const __m256i all = _mm256_add_epi64(_mm256_add_epi64(sum[0], sum[1]), _mm256_add_epi64(sum[2], sum[3]));
  uint64_t lanes[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), all);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}
#else
uint64_t read_part(const char* part, size_t bytes) {
  uint64_t total = 0;
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    uint64_t word;
    std::memcpy(&word, part + i, 8);
    total += word;
  }
  return total;
}
#endif

/// Reads bytes once, every thread its own part.
uint64_t read_all(const void* data, size_t bytes) {
  uint64_t total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const size_t share = bytes / 128 / omp_get_num_threads() * 128;
    total += read_part(static_cast<const char*>(data) + share * omp_get_thread_num(), share);
  }
  return total;
}

struct BenchCase {
  std::string name;
  AttentionCase problem;
  bool decode = false;
};

BenchCase make(std::string name, std::vector<int64_t> heads, int64_t dim, int64_t begin, int64_t count,
               WindowSpec window, ScalarType q, ScalarType kv) {
  AttentionCase c{1,      heads[0], heads[1], dim, begin + count, contiguous_positions(begin, count),
                  window, q,        kv,       q,   1.0f};
  return {std::move(name), std::move(c), count == 1};
}

std::vector<BenchCase> bench_cases() {
  constexpr auto f32 = ScalarType::float32;
  constexpr auto bf16 = ScalarType::bfloat16;
  std::vector<BenchCase> cases;
  for (const ScalarType type : {f32, bf16}) {
    const std::string suffix = type == f32 ? " f32" : " bf16";
    const auto full = WindowSpec::full();
    cases.push_back(make("causal T=2048 9/3x64" + suffix, {9, 3}, 64, 0, 2048, full, type, type));
    cases.push_back(make("causal T=2048 8/2x128" + suffix, {8, 2}, 128, 0, 2048, full, type, type));
    cases.push_back(make("chunk 512 at 16K 9/3x64" + suffix, {9, 3}, 64, 15872, 512, full, type, type));
    cases.push_back(make("swa w=128 s=0 T=2048 9/3x64" + suffix, {9, 3}, 64, 0, 2048, {128, 0}, type, type));
    cases.push_back(make("swa w=128 s=4 T=2048 9/3x64" + suffix, {9, 3}, 64, 0, 2048, {128, 4}, type, type));
    cases.push_back(
        make("swa w=128 s=4 at 8K 32/8x128" + suffix, {32, 8}, 128, 8192, 1024, {128, 4}, type, type));
    cases.push_back(make("sparse 33 rows 16K 9/3x64" + suffix, {9, 3}, 64, 0, 1, full, type, type));
    auto& sparse = cases.back();
    sparse.decode = false;
    sparse.problem.num_keys = 16384;
    sparse.problem.positions.clear();
    for (int64_t i = 0; i < 33; ++i) sparse.problem.positions.push_back(16383 - (32 - i) * 200);
    cases.push_back(make("decode S=8K 32/8x128" + suffix, {32, 8}, 128, 8191, 1, full, type, type));
    cases.push_back(make("decode S=32K 9/3x64" + suffix, {9, 3}, 64, 32767, 1, full, type, type));
  }
  const auto full = WindowSpec::full();
  cases.push_back(make("causal T=2048 9/3x64 f32 q, bf16 kv", {9, 3}, 64, 0, 2048, full, f32, bf16));
  cases.push_back(make("decode S=16K 32/8x128 f32 q, bf16 kv", {32, 8}, 128, 16383, 1, full, f32, bf16));
  cases.push_back(make("decode S=16K 16/2x128 f32 q, bf16 kv", {16, 2}, 128, 16383, 1, full, f32, bf16));
  return cases;
}

double visible_pairs(const AttentionCase& c) {
  double pairs = 0;
  for (const int64_t t : c.positions) pairs += static_cast<double>(c.window.support(t));
  return pairs * static_cast<double>(c.batch * c.num_heads);
}

struct Measured {
  BenchCase bench;
  std::unique_ptr<AttentionProblem> problem;
  double time = 1e30;
  double read_time = 1e30;
};

/// Decode steps read other layers' caches in between: both loops here start from memory, not from the cache.
void evict() {
  static std::vector<char> other(size_t{96} << 20, 1);
  g_sink = static_cast<float>(read_all(other.data(), other.size()) & 1);
}

void report(const Measured& m, double peak_f32, double peak_bf16) {
  const AttentionCase& c = m.bench.problem;
  const char* backend = attention_backend(m.problem->args());
  if (m.bench.decode) {
    const double bytes =
        2.0 * c.batch * c.num_kv_heads * c.num_keys * c.head_dim * static_cast<double>(size_bytes(c.kv_type));
    std::printf("%-42s %-12s %8.3f ms %7.1f GB/s   plain read %5.1f GB/s   ratio %.2f\n",
                m.bench.name.c_str(), backend, m.time * 1e3, bytes / m.time * 1e-9,
                bytes / m.read_time * 1e-9, m.read_time / m.time);
    return;
  }
  const double rate = visible_pairs(c) * 4 * c.head_dim / m.time * 1e-9;
  const bool bf16 = std::strstr(backend, "bf16") != nullptr;
  const double peak = bf16 ? peak_bf16 : peak_f32;
  std::printf("%-42s %-12s %8.3f ms %7.1f GFLOP/s   peak %6.1f   ratio %.2f\n", m.bench.name.c_str(), backend,
              m.time * 1e3, rate, peak, peak > 0 ? rate / peak : 0.0);
}

int run(const std::string& filter) {
  std::vector<Measured> list;
  for (BenchCase& bench : bench_cases()) {
    if (bench.name.find(filter) == std::string::npos) continue;
    auto problem = std::make_unique<AttentionProblem>(bench.problem);
    list.push_back({std::move(bench), std::move(problem)});
  }
  for (int round = 0; round < kRounds; ++round) {
    for (Measured& m : list) {
      const AttentionArgs args = m.problem->args();
      if (!m.bench.decode) {
        m.time = std::min(m.time, seconds([&] { attention_forward(args); }));
        continue;
      }
      evict();
      m.time = std::min(m.time, seconds([&] { attention_forward(args); }));
      evict();
      m.read_time =
          std::min(m.read_time, seconds([&] {
                     const AttentionCase& c = m.bench.problem;
                     const size_t bytes = static_cast<size_t>(c.batch * c.num_kv_heads * c.num_keys *
                                                              c.head_dim * size_bytes(c.kv_type));
                     g_sink = static_cast<float>((read_all(args.k, bytes) + read_all(args.v, bytes)) & 1);
                   }));
    }
  }
  const double peak_f32 = multiply_add_peak(false);
  const double peak_bf16 = multiply_add_peak(true);
  std::printf("%d threads; multiply-add peak: fp32 %.1f, bf16 %.1f GFLOP/s\n", omp_get_max_threads(),
              peak_f32, peak_bf16);
  for (const Measured& m : list) report(m, peak_f32, peak_bf16);
  return 0;
}

}  // namespace
}  // namespace orthros::kernels

int main(int argc, char** argv) {
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--cpu-time") == 0) {
      orthros::kernels::g_cpu_time = true;
      omp_set_num_threads(1);
    } else {
      filter = argv[i];
    }
  }
  return orthros::kernels::run(filter);
}
