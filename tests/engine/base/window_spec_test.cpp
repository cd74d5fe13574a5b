#include "engine/base/window_spec.h"

#include <gtest/gtest.h>

namespace orthros {
namespace {

TEST(WindowSpec, WindowOfOneReadsOnlySelf) {
  const WindowSpec spec{1, 0};
  for (int64_t t : {0, 1, 7}) {
    EXPECT_EQ(spec.support(t), 1);
    EXPECT_TRUE(spec.sees(t, t));
    EXPECT_FALSE(spec.sees(t, t - 1));
    EXPECT_FALSE(spec.sees(t, t + 1));
  }
}

TEST(WindowSpec, SupportIsSinksAndBandWithoutOverlap) {
  for (int64_t window : {1, 2, 4, 128}) {
    for (int64_t sinks : {0, 1, 4, 200}) {
      const WindowSpec spec{window, sinks};
      for (int64_t t = 0; t < 400; ++t) {
        int64_t count = 0;
        for (int64_t key = 0; key <= t + 2; ++key) {
          const bool expected = key <= t && (key < sinks || key > t - window);
          EXPECT_EQ(spec.sees(t, key), expected) << "w " << window << " s " << sinks << " t " << t << " key " << key;
          count += expected ? 1 : 0;
        }
        ASSERT_EQ(spec.support(t), count);
        ASSERT_EQ(count, std::min(t + 1, window + sinks));
      }
    }
  }
}

TEST(WindowSpec, FullReadsEveryEarlierKey) {
  const WindowSpec spec = WindowSpec::full();
  EXPECT_EQ(spec.support(9), 10);
  EXPECT_TRUE(spec.sees(9, 0));
  EXPECT_FALSE(spec.sees(9, 10));
}

TEST(WindowSpec, TotalSupportEqualsTheSum) {
  for (const WindowSpec& spec : {WindowSpec{4, 0}, WindowSpec{4, 3}, WindowSpec{1, 0}, WindowSpec::full()}) {
    for (int64_t begin : {0, 1, 3, 9}) {
      int64_t sum = 0;
      for (int64_t t = begin; t < 40; ++t) {
        EXPECT_EQ(total_support(spec, begin, t), sum);
        sum += spec.support(t);
      }
    }
  }
}

}  // namespace
}  // namespace orthros
