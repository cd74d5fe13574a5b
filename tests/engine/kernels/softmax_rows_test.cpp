// Rows of a whole group against the plain loops, and their digest against a sort.
#include "engine/kernels/softmax_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "engine/kernels/row_digest.h"

namespace orthros::kernels {
namespace {

struct Case {
  int64_t heads, kv_heads, head_dim, position;
  WindowSpec window;
};

class SoftmaxRowsTest : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 1.5f);
    const int64_t keys = c.position + 1;
    q_.resize(static_cast<size_t>(c.heads * c.head_dim));
    k_.resize(static_cast<size_t>(c.kv_heads * keys * c.head_dim));
    v_.resize(k_.size());
    for (auto* all : {&q_, &k_, &v_}) {
      for (float& value : *all) value = normal(random);
    }
    out_.resize(q_.size());
    lse_.resize(static_cast<size_t>(c.heads));
    args_.num_heads = c.heads;
    args_.num_kv_heads = c.kv_heads;
    args_.head_dim = c.head_dim;
    args_.num_queries = 1;
    args_.num_keys = keys;
    args_.positions = &GetParam().position;
    args_.window = c.window;
    args_.scale = 1 / std::sqrt(static_cast<float>(c.head_dim));
    args_.q = q_.data();
    args_.q_stride_h = c.head_dim;
    args_.k = k_.data();
    args_.v = v_.data();
    args_.kv_stride_h = keys * c.head_dim;
    args_.kv_stride_s = c.head_dim;
    args_.out = out_.data();
    args_.out_stride_h = c.head_dim;
    args_.lse = lse_.data();
    attention_forward(args_);
  }

  AttentionArgs args_;
  std::vector<float> q_, k_, v_, out_, lse_;
};

TEST_P(SoftmaxRowsTest, AreTheRowsOfThePlainLoopsAndGiveTheEnginesOutput) {
  const Case& c = GetParam();
  const int64_t support = c.window.support(c.position);
  const int64_t group = c.heads / c.kv_heads;
  for (int64_t kv = 0; kv < c.kv_heads; ++kv) {
    std::vector<float> weights(static_cast<size_t>(group * (support + 3)), -1.0f), plain = weights;
    std::vector<double> entropy(static_cast<size_t>(group)), plain_entropy = entropy;
    std::vector<double> out(static_cast<size_t>(group * c.head_dim)), plain_out = out;
    const float* lse = lse_.data() + kv * group;
    // In two parts, as threads would take them.
    const int64_t cut = support / 3;
    std::vector<double> more_entropy = entropy, more_out = out;
    SoftmaxRows rows{&args_, 0, kv, 0, lse, 0, cut, weights.data(), support + 3, entropy.data(), out.data()};
    SoftmaxRows rest = rows;
    rest.begin = cut;
    rest.end = support;
    rest.entropy = more_entropy.data();
    rest.out = more_out.data();
    softmax_rows_all(std::vector{rows, rest});
    std::ranges::transform(entropy, more_entropy, entropy.begin(), std::plus());
    std::ranges::transform(out, more_out, out.begin(), std::plus());
    softmax_rows_reference({&args_, 0, kv, 0, lse, 0, support, plain.data(), support + 3,
                            plain_entropy.data(), plain_out.data()});
    for (int64_t g = 0; g < group; ++g) {
      const float* row = weights.data() + g * (support + 3);
      EXPECT_EQ(row[support], -1.0f);  // nothing is written past the support
      EXPECT_NEAR(std::accumulate(row, row + support, 0.0), 1, 5e-6);
      for (int64_t i = 0; i < support; ++i)
        ASSERT_NEAR(row[i], plain[static_cast<size_t>(g * (support + 3) + i)], 3e-6) << i;
      EXPECT_NEAR(entropy[static_cast<size_t>(g)], plain_entropy[static_cast<size_t>(g)], 2e-5);
      for (int64_t i = 0; i < c.head_dim; ++i) {
        const auto at = static_cast<size_t>(g * c.head_dim + i);
        EXPECT_NEAR(out[at], plain_out[at], 1e-5);
        EXPECT_NEAR(out[at], out_[static_cast<size_t>(kv * group * c.head_dim) + at], 1e-5);
      }
    }
  }
}

