// Every attention back end of this machine against the fp64 reference, and against references that are wrong.
#include "engine/kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <omp.h>

#include "engine/kernels/attention_driver.h"
#include "tests/support/attention_cases.h"

namespace orthros::kernels {
namespace {

using testing::attention_cases;
using testing::AttentionCase;
using testing::AttentionProblem;
using testing::contiguous_positions;
using testing::TypedBuffer;

constexpr auto kF32 = ScalarType::float32;
constexpr auto kBf16 = ScalarType::bfloat16;

struct Backend {
  std::string name;
  const AttentionKernels* kernels;
};

/// All instruction sets of this machine, not only the one attention_forward takes.
std::vector<Backend> backends() {
  std::vector<Backend> list;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const AttentionKernels& kernels = attention_kernels_fp32();
    list.push_back({std::string(kernels.name) + "/" + hwy::TargetName(target), &kernels});
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if (const AttentionKernels* bf16 = attention_kernels_bf16()) list.push_back({bf16->name, bf16});
  return list;
}

bool serves(const AttentionKernels& kernels, const AttentionCase& c) {
  return !kernels.bf16_products || (c.q_type == kBf16 && c.kv_type == kBf16);
}

std::vector<float> values(const TypedBuffer& buffer, int64_t size) {
  std::vector<float> result(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) result[i] = buffer.at(i);
  return result;
}

struct Result {
  std::vector<float> out, lse;
};

Result run_reference(AttentionProblem& problem, const std::function<void(AttentionArgs&)>& change = {}) {
  AttentionArgs args = problem.args();
  TypedBuffer out(kF32, problem.out_size());
  args.out_type = kF32;
  args.out = out.data();
  if (change) change(args);
  attention_reference(args);
  return {values(out, problem.out_size()), problem.lse()};
}

Result run_backend(AttentionProblem& problem, const AttentionKernels& kernels) {
  run_attention(problem.args(), kernels);
  return {values(problem.out(), problem.out_size()), problem.lse()};
}

/// Bound on |out - reference| for an output of size about 1: a score of size A carries a rounding error of
/// about 2^-24 * A in fp32 sums; bf16 products round each weight, and a bf16 output its value, to 8 bits.
struct Tolerance {
  double out, lse;
};
Tolerance tolerance(const AttentionCase& c, bool bf16_products) {
  const double eps = std::ldexp(1.0, -24);
  const double score = 6.0 * c.peak * std::sqrt(std::log2(2.0 + static_cast<double>(c.num_keys)));
  double out = eps * (8 * score + 32);
  if (bf16_products) out += 3 * std::ldexp(1.0, -9);
  if (c.out_type == kBf16) out += 4 * std::ldexp(1.0, -9);
  return {out, eps * (4 * score + 16)};
}

double worst(const std::vector<float>& x, const std::vector<float>& y) {
  double result = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(x[i]) - y[i]);
    // NaN must not pass as "not larger".
    if (!(difference <= result)) result = std::isnan(difference) ? INFINITY : difference;
  }
  return result;
}

#ifdef __SANITIZE_ADDRESS__
constexpr size_t kCaseStep = 11;  // shares no factor with the numbers of shapes, windows and types
#else
constexpr size_t kCaseStep = 1;
#endif

TEST(Attention, EveryBackendEqualsTheReference) {
  const auto list = backends();
  const auto cases = attention_cases();
  for (size_t i = 0; i < cases.size(); i += kCaseStep) {
    const AttentionCase& c = cases[i];
    AttentionProblem problem(c);
    const Result expected = run_reference(problem);
    for (const Backend& backend : list) {
      if (!serves(*backend.kernels, c)) continue;
      std::fill(problem.lse().begin(), problem.lse().end(), NAN);
      problem.out() = TypedBuffer(c.out_type, problem.out_size());
      const Result actual = run_backend(problem, *backend.kernels);
      const Tolerance bound = tolerance(c, backend.kernels->bf16_products);
      EXPECT_LE(worst(actual.out, expected.out), bound.out) << backend.name << " " << describe(c);
      EXPECT_LE(worst(actual.lse, expected.lse), bound.lse) << backend.name << " " << describe(c);
    }
  }
}

