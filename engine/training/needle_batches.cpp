// Needle sequences: haystack sentences with K needles between them and Q questions, asked later than their
// needle, each followed by its answer.
#include <algorithm>
#include <array>
#include <map>

#include "engine/tasks/needle_text.h"
#include "engine/tasks/random.h"
#include "engine/tasks/sentence_source.h"
#include "engine/training/batch_source.h"

namespace orthros::training {
namespace {

using Ids = std::vector<int64_t>;

// Sentences encoded once; sequences begin at any of them.
constexpr size_t kPoolSentences = 8'000;
constexpr double kSideWeight = 0.25;  // of the rows around the digits, which need no retrieval
constexpr uint64_t kPoolSeed = 0x6f727468726f73;

struct Pool {
  Ids ids;
  std::vector<size_t> begins;  // of each sentence, and the end
};

std::string question_of(NeedleGrammar grammar, std::string_view name) {
  switch (grammar) {
    case NeedleGrammar::pair:
      return fmt::format(" {}", name);
    case NeedleGrammar::word:
      return fmt::format(" The magic word is {}", name);
    case NeedleGrammar::number:
      return question_text(NeedleVariant::word_number, {std::string(name)}, 1);
  }
  return {};
}

/// " The magic number of David is" and " 48213": question, answer and the full stop as ids.
struct Sentence {
  Ids question, answer, stop;
  size_t first_digit = 0;  // in the answer

  size_t size() const { return question.size() + answer.size() + stop.size(); }
};

struct Item {
  int64_t gap = 0;     // before which haystack sentence
  uint64_t order = 0;  // among the items of a gap
  bool question = false;
  size_t needle = 0;
};

class NeedleSource final : public BatchSource {
 public:
  NeedleSource(const StageConfig& stage, const Tokenizer& tokenizer) : stage_(stage), tokenizer_(tokenizer) {}

  Result<void> prepare() {
    if (const auto bos = tokenizer_.bos()) prefix_ = {*bos};
    for (const std::string_view name : needle_names()) {
      ORTHROS_TRY(const Ids ids, tokenizer_.encode(" " + std::string(name), false));
      by_length_[ids.size()].push_back(name);
    }
    // The shortest names first: they are learnt first, and a stage takes the first so many.
    for (const auto& [length, names] : by_length_) names_.insert(names_.end(), names.begin(), names.end());
    if (stage_.names > 0) names_.resize(std::min(names_.size(), static_cast<size_t>(stage_.names)));
    ORTHROS_TRY(const auto haystack,
                Haystack::create(stage_.haystack, stage_.haystack_folder.string(), stage_.digits));
    const auto sentences = haystack->sentences(kPoolSeed, {});
    for (size_t i = 0; i < kPoolSentences; ++i) {
      ORTHROS_TRY(const Ids ids, tokenizer_.encode(std::string(sentences->next()), false));
      pool_.begins.push_back(pool_.ids.size());
      pool_.ids.insert(pool_.ids.end(), ids.begin(), ids.end());
    }
    pool_.begins.push_back(pool_.ids.size());
    // A mistake in the stage is found now rather than hours later.
    for (uint64_t seed = 0; seed < 8; ++seed) ORTHROS_TRY_VOID(make(seed));
    return {};
  }

  Result<Batch> make(uint64_t seed) const override {
    Random random(seed);
    Batch batch = begin_batch(stage_, random);
    const NeedleGrammar grammar = stage_.grammars[random.below(stage_.grammars.size())];
    int64_t needles = choose(stage_.needles, random.next());
    needles = std::min<int64_t>(
        {needles, static_cast<int64_t>(names_.size()), limit_needles(batch.length, grammar)});
    const int64_t questions = stage_.questions > 0 ? std::min(stage_.questions, needles) : needles;
    QuestionPlace place = stage_.place;
    if (place == QuestionPlace::mixed) {
      place = random.below(2) == 1 ? QuestionPlace::scattered : QuestionPlace::end;
    }
    for (int64_t b = 0; b < batch.sequences; ++b) {
      ORTHROS_TRY_VOID(add_sequence(random, grammar, {needles, questions, place}, batch));
    }
    batch.rows_per_sequence = static_cast<int64_t>(batch.rows.size()) / batch.sequences;
    float total = 0;
    for (const float weight : batch.weights) total += weight;
    for (float& weight : batch.weights) weight /= total;
    return batch;
  }

