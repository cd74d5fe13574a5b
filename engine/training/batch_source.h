// Batches of training data, each a pure function of (stage, step seed): resuming needs no other state.
// Shapes: ids [B, T]; rows [B, n] positions whose next token is predicted, ascending (empty: every position
// of [B, T], whose targets then are [B, T]); targets, weights like rows. Weights sum to 1 over the batch.
// Errors: invalid_argument (data shorter than a sequence, a sequence too short for its needles), not_found,
// io. Threads: const sources are shared. Public: no torch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/tokenizer.h"
#include "engine/tasks/random.h"
#include "engine/training/train_config.h"

namespace orthros::training {

struct Batch {
  int64_t sequences = 0, length = 0, rows_per_sequence = 0;
  bool every_position = false;
  std::vector<int64_t> ids, rows, targets;
  std::vector<float> weights;
  int64_t rows_per_answer = 0;  // consecutive rows that are one answer; 0: rows are judged one by one
};

class BatchSource {
 public:
  virtual ~BatchSource() = default;
  virtual Result<Batch> make(uint64_t seed) const = 0;
};

/// vocab_size bounds the ids that may come out.
Result<std::shared_ptr<const BatchSource>> make_batch_source(const StageConfig& stage,
                                                             const Tokenizer& tokenizer, int64_t vocab_size);

/// The sequences of one rank, as even a split as there is; none when there are more ranks than sequences. The
/// weights stay: the ranks' losses sum up to the batch's.
Batch share_of(const Batch& batch, int rank, int ranks);

/// Private to the sources.
Result<std::shared_ptr<const BatchSource>> make_needle_source(const StageConfig& stage,
                                                              const Tokenizer& tokenizer);
/// recall and repeat
Result<std::shared_ptr<const BatchSource>> make_symbol_source(const StageConfig& stage,
                                                              const Tokenizer& tokenizer, int64_t vocab_size);
Result<std::shared_ptr<const BatchSource>> make_pair_source(const StageConfig& stage,
                                                            const Tokenizer& tokenizer);
Result<std::shared_ptr<const BatchSource>> make_text_source(const StageConfig& stage,
                                                            const Tokenizer& tokenizer, int64_t vocab_size);
int64_t choose(const std::vector<int64_t>& values, uint64_t draw);
/// A batch with its length drawn and its number of sequences; the first draw of every source.
Batch begin_batch(const StageConfig& stage, Random& random);
/// All rows count alike.
void weigh_equally(Batch& batch);

}  // namespace orthros::training