TEST_P(SoftmaxRowsTest, TheEnginesOwnProductsGiveTheSameRows) {
  const Case& c = GetParam();
  if (!attention_gives_scores(args_)) GTEST_SKIP() << "K is not read in place";
  const std::vector<float> out = out_, lse = lse_;
  std::vector<float> scores(static_cast<size_t>(c.heads * args_.num_keys), NAN);
  args_.scores = scores.data();
  attention_forward(args_);
  EXPECT_EQ(out_, out);  // no bit changes
  EXPECT_EQ(lse_, lse);
  const int64_t support = c.window.support(c.position);
  const int64_t group = c.heads / c.kv_heads;
  for (int64_t head = 0; head < c.heads; ++head) {
    std::vector<float> row(static_cast<size_t>(support)), plain(static_cast<size_t>(group * support));
    std::vector<double> entropy(static_cast<size_t>(group));
    const double own = softmax_of_scores(scores.data() + head * args_.num_keys, c.window, c.position,
                                         args_.scale, lse_[static_cast<size_t>(head)], row.data());
    softmax_rows_reference({&args_, 0, head / group, 0, lse_.data() + head / group * group, 0, support,
                            plain.data(), support, entropy.data(), nullptr});
    EXPECT_NEAR(own, entropy[static_cast<size_t>(head % group)], 2e-5);
    for (int64_t i = 0; i < support; ++i)
      ASSERT_NEAR(row[static_cast<size_t>(i)], plain[static_cast<size_t>(head % group * support + i)], 3e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SoftmaxRowsTest,
                         ::testing::Values(Case{9, 3, 64, 1023, WindowSpec::full()},
                                           Case{9, 3, 64, 1023, {128, 4}}, Case{5, 1, 32, 600, {300, 2}},
                                           Case{2, 2, 64, 0, WindowSpec::full()}, Case{4, 2, 6, 37, {5, 1}},
                                           Case{1, 1, 128, 255, WindowSpec::full()},
                                           Case{8, 1, 64, 256, {257, 0}}));

void expect_digest(const std::vector<float>& row) {
  const auto count = std::ssize(row);
  RowDigest digest;
  std::vector<int32_t> candidates;
  digest_row(row.data(), count, digest, candidates);
  for (int64_t bin = 0; bin < kDigestBins; ++bin) {
    const auto begin = row.begin() + RowDigest::bin_begin(bin, count);
    const auto end = row.begin() + RowDigest::bin_begin(bin + 1, count);
    const auto at = static_cast<size_t>(bin);
    EXPECT_EQ(digest.max[at], begin == end ? 0.0f : *std::max_element(begin, end));
    EXPECT_NEAR(digest.sum[at], std::accumulate(begin, end, 0.0), 1e-6);
  }
  std::vector<int32_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](int32_t i) { return row[static_cast<size_t>(i)]; });
  order.resize(kDigestTop);
  std::ranges::sort(order);
  for (size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(digest.index[i], order[i]);
    EXPECT_EQ(digest.weight[i], row[static_cast<size_t>(order[i])]);
  }
}

TEST(RowDigest, HoldsTheHeaviestAndEveryStretch) {
  std::mt19937 random(3);
  for (const size_t count : {64, 257, 641, 1024, 1025, 5000, 131'072}) {
    std::vector<float> row(count);
    std::exponential_distribution<float> spread(1);
    for (float& weight : row) weight = std::pow(spread(random), 4.0f) / static_cast<float>(count);
    expect_digest(row);
    std::ranges::fill(row, 1.0f / static_cast<float>(count));  // ties: the first ones
    expect_digest(row);
    std::ranges::fill(row, 0.0f);
    row[count / 2] = 1;  // one alone
    row[7] = 0.25f;
    expect_digest(row);
  }
}

TEST(RowDigest, MomentsAreThoseOfTheSum) {
  std::vector<float> row(3001);
  double sum = 0, index = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    row[i] = 1.0f / static_cast<float>(1 + (i * 37) % 1000);
    sum += row[i];
    index += static_cast<double>(row[i]) * static_cast<double>(i);
  }
  const RowMoments moments = row_moments(row.data(), std::ssize(row));
  EXPECT_NEAR(moments.sum, sum, 1e-5);
  EXPECT_NEAR(moments.index / index, 1, 1e-6);
  EXPECT_EQ(row_moments(row.data(), 0).sum, 0);
}

}  // namespace
}  // namespace orthros::kernels
