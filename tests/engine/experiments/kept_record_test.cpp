// A kept capture comes back with its queries and predictions; one that was kept before they were written down
// opens without them, and a damaged one is refused.
#include "engine/experiments/kept_record.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

class KeptRecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto model = test::load_fixture("tiny/orthros-llama-w4-s2-so");
    ASSERT_NE(model, nullptr);
    AttentionRecordRequest request;
    for (int64_t i = 0; i < 9; ++i) request.ids.push_back((i * 7 + 3) % 50);
    request.level = CaptureLevel::c3;
    request.predict = true;
    auto record = attention_record(model, model->config(), request);
    ASSERT_TRUE(record) << record.error().line();
    kept_ = {};
    kept_.ids = request.ids;
    kept_.name = kept_.text = "text";
    kept_.record = std::move(*record);
    for (const TokenPrediction& one : kept_.record.predictions)
      kept_.predicted.push_back("\xff" + std::to_string(one.id));
    auto arm = arm_of(model, model->config());
    ASSERT_TRUE(arm) << arm.error().line();
    auto store = store::RunStore::open(path_);
    ASSERT_TRUE(store) << store.error().line();
    const auto experiment = keep_record(**store, *arm, kept_);
    ASSERT_TRUE(experiment) << experiment.error().line();
    uuid_ = experiment->uuid;
  }

  Result<KeptRecord> read() const {
    auto reader = store::RunReader::open(path_);
    EXPECT_TRUE(reader) << reader.error().line();
    return read_record(**reader, uuid_);
  }

  void change(const char* sql) const { SQLite::Database(path_.string(), SQLite::OPEN_READWRITE).exec(sql); }

  test::TempFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.sqlite";
  KeptRecord kept_;
  std::string uuid_;
};

TEST_F(KeptRecordTest, QueriesAndPredictionsComeBack) {
  const auto again = read();
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_EQ(again->record.scale_offset_layers, kept_.record.scale_offset_layers);
  EXPECT_EQ(again->record.head_dim, kept_.record.head_dim);
  EXPECT_EQ(again->record.bytes(), kept_.record.bytes());
  for (size_t layer = 0; layer < kept_.record.rows.size(); ++layer) {
    const LayerRows& before = kept_.record.rows[layer];
    const LayerRows& after = again->record.rows[layer];
    ASSERT_FALSE(before.base_queries.scaled.empty());
    EXPECT_EQ(after.base_queries.projected, before.base_queries.projected);
    EXPECT_EQ(after.base_queries.scaled, before.base_queries.scaled);
    EXPECT_EQ(after.output_queries.projected, before.output_queries.projected);
    EXPECT_EQ(after.output_queries.scaled, before.output_queries.scaled);
    EXPECT_NE(after.output_queries.scaled, before.base_queries.scaled);  // it can differ
  }
  ASSERT_EQ(again->record.predictions.size(), kept_.record.predictions.size());
  EXPECT_EQ(again->predicted, kept_.predicted);
  for (size_t i = 0; i < kept_.predicted.size(); ++i) {
    EXPECT_EQ(again->record.predictions[i].id, kept_.record.predictions[i].id);
    EXPECT_EQ(again->record.predictions[i].probability, kept_.record.predictions[i].probability);
  }
}

TEST_F(KeptRecordTest, AnOlderOneOpensWithoutThem) {
  change(
      "DELETE FROM attn_query; UPDATE experiment SET spec_json = json_remove(spec_json, '$.predictions', "
      "'$.record.head_dim', '$.record.scale_offset_layers')");
  const auto again = read();
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_TRUE(again->record.predictions.empty());
  EXPECT_TRUE(again->predicted.empty());
  EXPECT_FALSE(again->record.scale_offset_layers.has_value());
  EXPECT_TRUE(again->record.query(StreamKind::output, 1, 0, 5).empty());
  EXPECT_EQ(again->record.row(StreamKind::output, 1, 0, 5), kept_.record.row(StreamKind::output, 1, 0, 5));
}

TEST_F(KeptRecordTest, DamageIsRefused) {
  for (const char* sql :
       {"UPDATE attn_query SET scaled = x'00000000' WHERE layer = 1 AND position = 3",
        "UPDATE attn_query SET position = 77 WHERE layer = 1 AND position = 4 AND output_stream = 0",
        "UPDATE experiment SET spec_json = json_set(spec_json, '$.record.head_dim', 3)",
        "UPDATE experiment SET spec_json = json_set(spec_json, '$.record.head_dim', -8)",
        "UPDATE experiment SET spec_json = json_remove(spec_json, '$.predictions[0]')",
        "UPDATE experiment SET spec_json = json_set(spec_json, '$.predictions[0][0]', 'x')"}) {
    SetUp();
    ASSERT_TRUE(read()) << sql;
    change(sql);
    const auto again = read();
    ASSERT_FALSE(again) << sql;
    EXPECT_EQ(again.error().code, ErrorCode::corrupt_file) << again.error().line();
    std::filesystem::remove(path_);
  }
}

}  // namespace
}  // namespace orthros
