// What training data looks like: targets that can be found before they are asked for, the same batch for the
// same seed, and mistakes of a stage that are found before the first step.
#include "engine/training/batch_source.h"

#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model/model_files.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros::training {
namespace {

using ::testing::HasSubstr;
using Ids = std::vector<int64_t>;

constexpr int64_t kVocabulary = 320;

const Tokenizer& fixture_tokenizer() {
  static const Tokenizer tokenizer = [] {
    auto files = open_model(test::fixtures() / "tiny/llama-tokenizer");
    EXPECT_TRUE(files && files->tokenizer);
    return *files->tokenizer;
  }();
  return tokenizer;
}

StageConfig needle_stage(NeedleGrammar grammar, QuestionPlace place) {
  StageConfig stage;
  stage.max_steps = 1;
  stage.lengths = {400};
  stage.batch = 3;
  stage.needles = {5};
  stage.questions = 3;
  stage.place = place;
  stage.grammars = {grammar};
  return stage;
}

/// Every question's answer stands in an earlier needle with the same name, and nowhere else.
TEST(NeedleBatches, AnswersCanBeFoundBeforeTheirQuestions) {
  const Tokenizer tokenizer = fixture_tokenizer();
  for (const NeedleGrammar grammar : {NeedleGrammar::pair, NeedleGrammar::word, NeedleGrammar::number}) {
    for (const QuestionPlace place : {QuestionPlace::end, QuestionPlace::scattered}) {
      const auto source = make_batch_source(needle_stage(grammar, place), tokenizer, 320);
      ASSERT_TRUE(source) << source.error().line();
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto batch = (*source)->make(seed);
        ASSERT_TRUE(batch) << batch.error().line();
        ASSERT_EQ(batch->ids.size(), 1200U);
        const int64_t n = batch->rows_per_sequence, per_answer = batch->rows_per_answer;
        const int64_t written = per_answer - 1;  // the end token is foretold, and no part of the text
        ASSERT_EQ(n, 3 * per_answer);
        std::set<std::vector<int64_t>> answers;
        for (int64_t b = 0; b < 3; ++b) {
          const int64_t* ids = batch->ids.data() + b * 400;
          for (int64_t i = 0; i < n; ++i) {
            const int64_t row = batch->rows[static_cast<size_t>(b * n + i)];
            const int64_t target = batch->targets[static_cast<size_t>(b * n + i)];
            EXPECT_EQ(target, i % per_answer == written ? tokenizer.eos().front() : ids[row + 1]);
            if (i == 0) continue;
            EXPECT_GT(row, batch->rows[static_cast<size_t>(b * n + i - 1)]);
          }
          for (int64_t q = 0; q < 3; ++q) {
            // The last id of the name, then the answer: twice in the sequence up to here, needle and
            // question.
            const int64_t row = batch->rows[static_cast<size_t>(b * n + q * per_answer)];
            const std::vector<int64_t> pattern(ids + row, ids + row + 1 + written);
            int64_t found = 0;
            for (int64_t at = 0; at <= row; ++at)
              found += std::equal(pattern.begin(), pattern.end(), ids + at) ? 1 : 0;
            EXPECT_GE(found, 2);
            answers.insert(pattern);
          }
        }
        EXPECT_GT(answers.size(), 6U);
        float total = 0;
        for (const float weight : batch->weights) total += weight;
        EXPECT_NEAR(total, 1, 1e-5);
        EXPECT_EQ((*source)->make(seed)->ids, batch->ids);
        EXPECT_NE((*source)->make(seed + 1)->ids, batch->ids);
      }
    }
  }
}

TEST(NeedleBatches, QuestionsAtTheEndEndTheSequence) {
  const auto source =
      make_batch_source(needle_stage(NeedleGrammar::number, QuestionPlace::end), fixture_tokenizer(), 320);
  ASSERT_TRUE(source);
  const auto batch = (*source)->make(3);
  ASSERT_TRUE(batch);
  for (int64_t b = 0; b < 3; ++b) {
    EXPECT_EQ(batch->rows[static_cast<size_t>((b + 1) * batch->rows_per_sequence - 1)], 400 - 1)
        << "the full stop is the last id, and its own row predicts the end";
  }
}

