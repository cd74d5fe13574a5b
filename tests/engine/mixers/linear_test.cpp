// Both paths of a Linear, in every format, against a plain product with the matrix it holds.
#include "engine/mixers/linear.h"

#include <gtest/gtest.h>

namespace orthros {
namespace {

class LinearFormats : public ::testing::TestWithParam<WeightFormat> {
 protected:
  Linear make(int64_t rows, int64_t columns) const {
    Linear linear(GetParam(), rows, columns);
    at::manual_seed(4);
    values_ = at::randn({rows, columns});
    kernels::encode_rows(GetParam(), values_.const_data_ptr<float>(), rows, columns, linear.raw());
    return linear;
  }
  // What the matrix holds, read back row by row.
  static at::Tensor held(const Linear& linear) { return linear.lookup(at::arange(linear.rows())); }

  mutable at::Tensor values_;
};

TEST_P(LinearFormats, FewAndManyRowsAgreeWithThePlainProduct) {
  const Linear linear = make(80, 96);
  const at::Tensor weight = held(linear);
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    for (const bool onednn : {false, true}) {
      const ComputePolicy policy{type, onednn};
      for (const int64_t rows : {1, 2, 16, 17, 64}) {
        const at::Tensor x = at::randn({rows, 96}).to(policy.row_type(rows, at::kCPU));
        const at::Tensor plain = at::matmul(x.to(at::kFloat), weight.t());
        const double bound = x.scalar_type() == at::kFloat ? 1e-3 : 0.4;
        EXPECT_LT((linear.forward(x, policy).to(at::kFloat) - plain).abs().max().item<double>(), bound);
        // A part of the rows, also one that begins inside a tile.
        for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{32, 80}, {9, 41}}) {
          const at::Tensor part = linear.forward(x, policy, begin, end).to(at::kFloat);
          ASSERT_EQ(part.size(1), end - begin);
          EXPECT_LT((part - plain.narrow(1, begin, end - begin)).abs().max().item<double>(), bound);
          EXPECT_GT((part - plain.narrow(1, begin - 1, end - begin)).abs().max().item<double>(), 2) << "a row off";
        }
      }
    }
  }
}

TEST_P(LinearFormats, TheExpandedCopyChangesNothing) {
  Linear linear = make(48, 64);
  const ComputePolicy policy{at::kBFloat16, false};
  const at::Tensor x = at::randn({32, 64}).to(at::kBFloat16);
  const at::Tensor before = linear.forward(x, policy);
  linear.hold_expanded(at::kBFloat16);
  EXPECT_TRUE(at::equal(linear.forward(x, policy), before));
  EXPECT_EQ(linear.expanded_bytes(), GetParam() == WeightFormat::bfloat16 ? 0 : 48 * 64 * 2);
}

TEST_P(LinearFormats, HeldValuesAreCloseToTheSource) {
  const Linear linear = make(48, 64);
  const double error = (held(linear) - values_).abs().max().item<double>();
  const double bounds[] = {0, 0.02, 0.03, 0.4};
  EXPECT_LE(error, bounds[static_cast<int>(GetParam())]);
}

INSTANTIATE_TEST_SUITE_P(Formats, LinearFormats,
                         ::testing::Values(WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8,
                                           WeightFormat::int4),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace orthros
