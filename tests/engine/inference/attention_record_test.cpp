// A record gives the rows that attention_rows gives, at every level, and its shares are those of its rows.
#include "engine/inference/attention_record.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/inference/attention_rows.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

constexpr int64_t kTokens = 11;

AttentionRecordRequest request_of(CaptureLevel level) {
  AttentionRecordRequest request;
  for (int64_t i = 0; i < kTokens; ++i) request.ids.push_back((i * 7 + 3) % 50);
  request.level = level;
  request.layer = 1;
  request.chunk = 4;
  return request;
}

void expect_rows(const AttentionRecord& record, const std::shared_ptr<const Model>& model, StreamKind stream,
                 int64_t layer, int64_t head) {
  AttentionRowsRequest one{request_of(CaptureLevel::c3).ids, layer, head, stream, {}, 512};
  for (int64_t t = 0; t < kTokens; ++t) one.rows.push_back(t);
  const auto rows = attention_rows(model, model->config(), one);
  ASSERT_TRUE(rows) << rows.error().line();
  for (int64_t t = 0; t < kTokens; ++t) {
    const std::vector<float> row = record.row(stream, layer, head, t);
    ASSERT_EQ(std::ssize(row), t + 1);
    for (int64_t key = 0; key <= t; ++key)
      EXPECT_NEAR(row[static_cast<size_t>(key)], rows->weights[static_cast<size_t>(t * kTokens + key)], 2e-6);
  }
}

TEST(AttentionRecord, C3EqualsTheRowsOfEachHead) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  const auto record = attention_record(model, model->config(), request_of(CaptureLevel::c3));
  ASSERT_TRUE(record) << record.error().line();
  EXPECT_EQ(record->band_width(), 4 + 2);
  EXPECT_EQ(record->bytes(), record_bytes(model->config(), request_of(CaptureLevel::c3)));
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t layer = 0; layer < record->layers; ++layer) {
      for (int64_t head = 0; head < record->heads; ++head) {
        expect_rows(*record, model, stream, layer, head);
        const RowErrorsOfHead& errors = record->errors(stream, layer, head);
        EXPECT_EQ(errors.rows, kTokens);
        EXPECT_EQ(errors.outside, 0);
        EXPECT_LE(errors.sum, 1e-5);
        EXPECT_LE(errors.output, 1e-5);
      }
    }
  }
}

TEST(AttentionRecord, SharesAreThoseOfTheRows) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  const auto record = attention_record(model, model->config(), request_of(CaptureLevel::c3));
  ASSERT_TRUE(record);
  double beyond = 0;
  for (int64_t head = 0; head < record->heads; ++head) {
    for (int64_t t = 0; t < kTokens; ++t) {
      const auto at = static_cast<size_t>((1 * record->heads + head) * kTokens + t);
      const RowShares& output = record->output_shares[at];
      const std::vector<float> row = record->row(StreamKind::output, 1, head, t);
      const int64_t first_near = std::max<int64_t>(0, t - 4 + 1);
      double expected = 0;
      for (int64_t key = 2; key < first_near; ++key) expected += row[static_cast<size_t>(key)];
      EXPECT_NEAR(output.beyond, expected, 1e-6);
      EXPECT_NEAR(output.sink + output.window + output.beyond, 1, 1e-5);
      EXPECT_EQ(record->base_shares[at].beyond, 0);
      beyond += output.beyond;
    }
  }
  EXPECT_GT(beyond, 0.1);
}

TEST(AttentionRecord, LowerLevelsKeepLessOfTheSame) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  const auto whole = attention_record(model, model->config(), request_of(CaptureLevel::c3));
  ASSERT_TRUE(whole);
  int64_t last_bytes = whole->bytes();
  for (const CaptureLevel level : {CaptureLevel::c2, CaptureLevel::c1}) {
    const auto record = attention_record(model, model->config(), request_of(level));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->bytes(), record_bytes(model->config(), request_of(level)));
    EXPECT_LT(record->bytes(), last_bytes);
    last_bytes = record->bytes();
    const std::vector<float> row = record->row(StreamKind::output, 0, 1, kTokens - 1);
    const std::vector<float> same = whole->row(StreamKind::output, 0, 1, kTokens - 1);
    ASSERT_EQ(row.size(), same.size());
    for (size_t key = 0; key < row.size(); ++key) EXPECT_NEAR(row[key], same[key], 2e-6);
    EXPECT_TRUE(record->row(StreamKind::output, 0, 1, 5).empty());
    EXPECT_EQ(record->row(StreamKind::output, 1, 1, 5).empty(), level == CaptureLevel::c1);
  }
  const auto shares = attention_record(model, model->config(), request_of(CaptureLevel::c0));
  ASSERT_TRUE(shares);
  EXPECT_TRUE(shares->row(StreamKind::output, 0, 0, kTokens - 1).empty());
  EXPECT_EQ(shares->output_shares.size(), whole->output_shares.size());
  EXPECT_EQ(shares->bytes(), record_bytes(model->config(), request_of(CaptureLevel::c0)));
}

