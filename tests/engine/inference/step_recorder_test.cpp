// Recording while decoding: the run is the same to the bit, no step is missing, and each row is the row that
// a pass over the whole text gives.
#include "engine/inference/step_recorder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/inference/generate.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

constexpr int64_t kPrompt = 9;

std::vector<TokenId> prompt_of(int64_t tokens) {
  std::vector<TokenId> ids;
  for (int64_t i = 0; i < tokens; ++i) ids.push_back((i * 7 + 3) % 50);
  return ids;
}

/// What a decode gives: the ids it read after the prompt, and the logits after each.
struct Decoded {
  std::vector<TokenId> ids;
  std::vector<std::vector<float>> logits;
};

struct Recorded {
  Decoded decoded;
  AttentionRecord record;
};

class StepRecorderTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    model_ = test::load_fixture("tiny/orthros-llama-w4-s2-so");
    ASSERT_NE(model_, nullptr);
    const auto config =
        with_architecture(model_->config(), *parse_architecture(GetParam()), WindowSpec{4, 2});
    ASSERT_TRUE(config) << config.error().line();
    config_ = *config;
  }

  Session open(int64_t tokens) const {
    SessionOptions options;
    options.capacity = tokens;
    options.chunk = 16;
    options.keep_all_keys = true;
    auto session = Session::create(model_, config_, options);
    EXPECT_TRUE(session) << session.error().line();
    return std::move(*session);
  }

  /// Greedy.
  static Decoded decode(Session& session, int64_t prompt, int64_t steps) {
    Decoded all;
    EXPECT_TRUE(session.prefill({prompt_of(prompt)}));
    for (int64_t step = 0;; ++step) {
      const auto logits = session.logits();
      all.logits.emplace_back(logits.begin(), logits.end());
      if (step == steps) return all;
      all.ids.push_back(std::ranges::max_element(logits) - logits.begin());
      EXPECT_TRUE(session.step({all.ids.back()}));
    }
  }

  Recorded record(int64_t prompt, int64_t steps, StepRecorderOptions options) const {
    options.prompt_tokens = prompt;
    options.max_steps = steps;
    auto recorder = StepRecorder::create(config_, options);
    EXPECT_TRUE(recorder) << recorder.error().line();
    Session session = open(prompt + steps);
    EXPECT_TRUE(session.watch(recorder->get()));
    Decoded decoded = decode(session, prompt, steps);
    EXPECT_EQ((*recorder)->record().bytes(), decode_record_bytes(config_, options));
    return {std::move(decoded), (*recorder)->record()};
  }

  std::shared_ptr<const Model> model_;
  ModelConfig config_;
};

TEST_P(StepRecorderTest, WatchingChangesNoBit) {
  constexpr int64_t kSteps = 64;
  Session plain = open(kPrompt + kSteps);
  const Decoded expected = decode(plain, kPrompt, kSteps);
  for (const CaptureLevel level : {CaptureLevel::c0, CaptureLevel::c1, CaptureLevel::c2, CaptureLevel::c3}) {
    for (const bool every : {false, true}) {
      const Recorded watched = record(kPrompt, kSteps, {level, {1}, 0, 0, 512'000'000, every, {}});
      EXPECT_EQ(watched.decoded.ids, expected.ids);
      EXPECT_EQ(watched.decoded.logits, expected.logits);
    }
  }
}

TEST_P(StepRecorderTest, NoStepIsMissingAndInvariantsHoldAtEach) {
  constexpr int64_t kSteps = 210;
  std::vector<int64_t> told;
  StepRecorderOptions options;
  options.check_every_head = true;
  options.on_step = [&told](const DecodeStepPointer& step) { told.push_back(step->position); };
  const Recorded watched = record(kPrompt, kSteps, options);
  ASSERT_EQ(std::ssize(watched.record.steps), kSteps + 1);
  std::vector<int64_t> expected(kSteps + 1);
  std::iota(expected.begin(), expected.end(), kPrompt - 1);
  EXPECT_EQ(told, expected);
  const int64_t streams = config_.has_output_stream() ? 2 : 1;
  const int64_t rows = config_.num_hidden_layers * config_.num_attention_heads * streams;
  for (int64_t i = 0; i <= kSteps; ++i) {
    const DecodeStep& step = *watched.record.steps[static_cast<size_t>(i)];
    EXPECT_EQ(step.position, kPrompt - 1 + i);
    EXPECT_EQ(step.id, i == 0 ? prompt_of(kPrompt).back() : watched.decoded.ids[static_cast<size_t>(i - 1)]);
    EXPECT_EQ(step.check.rows, rows);
    EXPECT_EQ(step.check.output_rows, rows);
    EXPECT_LE(step.check.sum, 1e-5);
    EXPECT_LE(step.check.output, 1e-5);
    EXPECT_EQ(step.check.outside, 0);
    EXPECT_GT(step.ms, 0);
    EXPECT_LE(step.record_ms, step.ms);
  }
}

