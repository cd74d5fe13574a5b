// Kernels of the row operations against their plain ATen form.
#include "engine/mixers/ops.h"

#include <gtest/gtest.h>

namespace orthros {
namespace {

double difference(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(at::kFloat) - b.to(at::kFloat)).abs().max().item<double>();
}

TEST(Ops, NormAgreesWithItsPlainForm) {
  at::manual_seed(1);
  for (const int64_t rows : {1, 2, 33}) {
    const at::Tensor weight = at::rand({72});
    const at::Tensor start = at::randn({rows, 72}) * 5;
    for (const auto type : {at::kFloat, at::kBFloat16}) {
      for (const bool with_delta : {false, true}) {
        const at::Tensor delta = with_delta ? at::randn({rows, 72}).to(type) : at::Tensor();
        at::Tensor x = start.clone(), y = start.clone();
        const at::Tensor out = ops::add_rms_norm(x, delta, weight, 1e-5, type);
        const at::Tensor plain = ops::reference::add_rms_norm(y, delta, weight, 1e-5, type);
        EXPECT_EQ(difference(x, y), 0) << "the residual itself";
        EXPECT_LT(difference(out, plain), type == at::kFloat ? 1e-5 : 4e-2);
        // Another epsilon shows where rows are small.
        at::Tensor small = start * 1e-3;
        at::Tensor small_too = small.clone();
        EXPECT_GT(difference(ops::add_rms_norm(small, {}, weight, 1e-5, at::kFloat),
                             ops::reference::add_rms_norm(small_too, {}, weight, 1e-4, at::kFloat)),
                  1e-2);
      }
    }
  }
}

TEST(Ops, SiluMulAgreesWithItsPlainForm) {
  at::manual_seed(2);
  for (const int64_t rows : {1, 40}) {
    const at::Tensor gate_up = at::randn({rows, 2 * 50}) * 8;
    EXPECT_LT(difference(ops::silu_mul(gate_up, at::kFloat), ops::reference::silu_mul(gate_up, at::kFloat)), 1e-4);
    const at::Tensor narrow = gate_up.to(at::kBFloat16);
    EXPECT_LT(difference(ops::silu_mul(narrow, at::kBFloat16), ops::reference::silu_mul(narrow, at::kBFloat16)), 0.3);
    const at::Tensor swapped = at::cat({gate_up.narrow(1, 50, 50), gate_up.narrow(1, 0, 50)}, 1);
    EXPECT_GT(difference(ops::silu_mul(swapped, at::kFloat), ops::reference::silu_mul(gate_up, at::kFloat)), 1);
  }
}

// Into a cache-like destination, whose other slots must stay as they are.
TEST(Ops, HeadTransformAgreesWithItsPlainForm) {
  at::manual_seed(3);
  constexpr int64_t kRows = 5, kHeads = 3, kHeadDim = 8, kCapacity = 9;
  const at::Tensor source = at::randn({kRows, kHeads * kHeadDim + 4});
  ops::HeadTransform transform{at::randn({kHeads * kHeadDim}), at::randn({kHeads * kHeadDim}), at::rand({kHeadDim}),
                               1e-6, at::randn({kRows, kHeadDim / 2}), at::randn({kRows, kHeadDim / 2})};
  const std::vector<int64_t> table_rows{4, 3, 2, 1, 0};
  const ops::HeadShape shape{kRows, kHeads, kHeadDim};
  const auto run = [&](bool reference, const ops::HeadTransform& with, at::ScalarType type) {
    const at::Tensor cache = at::full({kHeads, kCapacity, kHeadDim}, NAN, type);
    const ops::HeadRows from{source, 4, source.stride(0), kHeadDim};
    const ops::HeadRows to{cache, 2 * kHeadDim, kHeadDim, kCapacity * kHeadDim};
    reference ? ops::reference::transform_heads(shape, from, to, with, table_rows)
              : ops::transform_heads(shape, from, to, with, table_rows);
    EXPECT_EQ(cache.isnan().sum().item<int64_t>(), kHeads * (kCapacity - kRows) * kHeadDim);
    return cache.nan_to_num();
  };
  EXPECT_LT(difference(run(false, transform, at::kFloat), run(true, transform, at::kFloat)), 1e-5);
  EXPECT_LT(difference(run(false, transform, at::kBFloat16), run(true, transform, at::kBFloat16)), 0.1);
  EXPECT_EQ(difference(run(false, {}, at::kFloat), run(true, {}, at::kFloat)), 0) << "a plain copy";
  ops::HeadTransform mutant = transform;
  mutant.norm_weight = at::Tensor();
  EXPECT_GT(difference(run(false, mutant, at::kFloat), run(true, transform, at::kFloat)), 0.1);
  mutant = transform;
  mutant.sin = -transform.sin;
  EXPECT_GT(difference(run(false, mutant, at::kFloat), run(true, transform, at::kFloat)), 0.1);
}

}  // namespace
}  // namespace orthros
