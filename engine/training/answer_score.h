// How many answers of a batch were right. Errors: none. Threads: pure. Private: includes torch.
#pragma once

#include <cstdint>

#include "engine/training/batch_source.h"
#include "engine/training/losses.h"

namespace orthros::training {

struct RightAnswers {
  int64_t whole = 0;  // every row right
  int64_t first = 0;  // the first telling token right
};

/// How many answers a batch has; of rows where there are no answers.
int64_t count_answers(const Batch& batch);
RightAnswers count_right(const Batch& batch, const RowResults& results);

}  // namespace orthros::training
