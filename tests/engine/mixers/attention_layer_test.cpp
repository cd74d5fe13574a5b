// The cache's own arithmetic, and attention over it against the plain ATen form.
#include <gtest/gtest.h>

#include "engine/mixers/attention.h"

namespace orthros {
namespace {

KvCache filled_cache(int64_t tokens, at::ScalarType type, const WindowSpec& keep = {}) {
  KvCacheSpec spec;
  spec.batch = 2;
  spec.num_key_value_heads = 2;
  spec.head_dim = 16;
  spec.capacity = tokens + 5;
  spec.type = type;
  spec.keep = keep;
  KvCache cache(spec);
  cache.k().fill_(NAN);
  cache.v().fill_(NAN);
  const int64_t slot = cache.append(tokens);
  cache.k().narrow(2, slot, tokens).copy_(at::randn({2, 2, tokens, 16}) * 2);
  cache.v().narrow(2, slot, tokens).copy_(at::randn({2, 2, tokens, 16}));
  return cache;
}

TEST(Attend, AgreesWithThePlainForm) {
  at::manual_seed(5);
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    const KvCache cache = filled_cache(40, type);
    for (const WindowSpec& window : {WindowSpec{}, WindowSpec{4, 0}, WindowSpec{4, 2}, WindowSpec{1, 0}}) {
      AttentionQuery query;
      query.positions = {0, 3, 4, 17, 39};
      query.q_BTHD = at::randn({2, 5, 6, 16}).to(type);
      query.window = window;
      query.want_lse = true;
      const AttentionResult fast = attend(query, cache);
      const AttentionResult plain = reference::attend(query, cache);
      const double bound = type == at::kFloat ? 1e-5 : 3e-2;
      EXPECT_LT((fast.out - plain.out).abs().max().item<double>(), bound);
      EXPECT_LT((fast.lse - plain.lse).abs().max().item<double>(), 1e-4);
      AttentionQuery mutant = query;
      mutant.positions = {0, 3, 4, 16, 38};
      EXPECT_GT((attend(mutant, cache).out - plain.out).abs().max().item<double>(), 0.1) << "newest key lost";
    }
  }
}

TEST(KvCache, ForgetsOnlyWhatNoLaterRowReads) {
  constexpr int64_t kWindow = 4, kSinks = 2, kChunk = 3;
  KvCacheSpec spec;
  spec.num_key_value_heads = 1;
  spec.head_dim = 1;
  spec.capacity = kWindow + kSinks + kChunk;
  spec.keep = {kWindow, kSinks};
  KvCache cache(spec);
  // Each key holds its own logical position.
  for (int64_t begin = 0; begin < 40; begin += kChunk) {
    const int64_t slot = cache.append(kChunk);
    for (int64_t i = 0; i < kChunk; ++i) cache.k()[0][0][slot + i] = static_cast<float>(begin + i);
    for (int64_t t = begin; t < begin + kChunk; ++t) {
      const int64_t own = cache.slot_of(t);
      EXPECT_EQ(cache.k()[0][0][own].item<float>(), static_cast<float>(t));
      for (int64_t key = std::max<int64_t>(0, t - kWindow + 1); key <= t; ++key) {
        EXPECT_EQ(cache.k()[0][0][own - (t - key)].item<float>(), static_cast<float>(key)) << "row " << t;
      }
      for (int64_t sink = 0; sink < std::min(kSinks, t); ++sink) {
        EXPECT_EQ(cache.k()[0][0][sink].item<float>(), static_cast<float>(sink));
      }
    }
  }
  EXPECT_EQ(cache.length(), 42);
  EXPECT_GT(cache.forgotten(), 0);
}

TEST(KvCache, AFullCacheThatKeepsAllRefuses) {
  KvCache cache = filled_cache(10, at::kFloat);
  cache.append(5);
  EXPECT_THROW(cache.append(1), c10::Error);
}

}  // namespace
}  // namespace orthros