 private:
  struct Counts {
    int64_t needles = 0, questions = 0;
    QuestionPlace place = QuestionPlace::end;
  };

  // About as many needles as a sequence of mixed lengths has room for, when a list of counts is given.
  int64_t limit_needles(int64_t length, NeedleGrammar grammar) const {
    if (stage_.lengths.size() == 1) return length;
    return std::max<int64_t>(1, length / (grammar == NeedleGrammar::pair ? 8 : 32));
  }

  Result<Sentence> sentence(NeedleGrammar grammar, std::string_view name, const std::string& number) const {
    Sentence s;
    ORTHROS_TRY(s.question, tokenizer_.encode(question_of(grammar, name), false));
    const std::string answer = grammar == NeedleGrammar::number ? " " + number : number;
    ORTHROS_TRY(const Ids whole, tokenizer_.encode(question_of(grammar, name) + answer + ".", false));
    ORTHROS_TRY(s.stop, tokenizer_.encode(".", false));
    const bool splits = whole.size() > s.question.size() + s.stop.size() &&
                        std::equal(s.question.begin(), s.question.end(), whole.begin()) &&
                        std::equal(s.stop.rbegin(), s.stop.rend(), whole.rbegin());
    if (!splits) {
      return fail(Error{ErrorCode::unsupported,
                        fmt::format("this tokenizer joins '{}' with what stands beside it", answer),
                        "use one whose digits are tokens of their own"});
    }
    s.answer.assign(whole.begin() + static_cast<int64_t>(s.question.size()),
                    whole.end() - static_cast<int64_t>(s.stop.size()));
    while (s.first_digit + 1 < s.answer.size()) {
      ORTHROS_TRY(const std::string piece, tokenizer_.piece(s.answer[s.first_digit]));
      if (piece.find_first_of("0123456789") != std::string::npos) break;
      ++s.first_digit;
    }
    return s;
  }

  /// Names without repetition.
  std::vector<std::string_view> draw_names(Random& random, int64_t count) const {
    std::vector<std::string_view> names = names_;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i)
      std::swap(names[i], names[i + random.below(names.size() - i)]);
    names.resize(static_cast<size_t>(count));
    return names;
  }

