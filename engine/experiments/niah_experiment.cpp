#include "engine/experiments/niah_experiment.h"

#include <algorithm>

#include "engine/experiments/niah_trial.h"
#include "engine/model/model_identity.h"

namespace orthros {
namespace {

using store::CellStatus;

Result<void> check_arms(const std::vector<Arm>& arms) {
  if (arms.empty())
    return fail(Error{ErrorCode::invalid_argument, "no arm given", "name a model with --arm MODEL"});
  for (const Arm& arm : arms) {
    if (!arm.tokenizer) {
      return fail(Error{ErrorCode::unsupported,
                        fmt::format("{} has no tokenizer: needles are text", arm.label),
                        "give a model with a tokenizer"});
    }
    if (arm.tokenizer->sha256 != arms.front().tokenizer->sha256) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} and {} have different tokenizers", arms.front().label, arm.label),
                        "arms are compared on the same ids: run one experiment for each tokenizer"});
    }
  }
  return {};
}

// Predicted cost of a trial, in MFLOP: what the time left is reckoned with.
int64_t trial_cost(const Arm& arm, const NiahCell& cell, const NiahSpec& spec) {
  const int64_t tokens = std::max<int64_t>(cell.length, 32) + 3 * std::max<int64_t>(spec.answer_tokens, 8);
  return std::max<int64_t>(1, static_cast<int64_t>(prefill_flop(arm.config, tokens).engine / 1e6));
}

// The first ids of a prompt are attention sinks, for trained models and for windows that keep them: a needle
// that begins there would look attended to although nobody reads it. The same for all arms.
// Source: StreamingLLM (arXiv 2309.17453), four initial tokens.
int64_t attention_from(const std::vector<Arm>& arms) {
  int64_t from = 4;
  for (const Arm& arm : arms) {
    for (const LayerSpec& layer : arm.config.layers) {
      if (!layer.window.is_full()) from = std::max(from, layer.window.sinks);
    }
  }
  return from;
}

void tell_apart(std::vector<Arm>& arms) {
  std::vector<Arm*> all;
  for (Arm& arm : arms) all.push_back(&arm);
  orthros::tell_apart(all);
}

// What a stored experiment may hold and a new one may not.
Result<void> check_new(const NiahSpec& spec) {
  constexpr int64_t kLongest = 16'777'216;  // ids that the store keeps of a prompt
  ORTHROS_TRY_VOID(check(spec));
  if (spec.lengths.back() > kLongest) {
    return fail(ErrorCode::invalid_argument, "lengths: {} is too long: at most {}", spec.lengths.back(),
                kLongest);
  }
  if (spec.task.variant == NeedleVariant::k_needles && spec.depths_ppm.size() > 1) {
    return fail(Error{ErrorCode::invalid_argument, "k-needles are spread evenly: depths make no difference",
                      "give one depth, or leave them out"});
  }
  return {};
}

store::PromptRecord prompt_record(const NeedlePrompt& prompt, const NeedleTask& task,
                                  const NeedlePromptRequest& request) {
  store::PromptRecord record;
  record.ids = prompt.ids;
  record.generator = task.generator();
  record.generator_version = NeedleTask::kVersion;
  record.seed = static_cast<int64_t>(request.seed);
  record.question = prompt.question;
  record.params_json = Json{{"length", request.length},
                            {"depth_ppm", request.depth_ppm},
                            {"control", to_string(request.control)},
                            {"haystack_tokens", prompt.haystack_tokens}}
                           .dump();
  for (const PlacedNeedle& needle : prompt.needles) {
    if (needle.end <= needle.begin) continue;
    record.needles.push_back(
        {needle.distractor, needle.key, needle.value, needle.begin, needle.end, needle.depth_actual_ppm});
  }
  return record;
}

store::NiahTrialRecord trial_record(const NiahTrialResult& result, const NeedlePrompt& prompt, const Arm& arm,
                                    Scorer primary) {
  store::NiahTrialRecord trial;
  trial.output_ids = result.output_ids;
  trial.output_text = arm.codec.decode(result.output_ids).value_or(std::string());
  trial.expected_json = Json(prompt.expected).dump(-1, ' ', false, Json::error_handler_t::replace);
  trial.finish = result.finish;
  for (const Scorer scorer : all_scorers()) {
    const store::ScoreRecord score{scorer_id(scorer),
                                   score_output(scorer, trial.output_text, prompt.expected)};
    if (scorer == primary) {
      trial.primary = score;
    } else {
      trial.others.push_back(score);
    }
  }
  trial.answer_logprob = result.answer_logprob;
  trial.answer_rank1 = result.answer_rank1;
  if (!result.attention.mass.empty()) {
    trial.attn_mass = result.attention.mean();
    trial.attn_uniform = result.attn_uniform;
    for (int64_t i = 0; i < std::ssize(result.attention.mass); ++i) {
      trial.probes.push_back({i / result.attention.heads, i % result.attention.heads,
                              result.attention.mass[static_cast<size_t>(i)]});
    }
  }
  trial.prefill_ns = result.prefill_ns;
  trial.decode_ns = result.decode_ns;
  return trial;
}

