// Some of what a model answered in a batch, as text: what it was asked, what was right, what it said. A batch
// is new to the model when it is judged. Rows of text without answers: the last few tokens of the sequence.
// Errors: none; ids without text are left out. Threads: pure. Private: includes torch.
#pragma once

#include <vector>

#include "engine/formats/tokenizer.h"
#include "engine/training/batch_source.h"
#include "engine/training/losses.h"
#include "engine/training/trainer.h"

namespace orthros::training {

/// The last answer of each of the first `most` sequences.
std::vector<AnswerSample> sample_answers(const Batch& batch, const RowResults& results,
                                         const Tokenizer& tokenizer, int64_t most);

}  // namespace orthros::training
