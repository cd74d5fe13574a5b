// Acceptance check 17: attention planted on one key gives that span mass 1, uniform attention gives span /
// keys.
#include "engine/inference/span_mass.h"

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "engine/mixers/attention.h"

namespace orthros {
namespace {

constexpr int64_t kTokens = 40, kHeads = 4, kKvHeads = 2, kDim = 16;

ModelConfig config() {
  ModelConfig config;
  config.num_hidden_layers = 1;
  config.num_attention_heads = kHeads;
  config.layers = {LayerSpec{MixerKind::full_attention, WindowSpec::full(), false}};
  return config;
}

// One row at the last position over random keys; `plant`: the query points at that key's direction, else it
// is zero.
std::vector<float> mass_of(const std::vector<KeyRange>& spans, std::optional<int64_t> plant) {
  const c10::InferenceMode inference;
  at::manual_seed(3);
  KvCacheSpec spec;
  spec.num_key_value_heads = kKvHeads;
  spec.head_dim = kDim;
  spec.capacity = kTokens + 3;
  KvCache cache(spec);
  cache.append(kTokens);
  cache.k().fill_(NAN);
  cache.v().fill_(NAN);
  cache.k().narrow(2, 0, kTokens).copy_(at::randn({1, kKvHeads, kTokens, kDim}));
  cache.v().narrow(2, 0, kTokens).copy_(at::randn({1, kKvHeads, kTokens, kDim}));
  AttentionQuery query;
  query.q_BTHD = at::zeros({1, 1, kHeads, kDim});
  if (plant) {
    for (int64_t head = 0; head < kHeads; ++head) {
      query.q_BTHD[0][0][head].copy_(cache.k()[0][head / (kHeads / kKvHeads)][*plant] * 100);
    }
  }
  query.positions = {kTokens - 1};
  query.want_lse = true;
  const AttentionResult attended = attend(query, cache);
  SpanMass result;
  result.spans = spans;
  const ModelConfig model = config();
  SpanMassObserver observer(result, model, kTokens - 1);
  EXPECT_TRUE(observer.wants(0, StreamKind::base));
  EXPECT_FALSE(observer.wants(0, StreamKind::output));
  observer.on_attention({0, StreamKind::base, query.window, query.q_BTHD, &query.positions, attended.out,
                         attended.lse, &cache});
  return result.mass;
}

TEST(SpanMass, PlantedAttentionIsOneOnItsSpanAndZeroBesideIt) {
  for (const float mass : mass_of({{10, 14}}, 12)) EXPECT_NEAR(mass, 1, 1e-4);
  for (const float mass : mass_of({{10, 12}, {13, 16}}, 12)) EXPECT_NEAR(mass, 0, 1e-4);
}

TEST(SpanMass, UniformAttentionIsTheShareOfTheKeys) {
  for (const float mass : mass_of({{10, 14}}, std::nullopt)) EXPECT_NEAR(mass, 4.0 / kTokens, 1e-6);
  for (const float mass : mass_of({{0, kTokens}}, std::nullopt)) EXPECT_NEAR(mass, 1, 1e-5);
}

}  // namespace
}  // namespace orthros
