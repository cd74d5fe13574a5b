// The machine's ceilings are plausible numbers; how large they are is not asserted.
#include "engine/kernels/machine.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace orthros::kernels {
namespace {

TEST(Machine, NamesTheProcessor) {
  const CpuFeatures features = cpu_features();
  EXPECT_FALSE(features.name.empty());
  EXPECT_GE(features.logical_cores, 1);
}

TEST(Machine, RatesArePositiveAndFinite) {
  for (const double rate : {read_bandwidth(8 << 20, 1), read_bandwidth(8 << 20, 2), fma_peak(1)}) {
    EXPECT_GT(rate, 0);
    EXPECT_TRUE(std::isfinite(rate));
  }
}

TEST(Machine, NothingToReadIsARateOfZero) {
  EXPECT_EQ(read_bandwidth(0, 1), 0);
  EXPECT_EQ(read_bandwidth(-5, 1), 0);
  EXPECT_EQ(read_bandwidth(int64_t{1} << 60, 1), 0);  // more memory than there is
}

TEST(LargeBuffer, MovesAndFrees) {
  LargeBuffer a(1 << 20);
  ASSERT_NE(a.data(), nullptr);
  const std::byte* data = a.data();
  LargeBuffer b(std::move(a));
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.bytes(), 1 << 20);
  LargeBuffer c;
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
}

TEST(AdviseLargePages, LeavesContentsAlone) {
  std::vector<int> values(1 << 20, 7);
  advise_large_pages(values.data(), static_cast<int64_t>(values.size() * sizeof(int)));
  advise_large_pages(nullptr, 100);
  advise_large_pages(values.data(), -1);
  for (const int v : values) ASSERT_EQ(v, 7);
}

}  // namespace
}  // namespace orthros::kernels