TEST(AttentionRecord, PredictionsAreThoseOfTheLogits) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  AttentionRecordRequest request = request_of(CaptureLevel::c3);
  request.predict = true;
  const auto record = attention_record(model, model->config(), request);
  ASSERT_TRUE(record) << record.error().line();
  ASSERT_EQ(record->predictions.size(), record->share_positions.size());
  EvaluateRequest evaluate;
  evaluate.ids = request.ids;
  const test::LogitRows rows = test::evaluate_rows(model, model->config(), evaluate);
  for (size_t i = 0; i < record->predictions.size(); ++i) {
    const std::vector<float>& logits = rows.at(record->share_positions[i]);
    const auto most = std::ranges::max_element(logits);
    EXPECT_EQ(record->predictions[i].id, most - logits.begin());
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit - *most));
    EXPECT_NEAR(record->predictions[i].probability, 1 / sum, 1e-5);
  }
  request.predict = false;
  EXPECT_TRUE(attention_record(model, model->config(), request)->predictions.empty());
}

// GQA and odd shapes: every row is there, sums to 1 and reads what it may.
TEST(AttentionRecord, OddShapes) {
  const auto model = test::load_fixture("tiny/qwen3-gqa");
  ASSERT_TRUE(model);
  EXPECT_GT(model->config().num_attention_heads, model->config().num_key_value_heads);
  for (const int64_t tokens : {1, 2, 3, 9}) {  // T = 1, T < w, T > w
    for (const WindowSpec window :
         {WindowSpec{4, 0}, WindowSpec{1, 0}, WindowSpec{4, 2}, WindowSpec{64, 3}}) {
      const auto config = with_architecture(model->config(), Architecture::orthros, window);
      ASSERT_TRUE(config);
      AttentionRecordRequest request;
      for (int64_t i = 0; i < tokens; ++i) request.ids.push_back(i % 7 + 1);
      for (const CaptureLevel level : {CaptureLevel::c3, CaptureLevel::c1}) {  // T_out = T, T_out = 1
        request.level = level;
        const auto record = attention_record(model, *config, request);
        ASSERT_TRUE(record) << record.error().line();
        for (int64_t layer = 0; layer < record->layers; ++layer) {
          for (int64_t head = 0; head < record->heads; ++head) {
            for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
              for (const int64_t t : record->rows[static_cast<size_t>(layer)].positions) {
                const std::vector<float> row = record->row(stream, layer, head, t);
                ASSERT_EQ(std::ssize(row), t + 1);
                EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-5);
                for (int64_t key = 0; key <= t; ++key) {
                  const bool seen = stream == StreamKind::output || window.sees(t, key);
                  EXPECT_EQ(row[static_cast<size_t>(key)] > 0, seen) << t << ' ' << key;
                }
              }
            }
          }
        }
      }
    }
  }
}

// Check 1 at the width of the paper: w = 128, T = 300, every layer, head and row.
TEST(AttentionRecord, WindowEdgeAt128) {
  const auto model = test::load_fixture("tiny/qwen3-gqa");
  ASSERT_TRUE(model);
  for (const WindowSpec window : {WindowSpec{128, 0}, WindowSpec{127, 0}}) {
    const auto config = with_architecture(model->config(), Architecture::orthros, window);
    ASSERT_TRUE(config);
    AttentionRecordRequest request;
    for (int64_t i = 0; i < 300; ++i) request.ids.push_back(i * 11 % 61 + 1);
    request.level = CaptureLevel::c3;
    const auto record = attention_record(model, *config, request);
    ASSERT_TRUE(record) << record.error().line();
    int64_t wrong = 0;
    for (int64_t layer = 0; layer < record->layers; ++layer) {
      for (int64_t head = 0; head < record->heads; ++head) {
        for (int64_t t = 0; t < 300; ++t) {
          const auto count = [](const std::vector<float>& row) {
            return std::ranges::count_if(row, [](float weight) { return weight > 0; });
          };
          wrong += count(record->row(StreamKind::base, layer, head, t)) != std::min<int64_t>(t + 1, 128);
          EXPECT_EQ(count(record->row(StreamKind::output, layer, head, t)), t + 1);
        }
      }
    }
    EXPECT_EQ(wrong == 0, window.window == 128) << wrong;  // a window off by one is seen
  }
}

TEST(AttentionRecord, RefusesWithNumbers) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  AttentionRecordRequest request = request_of(CaptureLevel::c3);
  request.max_bytes = 100;
  const auto refused = attention_record(model, model->config(), request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
  EXPECT_NE(refused.error().line().find("100 B"), std::string::npos);
  request.ids.clear();
  EXPECT_FALSE(attention_record(model, model->config(), request));
}

}  // namespace
}  // namespace orthros