store::ExperimentRecord experiment_record(const NiahSpec& spec, const std::vector<Arm>& arms,
                                          const NeedleTask& task) {
  store::ExperimentRecord record;
  record.kind = store::ExperimentKind::niah;
  record.spec_json = niah_experiment_json(spec, arms, task).dump();
  record.spec_sha256 = sha256_hex(record.spec_json);
  return record;
}

}  // namespace

Json niah_experiment_json(const NiahSpec& spec, const std::vector<Arm>& arms, const NeedleTask& task) {
  Json json = to_json(spec);
  json["arms"] = Json::array();
  for (const Arm& arm : arms) json["arms"].push_back(arm.identity());
  json["tokenizer_sha256"] = arms.front().tokenizer->sha256;
  json["generator"] = task.generator();
  json["generator_version"] = NeedleTask::kVersion;
  if (spec.probe_attention) json["attention_from"] = attention_from(arms);
  return json;
}

Result<NiahExperiment> NiahExperiment::create(store::RunStore& store, const NiahSpec& spec,
                                              std::vector<Arm> arms, const std::string& name) {
  ORTHROS_TRY_VOID(check_new(spec));
  ORTHROS_TRY_VOID(check_arms(arms));
  tell_apart(arms);
  ORTHROS_TRY(auto task, NeedleTask::create(spec.task, arms.front().codec));
  if (spec.lengths.front() < task->min_length()) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("length {} is too short for this task", spec.lengths.front()),
                      fmt::format("take {} or more", task->min_length())});
  }
  store::ExperimentRecord record = experiment_record(spec, arms, *task);
  record.name = name;
  ORTHROS_TRY(ExperimentRuns runs, ExperimentRuns::create(store, record, arms, cell_records(spec),
                                                          {static_cast<int64_t>(spec.seed), Json::object()}));
  return NiahExperiment(spec, std::move(arms), std::move(task), std::move(runs));
}

Result<NiahExperiment> NiahExperiment::resume(store::RunStore& store, const std::string& uuid,
                                              const NiahSpec& spec, std::vector<Arm> arms,
                                              bool retry_failed) {
  ORTHROS_TRY_VOID(check(spec));
  ORTHROS_TRY_VOID(check_arms(arms));
  tell_apart(arms);
  ORTHROS_TRY(auto task, NeedleTask::create(spec.task, arms.front().codec));
  store::ExperimentRecord record = experiment_record(spec, arms, *task);
  record.uuid = uuid;
  ORTHROS_TRY(ExperimentRuns runs,
              ExperimentRuns::resume(store, record, arms, cell_records(spec),
                                     {static_cast<int64_t>(spec.seed), Json::object()}, retry_failed));
  return NiahExperiment(spec, std::move(arms), std::move(task), std::move(runs));
}

Result<void> NiahExperiment::run(const RunControl& control, const Clock& clock) {
  backends_.assign(arms_.size(), {});
  out_of_memory_.assign(arms_.size(), {});
  for (const NiahCell& cell : niah_cells(spec_)) {
    for (size_t arm = 0; arm < arms_.size(); ++arm) {
      const CellState& state = runs_.cell(arm, cell.key);
      const int64_t left =
          is_final(state.status) ? 0 : std::max<int64_t>(0, cell.trials - std::ssize(state.done));
      total_ += left * trial_cost(arms_[arm], cell, spec_);
      total_trials_ += left;
    }
  }
  ORTHROS_TRY_VOID(runs_.begin());
  const Result<void> result = run_cells(control, clock);
  ORTHROS_TRY_VOID(runs_.end(result, backends_));
  return result;
}

Result<void> NiahExperiment::run_cells(const RunControl& control, const Clock& clock) {
  for (const NiahCell& cell : niah_cells(spec_)) {
    ORTHROS_TRY_VOID(skip_dominated(cell, control.try_dominated));
    ORTHROS_TRY_VOID(run_cell(cell, control, clock));
  }
  return {};
}

