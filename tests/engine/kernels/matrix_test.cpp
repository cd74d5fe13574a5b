// gemv, encode_rows and decode_rows against plain loops in fp64, on every instruction set of this machine.
#include "engine/kernels/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "engine/kernels/matrix_layout.h"
#include "tests/engine/kernels/kernel_cases.h"

namespace orthros::kernels {
namespace {

constexpr WeightFormat kFormats[] = {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8,
                                     WeightFormat::int4};

struct Matrix {
  Matrix(WeightFormat format, int64_t rows, int64_t columns, uint32_t seed)
      : source(heavy_tailed(rows * columns, seed)),
        bytes(static_cast<size_t>(matrix_bytes(format, rows, columns))),
        view{format, rows, columns, bytes.data()} {
    encode_rows(format, source.data(), rows, columns, bytes.data());
  }
  std::vector<float> decoded() const {
    std::vector<float> out(static_cast<size_t>(view.rows * view.columns), kNan);
    decode_rows(view, ScalarType::float32, out.data());
    return out;
  }

  std::vector<float> source;
  std::vector<std::byte> bytes;
  MatrixView view;
};

/// A product on rows with a stride, outputs poisoned; y(m, n) reads one.
struct Product {
  Product(const MatrixView& w, const std::vector<float>& x, int64_t x_stride, int64_t rows)
      : stride(w.rows + 3), y(static_cast<size_t>(stride * rows), kNan) {
    gemv(w, x.data(), x_stride, rows, y.data(), stride);
  }
  float operator()(int64_t m, int64_t n) const { return y[static_cast<size_t>(m * stride + n)]; }

  int64_t stride;
  std::vector<float> y;
};

/// What a product should be, in fp64, and how far rounding may take it: eps * (4 + 2 sqrt(K)) * sum |x| |w|,
/// and for quantised formats x rounded to 2^-16 of the largest of its group.
struct Expected {
  Expected(const std::vector<float>& w, int64_t num_rows, int64_t columns, const float* x, bool rounded_x) {
    const double epsilon = 6e-8 * (4 + 2 * std::sqrt(static_cast<double>(columns)));
    for (int64_t n = 0; n < num_rows; ++n) {
      double sum = 0, bound = 1e-30;
      for (int64_t begin = 0; begin < columns; begin += kQuantGroup) {
        const int64_t end = std::min(begin + kQuantGroup, columns);
        float largest = 0;
        for (int64_t k = begin; k < end; ++k) largest = std::max(largest, std::fabs(x[k]));
        for (int64_t k = begin; k < end; ++k) {
          const double weight = w[static_cast<size_t>(n * columns + k)];
          sum += weight * x[k];
          bound +=
              std::fabs(weight * x[k]) * epsilon + (rounded_x ? std::fabs(weight) * largest * 0x1p-16 : 0);
        }
      }
      sums.push_back(sum);
      bounds.push_back(bound);
    }
  }
  /// Largest error in units of its bound; NaN counts as the largest.
  double worst(const Product& y, int64_t m) const {
    double worst = 0;
    for (size_t n = 0; n < sums.size(); ++n) {
      const double error = std::fabs(sums[n] - y(m, static_cast<int64_t>(n))) / bounds[n];
      if (!(error <= worst)) worst = error;
    }
    return worst;
  }