  Result<void> add_sequence(Random& random, NeedleGrammar grammar, const Counts& counts, Batch& batch) const {
    std::vector<Sentence> needles;
    int64_t used = static_cast<int64_t>(prefix_.size());
    for (const std::string_view name : draw_names(random, counts.needles)) {
      ORTHROS_TRY(Sentence s, sentence(grammar, name, draw_number(random, stage_.digits)));
      const bool asked = static_cast<int64_t>(needles.size()) < counts.questions;
      used += static_cast<int64_t>(s.size()) * (asked ? 2 : 1);
      needles.push_back(std::move(s));
    }
    const int64_t fill = batch.length - used;
    if (fill < 0) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} needles and {} questions take {} tokens of a sequence of {}",
                                    counts.needles, counts.questions, used, batch.length),
                        "use fewer needles or a longer sequence"});
    }
    const std::vector<Ids> haystack = take_haystack(random, fill);
    std::vector<Item> items = place_items(random, static_cast<int64_t>(haystack.size()), counts);
    const size_t begin = batch.ids.size();
    batch.ids.insert(batch.ids.end(), prefix_.begin(), prefix_.end());
    size_t item = 0;
    for (int64_t gap = 0; gap <= static_cast<int64_t>(haystack.size()); ++gap) {
      for (; item < items.size() && items[item].gap == gap; ++item) {
        write_item(needles[items[item].needle], items[item].question, begin, batch);
      }
      if (gap == static_cast<int64_t>(haystack.size())) break;
      const Ids& text = haystack[static_cast<size_t>(gap)];
      batch.ids.insert(batch.ids.end(), text.begin(), text.end());
    }
    return {};
  }

  /// Consecutive sentences of exactly `fill` ids in all, the first one cut at its front.
  std::vector<Ids> take_haystack(Random& random, int64_t fill) const {
    std::vector<Ids> taken;
    size_t sentence = random.below(kPoolSentences);
    int64_t have = 0;
    while (have < fill) {
      const auto first = pool_.ids.begin() + static_cast<int64_t>(pool_.begins[sentence]);
      const auto last = pool_.ids.begin() + static_cast<int64_t>(pool_.begins[sentence + 1]);
      taken.emplace_back(first, last);
      have += last - first;
      sentence = (sentence + 1) % kPoolSentences;
    }
    int64_t extra = have - fill;
    while (extra > 0) {
      const auto size = static_cast<int64_t>(taken.front().size());
      if (extra >= size) {
        taken.erase(taken.begin());
      } else {
        taken.front().erase(taken.front().begin(), taken.front().begin() + extra);
      }
      extra -= std::min(extra, size);
    }
    return taken;
  }

  static int64_t question_gap(Random& random, int64_t gap, int64_t last, QuestionPlace place) {
    switch (place) {
      case QuestionPlace::near:
        return gap;
      case QuestionPlace::scattered:
        return gap + static_cast<int64_t>(random.below(static_cast<uint64_t>(last - gap + 1)));
      default:
        return last;
    }
  }

  static std::vector<Item> place_items(Random& random, int64_t sentences, const Counts& counts) {
    std::vector<Item> items;
    const auto gaps = static_cast<uint64_t>(sentences + 1);
    for (int64_t k = 0; k < counts.needles; ++k) {
      const auto gap = static_cast<int64_t>(random.below(gaps));
      items.push_back({gap, random.next() >> 1, false, static_cast<size_t>(k)});
      if (k >= counts.questions) continue;
      items.push_back({question_gap(random, gap, sentences, counts.place), random.next() >> 1, true,
                       static_cast<size_t>(k)});
    }
    // In one gap all needles stand before all questions, so that no question comes before its needle.
    std::ranges::sort(items, [](const Item& a, const Item& b) {
      return std::tie(a.gap, a.question, a.order) < std::tie(b.gap, b.question, b.order);
    });
    return items;
  }

  void write_item(const Sentence& s, bool question, size_t begin, Batch& batch) const {
    batch.ids.insert(batch.ids.end(), s.question.begin(), s.question.end());
    if (question) {
      // The full stop and the end too: an answer that does not end is not the number.
      Ids targets = s.answer;
      targets.insert(targets.end(), s.stop.begin(), s.stop.end());
      if (!tokenizer_.eos().empty()) targets.push_back(tokenizer_.eos().front());
      batch.rows_per_answer = std::ssize(targets);
      for (size_t i = 0; i < targets.size(); ++i) {
        batch.rows.push_back(static_cast<int64_t>(batch.ids.size() - begin + i) - 1);
        batch.targets.push_back(targets[i]);
        const double weight = i < s.first_digit || i >= s.answer.size() ? kSideWeight
                              : i == s.first_digit                      ? stage_.first_digit_weight
                                                                        : 1.0;
        batch.weights.push_back(static_cast<float>(weight));
      }
    }
    batch.ids.insert(batch.ids.end(), s.answer.begin(), s.answer.end());
    batch.ids.insert(batch.ids.end(), s.stop.begin(), s.stop.end());
  }

  StageConfig stage_;
  Tokenizer tokenizer_;
  Ids prefix_;
  std::map<size_t, std::vector<std::string_view>> by_length_;
  std::vector<std::string_view> names_;
  Pool pool_;
};

}  // namespace

Result<std::shared_ptr<const BatchSource>> make_needle_source(const StageConfig& stage,
                                                              const Tokenizer& tokenizer) {
  const auto source = std::make_shared<NeedleSource>(stage, tokenizer);
  ORTHROS_TRY_VOID(source->prepare());
  return std::shared_ptr<const BatchSource>(source);
}

}  // namespace orthros::training
