#include "engine/training/answer_samples.h"

#include <algorithm>

namespace orthros::training {
namespace {

constexpr int64_t kAskedTokens = 24;  // of the text before the answer
constexpr int64_t kTextTokens = 8;    // that count as an answer where there is none

std::string text_of(const Tokenizer& tokenizer, const std::vector<int64_t>& ids) {
  return tokenizer.decode(ids).value_or(std::string());
}

int64_t answer_rows(const Batch& batch) {
  if (batch.rows_per_answer > 0) return batch.rows_per_answer;
  return batch.every_position ? std::min(kTextTokens, batch.length) : 1;
}

}  // namespace

std::vector<AnswerSample> sample_answers(const Batch& batch, const RowResults& results,
                                         const Tokenizer& tokenizer, int64_t most) {
  const int64_t per_sequence = batch.every_position ? batch.length : batch.rows_per_sequence;
  const int64_t rows = answer_rows(batch);
  const auto* best = results.best.const_data_ptr<int64_t>();
  std::vector<AnswerSample> samples;
  for (int64_t s = 0; s < std::min(most, batch.sequences); ++s) {
    const int64_t begin = (s + 1) * per_sequence - rows;
    if (begin < s * per_sequence) break;
    // The row at a position predicts the token after it.
    const int64_t position =
        batch.every_position ? batch.length - rows : batch.rows[static_cast<size_t>(begin)];
    const auto sequence = batch.ids.begin() + s * batch.length;
    const auto target = batch.targets.begin() + begin;
    AnswerSample sample;
    sample.asked = text_of(
        tokenizer, {sequence + std::max<int64_t>(0, position + 1 - kAskedTokens), sequence + position + 1});
    sample.expected = text_of(tokenizer, {target, target + rows});
    sample.said = text_of(tokenizer, {best + begin, best + begin + rows});
    sample.right = std::equal(target, target + rows, best + begin);
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace orthros::training
