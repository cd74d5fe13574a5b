// A recorded decode in the store: what comes back is what was recorded, and a kill loses at most the step
// that was being written.
#include "engine/experiments/kept_steps.h"

#include <thread>

#include <gtest/gtest.h>

#include "engine/inference/generate.h"
#include "engine/inference/step_recorder.h"
#include "tests/engine/store/child_process.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

class KeptSteps : public ::testing::Test {
 protected:
  void SetUp() override {
    model_ = test::load_fixture("tiny/llama-tokenizer");
    ASSERT_NE(model_, nullptr);
    config_ = *with_architecture(model_->config(), Architecture::orthros, WindowSpec{8, 2});
    auto arm = arm_of(model_, config_);
    ASSERT_TRUE(arm) << arm.error().line();
    arm_ = std::move(*arm);
  }

  /// A decode of `steps` after a prompt, recorded at a level.
  void record(int64_t prompt, int64_t steps, CaptureLevel level) {
    kept_ = {};
    kept_.name = "decode";
    kept_.text = "some text";
    kept_.model = "tiny";
    for (int64_t i = 0; i < prompt; ++i) {
      kept_.ids.push_back(i % 40 + 3);
      kept_.pieces.push_back(std::string(1, static_cast<char>('a' + i % 26)));
    }
    StepRecorderOptions options;
    options.level = level;
    options.layers = {1};
    options.prompt_tokens = prompt;
    options.max_steps = steps;
    const auto recorder = StepRecorder::create(config_, options);
    ASSERT_TRUE(recorder) << recorder.error().line();
    SessionOptions opened;
    opened.capacity = prompt + steps;
    opened.keep_all_keys = true;
    auto session = Session::create(model_, config_, opened);
    ASSERT_TRUE(session && session->watch(recorder->get()));
    GenerateRequest request;
    request.prompt = kept_.ids;
    request.max_tokens = steps + 1;
    request.on_token = [&](const TokenEvent& event) {
      kept_.said.push_back({event.sample.id, event.bytes, event.sample.probability});
    };
    ASSERT_TRUE(generate(*session, &*model_->files().tokenizer, request));
    kept_.record = (*recorder)->record();
    ASSERT_EQ(kept_.record.steps.size(), kept_.said.size());
  }

  std::unique_ptr<StepKeeper> begin(store::RunStore& store) const {
    KeptRecord start = kept_;
    start.record.steps.clear();
    auto keeper = StepKeeper::begin(store, arm_, start);
    EXPECT_TRUE(keeper) << keeper.error().line();
    return std::move(*keeper);
  }

  Result<KeptRecord> read() const {
    const auto reader = store::RunReader::open(path_);
    if (!reader) return fail(reader.error());
    return read_record(**reader, "last");
  }

  /// The first `count` steps are there, to the bit.
  void expect_steps(const KeptRecord& again, size_t count) const {
    ASSERT_EQ(again.record.steps.size(), count);
    EXPECT_EQ(again.ids.size(), kept_.ids.size() + count - 1);
    EXPECT_EQ(again.pieces.size(), again.ids.size());
    for (size_t i = 0; i < count; ++i) {
      const DecodeStep& before = *kept_.record.steps[i];
      const DecodeStep& after = *again.record.steps[i];
      EXPECT_EQ(after.position, before.position);
      EXPECT_EQ(after.id, before.id);
      EXPECT_NEAR(after.ms, before.ms, 1e-5);
      EXPECT_EQ(after.check.rows, before.check.rows);
      EXPECT_EQ(after.check.sum, before.check.sum);
      EXPECT_EQ(again.said[i].id, kept_.said[i].id);
      EXPECT_EQ(again.said[i].bytes, kept_.said[i].bytes);
      for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
        for (int64_t layer = 0; layer < before.layers; ++layer) {
          EXPECT_EQ(after.is_exact(stream, layer), before.is_exact(stream, layer));
          for (int64_t head = 0; head < before.heads; ++head) {
            EXPECT_EQ(after.row(stream, layer, head), before.row(stream, layer, head));
            EXPECT_EQ(after.shown_row(stream, layer, head), before.shown_row(stream, layer, head));
            EXPECT_EQ(after.scalars(stream, layer, head).shares.beyond,
                      before.scalars(stream, layer, head).shares.beyond);
            EXPECT_EQ(after.scalars(stream, layer, head).distance,
                      before.scalars(stream, layer, head).distance);
          }
        }
      }
    }
  }

  test::TempFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.sqlite";
  std::shared_ptr<const Model> model_;
  ModelConfig config_;
  Arm arm_;
  KeptRecord kept_;
};