  std::vector<double> sums, bounds;
};

std::vector<Expected> expected_rows(const Matrix& matrix, const std::vector<float>& x, int64_t x_stride,
                                    int64_t rows) {
  const std::vector<float> w = matrix.decoded();
  std::vector<Expected> out;
  for (int64_t m = 0; m < rows; ++m) {
    out.emplace_back(w, matrix.view.rows, matrix.view.columns, x.data() + m * x_stride,
                     is_quantised(matrix.view.format));
  }
  return out;
}

double worst_error(const std::vector<Expected>& expected, const Product& y, int64_t rows) {
  double worst = 0;
  for (int64_t m = 0; m < rows; ++m) {
    const double error = expected[static_cast<size_t>(m)].worst(y, m);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

struct Shape {
  int64_t rows, columns;
};

class GemvFormats : public testing::TestWithParam<WeightFormat> {};
INSTANTIATE_TEST_SUITE_P(All, GemvFormats, testing::ValuesIn(kFormats),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST_P(GemvFormats, EqualsPlainLoopsOnEveryTarget) {
  for (const Shape shape : {Shape{1, 32}, {16, 64}, {33, 96}, {50, 576}, {130, 1536}}) {
    const Matrix matrix(GetParam(), shape.rows, shape.columns, 1);
    const int64_t x_stride = shape.columns + 5;
    const std::vector<float> x = heavy_tailed(x_stride * kMaxGemvRows, 2);
    const std::vector<Expected> expected = expected_rows(matrix, x, x_stride, kMaxGemvRows);
    on_every_target([&] {
      for (int64_t rows = 1; rows <= kMaxGemvRows; ++rows) {
        const Product y(matrix.view, x, x_stride, rows);
        EXPECT_LE(worst_error(expected, y, rows), 1.0) << rows << " rows of " << shape.columns;
      }
    });
  }
}

TEST_P(GemvFormats, ComparisonRejectsWrongWeights) {
  Matrix matrix(GetParam(), 48, 256, 3);
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  for (float& v : matrix.source) v = normal(random);
  encode_rows(GetParam(), matrix.source.data(), 48, 256, matrix.bytes.data());
  std::vector<float> x(256);
  for (float& v : x) v = normal(random);
  const Product y(matrix.view, x, 256, 1);
  const auto error_against = [&](const std::vector<float>& w) {
    return Expected(w, 48, 256, x.data(), is_quantised(GetParam())).worst(y, 0);
  };
  const std::vector<float> right = matrix.decoded();
  ASSERT_LE(error_against(right), 1.0);

  std::vector<float> shifted(right.begin() + 256, right.end());  // a row off by one
  shifted.insert(shifted.end(), right.begin(), right.begin() + 256);
  EXPECT_GT(error_against(shifted), 10.0);
  std::vector<float> scaled = right;  // one group with a scale that is slightly wrong
  for (size_t k = 32; k < 64; ++k) scaled[k] *= 1.01f;
  EXPECT_GT(error_against(scaled), 2.0);
  std::vector<float> swapped = right;  // two columns exchanged
  for (size_t n = 0; n < 48; ++n) std::swap(swapped[n * 256 + 70], swapped[n * 256 + 71]);
  EXPECT_GT(error_against(swapped), 10.0);
}

TEST_P(GemvFormats, RowsDoNotDependOnTheirNumber) {
  const Matrix matrix(GetParam(), 70, 320, 5);
  const std::vector<float> x = heavy_tailed(320 * kMaxGemvRows, 6);
  on_every_target([&] {
    const Product all(matrix.view, x, 320, kMaxGemvRows);
    for (int64_t rows = 1; rows < kMaxGemvRows; ++rows) {
      const Product some(matrix.view, x, 320, rows);
      for (int64_t m = 0; m < rows; ++m) {
        for (int64_t n = 0; n < 70; ++n)
          ASSERT_EQ(some(m, n), all(m, n)) << rows << " rows, " << m << ", " << n;
      }
    }
  });
}

TEST_P(GemvFormats, RowsDependOnNeitherThreadsNorRange) {
  const Matrix matrix(GetParam(), 331, 256, 7);
  const std::vector<float> x = heavy_tailed(256 * 2, 8);
  const Product expected(matrix.view, x, 256, 2);
  const int threads = omp_get_max_threads();
  for (const int count : {1, 2, 3, 7}) {
    omp_set_num_threads(count);
    const Product y(matrix.view, x, 256, 2);
    for (int64_t n = 0; n < 331; ++n) ASSERT_EQ(y(1, n), expected(1, n)) << count << " threads";
  }
  omp_set_num_threads(threads);
  for (const int64_t begin : {0, 16, 48}) {
    for (const int64_t end : {int64_t{49}, int64_t{331}}) {
      const Product y(matrix.view.row_range(begin, end), x, 256, 2);
      for (int64_t n = begin; n < end; ++n) ASSERT_EQ(y(1, n - begin), expected(1, n));
    }
  }
}

TEST_P(GemvFormats, WritesOnlyItsRows) {
  const Matrix matrix(GetParam(), 21, 64, 9);
  const std::vector<float> x = heavy_tailed(64 * 3, 10);
  on_every_target([&] {
    const Product y(matrix.view, x, 64, 3);
    for (int64_t m = 0; m < 3; ++m) {
      for (int64_t n = 0; n < 24; ++n) EXPECT_EQ(std::isnan(y(m, n)), n >= 21);
    }
  });
}

TEST_P(GemvFormats, NanAndInfinityOfARowStayInTheRow) {
  const Matrix matrix(GetParam(), 32, 128, 11);
  std::vector<float> x = heavy_tailed(128 * 3, 12);
  x[40] = kNan;
  x[128 * 2 + 70] = std::numeric_limits<float>::infinity();
  on_every_target([&] {
    const Product y(matrix.view, x, 128, 3);
    for (int64_t n = 0; n < 32; ++n) {
      EXPECT_TRUE(std::isnan(y(0, n)));
      EXPECT_TRUE(std::isfinite(y(1, n)));
      EXPECT_FALSE(std::isfinite(y(2, n)));
    }
  });
}

TEST_P(GemvFormats, ZeroAndTinyActivationsGiveZero) {
  const Matrix matrix(GetParam(), 16, 64, 13);
  std::vector<float> x(128, 0.0f);
  for (size_t i = 64; i < 128; ++i) x[i] = 1e-38f;
  on_every_target([&] {
    const Product y(matrix.view, x, 64, 2);
    for (int64_t n = 0; n < 16; ++n) {
      EXPECT_EQ(y(0, n), 0.0f);
      EXPECT_NEAR(y(1, n), 0.0f, 1e-30f);
    }
  });
}

TEST(Gemv, DenseTakesAnyNumberOfColumns) {
  for (const WeightFormat format : {WeightFormat::float32, WeightFormat::bfloat16}) {
    for (const int64_t columns : {1, 3, 15, 17, 31, 33, 63, 65, 100}) {
      const Matrix matrix(format, 9, columns, 14);
      const std::vector<float> x = heavy_tailed(columns * 5, 15);
      const std::vector<Expected> expected = expected_rows(matrix, x, columns, 5);
      on_every_target([&] {
        const Product y(matrix.view, x, columns, 5);
        EXPECT_LE(worst_error(expected, y, 5), 1.0) << columns;
      });
    }
  }
}

TEST(Gemv, QuantisedProductsAreTheSameOnEveryTargetWithFma) {
  for (const WeightFormat format : {WeightFormat::int8, WeightFormat::int4}) {
    const Matrix matrix(format, 64, 576, 16);
    const std::vector<float> x = heavy_tailed(576 * 2, 17);
    const Product expected(matrix.view, x, 576, 2);
    on_every_target([&] {
      const std::string backend = gemv_backend(format);
      if (backend.starts_with("SS") || backend == "SCALAR") return;  // no FMA
      const Product y(matrix.view, x, 576, 2);
      for (int64_t n = 0; n < 64; ++n) EXPECT_EQ(y(1, n), expected(1, n)) << backend;
    });
  }
}

TEST(Gemv, ReferenceEqualsTheProductOfDecodedWeights) {
  for (const WeightFormat format : kFormats) {
    const Matrix matrix(format, 40, 96, 18);
    const std::vector<float> x = heavy_tailed(96, 19);
    const Expected expected(matrix.decoded(), 40, 96, x.data(), false);
    Product y(matrix.view, x, 96, 1);
    std::ranges::fill(y.y, kNan);
    gemv_reference(matrix.view, x.data(), 96, 1, y.y.data(), y.stride);
    EXPECT_LE(expected.worst(y, 0), 1.0);
  }
}

}  // namespace
}  // namespace orthros::kernels
