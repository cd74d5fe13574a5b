#include "engine/experiments/kept_runs.h"

#include "engine/experiments/kept_experiment.h"
#include "engine/inference/attention_record.h"
#include "engine/model/model_identity.h"

namespace orthros {
namespace {

Json request_json(const KeptPrompt& prompt) {
  const SamplingParams& sampling = prompt.request.sampling;
  return {{"text", prompt.text},
          {"chat", prompt.chat},
          {"forced", prompt.forced},
          {"max_tokens", prompt.request.max_tokens},
          {"temperature", sampling.temperature},
          {"top_k", sampling.top_k},
          {"top_p", sampling.top_p},
          {"min_p", sampling.min_p},
          {"seed", sampling.seed},
          {"stop", prompt.request.stop},
          {"eos", prompt.request.eos}};
}

Json timings_json(const GenerateResult& result) {
  return {{"ttft_ms", result.ttft_ms},
          {"prefill_tok_s", result.prefill_tok_s},
          {"decode_tok_s", result.decode_tok_s},
          {"kv_bytes", result.kv_bytes},
          {"prompt_tokens", result.prompt_tokens},
          {"stop_reason", to_string(result.reason)}};
}

store::GenTokenRecord token_record(const TokenEvent& event) {
  store::GenTokenRecord token;
  token.step = event.index;
  token.token_id = event.sample.id;
  token.bytes = event.bytes;
  token.probability = event.sample.probability;
  token.elapsed_ns = static_cast<int64_t>(event.elapsed_ms * 1e6);
  Json alternatives = Json::array();
  for (const Sample& sample : event.alternatives) alternatives.push_back({sample.id, sample.probability});
  token.alternatives_json = alternatives.dump();
  return token;
}

store::AttnStepRecord step_record(const KeptAttention& kept) {
  store::AttnStepRecord step;
  step.regime = to_string(Regime::prefill);
  step.t_in = kept.rows.num_keys;
  step.t_out = std::ssize(kept.rows.positions);
  for (size_t i = 0; i < kept.rows.positions.size(); ++i) {
    store::AttnExactRowRecord row;
    row.layer = kept.request.layer;
    row.head = kept.request.head;
    row.output_stream = kept.request.stream == StreamKind::output;
    row.position = kept.rows.positions[i];
    const auto begin = kept.rows.weights.begin() + static_cast<std::ptrdiff_t>(i) * kept.rows.num_keys;
    row.weights.assign(begin, begin + kept.rows.num_keys);
    step.exact_rows.push_back(std::move(row));
  }
  return step;
}

}  // namespace

Result<store::ExperimentRecord> keep_prompt(store::RunStore& store, const Arm& arm,
                                            const KeptPrompt& prompt) {
  const auto seed = static_cast<int64_t>(prompt.request.sampling.seed);
  const auto fill = [&](ExperimentRuns& runs) -> Result<void> {
    ORTHROS_TRY(const store::RowId id, put_ids(runs, prompt.request.prompt, prompt.text, "prompt"));
    std::vector<store::GenTokenRecord> tokens;
    for (const TokenEvent& event : prompt.tokens) tokens.push_back(token_record(event));
    return runs.store().add_tokens(runs.run(0), id, tokens);
  };
  return keep_experiment(store, arm,
                         {store::ExperimentKind::prompt, prompt.name, request_json(prompt),
                          timings_json(prompt.result), seed, prompt.backend},
                         fill);
}

Result<store::ExperimentRecord> keep_attention(store::RunStore& store, const Arm& arm,
                                               const KeptAttention& kept) {
  const Json spec = {{"text", kept.text},
                     {"layer", kept.request.layer},
                     {"head", kept.request.head},
                     {"stream", kept.request.stream == StreamKind::output ? "output" : "base"}};
  const auto fill = [&](ExperimentRuns& runs) -> Result<void> {
    store::AttnStepRecord step = step_record(kept);
    ORTHROS_TRY(step.prompt_id, put_ids(runs, kept.request.ids, kept.text, "prompt"));
    ORTHROS_TRY_VOID(runs.store().add_attention_step(runs.run(0), step));
    const std::vector<store::InvariantRecord> checks{
        {"row sum", "", kept.rows.max_sum_error <= kRowTolerance, kept.rows.max_sum_error},
        {"row times V", "", kept.rows.max_output_error <= kRowTolerance, kept.rows.max_output_error}};
    return runs.store().add_invariants(runs.run(0), checks);
  };
  const Json settings = {{"used_by_model", kept.rows.used_by_model}};
  return keep_experiment(
      store, arm, {store::ExperimentKind::attention, kept.name, spec, settings, 0, kept.backend}, fill);
}

}  // namespace orthros
