// Row operations against plain loops in fp64, on every instruction set of this machine, fp32 and bf16.
#include "engine/kernels/row_ops.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/kernels/kernel_cases.h"

namespace orthros::kernels {
namespace {

constexpr ScalarType kTypes[] = {ScalarType::float32, ScalarType::bfloat16};

/// Rows in either type, behind a stride; fresh ones are NaN.
struct RowData {
  RowData(ScalarType scalar_type, int64_t num_rows, int64_t row_stride)
      : type(scalar_type),
        stride(row_stride),
        wide(static_cast<size_t>(num_rows * row_stride), kNan),
        narrow(wide.size(), float_to_bf16(kNan)) {}
  RowData(ScalarType scalar_type, const std::vector<float>& values, int64_t row_stride)
      : RowData(scalar_type, static_cast<int64_t>(values.size()) / row_stride, row_stride) {
    for (size_t i = 0; i < values.size(); ++i) {
      wide[i] = values[i];
      narrow[i] = float_to_bf16(values[i]);
    }
  }
  Rows rows() {
    return {type == ScalarType::float32 ? static_cast<void*>(wide.data()) : narrow.data(), stride, type};
  }
  double at(int64_t r, int64_t i) const {
    const auto index = static_cast<size_t>(r * stride + i);
    return type == ScalarType::float32 ? wide[index] : bf16_to_float(narrow[index]);
  }
  double rounding() const { return type == ScalarType::float32 ? 1e-6 : 0x1p-8; }

  ScalarType type;
  int64_t stride;
  std::vector<float> wide;
  std::vector<uint16_t> narrow;
};

/// Largest |got - want| / (rounding * (|want| + floor)); NaN counts as infinite.
double worst(const RowData& got, int64_t rows, int64_t columns,
             const std::function<double(int64_t, int64_t)>& want, double floor) {
  double worst = 0;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < columns; ++i) {
      const double expected = want(r, i);
      const double error =
          std::fabs(got.at(r, i) - expected) / (got.rounding() * (std::fabs(expected) + floor));
      if (!(error <= worst)) worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
  }
  return worst;
}

TEST(AddRmsNorm, EqualsPlainLoopsAndUpdatesTheStream) {
  for (const int64_t columns : {1, 7, 16, 33, 576, 4100}) {
    const int64_t rows = 5, stride = columns + 3;
    const std::vector<float> x0 = heavy_tailed(rows * stride, 1), weight = heavy_tailed(columns, 2);
    for (const ScalarType delta_type : kTypes) {
      for (const ScalarType out_type : kTypes) {
        RowData delta(delta_type, heavy_tailed(rows * stride, 3), stride);
        on_every_target([&] {
          std::vector<float> x = x0;
          RowData out(out_type, rows, columns + 1);
          add_rms_norm(x.data(), stride, delta.rows(), weight.data(), 1e-5f, rows, columns, out.rows());
          std::vector<double> factor;
          for (int64_t r = 0; r < rows; ++r) {
            double sum = 0;
            for (int64_t i = 0; i < columns; ++i) {
              const auto at = static_cast<size_t>(r * stride + i);
              ASSERT_EQ(x[at], x0[at] + static_cast<float>(delta.at(r, i)));
              sum += static_cast<double>(x[at]) * x[at];
            }
            factor.push_back(1 / std::sqrt(sum / static_cast<double>(columns) + 1e-5));
          }
          const auto want = [&](int64_t r, int64_t i) {
            return x[static_cast<size_t>(r * stride + i)] * factor[static_cast<size_t>(r)] *
                   weight[static_cast<size_t>(i)];
          };
          EXPECT_LE(worst(out, rows, columns, want, 1e-30), 1.0);
          EXPECT_TRUE(std::isnan(out.at(0, columns)));  // beyond the row
          if (columns < 7) return;
          const auto wrong_weight = [&](int64_t r, int64_t i) { return want(r, i) * (i == 5 ? 1.02 : 1.0); };
          EXPECT_GT(worst(out, rows, columns, wrong_weight, 1e-30), 2.0);
          const auto wrong_row = [&](int64_t r, int64_t i) { return want((r + 1) % rows, i); };
          EXPECT_GT(worst(out, rows, columns, wrong_row, 1e-30), 10.0);
        });
      }
    }
  }
}

TEST(AddRmsNorm, WithoutDeltaLeavesTheStreamAlone) {
  std::vector<float> x = heavy_tailed(2 * 40, 4), weight(40, 1.0f);
  const std::vector<float> before = x;
  RowData out(ScalarType::float32, 2, 40);
  add_rms_norm(x.data(), 40, {}, weight.data(), 0.0f, 2, 40, out.rows());
  EXPECT_EQ(x, before);
  double sum = 0;
  for (int64_t i = 0; i < 40; ++i) sum += out.at(1, i) * out.at(1, i);
  EXPECT_NEAR(sum, 40.0, 1e-3);
}

TEST(AddRmsNorm, DecodeRowsEqualPrefillRows) {
  const int64_t rows = 64, columns = 576;
  const std::vector<float> x0 = heavy_tailed(rows * columns, 5), weight = heavy_tailed(columns, 6);
  std::vector<float> x = x0;
  RowData all(ScalarType::float32, rows, columns), one(ScalarType::float32, 1, columns);
  add_rms_norm(x.data(), columns, {}, weight.data(), 1e-5f, rows, columns, all.rows());
  for (int64_t r = 0; r < rows; ++r) {
    std::vector<float> row(x0.begin() + r * columns, x0.begin() + (r + 1) * columns);
    add_rms_norm(row.data(), columns, {}, weight.data(), 1e-5f, 1, columns, one.rows());
    for (int64_t i = 0; i < columns; ++i) ASSERT_EQ(one.at(0, i), all.at(r, i));
  }
}

TEST(AddRows, AddsExactly) {
  for (const ScalarType type : kTypes) {
    const int64_t rows = 40, columns = 601;
    const std::vector<float> x0 = heavy_tailed(rows * columns, 7);
    RowData delta(type, heavy_tailed(rows * (columns + 2), 8), columns + 2);
    on_every_target([&] {
      std::vector<float> x = x0;
      add_rows(x.data(), columns, delta.rows(), rows, columns);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t i = 0; i < columns; ++i) {
          const auto at = static_cast<size_t>(r * columns + i);
          ASSERT_EQ(x[at], x0[at] + static_cast<float>(delta.at(r, i)));
        }
      }
    });
  }
}

