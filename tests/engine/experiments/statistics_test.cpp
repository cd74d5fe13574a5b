// Intervals and paired tests against published values, against enumeration, and by their coverage; each check
// also turns away the usual wrong method.
#include "engine/experiments/statistics.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace orthros {
namespace {

constexpr double kZ = 1.959963984540054;
using ShareInterval = std::function<Interval(int64_t, int64_t)>;
using PairedInterval = std::function<Interval(const PairedCounts&)>;

double share(int64_t k, int64_t n) {
  return static_cast<double>(k) / static_cast<double>(n);
}

Interval wald(int64_t k, int64_t n) {
  const double half = kZ * std::sqrt(share(k, n) * (1 - share(k, n)) / static_cast<double>(n));
  return {share(k, n) - half, share(k, n) + half};
}

double log_factorial(int64_t n) {
  return std::lgamma(static_cast<double>(n) + 1);
}

/// Mean over shares of the probability that the interval holds the share: exact, no simulation.
double mean_coverage(int64_t n, const ShareInterval& interval) {
  double sum = 0;
  for (int step = 1; step < 100; ++step) {
    const double p = step / 100.0;
    for (int64_t k = 0; k <= n; ++k) {
      const Interval i = interval(k, n);
      if (p < i.low || p > i.high) continue;
      sum += std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) +
                      static_cast<double>(k) * std::log(p) + static_cast<double>(n - k) * std::log(1 - p));
    }
  }
  return sum / 99;
}

TEST(Wilson, PublishedValues) {
  EXPECT_NEAR(wilson(10, 10).low, 0.722, 0.0005);
  EXPECT_EQ(wilson(10, 10).high, 1);
  EXPECT_NEAR(wilson(9, 10).low, 0.596, 0.0005);
  EXPECT_NEAR(wilson(9, 10).high, 0.982, 0.0005);
  EXPECT_NEAR(wilson(1, 1).low, 0.21, 0.005);
  EXPECT_NEAR(wilson(50, 50).low, 0.93, 0.005);
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
  EXPECT_EQ(wald(10, 10).low, 1)
      << "the wrong method, which sees certainty in ten trials, must be told apart";
}

TEST(Wilson, SuccessAndFailureAreMirrored) {
  for (int64_t k = 0; k <= 17; ++k) {
    EXPECT_NEAR(wilson(k, 17).low, 1 - wilson(17 - k, 17).high, 1e-12);
    EXPECT_LE(wilson(k, 17).low, share(k, 17));
    EXPECT_GE(wilson(k, 17).high, share(k, 17));
  }
}

TEST(Wilson, CoversTheTrueShareAsOftenAsItSays) {
  for (const int64_t n : {5, 10, 20, 50}) {
    EXPECT_NEAR(mean_coverage(n, wilson), 0.95, 0.012) << n;
    EXPECT_LT(mean_coverage(n, wald), 0.935) << n;
  }
}

