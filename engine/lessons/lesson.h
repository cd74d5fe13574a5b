// Lesson: cards and questions about one small prompt, as data; a teacher can write one. Format: resources/
// lessons/README.md. Errors: corrupt_file, naming the place in the file ("cards[2].text.en.idea"), what is
// wrong and what may stand there. Public: no torch, no Qt. Threads: plain values.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lessons/quantity.h"
#include "engine/lessons/step.h"

namespace orthros {

constexpr int64_t kMostWordsOfCard = 60;
constexpr int64_t kMostLessonTokens = 16;

struct LocalText {
  std::string en, zh;
  const std::string& in(bool chinese) const { return chinese && !zh.empty() ? zh : en; }
};

/// How much a card says: the idea, then the shapes, then the numbers as well.
enum class LessonDepth { idea, shapes, numbers };
constexpr std::array<std::string_view, 3> kLessonDepthNames{"idea", "shapes", "numbers"};

struct LessonCard {
  Moment moment;
  PassSetting setting;
  int64_t row = -1;  // in focus, 0-based; -1: the last token
  int64_t head = 0;
  std::array<LocalText, 3> text;  // by depth; shapes and numbers may be empty
  LocalText task;
  std::vector<std::string> done;  // events that end the task, all of them: lesson_task.h
  std::vector<std::string> highlight;
};

enum class AnswerKind { positions, number, choice };

struct LessonChoice {
  std::string value;
  LocalText text;
};

struct LessonQuestion {
  LocalText text, why;
  AnswerKind kind = AnswerKind::number;
  Quantity quantity;
  Moment moment;  // what the stage shows meanwhile
  PassSetting setting;
  std::vector<LessonChoice> choices;
};

struct Lesson {
  std::string id;
  int64_t number = 0;
  LocalText title, goal;
  std::vector<std::string> prompts;  // of the lesson model's words
  int64_t prompt_length = 0;         // sft: tokens of the prompt; 0: half
  bool on_your_model = false;        // offers the same on the current model, w = 128
  std::vector<LessonCard> cards;
  std::vector<LessonQuestion> questions;
};

/// `what` names the file in messages; `problems`, when given, takes every problem of the file, not only the
/// first, which is the error.
Result<Lesson> parse_lesson(std::string_view text, std::string_view what,
                            std::vector<std::string>* problems = nullptr);
Result<Lesson> read_lesson(const std::filesystem::path& path, std::vector<std::string>* problems = nullptr);

/// Evaluates every live text and every question against the model; each problem names its place.
std::vector<std::string> check_lesson_numbers(const Lesson& lesson, const PassSource& source);

/// Right when the engine's value of the question is the answer: positions and choices exactly, numbers to
/// half a percent (exactly where the value is whole).
Result<bool> grade(const LessonQuestion& question, const QuantityValue& answer, const PassSource& source);

}  // namespace orthros
