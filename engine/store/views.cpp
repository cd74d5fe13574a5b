// The views that can be exported as text: what each column means, in which unit, by which formula. Symbols: B
// sequences, T prompt ids each, N generated ids each; TTFT and E2E of the whole batch (niah-and-latency.md
// 3).
#include "engine/store/transfer.h"

namespace orthros::store {
namespace {

using Columns = std::vector<ViewColumn>;

Columns join(Columns first, const Columns& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Columns identity() {
  return {{"experiment_uuid", "", ""}, {"experiment", "", ""},   {"run_id", "", ""}, {"arm", "", ""},
          {"arm_label", "", ""},       {"architecture", "", ""}, {"model", "", ""}};
}

View niah_trial() {
  return {"v_niah_trial", "one row a needle trial",
          join(identity(), {{"cell_id", "", ""},
                            {"variant", "", ""},
                            {"ctx_len", "tokens", "all ids fed to the model"},
                            {"depth", "share", "asked for: haystack ids before the needle / haystack ids"},
                            {"trial_id", "", ""},
                            {"trial_no", "", ""},
                            {"n_tokens", "tokens", ""},
                            {"ids_sha256", "", "of the prompt ids as little-endian int64"},
                            {"depth_actual", "share", "of the first target, from the ids"},
                            {"scorer", "", ""},
                            {"score", "0..1", ""},
                            {"finish", "", ""},
                            {"truncated", "0/1", "cut by the budget with score 0"},
                            {"expected", "JSON", ""},
                            {"output", "", ""},
                            {"answer_logprob", "nats", "mean over the answer's ids, teacher forced"},
                            {"answer_rank1", "share", "answer ids that were the most probable"},
                            {"attn_mass", "share",
                             "attention on the target needles, mean over layers and heads; the prompt's "
                             "first ids do not count "
                             "(the spec's attention_from): they draw attention whatever they say"},
                            {"attn_uniform", "share", "those needle ids / keys"},
                            {"prefill_ms", "ms", ""},
                            {"decode_ms", "ms", ""},
                            {"done_utc", "UTC", ""}})};
}

View niah_cell() {
  return {"v_niah_cell", "one row a cell of a needle map",
          join(identity(), {{"cell_id", "", ""},
                            {"variant", "", ""},
                            {"ctx_len", "tokens", "all ids fed to the model"},
                            {"depth", "share", "haystack ids before the needle / haystack ids"},
                            {"status", "", ""},
                            {"planned", "trials", ""},
                            {"n", "trials", "done"},
                            {"k", "trials", "score = 1"},
                            {"mean_score", "0..1", "mean of the trials' scores"},
                            {"mean_mass", "share", "mean attention on the needle"},
                            {"mean_uniform", "share", "mean of needle ids / keys"},
                            {"mean_logprob", "nats", "mean of answer_logprob"},
                            {"truncated", "trials", "cut by the budget with score 0"}})};
}

View latency() {
  return {
      "v_latency", "one row a latency sample",
      join(identity(), {{"device", "", ""},
                        {"dtype", "", ""},
                        {"cell_id", "", ""},
                        {"ctx_len", "tokens", ""},
                        {"out_len", "tokens", ""},
                        {"batch", "sequences", "B"},
                        {"sample_id", "", ""},
                        {"rep_no", "", ""},
                        {"seq_no", "", "true order within the experiment"},
                        {"warmup", "0/1", ""},
                        {"cold", "0/1", "first call of the process"},
                        {"excluded", "", "reason"},
                        {"counted", "0/1", "neither warm-up, cold nor excluded"},
                        {"n_in", "tokens", "T, per sequence"},
                        {"n_out", "tokens", "N, per sequence"},
                        {"prefill_ms", "ms", "prompt ids to logits of the last position"},
                        {"ttft_s", "s", "first id of every sequence - prompt ids ready"},
                        {"e2e_s", "s", "last id of every sequence - prompt ids ready"},
                        {"output_tps", "tok/s", "B*N / E2E; none when decoding at depth"},
                        {"decode_tps", "tok/s", "B*(N-1) / (E2E - TTFT); none if N = 1"},
                        {"decode_tps_all", "tok/s", "B*N / (E2E - TTFT); none if N = 1 or decoding at depth"},
                        {"decode_tps_step", "tok/s", "B / median(step); none if N = 1"},
                        {"tpot_ms", "ms", "(E2E - TTFT) / (N-1); none if N = 1"},
                        {"prefill_tps", "tok/s", "B*T / prefill"},
                        {"step_median_ms", "ms", "median of the decode steps"},
                        {"device_prefill_ms", "ms", "by device events"},
                        {"peak_bytes", "B", ""},
                        {"kv_bytes", "B", ""},
                        {"clock_mhz", "MHz", ""},
                        {"temp_c", "C", ""},
                        {"load_avg", "", ""},
                        {"throttle", "0/1", ""},
                        {"done_utc", "UTC", ""}})};
}

Columns medians() {
  return {{"prefill_ms", "ms", "median; prompt ids to logits of the last position"},
          {"ttft_s", "s", "median; first id of every sequence - prompt ids ready"},
          {"e2e_s", "s", "median; last id of every sequence - prompt ids ready"},
          {"output_tps", "tok/s", "median of B*N / E2E"},
          {"decode_tps", "tok/s", "median of B*(N-1) / (E2E - TTFT); none if N = 1"}};
}

View latency_cell() {
  Columns columns = join(identity(), {{"device", "", ""},
                                      {"dtype", "", ""},
                                      {"cell_id", "", ""},
                                      {"ctx_len", "tokens", ""},
                                      {"out_len", "tokens", ""},
                                      {"batch", "sequences", "B"},
                                      {"status", "", ""},
                                      {"n", "samples", "counted ones"}});
  columns = join(columns, medians());
  columns.push_back({"tpot_ms", "ms", "median of (E2E - TTFT) / (N-1); none if N = 1"});
  return {"v_latency_cell", "one row a latency cell: medians of the counted samples", columns};
}

View table4() {
  Columns columns{{"experiment_uuid", "", ""}, {"experiment", "", ""},      {"ctx_len", "tokens", ""},
                  {"out_len", "tokens", ""},   {"batch", "sequences", "B"}, {"arm", "", ""},
                  {"arm_label", "", ""},       {"architecture", "", ""},    {"n", "samples", "counted ones"}};
  columns = join(columns, medians());
  const std::string of = "median of the first Transformer arm / median of this arm, same cell";
  return {"v_table4", "the layout of the paper's Table 4",
          join(columns, {{"prefill_speedup", "x", of}, {"ttft_speedup", "x", of}, {"e2e_speedup", "x", of}})};
}

View train() {
  return {"v_train", "one row a recorded training step",
          join(identity(), {{"step", "", ""},
                            {"loss", "nats", "mean over predicted tokens"},
                            {"lr", "", ""},
                            {"grad_norm", "", ""},
                            {"tok_s", "tok/s", ""}})};
}

}  // namespace

const std::vector<View>& views() {
  static const std::vector<View> all{niah_trial(), niah_cell(), latency(), latency_cell(), table4(), train()};
  return all;
}

}  // namespace orthros::store
