#include "engine/kernels/log_sum_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace orthros::kernels {
namespace {

double plain(const std::vector<float>& values) {
  double highest = values[0], sum = 0;
  for (const float v : values) highest = std::max<double>(highest, v);
  for (const float v : values) sum += std::exp(v - highest);
  return highest + std::log(sum);
}

TEST(LogSumExp, AgreesWithPlainDoubleSums) {
  std::mt19937 engine(7);
  for (const int size : {1, 2, 15, 16, 17, 4095, 4097, 49152}) {
    for (const float spread : {0.01f, 3.0f, 40.0f}) {
      std::vector<float> values(static_cast<size_t>(size));
      std::normal_distribution<float> normal(-5, spread);
      for (float& v : values) v = normal(engine);
      EXPECT_NEAR(log_sum_exp(values.data(), size), plain(values), 1e-6 * std::max(1.0, std::abs(plain(values))));
      // One value less would show.
      if (size > 1 && spread < 1) {
        EXPECT_GT(plain(values) - log_sum_exp(values.data(), size - 1), 1e-5);
      }
    }
  }
}

TEST(LogSumExp, FarApartValuesDoNotOverflow) {
  const std::vector<float> values{-3e38f, 1e30f, 5.0f};
  EXPECT_FLOAT_EQ(static_cast<float>(log_sum_exp(values.data(), 3)), 1e30f);
}

}  // namespace
}  // namespace orthros::kernels