// What did not fit at a shorter length is not tried at a longer one.
Result<void> NiahExperiment::skip_dominated(const NiahCell& cell, bool try_dominated) {
  for (size_t arm = 0; arm < arms_.size(); ++arm) {
    const CellState& state = runs_.cell(arm, cell.key);
    if (state.status == CellStatus::oom && out_of_memory_[arm].empty()) out_of_memory_[arm] = cell.key;
    if (try_dominated || out_of_memory_[arm].empty() || is_final(state.status)) continue;
    ORTHROS_TRY_VOID(runs_.end_cell(arm, cell.key, CellStatus::skipped, "dominated",
                                    "out of memory already in cell " + out_of_memory_[arm]));
  }
  return {};
}

Result<void> NiahExperiment::run_cell(const NiahCell& cell, const RunControl& control, const Clock& clock) {
  for (int64_t trial = 0; trial < cell.trials; ++trial)
    ORTHROS_TRY_VOID(run_trial(cell, trial, control, clock));
  for (size_t arm = 0; arm < arms_.size(); ++arm) {
    if (!is_final(runs_.cell(arm, cell.key).status)) {
      ORTHROS_TRY_VOID(runs_.end_cell(arm, cell.key, CellStatus::done));
    }
  }
  return {};
}

Result<void> NiahExperiment::run_trial(const NiahCell& cell, int64_t trial, const RunControl& control,
                                       const Clock& clock) {
  std::vector<size_t> missing;
  for (size_t arm = 0; arm < arms_.size(); ++arm) {
    const CellState& state = runs_.cell(arm, cell.key);
    if (!is_final(state.status) && !state.done.contains(trial)) missing.push_back(arm);
  }
  if (missing.empty()) return {};
  // A B C, then C B A.
  if (trial % 2 == 1) std::ranges::reverse(missing);
  const NeedlePromptRequest request = prompt_request(spec_, cell, trial);
  const auto prompt = task_->build(request);
  if (!prompt) {
    for (const size_t arm : missing) {
      ORTHROS_TRY_VOID(runs_.end_cell(arm, cell.key, CellStatus::error, "prompt", prompt.error().line()));
    }
    return {};
  }
  ORTHROS_TRY(const store::RowId prompt_id, runs_.store().put_prompt(prompt_record(*prompt, *task_, request),
                                                                     runs_.tokenizer(missing.front())));
  for (const size_t arm : missing) {
    if (control.pause) control.pause->wait(control.stop);
    ORTHROS_TRY_VOID(control.stop.check("the experiment"));
    ORTHROS_TRY_VOID(run_arm(cell, arm, trial, *prompt, prompt_id, control, clock));
  }
  return {};
}

Result<void> NiahExperiment::run_arm(const NiahCell& cell, size_t arm, int64_t trial,
                                     const NeedlePrompt& prompt, store::RowId prompt_id,
                                     const RunControl& control, const Clock& clock) {
  CellState& state = runs_.cell(arm, cell.key);
  if (state.status != CellStatus::running) ORTHROS_TRY_VOID(runs_.begin_cell(arm, cell.key));
  const int64_t budget =
      spec_.answer_tokens > 0 ? spec_.answer_tokens : static_cast<int64_t>(prompt.answer_ids.size()) + 4;
  const NiahTrialRequest request{prompt, budget, arms_[arm].eos, spec_.probe_attention,
                                 attention_from(arms_)};
  const auto result = run_niah_trial(*arms_[arm].model, request, clock, control.stop);
  if (!result) {
    if (result.error().code == ErrorCode::cancelled) return fail(result.error());
    const CellStatus status = failed_status(result.error());
    if (status == CellStatus::oom) out_of_memory_[arm] = cell.key;
    return runs_.end_cell(arm, cell.key, status, to_string(result.error().code), result.error().line());
  }
  backends_[arm] = result->backend;
  store::NiahTrialRecord record = trial_record(*result, prompt, arms_[arm], spec_.scorer);
  record.cell_id = state.id;
  record.prompt_id = prompt_id;
  record.trial_no = trial;
  ORTHROS_TRY([[maybe_unused]] const store::RowId id, runs_.store().add_trial(record));
  state.done.insert(trial);
  advance(control, cell, arm);
  return {};
}

void NiahExperiment::advance(const RunControl& control, const NiahCell& cell, size_t arm) {
  done_ += trial_cost(arms_[arm], cell, spec_);
  ++done_trials_;
  phase_ = fmt::format("trial {}/{}", done_trials_, total_trials_);
  report(control.progress, phase_, done_, total_);
}

}  // namespace orthros
