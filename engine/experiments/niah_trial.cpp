#include "engine/experiments/niah_trial.h"

#include <algorithm>

#include "engine/inference/sampler.h"

namespace orthros {
namespace {

class Trial {
 public:
  Trial(LanguageModel& model, const NiahTrialRequest& request, const Clock& clock, const StopToken& stop)
      : model_(model), request_(request), clock_(clock), stop_(stop) {}

  Result<NiahTrialResult> run() {
    const NeedlePrompt& prompt = request_.prompt;
    const auto tokens = std::ssize(prompt.ids);
    SessionOptions options;
    options.capacity = tokens + std::max<int64_t>(request_.answer_tokens, std::ssize(prompt.answer_ids));
    options.keep_all_keys = true;  // for going back, and for the attention of the answer row
    ORTHROS_TRY_VOID(model_.open(options));
    ORTHROS_TRY_VOID(prefill());
    const auto logits = model_.logits(0);
    const std::vector<float> first(logits.begin(), logits.end());
    ORTHROS_TRY_VOID(force_answer(first));
    ORTHROS_TRY_VOID(model_.rewind(tokens));
    ORTHROS_TRY_VOID(answer_freely(first));
    return std::move(result_);
  }

 private:
  Result<void> prefill() {
    SpanMass* probe = nullptr;
    for (const PlacedNeedle& needle : request_.prompt.needles) {
      const int64_t begin = std::max(needle.begin, request_.attention_from);
      if (!needle.distractor && needle.end > begin) result_.attention.spans.push_back({begin, needle.end});
    }
    if (request_.probe_attention && !result_.attention.spans.empty()) {
      probe = &result_.attention;
      int64_t keys = 0;
      for (const KeyRange& span : probe->spans) keys += span.size();
      result_.attn_uniform = static_cast<double>(keys) / static_cast<double>(request_.prompt.ids.size());
    }
    const int64_t start = clock_.now_ns();
    ORTHROS_TRY_VOID(model_.prefill({request_.prompt.ids}, stop_, probe));
    model_.synchronize();
    result_.prefill_ns = clock_.now_ns() - start;
    result_.backend = model_.backend();
    return {};
  }

  Result<void> force_answer(const std::vector<float>& first) {
    const std::vector<int64_t>& answer = request_.prompt.answer_ids;
    if (answer.empty()) return fail(ErrorCode::internal, "the task has no answer to force");
    std::span<const float> logits = first;
    int64_t rank1 = 0;
    for (size_t i = 0; i < answer.size(); ++i) {
      result_.answer_logprob += log_probability(logits, answer[i]);
      rank1 += greedy(logits) == answer[i] ? 1 : 0;
      if (i + 1 == answer.size()) break;
      ORTHROS_TRY_VOID(model_.step({answer[i]}, stop_));
      logits = model_.logits(0);
    }
    const auto count = static_cast<double>(answer.size());
    result_.answer_logprob /= count;
    result_.answer_rank1 = static_cast<double>(rank1) / count;
    return {};
  }

  Result<void> answer_freely(const std::vector<float>& first) {
    const int64_t start = clock_.now_ns();
    result_.finish = "budget";
    TokenId next = greedy(first);
    for (int64_t i = 0; i < request_.answer_tokens; ++i) {
      if (std::ranges::find(request_.eos, next) != request_.eos.end()) {
        result_.finish = "eos";
        break;
      }
      result_.output_ids.push_back(next);
      if (i + 1 == request_.answer_tokens) break;
      ORTHROS_TRY_VOID(model_.step({next}, stop_));
      next = greedy(model_.logits(0));
    }
    result_.decode_ns = clock_.now_ns() - start;
    return {};
  }

  LanguageModel& model_;
  const NiahTrialRequest& request_;
  const Clock& clock_;
  const StopToken& stop_;
  NiahTrialResult result_;
};

}  // namespace

Result<NiahTrialResult> run_niah_trial(LanguageModel& model, const NiahTrialRequest& request,
                                       const Clock& clock, const StopToken& stop) {
  auto result = Trial(model, request, clock, stop).run();
  model.close();
  return result;
}

}  // namespace orthros
