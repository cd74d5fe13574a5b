// Lessons that ship are whole and true; broken files are named by place; quantities, stories and the ledger
// say what the engine's tensors say.
#include "engine/lessons/lesson.h"

#include <cmath>
#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "engine/formats/mapped_file.h"
#include "engine/lessons/cell_story.h"
#include "engine/lessons/ledger.h"
#include "engine/lessons/lesson_passes.h"
#include "engine/lessons/lesson_task.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kLessons = ORTHROS_SOURCE "/resources/lessons";

std::shared_ptr<const Model> lesson_model() {
  static const std::shared_ptr<const Model> model = [] {
    auto files = open_model(ORTHROS_SOURCE "/sample_models/lesson");
    EXPECT_TRUE(files) << files.error().line();
    auto loaded = Model::load(std::move(*files), test::exact());
    EXPECT_TRUE(loaded) << loaded.error().line();
    return *loaded;
  }();
  return model;
}

std::vector<Lesson> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kLessons)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Lesson> lessons;
  for (const auto& file : files) {
    std::vector<std::string> problems;
    auto lesson = read_lesson(file, &problems);
    EXPECT_THAT(problems, IsEmpty()) << file;
    if (lesson) lessons.push_back(std::move(*lesson));
  }
  return lessons;
}

LessonPasses passes_of(const Lesson& lesson) {
  auto passes = LessonPasses::make(lesson_model(), lesson);
  EXPECT_TRUE(passes) << passes.error().line();
  return std::move(*passes);
}

Lesson small_lesson() {
  Lesson lesson;
  lesson.prompts = {" Ann red and Ben blue then so Ann"};
  lesson.prompt_length = 6;
  return lesson;
}

QuantityValue value_of(const LessonPasses& passes, const std::string& text, const PassSetting& setting = {}) {
  const auto quantity = parse_quantity(text);
  EXPECT_TRUE(quantity) << quantity.error().line();
  const auto value = evaluate(*quantity, setting, passes.source());
  EXPECT_TRUE(value) << text << ": " << value.error().line();
  return value ? *value : QuantityValue();
}

TEST(Lessons, AllEightShipAndHoldAgainstTheModel) {
  const std::vector<Lesson> lessons = shipped();
  ASSERT_GE(lessons.size(), 8U);
  std::set<std::string> ids;
  for (size_t i = 0; i < lessons.size(); ++i) {
    EXPECT_EQ(lessons[i].number, static_cast<int64_t>(i) + 1);
    EXPECT_TRUE(ids.insert(lessons[i].id).second);
    EXPECT_GE(lessons[i].questions.size(), 3U) << lessons[i].id;
    const LessonPasses passes = passes_of(lessons[i]);
    EXPECT_THAT(check_lesson_numbers(lessons[i], passes.source()), IsEmpty()) << lessons[i].id;
  }
}

TEST(Lessons, QuestionsAreGradedFromTheEngine) {
  for (const Lesson& lesson : shipped()) {
    const LessonPasses passes = passes_of(lesson);
    for (const LessonQuestion& question : lesson.questions) {
      const auto right = evaluate(question.quantity, question.setting, passes.source());
      ASSERT_TRUE(right);
      EXPECT_EQ(grade(question, *right, passes.source()).value_or(false), true) << lesson.id;
      QuantityValue wrong = *right;
      wrong.number = right->number * 1.02 + 1;
      wrong.positions.push_back(99);
      wrong.text += "?";
      EXPECT_EQ(grade(question, wrong, passes.source()).value_or(true), false) << lesson.id;
    }
  }
}

