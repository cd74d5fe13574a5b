#include "engine/training/batch_source.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "engine/formats/mapped_file.h"
#include "engine/tasks/random.h"

namespace orthros::training {
namespace {

constexpr int64_t kMaxTextBytes = int64_t{2} << 30;

/// Pairs of ids, then all keys again in another order: the value of each is to be recalled.
class RecallSource final : public BatchSource {
 public:
  RecallSource(const StageConfig& stage, std::vector<int64_t> symbols)
      : stage_(stage), symbols_(std::move(symbols)) {}

  Result<Batch> make(uint64_t seed) const override {
    Random random(seed);
    Batch batch = begin_batch(stage_, random);
    const int64_t pairs = batch.length / 4;
    if (pairs * 2 > static_cast<int64_t>(symbols_.size())) {
      return fail(ErrorCode::invalid_argument, "{} pairs need {} different ids and only {} are given", pairs,
                  pairs * 2, symbols_.size());
    }
    batch.rows_per_sequence = pairs;
    batch.rows_per_answer = 1;
    for (int64_t b = 0; b < batch.sequences; ++b) add_sequence(random, pairs, batch);
    weigh_equally(batch);
    return batch;
  }

 private:
  void add_sequence(Random& random, int64_t pairs, Batch& batch) const {
    std::vector<int64_t> symbols = symbols_;
    random.shuffle(symbols);
    std::vector<int64_t> order(static_cast<size_t>(pairs));
    std::iota(order.begin(), order.end(), 0);
    const auto write = [&](int64_t pair) {
      batch.ids.push_back(symbols[static_cast<size_t>(2 * pair)]);
      batch.ids.push_back(symbols[static_cast<size_t>(2 * pair + 1)]);
    };
    for (const int64_t pair : order) write(pair);
    random.shuffle(order);
    for (int64_t i = 0; i < pairs; ++i) {
      batch.rows.push_back(2 * pairs + 2 * i);
      batch.targets.push_back(symbols[static_cast<size_t>(2 * order[static_cast<size_t>(i)] + 1)]);
      write(order[static_cast<size_t>(i)]);
    }
    // What does not make a whole pair of pairs is filled up: all sequences of a batch have one length.
    batch.ids.resize(batch.ids.size() + static_cast<size_t>(batch.length - 4 * pairs), symbols.back());
  }

  StageConfig stage_;
  std::vector<int64_t> symbols_;
};

/// Random ids, then the same ones again until the sequence is full; everything after the first round is
/// predicted. The period changes from batch to batch: no distance is worth learning.
class RepeatSource final : public BatchSource {
 public:
  RepeatSource(const StageConfig& stage, std::vector<int64_t> symbols)
      : stage_(stage), symbols_(std::move(symbols)) {}

  Result<Batch> make(uint64_t seed) const override {
    Random random(seed);
    Batch batch = begin_batch(stage_, random);
    const int64_t period = choose(stage_.periods, random.next());
    if (period >= batch.length || period > static_cast<int64_t>(symbols_.size())) {
      return fail(ErrorCode::invalid_argument, "a period of {} does not fit {} tokens and {} different ids",
                  period, batch.length, symbols_.size());
    }
    batch.rows_per_sequence = batch.length - period;
    batch.rows_per_answer = 1;
    for (int64_t b = 0; b < batch.sequences; ++b) {
      std::vector<int64_t> symbols = symbols_;
      random.shuffle(symbols);
      for (int64_t i = 0; i < batch.length; ++i)
        batch.ids.push_back(symbols[static_cast<size_t>(i % period)]);
      for (int64_t i = period; i < batch.length; ++i) {
        batch.rows.push_back(i);
        batch.targets.push_back(symbols[static_cast<size_t>((i + 1) % period)]);
      }
    }
    weigh_equally(batch);
    return batch;
  }

 private:
  StageConfig stage_;
  std::vector<int64_t> symbols_;
};

/// Slices of one long text, every position predicted.
class TextSource final : public BatchSource {
 public:
  TextSource(const StageConfig& stage, std::vector<int64_t> ids, std::vector<int64_t> prefix)
      : stage_(stage), ids_(std::move(ids)), prefix_(std::move(prefix)) {}

  Result<void> check() const {
    const int64_t longest = *std::ranges::max_element(stage_.lengths);
    if (static_cast<int64_t>(ids_.size()) > longest) return {};
    return fail(
        Error{ErrorCode::invalid_argument,
              fmt::format("{} has {} tokens, which is less than a sequence of {} and the token after it",
                          stage_.file.filename().string(), ids_.size(), longest),
              "give more text or a shorter length"});
  }

