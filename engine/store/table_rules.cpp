#include "engine/store/table_rules.h"

#include <algorithm>

#include "engine/store/failure.h"

namespace orthros::store::detail {
namespace {

std::vector<TableRule> shared_rules() {
  return {
      {.name = "environment",
       .order = "id",
       .parent_column = "",
       .identity = {"fingerprint"},
       .compared = "fingerprint"},
      {.name = "tokenizer", .order = "id", .parent_column = "", .identity = {"sha256"}, .compared = "sha256"},
      {.name = "model",
       .order = "id",
       .parent_column = "",
       .identity = {"weights_sha256", "architecture", "config_sha256"},
       .compared = "weights_sha256, architecture, config_sha256"},
      {.name = "prompt",
       .order = "id",
       .parent_column = "",
       .references = {{"tokenizer_id", "tokenizer"}},
       .identity = {"ids_sha256", "tokenizer_id"},
       .children = {"needle"},
       .compared = "ids_sha256, tokenizer_id, n_tokens"},
      {.name = "needle", .order = "idx", .parent_column = "prompt_id", .has_id = false, .compared = ""},
  };
}

std::vector<TableRule> experiment_rules() {
  return {
      {.name = "experiment",
       .order = "id",
       .parent_column = "",
       .children = {"run"},
       .compared = "uuid, kind, spec_json, spec_sha256, created_utc"},
      {.name = "run",
       .order = "id",
       .parent_column = "experiment_id",
       .references = {{"environment_id", "environment"},
                      {"model_id", "model"},
                      {"tokenizer_id", "tokenizer"}},
       .children = {"run_event", "cell", "gen_token", "attn_step", "invariant", "train_point"},
       .compared =
           "uuid, experiment_id, environment_id, model_id, tokenizer_id, arm, arm_label, device, dtype, "
           "weights, kv_dtype, attn_impl, settings_json, n_threads, seed"},
      {.name = "run_event", .order = "id", .parent_column = "run_id", .compared = ""},
      {.name = "cell",
       .order = "id",
       .parent_column = "run_id",
       .children = {"niah_trial", "latency_sample"}},
      {.name = "niah_trial",
       .order = "id",
       .parent_column = "cell_id",
       .references = {{"prompt_id", "prompt"}},
       .children = {"rescore", "attn_probe"}},
      {.name = "rescore", .order = "scorer", .parent_column = "trial_id", .has_id = false, .compared = ""},
      {.name = "attn_probe", .order = "layer, head", .parent_column = "trial_id", .has_id = false},
      {.name = "latency_sample",
       .order = "id",
       .parent_column = "cell_id",
       .references = {{"prompt_id", "prompt"}},
       .compared =
           "cell_id, prompt_id, rep_no, warmup, cold, seq_no, n_in, n_out, prefill_ns, ttft_ns, e2e_ns, "
           "step_ns, step_median_ns, device_prefill_ns, peak_bytes, kv_bytes, clock_mhz, temp_c, load_avg, "
           "throttle, done_utc"},
      {.name = "gen_token",
       .order = "(SELECT p.ids_sha256 FROM prompt p WHERE p.id = gen_token.prompt_id), step",
       .parent_column = "run_id",
       .references = {{"prompt_id", "prompt"}},
       .has_id = false},
  };
}

std::vector<TableRule> capture_rules() {
  return {
      {.name = "attn_step",
       .order = "id",
       .parent_column = "run_id",
       .references = {{"prompt_id", "prompt"}},
       .children = {"attn_head_row", "attn_exact_row", "attn_query"}},
      {.name = "attn_head_row",
       .order = "layer, head, output_stream, position",
       .parent_column = "step_id",
       .has_id = false},
      {.name = "attn_exact_row",
       .order = "layer, head, output_stream, position",
       .parent_column = "step_id",
       .has_id = false},
      {.name = "attn_query",
       .order = "layer, output_stream, position",
       .parent_column = "step_id",
       .has_id = false},
      {.name = "invariant", .order = "id", .parent_column = "run_id"},
      {.name = "train_point", .order = "step", .parent_column = "run_id", .has_id = false},
  };
}

}  // namespace

std::span<const TableRule> table_rules() {
  static const std::vector<TableRule> all = [] {
    std::vector<TableRule> rules = shared_rules();
    for (auto* more : {experiment_rules, capture_rules}) {
      for (TableRule& rule : more()) rules.push_back(std::move(rule));
    }
    return rules;
  }();
  return all;
}

const TableRule& rule_of(std::string_view table) {
  const auto rules = table_rules();
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const TableRule& r) { return r.name == table; });
  if (found == rules.end()) refuse(ErrorCode::internal, "no rule for table {}", table);
  return *found;
}

}  // namespace orthros::store::detail
