// One needle trial on one arm: prefill, how probable the right answer was (teacher forced), what the model
// answers by itself (greedy), and how much its answer row attends to the needle. Units: ns, nats. Errors: as
// LanguageModel; cancelled keeps nothing. Threads: one caller. Public: no torch.
#pragma once

#include <string>
#include <vector>

#include "engine/experiments/clock.h"
#include "engine/experiments/language_model.h"
#include "engine/tasks/needle_task.h"

namespace orthros {

struct NiahTrialRequest {
  const NeedlePrompt& prompt;
  int64_t answer_tokens = 16;  // greedy budget
  std::vector<TokenId> eos;
  bool probe_attention = true;
  int64_t attention_from = 0;  // keys before it do not count: they draw attention whatever they say
};

struct NiahTrialResult {
  std::vector<TokenId> output_ids;  // without the stop token
  std::string finish;               // "eos" or "budget"
  double answer_logprob = 0;        // mean over the answer's ids
  double answer_rank1 = 0;          // share of them that were the most probable
  SpanMass attention;               // on the target needles; empty when not probed or when there is none
  double attn_uniform = 0;          // counted needle ids / keys
  int64_t prefill_ns = 0, decode_ns = 0;
  std::string backend;
};

/// Opens a session of its own and closes it.
Result<NiahTrialResult> run_niah_trial(LanguageModel& model, const NiahTrialRequest& request,
                                       const Clock& clock, const StopToken& stop);

}  // namespace orthros