TEST(Lessons, BrokenFilesAreNamedByPlace) {
  const std::string good = read_text(kLessons / "01-one-token.json", 1 << 20).value();
  const auto says = [](const std::string& text) {
    std::vector<std::string> problems;
    const auto lesson = parse_lesson(text, "mine.json", &problems);
    EXPECT_FALSE(lesson);
    EXPECT_FALSE(problems.empty());
    return lesson ? std::string() : lesson.error().line();
  };
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_THAT(says(""), HasSubstr("mine.json"));
  EXPECT_THAT(says(good.substr(0, good.size() / 2)), HasSubstr("byte"));
  EXPECT_THAT(says("[]"), HasSubstr("object"));
  EXPECT_THAT(says(with(R"("step": "copy")", R"("step": "copied")")),
              HasSubstr("cards[0].step: must be one of copy"));
  EXPECT_THAT(says(with(R"("format": 1)", R"("format": 2)")), HasSubstr("format: must be a whole number"));
  EXPECT_THAT(says(with(R"("task")", R"("tsak")")), HasSubstr("cards[0]: has no key 'tsak'"));
  EXPECT_THAT(says(with(R"("quantity": ")", R"("quantity": "nonsense )")),
              HasSubstr("questions[0].quantity"));
  EXPECT_THAT(says(with(R"("done": "point:x'")", R"("done": "point:x' rows")")),
              HasSubstr("cards[0].done: 'rows': must be one of"));
  const std::string first = R"("en": "Every token)";
  std::string many = R"("en": ")";
  for (int i = 0; i < 61; ++i) many += "word ";
  EXPECT_THAT(says(with(first, many)), HasSubstr("a card has at most 60"));
  EXPECT_THAT(says(with(first, R"("en": "{support row=1} Every token)")), HasSubstr("needs stream="));
  EXPECT_THAT(says(with(first, R"("en": "{tokens Every token)")), HasSubstr("text.idea.en"));
  const auto cut = [&](size_t length) {
    return parse_lesson(std::string_view(good).substr(0, length), "cut");
  };
  for (size_t length = 0; length + 2 < good.size(); length += 37) EXPECT_FALSE(cut(length)) << length;
}

// What a newcomer met: a task that no key does, ticked by a key that did nothing.
TEST(Lessons, TasksThatCannotBeDoneAsWrittenAreNamed) {
  const LessonPasses passes = passes_of(small_lesson());  // 8 tokens, w = 4
  const auto says = [&](const std::string& task, std::vector<std::string> done, int64_t row = -1,
                        Moment moment = {0, LessonStep::window}) {
    LessonCard card;
    card.moment = moment;
    card.row = row;
    card.task = {task, task};
    card.done = std::move(done);
    const auto problems = check_task(card, passes.trace({}));
    return problems.empty() ? std::string() : problems.front();
  };
  EXPECT_EQ(says("Press ↑ until the window holds key 2.", {"window:2"}), "");
  EXPECT_THAT(says("Press ↓ until the window holds key 2.", {"window:2"}), HasSubstr("token 8 is the last"));
  EXPECT_THAT(says("Press ↓.", {"window:2"}, 6), HasSubstr("'window:2' lies at ↑"));
  EXPECT_THAT(says("Press ↑.", {"row:8"}, 6), HasSubstr("'row:8' lies at ↓"));
  EXPECT_THAT(says("Press ↑.", {"row"}, 0), HasSubstr("token 1 is the first"));
  EXPECT_EQ(says("Press ↓.", {"row:8"}, 6), "");
  EXPECT_THAT(says("", {"window:6"}), HasSubstr("so from the beginning"));
  EXPECT_THAT(says("", {"row:8"}), HasSubstr("so from the beginning"));
  EXPECT_THAT(says("", {"row:9"}), HasSubstr("is not there"));
  EXPECT_THAT(says("", {"regime:prefill"}), HasSubstr("so from the beginning"));
  EXPECT_EQ(says("", {"regime:pt", "regime:prefill"}), "");
  EXPECT_THAT(says("", {"output:on"}), HasSubstr("so from the beginning"));
  EXPECT_EQ(says("", {"output:off", "output:on"}), "");
  EXPECT_THAT(says("Press →.", {"step:on"}, -1, {1, LessonStep::sample}), HasSubstr("cannot happen"));
  EXPECT_THAT(says("Press ←.", {"step"}, -1, {0, LessonStep::copy}), HasSubstr("← at the first"));
  for (const char* good : {"next", "step", "step:on", "row:5", "window:2", "regime:pt", "point:x'",
                           "point:shelf:2", "output:off", "head", "depth"})
    EXPECT_EQ(problem_of_event(good), "") << good;
  for (const char* bad : {"", "nexts", "next:1", "step:7", "row:", "row:0", "row:two", "window", "regime:x",
                          "point", "point:x:0", "output:of"})
    EXPECT_NE(problem_of_event(bad), "") << bad;
  EXPECT_TRUE(is_event("row:5", "row"));
  EXPECT_TRUE(is_event("point:shelf:2", "point:shelf"));
  EXPECT_FALSE(is_event("row:50", "row:5"));
  EXPECT_FALSE(is_event("point:x':8", "point:x"));
  EXPECT_FALSE(is_event("row", "row:5"));
}

TEST(Lessons, QuantitiesComeFromTheTrace) {
  const LessonPasses passes = passes_of(small_lesson());
  EXPECT_EQ(value_of(passes, "tokens").number, 8);
  EXPECT_EQ(value_of(passes, "window").number, 4);
  EXPECT_THAT(value_of(passes, "reads row=8 stream=base").positions, ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(value_of(passes, "reads row=8 stream=output").positions, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(value_of(passes, "readers key=2 stream=base").positions, ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(value_of(passes, "readers key=2 stream=output").positions, ElementsAre(8));
  EXPECT_THAT(value_of(passes, "output_rows regime=sft").positions, ElementsAre(6, 7, 8));
  EXPECT_EQ(value_of(passes, "writer key=3").text, "x");
  EXPECT_EQ(value_of(passes, "writer key=3 regime=decode").text, "earlier");
  EXPECT_EQ(value_of(passes, "writer key=8 regime=decode").text, "x");
  EXPECT_EQ(value_of(passes, "same_shelf").text, "yes");
  EXPECT_EQ(value_of(passes, "predicted row=8").text, "red");
  EXPECT_EQ(value_of(passes, "scores stream=base layer=1").number, 1 + 2 + 3 + 4 * 5);
  EXPECT_EQ(value_of(passes, "scores stream=output regime=pt").number, 36);
  EXPECT_EQ(value_of(passes, "value tensor=query stream=output row=8 column=3").number,
            passes.trace({}).layers[0].output[PassTensor::query].row(0)[2]);
  EXPECT_NE(value_of(passes, "value tensor=query stream=output row=8 column=3 scale_offset=off").number,
            value_of(passes, "value tensor=query stream=output row=8 column=3").number);
  for (const char* wrong :
       {"reads row=9 stream=base", "weight row=8 key=1 stream=base layer=2", "predicted row=7",
        "value tensor=query stream=base layer=2 row=8 column=1", "tokens prompt=2"}) {
    EXPECT_FALSE(evaluate(*parse_quantity(wrong), {}, passes.source())) << wrong;
  }
  for (const char* wrong :
       {"", "what", "reads row=8", "reads row=0 stream=base", "reads row=8 stream=left", "tokens row",
        "tokens prompt=1 prompt=1", "value tensor=q row=1 column=1 stream=base"}) {
    EXPECT_FALSE(parse_quantity(wrong)) << wrong;
  }
}

// Every number that the stage can show: the value is the tensor's bits, the operands give it.
TEST(Lessons, StoriesTellHowEachNumberWasMade) {
  const LessonPasses passes = passes_of(small_lesson());
  const int64_t layers = 2;
  size_t told = 0;
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
    for (const bool scale_offset : {true, false}) {
      const PassTrace& trace = passes.trace({regime, true, scale_offset, 0});
      for (int64_t index = 0; index < moment_count(layers); ++index) {
        const Moment moment = moment_at(index, layers);
        EXPECT_EQ(index_of(moment, layers), index);
        for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
          const auto lane = lane_tensor(moment, stream, layers);
          if (!lane) continue;
          const StreamTrace& own = trace.layers[static_cast<size_t>(lane->layer)].stream(stream);
          for (const int64_t position : own.positions) {
            for (const int64_t column : {0, 9, 17, 63}) {
              const auto story =
                  tensor_story(trace, passes.weights(), *lane, stream, position, column, scale_offset);
              ASSERT_TRUE(story) << to_string(moment.step) << " " << position;
              EXPECT_EQ(story->value, own[lane->what].row(own.row_of(position))[static_cast<size_t>(column)]);
              EXPECT_NEAR(story->recomputed, story->value, 2e-5 * std::max(1.0F, std::abs(story->value)))
                  << to_string(moment.step) << " " << story->formula << " = " << story->operands;
              ++told;
            }
          }
        }
      }
      for (const int64_t position : trace.layers[0].base.positions) {
        for (int64_t key = 0; key < 8; ++key) {
          const auto story = weight_story(trace, 0, StreamKind::base, 1, position, key);
          ASSERT_TRUE(story);
          EXPECT_NEAR(story->recomputed, story->value, 1e-5);
          EXPECT_EQ(story->value > 0, key <= position && key > position - 4);
        }
      }
      const auto output = weight_story(trace, 1, StreamKind::output, 2, 7, 1);
      ASSERT_TRUE(output);
      EXPECT_NEAR(output->recomputed, output->value, 1e-5);
    }
  }
  EXPECT_GT(told, 4000U);
}

TEST(Lessons, TheLedgerEndsAtTheWholePass) {
  const LessonPasses passes = passes_of(small_lesson());
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
    const PassTrace& trace = passes.trace({regime, true, true, 0});
    double before = 0;
    for (int64_t index = 0; index < moment_count(2); ++index) {
      const double flop = ledger_at(passes.config(), trace, moment_at(index, 2)).flop;
      EXPECT_GE(flop, before);
      before = flop;
    }
    EXPECT_DOUBLE_EQ(before, count_flop(passes.config(), trace).total()) << to_string(regime);
  }
  EXPECT_EQ(ledger_at(passes.config(), passes.trace({}), moment_at(24, 2)).base_keys, 26);
}

TEST(Lessons, PromptsThatDoNotFitTheStageAreRefused) {
  Lesson lesson = small_lesson();
  lesson.prompts.push_back(" Ann red and Ben blue then so Ann Ann Ann Ann Ann Ann Ann Ann Ann Ann");
  const auto passes = LessonPasses::make(lesson_model(), lesson);
  ASSERT_FALSE(passes);
  EXPECT_THAT(passes.error().line(), HasSubstr("prompts[1]: has 17 tokens"));
}

}  // namespace
}  // namespace orthros