TEST_P(StepRecorderTest, RowsAreThoseOfAPassOverTheWholeText) {
  constexpr int64_t kSteps = 20;
  const Recorded watched = record(kPrompt, kSteps, {CaptureLevel::c3, {}, 0, 0, 512'000'000, true, {}});
  AttentionRecordRequest request;
  request.ids = prompt_of(kPrompt);
  request.ids.insert(request.ids.end(), watched.decoded.ids.begin(), watched.decoded.ids.end());
  request.level = CaptureLevel::c3;
  const auto whole = attention_record(model_, config_, request);
  ASSERT_TRUE(whole) << whole.error().line();
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    if (stream == StreamKind::output && !config_.has_output_stream()) continue;
    for (int64_t layer = 0; layer < whole->layers; ++layer) {
      for (int64_t head = 0; head < whole->heads; ++head) {
        for (int64_t t = kPrompt - 1; t < kPrompt + kSteps; ++t) {
          const std::vector<float> row = watched.record.row(stream, layer, head, t);
          const std::vector<float> same = whole->row(stream, layer, head, t);
          ASSERT_EQ(row.size(), same.size());
          for (size_t key = 0; key < row.size(); ++key) ASSERT_NEAR(row[key], same[key], 1e-5) << key;
          const RowShares expected = shares_of_row(row, t, config_.layers.front().window);
          const RowShares& own = watched.record.step_at(t)->scalars(stream, layer, head).shares;
          EXPECT_NEAR(own.sink, expected.sink, 1e-5);
          EXPECT_NEAR(own.window, expected.window, 1e-5);
          EXPECT_NEAR(own.beyond, expected.beyond, 1e-5);
          EXPECT_NEAR(own.entropy, expected.entropy, 1e-4);
          const QueryRow query = watched.record.query(stream, layer, head, t);
          const QueryRow whole_query = whole->query(stream, layer, head, t);
          ASSERT_EQ(query.empty(), !whole->has_scale_offset(layer));
          for (size_t i = 0; i < query.scaled.size(); ++i) {
            ASSERT_NEAR(query.projected[i], whole_query.projected[i], 2e-5);
            ASSERT_NEAR(query.scaled[i], whole_query.scaled[i], 2e-5);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, StepRecorderTest, ::testing::Values("orthros", "swa", "transformer"));

using StepRecorderOrthros = StepRecorderTest;

TEST_P(StepRecorderOrthros, LongRowsKeepTheirHeaviestKeysAndTheirSums) {
  constexpr int64_t kLong = 700, kSteps = 3;
  const Recorded digest = record(kLong, kSteps, {CaptureLevel::c1, {}, 0, 0, 512'000'000, false, {}});
  const Recorded chosen = record(kLong, kSteps, {CaptureLevel::c2, {1}, 0, 0, 512'000'000, false, {}});
  const Recorded whole = record(kLong, kSteps, {CaptureLevel::c3, {}, 0, 0, 512'000'000, false, {}});
  EXPECT_LT(digest.record.bytes(), chosen.record.bytes());
  EXPECT_LT(chosen.record.bytes(), whole.record.bytes());
  const int64_t t = kLong + 1;
  for (int64_t layer = 0; layer < whole.record.layers; ++layer) {
    for (int64_t head = 0; head < whole.record.heads; ++head) {
      const std::vector<float> exact = whole.record.row(StreamKind::output, layer, head, t);
      EXPECT_TRUE(digest.record.step_at(t)->row(StreamKind::output, layer, head).empty());
      EXPECT_FALSE(digest.record.is_exact(StreamKind::output, layer, t));
      EXPECT_EQ(chosen.record.is_exact(StreamKind::output, layer, t), layer == 1);
      EXPECT_EQ(digest.record.row(StreamKind::base, layer, head, t),
                whole.record.row(StreamKind::base, layer, head, t));
      const std::vector<float> shown = digest.record.row(StreamKind::output, layer, head, t);
      ASSERT_EQ(shown.size(), exact.size());
      EXPECT_NEAR(std::accumulate(shown.begin(), shown.end(), 0.0), 1, 1e-5);
      std::vector<size_t> order(exact.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::ranges::sort(order, std::greater(), [&](size_t key) { return exact[key]; });
      for (int64_t i = 0; i < kernels::kDigestTop; ++i) EXPECT_EQ(shown[order[i]], exact[order[i]]);
      for (size_t i = kernels::kDigestTop; i < order.size(); ++i)
        EXPECT_LE(shown[order[i]], exact[order[kernels::kDigestTop - 1]]);
      const RowScalars& own = digest.record.step_at(t)->scalars(StreamKind::output, layer, head);
      EXPECT_EQ(own.self, exact.back());
      EXPECT_EQ(own.first, exact.front());
      EXPECT_EQ(own.previous, exact[exact.size() - 2]);
      double distance = 0;
      for (size_t key = 0; key < exact.size(); ++key)
        distance += static_cast<double>(exact[key]) * static_cast<double>(t - static_cast<int64_t>(key));
      EXPECT_NEAR(own.distance, distance / static_cast<double>(t), 1e-5);
    }
  }
  EXPECT_TRUE(whole.record.row(StreamKind::output, 0, 0, kLong - 2).empty());  // before the recording
  EXPECT_TRUE(whole.record.row(StreamKind::output, 0, 0, kLong + kSteps).empty());
}

TEST_P(StepRecorderOrthros, RefusesWithTheNumberNeeded) {
  StepRecorderOptions options{CaptureLevel::c3, {}, 1000, 1000, 100'000, false, {}};
  const auto refused = StepRecorder::create(config_, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
  EXPECT_NE(refused.error().line().find("100 kB"), std::string::npos) << refused.error().line();
  options.max_bytes = decode_record_bytes(config_, options);
  EXPECT_TRUE(StepRecorder::create(config_, options));
  options.layers = {99};
  EXPECT_EQ(StepRecorder::create(config_, options).error().code, ErrorCode::invalid_argument);
  options = {};
  EXPECT_EQ(StepRecorder::create(config_, options).error().code, ErrorCode::invalid_argument);
  options.prompt_tokens = 4;
  const auto recorder = StepRecorder::create(config_, options);
  ASSERT_TRUE(recorder);
  SessionOptions forgetful;
  forgetful.capacity = 8;
  auto session = Session::create(model_, config_, forgetful);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->watch(recorder->get()).error().code, ErrorCode::invalid_argument);
}

TEST_P(StepRecorderOrthros, StopEndsWithinOneStepAndKeepsWhatWasRecorded) {
  StopSource stop;
  StepRecorderOptions options;
  options.prompt_tokens = kPrompt;
  options.max_steps = 50;
  int64_t seen = 0;
  options.on_step = [&](const DecodeStepPointer&) {
    if (++seen == 8) stop.request_stop();
  };
  const auto recorder = StepRecorder::create(config_, options);
  ASSERT_TRUE(recorder);
  Session session = open(kPrompt + 50);
  ASSERT_TRUE(session.watch(recorder->get()));
  GenerateRequest request;
  request.prompt = prompt_of(kPrompt);
  request.max_tokens = 51;
  const auto result = generate(session, nullptr, request, stop.token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_EQ(seen, 8);
  EXPECT_EQ((*recorder)->record().steps.size(), 8U);
}

INSTANTIATE_TEST_SUITE_P(Only, StepRecorderOrthros, ::testing::Values("orthros"));

}  // namespace
}  // namespace orthros