  Result<Batch> make(uint64_t seed) const override {
    Random random(seed);
    Batch batch = begin_batch(stage_, random);
    batch.rows_per_sequence = batch.length;
    batch.every_position = true;
    const int64_t text = batch.length - static_cast<int64_t>(prefix_.size());
    for (int64_t b = 0; b < batch.sequences; ++b) {
      const auto at = static_cast<int64_t>(random.below(ids_.size() - static_cast<size_t>(text)));
      batch.ids.insert(batch.ids.end(), prefix_.begin(), prefix_.end());
      batch.ids.insert(batch.ids.end(), ids_.begin() + at, ids_.begin() + at + text);
      // What follows the prefix is the slice's first token.
      batch.targets.insert(batch.targets.end(), prefix_.size(), ids_[static_cast<size_t>(at)]);
      batch.targets.insert(batch.targets.end(), ids_.begin() + at + 1, ids_.begin() + at + text + 1);
    }
    weigh_equally(batch);
    return batch;
  }

 private:
  StageConfig stage_;
  std::vector<int64_t> ids_, prefix_;
};

Result<std::vector<int64_t>> parse_ids(std::string_view text, const std::string& name) {
  std::vector<int64_t> ids;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t' || *at == ',')) ++at;
    if (at == end) return ids;
    int64_t id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc() || id < 0) {
      return fail(ErrorCode::corrupt_file, "{} holds something else than ids at byte {}", name,
                  at - text.data());
    }
    ids.push_back(id);
    at = next;
  }
}

}  // namespace

int64_t choose(const std::vector<int64_t>& values, uint64_t draw) {
  return values[draw % values.size()];
}

Batch begin_batch(const StageConfig& stage, Random& random) {
  Batch batch;
  batch.length = choose(stage.lengths, random.next());
  batch.sequences =
      stage.batch > 0 ? stage.batch : std::max<int64_t>(1, stage.tokens_per_step / batch.length);
  return batch;
}

void weigh_equally(Batch& batch) {
  batch.weights.assign(batch.targets.size(), 1.0f / static_cast<float>(batch.targets.size()));
}

Batch share_of(const Batch& batch, int rank, int ranks) {
  const int64_t begin = batch.sequences * rank / ranks, end = batch.sequences * (rank + 1) / ranks;
  const auto cut = [&](const auto& whole) {
    const int64_t size = std::ssize(whole) / batch.sequences;
    return std::remove_cvref_t<decltype(whole)>(whole.begin() + begin * size, whole.begin() + end * size);
  };
  Batch share = batch;
  share.sequences = end - begin;
  share.ids = cut(batch.ids);
  share.rows = cut(batch.rows);
  share.targets = cut(batch.targets);
  share.weights = cut(batch.weights);
  return share;
}

Result<std::shared_ptr<const BatchSource>> make_symbol_source(const StageConfig& stage,
                                                              const Tokenizer& tokenizer,
                                                              int64_t vocab_size) {
  std::vector<int64_t> symbols;
  for (int64_t id = 0; id < vocab_size && static_cast<int64_t>(symbols.size()) < stage.keys; ++id) {
    if (id < tokenizer.vocab_size() && !tokenizer.is_special(id)) symbols.push_back(id);
  }
  std::shared_ptr<const BatchSource> source;
  if (stage.task == StageTask::repeat) {
    source = std::make_shared<RepeatSource>(stage, std::move(symbols));
  } else {
    source = std::make_shared<RecallSource>(stage, std::move(symbols));
  }
  for (uint64_t seed = 0; seed < 8; ++seed) ORTHROS_TRY_VOID(source->make(seed));
  return source;
}

Result<std::shared_ptr<const BatchSource>> make_text_source(const StageConfig& stage,
                                                            const Tokenizer& tokenizer, int64_t vocab_size) {
  ORTHROS_TRY(const std::string text, read_text(stage.file, kMaxTextBytes));
  const std::string name = stage.file.filename().string();
  std::vector<int64_t> ids, prefix;
  if (stage.task == StageTask::tokens) {
    ORTHROS_TRY(ids, parse_ids(text, name));
  } else {
    ORTHROS_TRY(ids, tokenizer.encode(text, false));
    if (const auto bos = tokenizer.bos()) prefix = {*bos};
  }
  for (const int64_t id : ids) {
    if (id >= vocab_size) {
      return fail(ErrorCode::invalid_argument, "{} holds id {}, and the model has {} tokens", name, id,
                  vocab_size);
    }
  }
  const auto source = std::make_shared<TextSource>(stage, std::move(ids), std::move(prefix));
  ORTHROS_TRY_VOID(source->check());
  return std::shared_ptr<const BatchSource>(source);
}

Result<std::shared_ptr<const BatchSource>> make_batch_source(const StageConfig& stage,
                                                             const Tokenizer& tokenizer, int64_t vocab_size) {
  switch (stage.task) {
    case StageTask::needle:
      return make_needle_source(stage, tokenizer);
    case StageTask::recall:
    case StageTask::repeat:
      return make_symbol_source(stage, tokenizer, vocab_size);
    case StageTask::pairs:
      return make_pair_source(stage, tokenizer);
    case StageTask::text:
    case StageTask::tokens:
      break;
  }
  return make_text_source(stage, tokenizer, vocab_size);
}

}  // namespace orthros::training
