#include "engine/training/answer_score.h"

#include <algorithm>

namespace orthros::training {
namespace {

int64_t rows_per_answer(const Batch& batch) {
  return std::max<int64_t>(1, batch.rows_per_answer);
}

}  // namespace

int64_t count_answers(const Batch& batch) {
  return static_cast<int64_t>(batch.targets.size()) / rows_per_answer(batch);
}

RightAnswers count_right(const Batch& batch, const RowResults& results) {
  const auto* best = results.best.const_data_ptr<int64_t>();
  const auto rows = static_cast<int64_t>(batch.targets.size());
  const int64_t per_answer = rows_per_answer(batch);
  RightAnswers count;
  for (int64_t begin = 0; begin < rows; begin += per_answer) {
    int64_t right = 0, telling = begin;
    for (int64_t i = begin; i < begin + per_answer; ++i) {
      right += best[i] == batch.targets[static_cast<size_t>(i)] ? 1 : 0;
      if (batch.weights[static_cast<size_t>(i)] > batch.weights[static_cast<size_t>(telling)]) telling = i;
    }
    count.whole += right == per_answer ? 1 : 0;
    count.first += best[telling] == batch.targets[static_cast<size_t>(telling)] ? 1 : 0;
  }
  return count;
}

}  // namespace orthros::training