TEST_F(KeptSteps, ComeBackAtEveryLevelAndLength) {
  const auto store = store::RunStore::open(path_);
  ASSERT_TRUE(store);
  for (const int64_t prompt : {5, 300, 700}) {
    for (const CaptureLevel level :
         {CaptureLevel::c0, CaptureLevel::c1, CaptureLevel::c2, CaptureLevel::c3}) {
      record(prompt, 4, level);
      const auto keeper = begin(**store);
      for (size_t i = 0; i < kept_.said.size(); ++i)
        ASSERT_TRUE(keeper->add(*kept_.record.steps[i], kept_.said[i]));
      EXPECT_FALSE(keeper->add(*kept_.record.steps[0], kept_.said[0]));  // out of turn
      const auto ended = keeper->end(kept_.record);
      ASSERT_TRUE(ended) << ended.error().line();
      const auto again = read();
      ASSERT_TRUE(again) << again.error().line();
      EXPECT_EQ(again->record.level, level);
      EXPECT_EQ(again->record.window, kept_.record.window);
      expect_steps(*again, kept_.said.size());
      const RowErrorsOfHead& errors = again->record.errors(StreamKind::output, 1, 1);
      EXPECT_EQ(errors.sum, kept_.record.errors(StreamKind::output, 1, 1).sum);
      EXPECT_EQ(errors.rows, 5);
    }
  }
}

TEST_F(KeptSteps, AKillLosesAtMostTheStepThatWasBeingWritten) {
  record(20, 40, CaptureLevel::c1);
  for (const int64_t answers : {0, 1, 7, 20}) {
    store::test::ChildProcess child([this](store::test::ChildProcess::Pipe& pipe) {
      const auto store = store::RunStore::open(path_);
      if (!store) return;
      const auto keeper = begin(**store);
      for (size_t i = 0; i < kept_.said.size(); ++i) {
        if (!keeper->add(*kept_.record.steps[i], kept_.said[i])) return;
        pipe.say(static_cast<int64_t>(i));
      }
    });
    int64_t heard = -1;
    for (int64_t i = 0; i <= answers; ++i) heard = child.hear().value_or(-1);
    ASSERT_EQ(heard, answers);
    std::this_thread::sleep_for(std::chrono::microseconds(300 * answers));
    child.kill();
    while (const auto number = child.hear()) heard = *number;
    const auto again = read();
    ASSERT_TRUE(again) << again.error().line();
    const auto count = std::ssize(again->record.steps);
    EXPECT_GE(count, heard + 1);  // all that were acknowledged
    EXPECT_LE(count, heard + 2);  // and at most the one whose answer the kill cut off
    expect_steps(*again, static_cast<size_t>(count));
  }
}

TEST_F(KeptSteps, ADamagedStepIsRefused) {
  record(5, 2, CaptureLevel::c1);
  const auto store = store::RunStore::open(path_);
  ASSERT_TRUE(store);
  DecodeStep wrong = *kept_.record.steps[0];
  const auto keeper = begin(**store);
  wrong.heads -= 1;  // rows of one head are missing
  ASSERT_TRUE(keeper->add(wrong, kept_.said[0]));
  const auto again = read();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::corrupt_file);
}

}  // namespace
}  // namespace orthros