TEST(TextBatches, TargetsAreTheNextTokens) {
  const test::TempFolder folder;
  std::ofstream ids(folder / "ids.txt");
  for (int i = 0; i < 100; ++i) ids << i << "\n";
  ids.close();
  StageConfig stage;
  stage.task = StageTask::tokens;
  stage.lengths = {30};
  stage.batch = 4;
  stage.file = folder / "ids.txt";
  const auto source = make_batch_source(stage, fixture_tokenizer(), 320);
  ASSERT_TRUE(source) << source.error().line();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->targets.size(), 120U);
    for (size_t i = 0; i < 120; ++i) EXPECT_EQ(batch->targets[i], batch->ids[i] + 1);
  }
  EXPECT_FALSE(make_batch_source(stage, fixture_tokenizer(), 50)) << "ids beyond the vocabulary";
}

/// What holds of every batch: sizes, rows in order and in range, weights of one in all, the seed's own.
void check_batch(const BatchSource& source, uint64_t seed, const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.sequences * batch.rows_per_sequence);
  ASSERT_EQ(std::ssize(batch.ids), batch.sequences * batch.length);
  ASSERT_EQ(batch.rows.size(), rows);
  ASSERT_EQ(batch.targets.size(), rows);
  ASSERT_EQ(batch.weights.size(), rows);
  EXPECT_NEAR(std::accumulate(batch.weights.begin(), batch.weights.end(), 0.0), 1, 1e-4);
  for (size_t i = 0; i < rows; ++i) {
    const bool first = i % static_cast<size_t>(batch.rows_per_sequence) == 0;
    EXPECT_GE(batch.rows[i], first ? 0 : batch.rows[i - 1] + 1);
    ASSERT_LT(batch.rows[i], batch.length);
    if (batch.rows[i] + 1 == batch.length || batch.targets[i] == fixture_tokenizer().eos().front()) continue;
    const int64_t sequence = static_cast<int64_t>(i) / batch.rows_per_sequence;
    EXPECT_EQ(batch.targets[i], batch.ids[static_cast<size_t>(sequence * batch.length + batch.rows[i] + 1)]);
  }
  EXPECT_EQ(source.make(seed)->ids, batch.ids);
  EXPECT_EQ(source.make(seed)->targets, batch.targets);
  EXPECT_NE(source.make(seed + 1)->ids, batch.ids);
}

std::string refusal(const StageConfig& stage) {
  const auto source = make_batch_source(stage, fixture_tokenizer(), kVocabulary);
  EXPECT_FALSE(source);
  return source ? std::string() : source.error().line();
}

StageConfig repeat_stage() {
  StageConfig stage;
  stage.task = StageTask::repeat;
  stage.lengths = {24};
  stage.batch = 3;
  stage.keys = 40;
  stage.periods = {5, 9};
  return stage;
}

TEST(RepeatBatches, EveryRoundIsTheFirstOne) {
  const auto source = make_batch_source(repeat_stage(), fixture_tokenizer(), kVocabulary);
  ASSERT_TRUE(source) << source.error().line();
  std::set<int64_t> periods, symbols;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    check_batch(**source, seed, *batch);
    const int64_t period = batch->length - batch->rows_per_sequence;
    periods.insert(period);
    EXPECT_EQ(batch->rows_per_answer, 1);
    for (int64_t b = 0; b < 3; ++b) {
      const int64_t* ids = batch->ids.data() + b * 24;
      EXPECT_EQ(std::set<int64_t>(ids, ids + period).size(), static_cast<size_t>(period)) << "ids of a round";
      for (int64_t i = period; i < 24; ++i) EXPECT_EQ(ids[i], ids[i - period]);
      // The first round cannot be foretold, all that follows can.
      EXPECT_EQ(batch->rows[static_cast<size_t>(b * batch->rows_per_sequence)], period);
      const int64_t last = (b + 1) * batch->rows_per_sequence - 1;
      EXPECT_EQ(batch->targets[static_cast<size_t>(last)], ids[24 % period]);
      symbols.insert(ids, ids + 24);
    }
  }
  EXPECT_EQ(periods, (std::set<int64_t>{5, 9}));
  EXPECT_EQ(symbols.size(), 40U) << "all keys occur, and no others";
  for (const int64_t id : symbols) EXPECT_FALSE(fixture_tokenizer().is_special(id));
}

TEST(RepeatBatches, PeriodsThatDoNotFitAreRefused) {
  StageConfig stage = repeat_stage();
  stage.periods = {24};
  EXPECT_THAT(refusal(stage), HasSubstr("period of 24"));
  stage = repeat_stage();
  stage.keys = 8;
  EXPECT_THAT(refusal(stage), HasSubstr("8 different ids"));
}

