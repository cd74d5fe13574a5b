#include "engine/inference/generate.h"

#include <algorithm>
#include <chrono>

namespace orthros {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Position of the earliest stop string, or npos. Only the tail that the last token can have completed is
// searched.
size_t find_stop(const std::string& text, size_t added, const std::vector<std::string>& stops) {
  size_t found = std::string::npos;
  for (const std::string& stop : stops) {
    const size_t tail = std::min(text.size(), added + stop.size());
    found = std::min(found, text.find(stop, text.size() - tail));
  }
  return found;
}

Result<void> check(const GenerateRequest& request, const Tokenizer* tokenizer) {
  if (request.max_tokens < 1) {
    return fail(ErrorCode::invalid_argument, "{} new tokens asked for; give at least 1", request.max_tokens);
  }
  for (const std::string& stop : request.stop) {
    if (stop.empty()) return fail(ErrorCode::invalid_argument, "a stop string is empty");
    if (tokenizer == nullptr) {
      return fail(ErrorCode::invalid_argument, "stop strings need a tokenizer, which this model has not");
    }
  }
  return {};
}

}  // namespace

const char* to_string(StopReason reason) {
  switch (reason) {
    case StopReason::max_tokens:
      return "max_tokens";
    case StopReason::eos:
      return "eos";
    case StopReason::stop_string:
      return "stop_string";
    case StopReason::capacity:
      return "capacity";
  }
  return "unknown";
}

Result<GenerateResult> generate(Session& session, const Tokenizer* tokenizer, const GenerateRequest& request,
                                const StopToken& stop, const ProgressSink& progress) {
  ORTHROS_TRY_VOID(check(request, tokenizer));
  ORTHROS_TRY(Sampler sampler, Sampler::create(request.sampling));
  GenerateResult result;
  result.prompt_tokens = static_cast<int64_t>(request.prompt.size());
  const auto start = Clock::now();
  ORTHROS_TRY_VOID(session.prefill({request.prompt}, stop, progress));
  result.prefill_tok_s = static_cast<double>(result.prompt_tokens) / milliseconds_since(start) * 1e3;

  Clock::time_point first_token;
  int64_t steps = 0;
  for (int64_t index = 0;; ++index) {
    const Sample sample = sampler.next(session.logits());
    if (index == 0) {
      result.ttft_ms = milliseconds_since(start);
      first_token = Clock::now();
    }
    if (std::ranges::find(request.eos, sample.id) != request.eos.end()) {
      result.reason = StopReason::eos;
      break;
    }
    TokenEvent event{index, sample, {}, milliseconds_since(start), {}};
    if (request.alternatives > 0) event.alternatives = most_probable(session.logits(), request.alternatives);
    if (tokenizer != nullptr) event.bytes = tokenizer->piece(sample.id).value_or(std::string());
    result.ids.push_back(sample.id);
    result.text += event.bytes;
    if (request.on_token) request.on_token(event);
    report(progress, "decode", index + 1, request.max_tokens);
    if (const size_t at = find_stop(result.text, event.bytes.size(), request.stop); at != std::string::npos) {
      result.text.resize(at);
      result.reason = StopReason::stop_string;
      break;
    }
    if (index + 1 == request.max_tokens) break;
    ORTHROS_TRY_VOID(session.step({sample.id}, stop));
    ++steps;
  }
  if (steps > 0) result.decode_tok_s = static_cast<double>(steps) / milliseconds_since(first_token) * 1e3;
  result.kv_bytes = session.kv_bytes();
  return result;
}

}  // namespace orthros
