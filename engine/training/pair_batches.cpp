// Pairs of a key and a value with words between them, then some of the keys again, each to be answered with
// its value: " Ann red and Ben blue then so Ann" -> " red". Short enough to be read token by token.
#include <algorithm>
#include <numeric>

#include "engine/tasks/random.h"
#include "engine/training/batch_source.h"

namespace orthros::training {
namespace {

using Ids = std::vector<int64_t>;

class PairSource final : public BatchSource {
 public:
  explicit PairSource(const StageConfig& stage) : stage_(stage) {}

  Result<void> prepare(const Tokenizer& tokenizer) {
    for (const auto& [words, ids] : {std::pair{&stage_.key_words, &keys_},
                                     {&stage_.value_words, &values_},
                                     {&stage_.filler_words, &fillers_}}) {
      for (const std::string& word : *words) {
        ORTHROS_TRY(const Ids id, tokenizer.encode(word, false));
        if (id.size() != 1) {
          return fail(ErrorCode::invalid_argument, "'{}' is {} tokens: words of pairs must be one each", word,
                      id.size());
        }
        ids->push_back(id[0]);
      }
    }
    // A mistake in the stage is found now rather than hours later.
    for (uint64_t seed = 0; seed < 8; ++seed) ORTHROS_TRY_VOID(make(seed));
    return {};
  }

  Result<Batch> make(uint64_t seed) const override {
    Random random(seed);
    Batch batch = begin_batch(stage_, random);
    const int64_t pairs = choose(stage_.needles, random.next());
    const int64_t asked = stage_.questions > 0 ? std::min(stage_.questions, pairs) : pairs;
    const int64_t fill = batch.length - 2 * (pairs + asked);
    if (pairs > std::ssize(keys_) || fill < 0) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} pairs of {} keys and {} questions do not fit into {} tokens", pairs,
                                    keys_.size(), asked, batch.length),
                        "change needles, questions, keys or length"});
    }
    batch.rows_per_sequence = asked;
    batch.rows_per_answer = 1;
    for (int64_t b = 0; b < batch.sequences; ++b) add_sequence(random, pairs, asked, fill, batch);
    weigh_equally(batch);
    return batch;
  }

 private:
  void add_sequence(Random& random, int64_t pairs, int64_t asked, int64_t fill, Batch& batch) const {
    const auto begin = static_cast<int64_t>(batch.ids.size());
    Ids keys = keys_, values, order(static_cast<size_t>(pairs));
    random.shuffle(keys);
    for (int64_t k = 0; k < pairs; ++k) values.push_back(draw(random, values_));
    std::iota(order.begin(), order.end(), 0);
    // 1: a pair stands here, 0: a word of text.
    std::vector<char> pair(static_cast<size_t>(pairs + fill));
    std::fill_n(pair.begin(), pairs, char{1});
    random.shuffle(pair);
    size_t next = 0;
    for (const char is_pair : pair) {
      if (is_pair != 0) {
        batch.ids.insert(batch.ids.end(), {keys[next], values[next]});
        ++next;
      } else {
        batch.ids.push_back(draw(random, fillers_));
      }
    }
    random.shuffle(order);
    for (int64_t q = 0; q < asked; ++q) {
      const auto k = static_cast<size_t>(order[static_cast<size_t>(q)]);
      batch.rows.push_back(static_cast<int64_t>(batch.ids.size()) - begin);
      batch.targets.push_back(values[k]);
      batch.ids.insert(batch.ids.end(), {keys[k], values[k]});
    }
  }

  static int64_t draw(Random& random, const Ids& from) { return from[random.below(from.size())]; }

  StageConfig stage_;
  Ids keys_, values_, fillers_;
};

}  // namespace

Result<std::shared_ptr<const BatchSource>> make_pair_source(const StageConfig& stage,
                                                            const Tokenizer& tokenizer) {
  const auto source = std::make_shared<PairSource>(stage);
  ORTHROS_TRY_VOID(source->prepare(tokenizer));
  return std::shared_ptr<const BatchSource>(source);
}

}  // namespace orthros::training