TEST(Attention, PeakedSoftmaxStaysExact) {
  for (const ScalarType type : {kF32, kBf16}) {
    AttentionCase c{1,    6,    2,    64,   600, contiguous_positions(300, 300), WindowSpec::full(),
                    type, type, kF32, 30.0f};
    AttentionProblem problem(c);
    const Result expected = run_reference(problem);
    for (const Backend& backend : backends()) {
      if (!serves(*backend.kernels, c)) continue;
      const Result actual = run_backend(problem, *backend.kernels);
      EXPECT_LE(worst(actual.out, expected.out), tolerance(c, backend.kernels->bf16_products).out)
          << backend.name;
    }
  }
}

/// A comparison that accepts a wrong reference proves nothing.
TEST(Attention, WrongReferencesAreRejected) {
  struct Mutant {
    const char* name;
    std::function<void(AttentionProblem&, AttentionArgs&)> change;
  };
  static std::vector<int64_t> moved;
  const auto copy_slot = [](AttentionProblem& p, int64_t from, int64_t to) {
    const AttentionCase& c = p.problem();
    for (int64_t b = 0; b < c.batch; ++b) {
      for (int64_t head = 0; head < c.num_kv_heads; ++head) {
        for (int64_t i = 0; i < c.head_dim; ++i) {
          p.k().set(p.slot_index(b, head, to) + i, p.k().at(p.slot_index(b, head, from) + i));
          p.v().set(p.slot_index(b, head, to) + i, p.v().at(p.slot_index(b, head, from) + i));
        }
      }
    }
  };
  const std::vector<Mutant> mutants = {
      {"window + 1", [](AttentionProblem&, AttentionArgs& a) { a.window.window += 1; }},
      {"window - 1", [](AttentionProblem&, AttentionArgs& a) { a.window.window -= 1; }},
      {"oldest sink lost", [&](AttentionProblem& p, AttentionArgs&) { copy_slot(p, 1, 0); }},
      {"one sink too few", [](AttentionProblem&, AttentionArgs& a) { a.window.sinks -= 1; }},
      {"one sink too many", [](AttentionProblem&, AttentionArgs& a) { a.window.sinks += 1; }},
      {"newest key lost",
       [](AttentionProblem&, AttentionArgs& a) {
         moved.assign(a.positions, a.positions + a.num_queries);
         for (int64_t& t : moved) t -= 1;
         a.positions = moved.data();
       }},
      {"wrong KV group",
       [](AttentionProblem& p, AttentionArgs& a) {
         const int64_t offset = p.slot_index(0, 1, 0) * size_bytes(a.kv_type);
         a.k = static_cast<const char*>(a.k) + offset;
         a.v = static_cast<const char*>(a.v) + offset;
         a.num_kv_heads = 1;
         a.num_heads = 3;
         a.lse = nullptr;
       }},
      {"stale slot", [&](AttentionProblem& p, AttentionArgs&) { copy_slot(p, 150, 290); }},
  };
  for (const ScalarType type : {kF32, kBf16}) {
    const AttentionCase c{1, 6, 2, 64, 300, contiguous_positions(200, 100), {128, 4}, type, type, type, 3.0f};
    for (const Mutant& mutant : mutants) {
      AttentionProblem problem(c);
      const Result actual = run_backend(problem, choose_attention_kernels(problem.args()));
      const Result wrong = run_reference(problem, [&](AttentionArgs& a) { mutant.change(problem, a); });
      EXPECT_GT(worst(actual.out, wrong.out), 5 * tolerance(c, type == kBf16).out) << mutant.name;
    }
  }
}

TEST(Attention, ReferenceWindowOfOneReturnsTheOwnValue) {
  AttentionCase c{1, 2, 1, 16, 40, contiguous_positions(0, 40), {1, 0}, kF32, kF32, kF32, 3.0f};
  AttentionProblem problem(c);
  const Result result = run_reference(problem);
  for (int64_t t = 0; t < 40; ++t) {
    for (int64_t h = 0; h < 2; ++h) {
      for (int64_t d = 0; d < 16; ++d) {
        EXPECT_EQ(result.out[(t * 2 + h) * 16 + d], problem.v().at(problem.slot_index(0, 0, t) + d));
      }
    }
  }
}

