// keep_experiment: an experiment of one run without cells, begun, filled and done: prompts, attention
// captures. Errors: store errors; what `fill` says. Threads: one caller. Private to engine/experiments.
#pragma once

#include <string>
#include <vector>

#include "engine/base/sha256.h"
#include "engine/experiments/experiment_runs.h"

namespace orthros {

struct KeptSpec {
  store::ExperimentKind kind = store::ExperimentKind::prompt;
  std::string name;
  Json spec = Json::object(), settings = Json::object();
  int64_t seed = 0;
  std::string backend;
};

template <class Fill>
Result<store::ExperimentRecord> keep_experiment(store::RunStore& store, const Arm& arm, KeptSpec kept,
                                                const Fill& fill) {
  store::ExperimentRecord record;
  record.kind = kept.kind;
  record.name = kept.name;
  kept.spec["arm"] = arm.identity();
  record.spec_json = kept.spec.dump(-1, ' ', false, Json::error_handler_t::replace);
  record.spec_sha256 = sha256_hex(record.spec_json);
  ORTHROS_TRY(ExperimentRuns runs,
              ExperimentRuns::create(store, record, {arm}, {}, {kept.seed, kept.settings}));
  ORTHROS_TRY_VOID(runs.begin());
  const Result<void> filled = fill(runs);
  ORTHROS_TRY_VOID(runs.end(filled, {kept.backend}));
  ORTHROS_TRY_VOID(filled);
  return runs.experiment();
}

inline Result<store::RowId> put_ids(ExperimentRuns& runs, const std::vector<TokenId>& ids,
                                    const std::string& text, const char* generator) {
  store::PromptRecord prompt;
  prompt.ids = ids;
  prompt.text = text;
  prompt.generator = generator;
  return runs.store().put_prompt(prompt, runs.tokenizer(0));
}

}  // namespace orthros
