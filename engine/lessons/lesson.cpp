#include "engine/lessons/lesson.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/ranges.h>

#include "engine/formats/mapped_file.h"
#include "engine/formats/utf8.h"
#include "engine/lessons/lesson_reader.h"
#include "engine/lessons/lesson_task.h"

namespace orthros {
namespace {

constexpr int64_t kMostBytes = 1 << 20;
constexpr size_t kMostCards = 40, kMostQuestions = 12, kMostChoices = 6;

const std::vector<std::string_view> kTargets{"x",   "x'",  "shelf", "window", "W_Q",    "W_K",  "W_V",
                                             "W_O", "FFN", "norm",  "alpha",  "alpha'", "head", "tokens"};

// Words of a text in Latin letters; a Chinese character counts half a word.
int64_t words_of(const std::string& text) {
  int64_t words = 0, characters = 0;
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool wide = byte >= 0xE3 && byte <= 0xED;  // first byte of a CJK character in UTF-8
    if (wide) ++characters;
    const bool space = byte == ' ' || byte == '\n' || wide;
    if (!space && (byte & 0xC0) != 0x80 && !inside) {
      ++words;
      inside = true;
    }
    if (space) inside = false;
  }
  return words + characters / 2;
}

// Without quantities: what they become is a number.
std::string without_quantities(const std::string& text) {
  std::string plain;
  bool inside = false;
  for (const char c : text) {
    if (c == '{') {
      inside = true;
      plain += '0';
    }
    if (!inside) plain += c;
    if (c == '}') inside = false;
  }
  return plain;
}

class Parser {
 public:
  Lesson parse(const LessonValue& root) {
    root.only({"format", "id", "number", "title", "goal", "prompts", "prompt_length", "on_your_model",
               "cards", "questions", "regime"});
    root.need("format").number(1, 1, 1);
    Lesson lesson;
    lesson.id = root.need("id").text();
    if (lesson.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      root.find("id").wrong("may have small letters, digits and '-' only");
    lesson.number = root.need("number").number(1, 999, 1);
    lesson.title = local(root.need("title"));
    lesson.goal = local(root.need("goal"));
    for (const LessonValue& prompt : root.need("prompts").list(1, 4)) lesson.prompts.push_back(prompt.text());
    lesson.prompt_length = root.find("prompt_length").number(1, kMostLessonTokens, 0);
    lesson.on_your_model = root.find("on_your_model").flag(false);
    first_.regime = regime(root.find("regime"), Regime::prefill);
    prompts_ = std::ssize(lesson.prompts);
    for (const LessonValue& card : root.need("cards").list(1, kMostCards))
      lesson.cards.push_back(this->card(card));
    for (const LessonValue& value : root.need("questions").list(0, kMostQuestions))
      lesson.questions.push_back(question(value));
    return lesson;
  }

 private:
  static Regime regime(const LessonValue& value, Regime otherwise) {
    if (!value.is_there()) return otherwise;
    return static_cast<Regime>(value.word({"pt", "sft", "prefill", "decode"}));
  }

  // Both languages, and quantities that can be read.
  LocalText local(const LessonValue& value) const {
    value.only({"en", "zh"});
    LocalText text{value.need("en").text(), value.need("zh").text()};
    live(value.find("en"), text.en);
    live(value.find("zh"), text.zh);
    return text;
  }

  static void live(const LessonValue& value, const std::string& text) {
    const auto parts = split_live_text(text);
    if (!parts) {
      value.wrong(parts.error().message);
      return;
    }
    for (const LivePart& part : *parts) {
      if (part.quantity.empty()) continue;
      if (const auto quantity = parse_quantity(part.quantity); !quantity)
        value.wrong(quantity.error().message);
    }
  }

  void place(const LessonValue& value, Moment& moment, PassSetting& setting) const {
    moment.layer = value.find("layer").number(1, 99, 1) - 1;
    if (const LessonValue step = value.need("step"); step.is_there()) {
      if (const auto found = parse_lesson_step(step.text())) {
        moment.step = *found;
      } else {
        step.wrong(fmt::format("must be one of {}", fmt::join(kLessonStepNames, ", ")));
      }
    }
    setting = first_;
    setting.regime = regime(value.find("regime"), first_.regime);
    setting.output_on = value.find("output").flag(true);
    setting.scale_offset = value.find("scale_offset").flag(true);
    setting.prompt = value.find("prompt").number(1, prompts_, 1) - 1;
  }

  LessonCard card(const LessonValue& value) const {
    value.only({"layer", "step", "regime", "output", "scale_offset", "prompt", "row", "head", "text", "task",
                "done", "highlight"});
    LessonCard card;
    place(value, card.moment, card.setting);
    card.row = value.find("row").number(1, kMostLessonTokens, 0) - 1;
    card.head = value.find("head").number(1, 64, 1) - 1;
    const LessonValue text = value.need("text");
    text.only({"idea", "shapes", "numbers"});
    text.need("idea");
    for (size_t depth = 0; depth < card.text.size(); ++depth) {
      const LessonValue own = text.find(std::string(kLessonDepthNames[depth]).c_str());
      if (own.is_there()) card.text[depth] = local(own);
    }
    for (const bool chinese : {false, true}) {
      int64_t words = 0;
      for (const LocalText& part : card.text)
        words += words_of(without_quantities(chinese ? part.zh : part.en));
      if (words > kMostWordsOfCard) {
        text.wrong(fmt::format("has {} words in {}; a card has at most {}", words, chinese ? "zh" : "en",
                               kMostWordsOfCard));
      }
    }
    card.task = local(value.need("task"));
    card.done = events(value.find("done"));
    for (const LessonValue& target : value.find("highlight").list(0, 8)) {
      card.highlight.push_back(target.text());
      if (std::ranges::find(kTargets, card.highlight.back()) == kTargets.end())
        target.wrong(fmt::format("must be one of {}", fmt::join(kTargets, ", ")));
    }
    return card;
  }

  // Words with spaces between; "next" where there is none.
  static std::vector<std::string> events(const LessonValue& value) {
    if (!value.is_there()) return {"next"};
    std::vector<std::string> events;
    std::istringstream words(value.text());
    for (std::string word; words >> word; events.push_back(word)) {
      if (const std::string problem = problem_of_event(word); !problem.empty()) value.wrong(problem);
    }
    if (events.empty()) value.wrong("names no event");
    return events;
  }

  LessonQuestion question(const LessonValue& value) const {
    value.only({"layer", "step", "regime", "output", "scale_offset", "prompt", "text", "answer", "quantity",
                "choices", "why"});
    LessonQuestion question;
    place(value, question.moment, question.setting);
    question.text = local(value.need("text"));
    question.why = local(value.need("why"));
    question.kind = static_cast<AnswerKind>(value.need("answer").word({"positions", "number", "choice"}));
    const LessonValue quantity = value.need("quantity");
    if (quantity.is_there()) {
      auto parsed = parse_quantity(quantity.text());
      if (parsed) {
        question.quantity = std::move(*parsed);
      } else {
        quantity.wrong(parsed.error().message);
      }
    }
    if (question.kind != AnswerKind::choice) return question;
    for (const LessonValue& item : value.need("choices").list(2, kMostChoices)) {
      item.only({"value", "text"});
      question.choices.push_back({item.need("value").text(), local(item.need("text"))});
    }
    return question;
  }

  PassSetting first_;
  int64_t prompts_ = 1;
};

}  // namespace

Result<Lesson> parse_lesson(std::string_view text, std::string_view what,
                            std::vector<std::string>* problems) {
  std::vector<std::string> own;
  std::vector<std::string>& found = problems == nullptr ? own : *problems;
  JsonLimits limits;
  limits.max_bytes = kMostBytes;
  const auto json = parse_json(text, what, limits);
  if (!json) {
    found.push_back(json.error().message);
    return fail(json.error());
  }
  const Lesson lesson = Parser().parse(LessonValue(&*json, "", &found));
  if (found.empty()) return lesson;
  const std::string more = found.size() > 1 ? fmt::format(" (and {} more)", found.size() - 1) : "";
  return fail(Error{ErrorCode::corrupt_file, fmt::format("{}: {}{}", what, found.front(), more),
                    "orthros lessons check FILE lists every problem"});
}

Result<Lesson> read_lesson(const std::filesystem::path& path, std::vector<std::string>* problems) {
  const std::string name = path.filename().string();
  auto text = read_text(path, kMostBytes);
  if (!text && problems != nullptr) problems->push_back(text.error().line());
  if (!text) return fail(text.error());
  return parse_lesson(*text, name, problems);
}

std::vector<std::string> check_lesson_numbers(const Lesson& lesson, const PassSource& source) {
  std::vector<std::string> problems;
  const auto see = [&](const std::string& place, const Quantity& quantity, const PassSetting& setting) {
    const auto value = evaluate(quantity, setting, source);
    if (!value) problems.push_back(place + ": " + value.error().line());
    return value;
  };
  const auto see_text = [&](const std::string& place, const LocalText& text, const PassSetting& setting) {
    for (const std::string* one : {&text.en, &text.zh}) {
      const auto parts = split_live_text(*one);  // read before: it is sound
      for (const LivePart& part : *parts) {
        if (!part.quantity.empty()) (void)see(place, *parse_quantity(part.quantity), setting);
      }
    }
  };
  for (size_t i = 0; i < lesson.cards.size(); ++i) {
    const LessonCard& card = lesson.cards[i];
    const std::string place = fmt::format("cards[{}]", i);
    const auto trace = source.trace(card.setting);
    if (!trace) {
      problems.push_back(place + ": " + trace.error().line());
      continue;
    }
    if (card.moment.layer >= std::ssize((*trace)->layers)) {
      problems.push_back(place + ".layer: is not there");
    } else if (card.row >= (*trace)->num_tokens()) {
      problems.push_back(place + ".row: is not there");
    } else {
      for (const std::string& problem : check_task(card, **trace))
        problems.push_back(fmt::format("{}.task: {}", place, problem));
    }
    if (card.head >= (*trace)->heads) problems.push_back(place + ".head: is not there");
    if ((*trace)->num_tokens() > kMostLessonTokens)
      problems.push_back(fmt::format("{}.prompt: has {} tokens; at most {}", place, (*trace)->num_tokens(),
                                     kMostLessonTokens));
    for (const LocalText& text : card.text) see_text(place + ".text", text, card.setting);
    see_text(place + ".task", card.task, card.setting);
  }
  for (size_t i = 0; i < lesson.questions.size(); ++i) {
    const LessonQuestion& question = lesson.questions[i];
    const std::string place = fmt::format("questions[{}]", i);
    see_text(place + ".text", question.text, question.setting);
    see_text(place + ".why", question.why, question.setting);
    const auto value = see(place + ".quantity", question.quantity, question.setting);
    if (!value) continue;
    if (static_cast<size_t>(value->kind) != (question.kind == AnswerKind::positions ? 1U
                                             : question.kind == AnswerKind::number  ? 0U
                                                                                    : 2U))
      problems.push_back(place + ".answer: the quantity is of another kind");
    if (question.kind == AnswerKind::choice &&
        std::ranges::find(question.choices, value->text, &LessonChoice::value) == question.choices.end())
      problems.push_back(
          fmt::format("{}.choices: the right answer, '{}', is not among them", place, value->text));
  }
  return problems;
}

Result<bool> grade(const LessonQuestion& question, const QuantityValue& answer, const PassSource& source) {
  constexpr double kShare = 0.005;
  ORTHROS_TRY(const QuantityValue right, evaluate(question.quantity, question.setting, source));
  if (right.kind != QuantityValue::Kind::number) return answer == right;
  if (answer.kind != QuantityValue::Kind::number) return false;
  const bool whole = right.number == std::floor(right.number);
  return whole ? answer.number == right.number
               : std::abs(answer.number - right.number) <= kShare * std::abs(right.number);
}

}  // namespace orthros