/// Far keys cost nothing and count for nothing, whatever they hold.
TEST(Attention, SlotsNoRowSeesMayHoldNaN) {
  for (const int64_t num_queries : {1, 40}) {
    for (const ScalarType type : {kF32, kBf16}) {
      AttentionCase c{1,       6,    2,    64,   900, contiguous_positions(899 - num_queries, num_queries),
                      {64, 3}, type, type, kF32, 3.0f};
      AttentionProblem problem(c);
      const Result expected = run_reference(problem);
      for (int64_t head = 0; head < 2; ++head) {
        for (int64_t slot = 0; slot < 900; ++slot) {
          bool seen = false;
          for (const int64_t t : c.positions) seen = seen || c.window.sees(t, slot);
          for (int64_t i = 0; i < 64 && !seen; ++i) {
            problem.k().set(problem.slot_index(0, head, slot) + i, i % 2 == 0 ? NAN : INFINITY);
            problem.v().set(problem.slot_index(0, head, slot) + i, i % 2 == 0 ? INFINITY : NAN);
          }
        }
      }
      for (const Backend& backend : backends()) {
        if (!serves(*backend.kernels, c)) continue;
        const Result actual = run_backend(problem, *backend.kernels);
        EXPECT_LE(worst(actual.out, expected.out), tolerance(c, backend.kernels->bf16_products).out)
            << backend.name;
      }
    }
  }
}

/// Chunking a prefill must not change its rows: tiles of keys lie on an absolute grid.
TEST(Attention, RowsDoNotDependOnTheQueriesBesideThem) {
  for (const ScalarType type : {kF32, kBf16}) {
    for (const WindowSpec window : {WindowSpec::full(), WindowSpec{100, 4}}) {
      const AttentionCase all{1, 6, 2, 64, 700, contiguous_positions(0, 700), window, type, type, kF32, 3.0f};
      AttentionProblem problem(all);
      const Result whole = run_backend(problem, choose_attention_kernels(problem.args()));
      AttentionArgs args = problem.args();
      args.positions += 333;
      args.num_queries = 367;
      args.q = static_cast<const char*>(args.q) + 333 * args.q_stride_t * size_bytes(type);
      std::vector<float> out(367 * 6 * 64, NAN);
      args.out = out.data();
      args.lse = nullptr;
      attention_forward(args);
      EXPECT_EQ(std::memcmp(out.data(), whole.out.data() + 333 * 6 * 64, out.size() * sizeof(float)), 0);
    }
  }
}

/// The engine may hold K and V as [B, S, Hkv, D] and take out as [B, H, Tq, D].
TEST(Attention, OtherStridesGiveTheSameRows) {
  for (const ScalarType type : {kF32, kBf16}) {
    for (const int64_t num_queries : {1, 30}) {
      const AttentionCase c{
          2,       6,    2,    64,   77,  contiguous_positions(77 - num_queries, num_queries),
          {50, 2}, type, type, kF32, 3.0f};
      AttentionProblem problem(c);
      const Result expected = run_backend(problem, choose_attention_kernels(problem.args()));
      TypedBuffer k(type, 2 * 77 * 2 * 64), v(type, 2 * 77 * 2 * 64), out(kF32, problem.out_size());
      for (int64_t i = 0; i < 2 * 77 * 2 * 64; ++i) {
        const int64_t b = i / (77 * 128), slot = i / 128 % 77, head = i / 64 % 2, d = i % 64;
        k.set(i, problem.k().at(problem.slot_index(b, head, slot) + d));
        v.set(i, problem.v().at(problem.slot_index(b, head, slot) + d));
      }
      AttentionArgs args = problem.args();
      args.k = k.data();
      args.v = v.data();
      args.kv_stride_b = 77 * 128;
      args.kv_stride_h = 64;
      args.kv_stride_s = 128;
      args.out = out.data();
      args.out_stride_b = 6 * num_queries * 64;
      args.out_stride_h = num_queries * 64;
      args.out_stride_t = 64;
      attention_forward(args);
      for (int64_t i = 0; i < problem.out_size(); ++i) {
        const int64_t b = i / (num_queries * 384), query = i / 384 % num_queries, head = i / 64 % 6,
                      d = i % 64;
        ASSERT_EQ(out.at(((b * 6 + head) * num_queries + query) * 64 + d), expected.out[i]);
      }
    }
  }
}