TEST(SiluMul, EqualsPlainLoopsAtEveryMagnitude) {
  const int64_t rows = 6, columns = 1003;
  std::vector<float> gate_up = heavy_tailed(rows * (2 * columns + 1), 9);
  const float extremes[] = {0.0f, -0.0f, 1e-20f, -87.0f, -89.0f, -200.0f, 1e4f, -1e4f, 3e38f, -3e38f};
  for (size_t i = 0; i < std::size(extremes); ++i) {
    gate_up[i] = extremes[i];
    gate_up[static_cast<size_t>(columns) + i] = 0.5f;
  }
  for (const ScalarType in : kTypes) {
    for (const ScalarType out_type : kTypes) {
      RowData source(in, gate_up, 2 * columns + 1);
      on_every_target([&] {
        RowData out(out_type, rows, columns);
        silu_mul(source.rows(), rows, columns, out.rows());
        const auto want = [&](int64_t r, int64_t i) {
          const double gate = source.at(r, i);
          return gate / (1 + std::exp(-gate)) * source.at(r, columns + i);
        };
        EXPECT_LE(worst(out, rows, columns, want, 1e-30), 1.0);
        const auto halves_exchanged = [&](int64_t r, int64_t i) {
          const double gate = source.at(r, columns + i);
          return gate / (1 + std::exp(-gate)) * source.at(r, i);
        };
        EXPECT_GT(worst(out, rows, columns, halves_exchanged, 1e-30), 10.0);
      });
    }
  }
}

TEST(SiluMul, NanStaysNan) {
  RowData source(ScalarType::float32, {kNan, 1.0f, 2.0f, kNan}, 4);
  for (const ScalarType type : kTypes) {
    on_every_target([&] {
      RowData out(type, {0.0f, 0.0f}, 2);
      silu_mul(source.rows(), 1, 2, out.rows());
      EXPECT_TRUE(std::isnan(out.at(0, 0)));
      EXPECT_TRUE(std::isnan(out.at(0, 1)));
    });
  }
}

struct HeadCase {
  int64_t head_dim;
  bool scale, norm, rotate;
};

class TransformHeads : public testing::TestWithParam<HeadCase> {
 protected:
  static constexpr int64_t kRows = 7, kHeads = 3, kPositions = 11;

  TransformHeads()
      : scale(heavy_tailed(kHeads * dim(), 10)),
        offset(heavy_tailed(kHeads * dim(), 11)),
        norm(heavy_tailed(dim(), 12)),
        cos(heavy_tailed(kPositions * dim(), 13)),
        sin(heavy_tailed(kPositions * dim(), 14)),
        positions{3, 3, 0, 10, 4, 5, 6} {
    if (GetParam().scale) {
      ops.scale = scale.data();
      ops.offset = offset.data();
    }
    if (GetParam().norm) {
      ops.norm_weight = norm.data();
      ops.norm_eps = 1e-6f;
    }
    if (GetParam().rotate) {
      ops.cos = cos.data();
      ops.sin = sin.data();
    }
  }
  static int64_t dim() { return GetParam().head_dim; }