/// Texts that are one token each, `count` of them from the `first` one on.
std::vector<std::string> words(size_t first, size_t count) {
  const Tokenizer tokenizer = fixture_tokenizer();
  std::vector<std::string> found;
  for (int64_t id = 0; id < kVocabulary && found.size() < first + count; ++id) {
    const auto text = tokenizer.decode({id});
    if (tokenizer.is_special(id) || !text || text->empty()) continue;
    const auto back = tokenizer.encode(*text, false);
    if (back && *back == Ids{id}) found.push_back(*text);
  }
  return {found.begin() + static_cast<int64_t>(first), found.end()};
}

Ids ids_of(const std::vector<std::string>& texts) {
  Ids ids;
  for (const std::string& text : texts) ids.push_back(fixture_tokenizer().encode(text, false)->front());
  return ids;
}

StageConfig pair_stage() {
  StageConfig stage;
  stage.task = StageTask::pairs;
  stage.lengths = {20};
  stage.batch = 3;
  stage.key_words = words(0, 6);
  stage.value_words = words(6, 8);
  stage.filler_words = words(14, 5);
  stage.needles = {2, 4};
  stage.questions = 2;
  return stage;
}

bool holds(const Ids& ids, int64_t id) {
  return std::ranges::find(ids, id) != ids.end();
}

TEST(PairBatches, EveryQuestionHasItsPairBeforeIt) {
  const StageConfig stage = pair_stage();
  const Ids keys = ids_of(stage.key_words), values = ids_of(stage.value_words),
            fillers = ids_of(stage.filler_words);
  const auto source = make_batch_source(stage, fixture_tokenizer(), kVocabulary);
  ASSERT_TRUE(source) << source.error().line();
  std::set<int64_t> pairs_seen, first_places;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    check_batch(**source, seed, *batch);
    ASSERT_EQ(batch->rows_per_sequence, 2);
    for (int64_t b = 0; b < 3; ++b) {
      const int64_t* ids = batch->ids.data() + b * 20;
      const int64_t text = 20 - 2 * 2;
      int64_t pairs = 0;
      std::map<int64_t, int64_t> told;
      for (int64_t i = 0; i < text; ++i) {
        if (!holds(keys, ids[i])) {
          EXPECT_TRUE(holds(fillers, ids[i]));
          continue;
        }
        if (pairs == 0) first_places.insert(i);
        ++pairs;
        EXPECT_TRUE(told.emplace(ids[i], ids[i + 1]).second) << "a key comes once";
        EXPECT_TRUE(holds(values, ids[i + 1]));
        ++i;
      }
      pairs_seen.insert(pairs);
      std::set<int64_t> asked;
      for (int64_t q = 0; q < 2; ++q) {
        const auto i = static_cast<size_t>(2 * b + q);
        EXPECT_EQ(batch->rows[i], text + 2 * q) << "right after the key";
        EXPECT_EQ(told.at(ids[batch->rows[i]]), batch->targets[i]);
        asked.insert(ids[batch->rows[i]]);
      }
      EXPECT_EQ(asked.size(), 2U);
    }
  }
  EXPECT_EQ(pairs_seen, (std::set<int64_t>{2, 4}));
  EXPECT_GT(first_places.size(), 3U) << "pairs stand anywhere in the text";
}

TEST(PairBatches, AllPairsAreAskedWhenNothingIsSaid) {
  StageConfig stage = pair_stage();
  stage.questions = 0;
  stage.needles = {4};
  const auto source = make_batch_source(stage, fixture_tokenizer(), kVocabulary);
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->make(1)->rows_per_sequence, 4);
}

TEST(PairBatches, MistakesAreNamed) {
  StageConfig stage = pair_stage();
  stage.value_words.push_back(" a phrase");
  EXPECT_THAT(refusal(stage), HasSubstr("' a phrase'"));
  stage = pair_stage();
  stage.needles = {7};
  EXPECT_THAT(refusal(stage), HasSubstr("7 pairs of 6 keys"));
  stage = pair_stage();
  stage.lengths = {8};
  EXPECT_THAT(refusal(stage), HasSubstr("do not fit into 8 tokens"));
}