double two_sided_by_enumeration(int64_t a, int64_t b) {
  const int n = static_cast<int>(a + b);
  int64_t extreme = 0;
  for (uint32_t outcome = 0; outcome < (1U << n); ++outcome) {
    const int64_t ones = std::popcount(outcome);
    if (std::min(ones, n - ones) <= std::min(a, b)) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(1U << n);
}

TEST(McNemar, IsTheShareOfAllOutcomesAtLeastAsExtreme) {
  for (int64_t a = 0; a <= 7; ++a) {
    for (int64_t b = 0; b <= 7; ++b) {
      const double p = mcnemar_exact({30, a, b, 4});
      EXPECT_NEAR(p, two_sided_by_enumeration(a, b), 1e-14) << a << ' ' << b;
      EXPECT_EQ(p, mcnemar_exact({0, b, a, 0})) << "agreeing trials and the order of arms must not matter";
    }
  }
  EXPECT_EQ(mcnemar_exact({10, 0, 0, 10}), 1);
}

TEST(McNemar, StaysExactWhereBinomialsOverflow) {
  const int64_t n = 100'000;
  for (const int64_t b : {50'000, 49'900, 49'700, 49'400}) {
    const double z =
        (static_cast<double>(n) / 2 - static_cast<double>(b) - 0.5) / (std::sqrt(static_cast<double>(n)) / 2);
    const double normal = std::min(1.0, std::erfc(z / std::sqrt(2.0)));
    EXPECT_NEAR(mcnemar_exact({0, n - b, b, 0}) / normal, 1, 2e-3) << b;
  }
  EXPECT_DOUBLE_EQ(mcnemar_exact({0, 900, 0, 0}), std::ldexp(1, -899));
  EXPECT_GT(mcnemar_exact({0, 1'000'000, 1'000'000, 0}), 0.999);
}

Interval paired_wald(const PairedCounts& c) {
  const double n = static_cast<double>(c.n()), difference = share(c.only_a - c.only_b, c.n());
  const double half =
      kZ * std::sqrt(static_cast<double>(c.only_a + c.only_b) / n - difference * difference) / std::sqrt(n);
  return {difference - half, difference + half};
}

/// Newcombe's interval as if the arms had been run on different trials.
Interval unpaired(const PairedCounts& c) {
  const int64_t n = c.n(), ka = c.both + c.only_a, kb = c.both + c.only_b;
  const Interval a = wilson(ka, n), b = wilson(kb, n);
  const double difference = share(ka - kb, n);
  return {difference - std::hypot(share(ka, n) - a.low, b.high - share(kb, n)),
          difference + std::hypot(a.high - share(ka, n), share(kb, n) - b.low)};
}

/// Exact mean coverage for n pairs over shares a of arm A and b of arm B and a correlation of their outcomes.
double paired_coverage(int64_t n, const PairedInterval& interval) {
  double sum = 0;
  int cases = 0;
  for (const double a : {0.3, 0.6, 0.9}) {
    for (const double b : {0.2, 0.5, 0.8}) {
      const double correlation = 0.6;
      const double both =
          std::min({a * b + correlation * std::sqrt(a * (1 - a) * b * (1 - b)), a - 0.005, b - 0.005});
      const double p[4] = {both, a - both, b - both, 1 - a - b + both};
      if (p[3] <= 0) continue;
      ++cases;
      for (int64_t i = 0; i <= n; ++i) {
        for (int64_t j = 0; i + j <= n; ++j) {
          for (int64_t k = 0; i + j + k <= n; ++k) {
            const int64_t m[4] = {i, j, k, n - i - j - k};
            const Interval found = interval({m[0], m[1], m[2], m[3]});
            if (a - b < found.low || a - b > found.high) continue;
            double log_p = log_factorial(n);
            for (int x = 0; x < 4; ++x)
              log_p += static_cast<double>(m[x]) * std::log(p[x]) - log_factorial(m[x]);
            sum += std::exp(log_p);
          }
        }
      }
    }
  }
  return sum / cases;
}

TEST(NewcombePaired, PublishedValues) {
  // Newcombe 1998, table II, method 10; Fagerland, Lydersen, Laake 2017, chapter 8.
  const Interval first = newcombe_paired({36, 12, 2, 0});
  EXPECT_NEAR(first.low, 0.0569, 5e-5);
  EXPECT_NEAR(first.high, 0.3404, 5e-5);
  const Interval second = newcombe_paired({1, 1, 7, 12});
  EXPECT_NEAR(second.low, -0.507, 5e-4);
  EXPECT_NEAR(second.high, -0.026, 5e-4);
  EXPECT_EQ(newcombe_paired({}).low, -1);
  EXPECT_EQ(newcombe_paired({}).high, 1);
}

TEST(NewcombePaired, SwappingTheArmsFlipsTheInterval) {
  const Interval ab = newcombe_paired({20, 7, 2, 11}), ba = newcombe_paired({20, 2, 7, 11});
  EXPECT_NEAR(ab.low, -ba.high, 1e-12);
  EXPECT_NEAR(ab.high, -ba.low, 1e-12);
  const Interval same = newcombe_paired({10, 0, 0, 0});
  EXPECT_LT(same.low, -0.2) << "ten agreeing trials do not prove equality";
  EXPECT_GT(same.high, 0.2);
}

TEST(NewcombePaired, CoversTheTrueDifferenceAsOftenAsItSays) {
  const double coverage = paired_coverage(20, newcombe_paired);
  EXPECT_GT(coverage, 0.94);
  EXPECT_LT(coverage, 0.975);
  EXPECT_LT(paired_coverage(20, paired_wald), 0.94);
  EXPECT_GT(paired_coverage(20, unpaired), 0.975);
}

}  // namespace
}  // namespace orthros
