// Prompts and attention captures as runs in the store: what was asked, what came out, with what settings and
// how fast. Units: ms, tokens per second as generate gives them. Errors: store errors. Threads: one caller.
// Public: no torch.
#pragma once

#include <string>
#include <vector>

#include "engine/experiments/arm.h"
#include "engine/inference/attention_rows.h"
#include "engine/inference/generate.h"
#include "engine/store/run_store.h"

namespace orthros {

struct KeptPrompt {
  std::string name, text;  // text: what the user wrote, empty for ids
  bool chat = false;
  GenerateRequest request;
  std::vector<TokenEvent> tokens;  // as on_token gave them, behind those that the answer had to begin with
  int64_t forced = 0;              // how many these are: `request.prompt` is without them
  GenerateResult result;
  std::string backend;
};
/// kind prompt: the request as spec; ids, tokens with their probabilities and alternatives; timings in the
/// run.
Result<store::ExperimentRecord> keep_prompt(store::RunStore& store, const Arm& arm, const KeptPrompt& prompt);

struct KeptAttention {
  std::string name, text;
  AttentionRowsRequest request;
  AttentionRows rows;
  std::string backend;
};
/// kind attention: exact rows of one head, and whether they hold invariant 8.
Result<store::ExperimentRecord> keep_attention(store::RunStore& store, const Arm& arm,
                                               const KeptAttention& kept);

}  // namespace orthros
