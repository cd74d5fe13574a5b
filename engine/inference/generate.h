// generate: prefill, then one token after another until a stop token, a stop string or the limit.
// Units: ms, tokens per second, bytes. Time to first token runs from the call to the first sampled token.
// Errors: as Session; cancelled keeps nothing. Threads: one caller; on_token is called on it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/inference/sampler.h"
#include "engine/inference/session.h"

namespace orthros {

struct TokenEvent {
  int64_t index = 0;  // 0 for the first generated token
  Sample sample;
  std::string bytes;  // the token's own bytes; may end inside a UTF-8 character
  double elapsed_ms = 0;
  std::vector<Sample> alternatives;  // most probable first, as many as the request asked for
};

struct GenerateRequest {
  std::vector<TokenId> prompt;
  int64_t max_tokens = 128;
  SamplingParams sampling;
  std::vector<std::string> stop;  // text that ends generation; not part of the result
  std::vector<TokenId> eos;       // empty: never stops by itself
  int64_t alternatives = 0;       // of each token, for on_token
  std::function<void(const TokenEvent&)> on_token;
};

enum class StopReason { max_tokens, eos, stop_string, capacity };
const char* to_string(StopReason reason);

struct GenerateResult {
  std::vector<TokenId> ids;  // the new ones, without the stop token
  std::string text;
  StopReason reason = StopReason::max_tokens;
  int64_t prompt_tokens = 0;
  double ttft_ms = 0;
  double prefill_tok_s = 0;
  double decode_tok_s = 0;  // steps after the first token; 0 when there was none
  int64_t kv_bytes = 0;
};

/// tokenizer may be null: then bytes and text stay empty and stop strings are refused.
Result<GenerateResult> generate(Session& session, const Tokenizer* tokenizer, const GenerateRequest& request,
                                const StopToken& stop = {}, const ProgressSink& progress = {});

}  // namespace orthros