/// Ids between the end of a question's needle and its first answer row, and that row's id.
Ids between(const Batch& batch, int64_t sequence, int64_t question) {
  const int64_t* ids = batch.ids.data() + sequence * batch.length;
  const int64_t per_answer = batch.rows_per_answer, written = per_answer - 1;
  const int64_t row =
      batch.rows[static_cast<size_t>(sequence * batch.rows_per_sequence + question * per_answer)];
  for (int64_t at = row - 1; at >= 0; --at) {
    if (std::equal(ids + row, ids + row + 1 + written, ids + at))
      return {ids + at + 1 + written, ids + row + 1};
  }
  ADD_FAILURE() << "no needle before the question";
  return {};
}

TEST(NeedleBatches, NearQuestionsFollowTheirNeedleAtOnce) {
  const Tokenizer tokenizer = fixture_tokenizer();
  StageConfig stage = needle_stage(NeedleGrammar::number, QuestionPlace::near);
  stage.needles = {1};
  stage.questions = 1;
  std::set<std::string> names;
  const auto source = make_batch_source(stage, tokenizer, kVocabulary);
  ASSERT_TRUE(source) << source.error().line();
  std::set<int64_t> places;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    check_batch(**source, seed, *batch);
    for (int64_t b = 0; b < 3; ++b) {
      const std::string question = *tokenizer.decode(between(*batch, b, 0));
      EXPECT_THAT(question, testing::MatchesRegex(" The magic number of [A-Z][a-z]+ is"));
      names.insert(question);
      places.insert(batch->rows[static_cast<size_t>(b * batch->rows_per_sequence)]);
    }
  }
  EXPECT_GT(names.size(), 10U);
  EXPECT_GT(places.size(), 10U) << "anywhere in the text";
  // At the end the text stands between: the check can fail.
  stage.place = QuestionPlace::end;
  const auto far = make_batch_source(stage, tokenizer, kVocabulary);
  ASSERT_TRUE(far);
  EXPECT_GT(between(*(*far)->make(1), 0, 0).size() + between(*(*far)->make(2), 0, 0).size(), 60U);
}

TEST(NeedleBatches, NearQuestionsOfManyNeedlesStayBesideThem) {
  const auto source = make_batch_source(needle_stage(NeedleGrammar::pair, QuestionPlace::near),
                                        fixture_tokenizer(), kVocabulary);
  ASSERT_TRUE(source);
  size_t longest = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    for (int64_t b = 0; b < 3; ++b) {
      for (int64_t q = 0; q < 3; ++q) longest = std::max(longest, between(*batch, b, q).size());
    }
  }
  EXPECT_LT(longest, 120U) << "only needles and questions of the same place stand between";
}

TEST(NeedleBatches, TheFullStopAndTheEndBelongToTheAnswer) {
  const Tokenizer tokenizer = fixture_tokenizer();
  const int64_t stop = tokenizer.encode(".", false)->front();
  for (const NeedleGrammar grammar : {NeedleGrammar::pair, NeedleGrammar::word, NeedleGrammar::number}) {
    StageConfig stage = needle_stage(grammar, QuestionPlace::end);
    stage.first_digit_weight = 3;
    const auto source = make_batch_source(stage, tokenizer, kVocabulary);
    ASSERT_TRUE(source);
    const auto batch = (*source)->make(4);
    ASSERT_TRUE(batch);
    const auto per_answer = static_cast<size_t>(batch->rows_per_answer);
    for (size_t begin = 0; begin < batch->targets.size(); begin += per_answer) {
      const auto at = batch->targets.begin() + static_cast<int64_t>(begin);
      EXPECT_THAT(*tokenizer.decode({at, at + batch->rows_per_answer - 1}),
                  testing::MatchesRegex(" ?[1-9][0-9]{4}\\."));
      EXPECT_EQ(at[batch->rows_per_answer - 2], stop);
      EXPECT_EQ(at[batch->rows_per_answer - 1], tokenizer.eos().front());
      const float* weight = batch->weights.data() + begin;
      const float digit = weight[per_answer - 3];
      EXPECT_FLOAT_EQ(weight[per_answer - 1], 0.25f * digit) << "the end needs no retrieval";
      EXPECT_FLOAT_EQ(weight[per_answer - 2], 0.25f * digit) << "nor does the stop";
      EXPECT_FLOAT_EQ(weight[per_answer - 7], 3 * digit) << "the first digit alone tells";
      EXPECT_FLOAT_EQ(weight[per_answer - 6], digit);
    }
  }
}

}  // namespace
}  // namespace orthros::training