  /// The head in fp64, after every step; `magnitude` bounds what rounding sees.
  std::vector<double> expected(const RowData& source, int64_t r, int64_t h, double& magnitude) const {
    std::vector<double> v;
    double sum = 0;
    for (int64_t i = 0; i < dim(); ++i) {
      const auto at = static_cast<size_t>(h * dim() + i);
      double value = source.at(r, h * dim() + i);
      if (ops.scale != nullptr) value = value * scale[at] + offset[at];
      v.push_back(value);
      sum += value * value;
    }
    const double factor = 1 / std::sqrt(sum / static_cast<double>(dim()) + 1e-6);
    magnitude = 0;
    for (size_t i = 0; i < v.size(); ++i) {
      if (ops.norm_weight != nullptr) v[i] *= factor * norm[i];
      magnitude = std::max(magnitude, std::fabs(v[i]));
    }
    if (ops.cos == nullptr) return v;
    const size_t half = v.size() / 2;
    double largest = 0;
    for (size_t i = 0; i < half; ++i) {
      const size_t at = static_cast<size_t>(positions[static_cast<size_t>(r)]) * half + i;
      const double first = v[i], second = v[i + half];
      v[i] = first * cos[at] - second * sin[at];
      v[i + half] = second * cos[at] + first * sin[at];
      largest = std::max({largest, std::fabs(cos[at] * 1.0), std::fabs(sin[at] * 1.0)});
    }
    magnitude *= largest;
    return v;
  }

  double worst_head(const RowData& source, const RowData& got, int64_t head_stride, int64_t row_shift) const {
    double result = 0;
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t h = 0; h < kHeads; ++h) {
        double magnitude = 0;
        const std::vector<double> want = expected(source, (r + row_shift) % kRows, h, magnitude);
        for (int64_t i = 0; i < dim(); ++i) {
          const double error = std::fabs(got.at(r, h * head_stride + i) - want[static_cast<size_t>(i)]);
          const double unit =
              error / (got.rounding() * (std::fabs(want[static_cast<size_t>(i)]) + 1e-30) + 2e-6 * magnitude);
          if (!(unit <= result)) result = std::isnan(unit) ? std::numeric_limits<double>::infinity() : unit;
        }
      }
    }
    return result;
  }

  std::vector<float> scale, offset, norm, cos, sin;
  std::vector<int64_t> positions;
  HeadOps ops;
};

INSTANTIATE_TEST_SUITE_P(Steps, TransformHeads,
                         testing::Values(HeadCase{64, false, false, false}, HeadCase{64, false, false, true},
                                         HeadCase{128, true, true, true}, HeadCase{32, true, false, true},
                                         HeadCase{8, false, true, true}, HeadCase{20, true, true, true},
                                         HeadCase{9, true, true, false}));

TEST_P(TransformHeads, EqualsPlainLoops) {
  for (const ScalarType in : kTypes) {
    for (const ScalarType out : kTypes) {
      const int64_t source_stride = kHeads * dim() + 5, head_stride = dim() + 2;
      RowData source(in, heavy_tailed(kRows * source_stride, 15), source_stride);
      on_every_target([&] {
        RowData destination(out, kRows, kHeads * head_stride);
        HeadRowsArgs args{kRows,       kHeads,          dim(), source.rows(), destination.rows(),
                          head_stride, positions.data()};
        transform_heads(args, ops);
        EXPECT_LE(worst_head(source, destination, head_stride, 0), 1.0);
        EXPECT_GT(worst_head(source, destination, head_stride, 1), 10.0);  // the row behind
        EXPECT_TRUE(std::isnan(destination.at(0, dim())));                 // between heads
      });
    }
  }
}

TEST_P(TransformHeads, InPlaceEqualsOutOfPlace) {
  for (const ScalarType type : kTypes) {
    const int64_t stride = kHeads * dim();
    RowData source(type, heavy_tailed(kRows * stride, 16), stride), apart(type, kRows, stride);
    HeadRowsArgs args{kRows, kHeads, dim(), source.rows(), apart.rows(), dim(), positions.data()};
    transform_heads(args, ops);
    args.destination = source.rows();
    transform_heads(args, ops);
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t i = 0; i < stride; ++i) ASSERT_EQ(source.at(r, i), apart.at(r, i));
    }
  }
}

}  // namespace
}  // namespace orthros::kernels