TEST(Attention, NegativeAndZeroScale) {
  for (const ScalarType type : {kF32, kBf16}) {
    for (const float scale : {-0.2f, 0.0f}) {
      AttentionCase c{1, 4, 2, 32, 200, contiguous_positions(100, 100), {50, 2}, type, type, kF32, 3.0f};
      AttentionProblem problem(c);
      const Result expected = run_reference(problem, [&](AttentionArgs& a) { a.scale = scale; });
      for (const Backend& backend : backends()) {
        if (!serves(*backend.kernels, c)) continue;
        AttentionArgs args = problem.args();
        args.scale = scale;
        run_attention(args, *backend.kernels);
        EXPECT_LE(worst(values(problem.out(), problem.out_size()), expected.out),
                  tolerance(c, backend.kernels->bf16_products).out)
            << backend.name << " scale " << scale;
      }
    }
  }
}

TEST(Attention, ShownRowsSumToOneAndGiveTheOutput) {
  for (const ScalarType type : {kF32, kBf16}) {
    const AttentionCase c{2, 6, 2, 64, 500, contiguous_positions(430, 70), {200, 4}, type, type, kF32, 3.0f};
    AttentionProblem problem(c);
    attention_forward(problem.args());
    std::vector<float> weights(500, NAN);
    for (int64_t row = 0; row < 2 * 6 * 70; row += 17) {
      const int64_t b = row / (6 * 70), h = row / 70 % 6, query = row % 70;
      attention_row(problem.args(), b, h, query, problem.lse()[row], weights.data());
      double sum = 0;
      for (int64_t key = 0; key < 500; ++key) {
        if (!c.window.sees(c.positions[query], key)) {
          EXPECT_EQ(weights[key], 0.0f);
        }
        sum += weights[key];
      }
      EXPECT_NEAR(sum, 1.0, 1e-5);
      for (int64_t d = 0; d < 64; ++d) {
        double value = 0;
        for (int64_t key = 0; key < 500; ++key) {
          value += static_cast<double>(weights[key]) * problem.v().at(problem.slot_index(b, h / 3, key) + d) *
                   (weights[key] > 0 ? 1 : 0);
        }
        const double out = problem.out().at(((b * 70 + query) * 6 + h) * 64 + d);
        EXPECT_NEAR(out, value, type == kF32 ? 1e-5 : tolerance(c, true).out);
      }
    }
  }
}

TEST(Attention, ResultDoesNotDependOnTheNumberOfThreads) {
  for (const int64_t num_queries : {1, 20, 300}) {
    const AttentionCase c{1,
                          6,
                          2,
                          64,
                          9000,
                          contiguous_positions(9000 - num_queries, num_queries),
                          WindowSpec::full(),
                          kF32,
                          kF32,
                          kF32,
                          3.0f};
    AttentionProblem problem(c);
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const Result one = run_backend(problem, attention_kernels_fp32());
    omp_set_num_threads(3);
    const Result three = run_backend(problem, attention_kernels_fp32());
    omp_set_num_threads(before);
    EXPECT_EQ(one.out, three.out);
    EXPECT_EQ(one.lse, three.lse);
  }
}

TEST(Attention, BackendHasAName) {
  AttentionProblem problem({1, 1, 1, 16, 4, {3}, WindowSpec::full(), kBf16, kBf16, kF32, 1.0f});
  const std::string name = attention_backend(problem.args());
  EXPECT_EQ(name, attention_kernels_bf16() != nullptr ? attention_kernels_bf16()->name
                                                      : attention_kernels_fp32().name);
}

}  // namespace
}  // namespace orthros::kernels
