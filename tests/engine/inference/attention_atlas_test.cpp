// The atlas gives, head by head, exactly the rows that attention_rows gives, with the supports of both streams.
#include "engine/inference/attention_atlas.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/inference/attention_rows.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

std::vector<TokenId> some_ids(int64_t count) {
  std::vector<TokenId> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back((i * 7 + 3) % 50);
  return ids;
}

int64_t support(std::span<const float> row) {
  return std::ranges::count_if(row, [](float weight) { return weight > 0; });
}

TEST(AttentionAtlas, EqualsTheRowsOfEachHead) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  AttentionAtlasRequest request;
  request.ids = some_ids(11);
  request.chunk = 4;  // the row lies in a chunk of its own
  const auto atlas = attention_atlas(model, model->config(), request);
  ASSERT_TRUE(atlas) << atlas.error().line();
  ASSERT_TRUE(atlas->has_output());
  EXPECT_LE(atlas->max_sum_error, 1e-5);
  EXPECT_LE(atlas->max_output_error, 1e-5);
  EXPECT_FALSE(atlas->last_base_used);
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t layer = 0; layer < atlas->layers; ++layer) {
      for (int64_t head = 0; head < atlas->heads; ++head) {
        AttentionRowsRequest one{request.ids, layer, head, stream, {}, 512};
        const auto rows = attention_rows(model, model->config(), one);
        ASSERT_TRUE(rows);
        const auto row = atlas->row(stream, layer, head);
        ASSERT_EQ(row.size(), rows->weights.size());
        for (size_t key = 0; key < row.size(); ++key) EXPECT_NEAR(row[key], rows->weights[key], 2e-6);
        EXPECT_EQ(support(row), stream == StreamKind::base ? 4 + 2 : 11);
      }
    }
  }
  // Another head's row is another row: a transposed atlas would be noticed.
  EXPECT_FALSE(std::ranges::equal(atlas->row(StreamKind::output, 0, 0), atlas->row(StreamKind::output, 0, 1)));
  EXPECT_FALSE(std::ranges::equal(atlas->row(StreamKind::output, 0, 0), atlas->row(StreamKind::output, 1, 0)));
}

TEST(AttentionAtlas, LaterTokensChangeNothing) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s0");
  ASSERT_TRUE(model);
  AttentionAtlasRequest whole;
  whole.ids = some_ids(12);
  whole.position = 7;
  AttentionAtlasRequest cut;
  cut.ids = some_ids(8);
  const auto a = attention_atlas(model, model->config(), whole);
  const auto b = attention_atlas(model, model->config(), cut);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->num_keys, 8);
  EXPECT_EQ(a->output, b->output);
  EXPECT_EQ(a->base, b->base);
}

TEST(AttentionAtlas, TransformerHasOneStreamThatReadsAll) {
  const auto model = test::load_fixture("tiny/llama-mha");
  ASSERT_TRUE(model);
  AttentionAtlasRequest request;
  request.ids = some_ids(9);
  const auto atlas = attention_atlas(model, model->config(), request);
  ASSERT_TRUE(atlas) << atlas.error().line();
  EXPECT_FALSE(atlas->has_output());
  EXPECT_TRUE(atlas->last_base_used);
  EXPECT_EQ(support(atlas->row(StreamKind::base, 0, 0)), 9);
}

TEST(AttentionAtlas, RefusesWithTheNumber) {
  const auto model = test::load_fixture("tiny/llama-mha");
  ASSERT_TRUE(model);
  AttentionAtlasRequest request;
  request.ids = some_ids(9);
  request.max_bytes = 10;
  const auto refused = attention_atlas(model, model->config(), request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
  request.position = 9;
  EXPECT_EQ(attention_atlas(model, model->config(), request).error().code, ErrorCode::invalid_argument);
  request.ids.clear();
  EXPECT_FALSE(attention_atlas(model, model->config(), request));
}

}  // namespace
}  // namespace orthros
