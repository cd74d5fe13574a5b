// StepKeeper: a recorded decode goes into the store step by step, each one transaction: what was
// acknowledged survives kill -9. read_steps gives them back, also of a run that never ended.
// Errors: store errors; invalid_argument for a step out of turn; corrupt_file. Threads: one caller, any
// thread. Public: no torch.
#pragma once

#include <memory>

#include "engine/experiments/kept_record.h"

namespace orthros {

class StepKeeper {
 public:
  /// `kept`: name, text, model; ids and pieces of the prompt alone; of its record the shape.
  static Result<std::unique_ptr<StepKeeper>> begin(store::RunStore& store, const Arm& arm,
                                                   const KeptRecord& kept);
  ~StepKeeper();

  /// The next step, with the token that was chosen after it.
  Result<void> add(const DecodeStep& step, const GeneratedToken& said);
  int64_t count() const;  // steps that are kept
  /// Done, or interrupted when the recording was stopped; with the invariants of each head.
  Result<store::ExperimentRecord> end(const AttentionRecord& record);

 private:
  struct Impl;
  explicit StepKeeper(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Into `kept`, whose prompt and shape are there: steps, ids, pieces and what was said, up to the last whole
/// step.
Result<void> read_steps(const store::RunReader& reader, store::RowId run,
                        const std::vector<store::AttnStepRecord>& steps, KeptRecord& kept);

}  // namespace orthros
