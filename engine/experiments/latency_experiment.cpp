#include "engine/experiments/latency_experiment.h"

#include <algorithm>
#include <fstream>

#include "engine/experiments/paper.h"
#include "engine/model/cost_model.h"
#include "engine/model/model_identity.h"

namespace orthros {
namespace {

using store::CellStatus;

// Version of the prompt generator: a change of random_prompts makes other ids, and resume refuses.
constexpr int64_t kGeneratorVersion = 1;

Result<void> check_arms(const std::vector<LatencyArm>& arms) {
  if (arms.empty())
    return fail(Error{ErrorCode::invalid_argument, "no arm given", "name a model with --arm MODEL"});
  for (const LatencyArm& arm : arms) {
    if (arm.arm.config.vocab_size != arms.front().arm.config.vocab_size) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} and {} have vocabularies of different sizes", arms.front().arm.label,
                                    arm.arm.label),
                        "arms read the same random ids: run one experiment for each vocabulary"});
    }
  }
  return {};
}

std::vector<Arm> plain_arms(const std::vector<LatencyArm>& arms) {
  std::vector<Arm> plain;
  for (const LatencyArm& arm : arms) plain.push_back(arm.arm);
  return plain;
}

store::ExperimentRecord experiment_record(const LatencySpec& spec, const std::vector<LatencyArm>& arms) {
  store::ExperimentRecord record;
  record.kind = store::ExperimentKind::latency;
  record.spec_json = latency_experiment_json(spec, arms).dump();
  record.spec_sha256 = sha256_hex(record.spec_json);
  return record;
}

std::optional<double> load_average() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  if (file >> load) return load;
  return std::nullopt;
}

std::string ids_sha256(const std::vector<std::vector<TokenId>>& prompts) {
  std::string bytes;
  for (const auto& prompt : prompts) {
    bytes.append(reinterpret_cast<const char*>(prompt.data()), prompt.size() * sizeof(TokenId));
  }
  return sha256_hex(bytes);
}

// The paper's figures stand in the same file, so that SQL can lay them over the measurement.
std::vector<store::PaperPointRecord> paper_records() {
  std::vector<store::PaperPointRecord> records;
  if (!paper_data()) return records;
  for (const PaperPoint& point : paper_data()->points) {
    records.push_back({paper_data()->source, point.exhibit, point.series, point.ctx_len,
                       point.out_len.value_or(0), point.batch.value_or(0), point.devices, point.metric,
                       point.unit, point.value, to_string(point.read_from)});
  }
  return records;
}

void tell_apart(std::vector<LatencyArm>& arms) {
  std::vector<Arm*> all;
  for (LatencyArm& arm : arms) all.push_back(&arm.arm);
  orthros::tell_apart(all);
}

}  // namespace

Json latency_experiment_json(const LatencySpec& spec, const std::vector<LatencyArm>& arms) {
  Json json = to_json(spec);
  json["arms"] = Json::array();
  for (const LatencyArm& arm : arms) json["arms"].push_back(arm.arm.identity());
  json["generator"] = "random ids";
  json["generator_version"] = kGeneratorVersion;
  return json;
}

std::vector<LatencyArm> local_latency_arms(std::vector<Arm> arms, const Clock& clock) {
  std::vector<LatencyArm> result;
  for (Arm& arm : arms) {
    auto target = std::make_shared<LocalTarget>(arm.model, clock);
    result.push_back({std::move(arm), std::move(target)});
  }
  return result;
}

Result<LatencyExperiment> LatencyExperiment::create(store::RunStore& store, const LatencySpec& spec,
                                                    std::vector<LatencyArm> arms, const std::string& name) {
  ORTHROS_TRY_VOID(check(spec));
  ORTHROS_TRY_VOID(check_arms(arms));
  tell_apart(arms);
  store::ExperimentRecord record = experiment_record(spec, arms);
  record.name = name;
  ORTHROS_TRY_VOID(store.put_paper_points(paper_records()));
  ORTHROS_TRY(ExperimentRuns runs, ExperimentRuns::create(store, record, plain_arms(arms), cell_records(spec),
                                                          {static_cast<int64_t>(spec.seed), Json::object()}));
  return LatencyExperiment(spec, std::move(arms), std::move(runs));
}

Result<LatencyExperiment> LatencyExperiment::resume(store::RunStore& store, const std::string& uuid,
                                                    const LatencySpec& spec, std::vector<LatencyArm> arms,
                                                    bool retry_failed) {
  ORTHROS_TRY_VOID(check(spec));
  ORTHROS_TRY_VOID(check_arms(arms));
  tell_apart(arms);
  store::ExperimentRecord record = experiment_record(spec, arms);
  record.uuid = uuid;
  ORTHROS_TRY(ExperimentRuns runs,
              ExperimentRuns::resume(store, record, plain_arms(arms), cell_records(spec),
                                     {static_cast<int64_t>(spec.seed), Json::object()}, retry_failed));
  return LatencyExperiment(spec, std::move(arms), std::move(runs));
}

Result<void> LatencyExperiment::keep_ceilings(const MachineRates& rates) {
  for (size_t i = 0; i < arms_.size(); ++i) {
    const ArmCeilings ceilings = arm_ceilings(rates, arms_[i].arm.dtype, arms_[i].arm.bytes_per_weight);
    ORTHROS_TRY_VOID(runs_.store().add_event(runs_.run(i), ArmCeilings::event_kind, ceilings.detail()));
  }
  return {};
}

Result<void> LatencyExperiment::keep_equal_work(size_t arm, const EqualWork& work) {
  return runs_.store().add_event(runs_.run(arm), EqualWork::event_kind, work.detail());
}

// Predicted cost of a round of all arms, in MFLOP: what the time left is reckoned with.
int64_t LatencyExperiment::cost(const LatencyPoint& point) const {
  double flop = 0;
  for (const LatencyArm& arm : arms_) {
    const double prefill = prefill_flop(arm.arm.config, point.tokens).engine;
    // A step is bound by memory, which costs more time than its FLOP say.
    const double step = 20.0 * 2 * static_cast<double>(count_parameters(arm.arm.config).layers);
    flop += static_cast<double>(point.batch) * prefill + static_cast<double>(point.outputs) * step;
  }
  return std::max<int64_t>(1, static_cast<int64_t>(flop / 1e6));
}

Result<void> LatencyExperiment::run(const RunControl& control, const Clock& clock) {
  backends_.assign(arms_.size(), {});
  failures_.assign(arms_.size(), {});
  called_.assign(arms_.size(), false);
  for (const LatencyPoint& point : spec_.points) total_ += cost(point);
  ORTHROS_TRY_VOID(runs_.begin());
  const Result<void> result = run_points(control, clock);
  for (const LatencyArm& arm : arms_) arm.target->close();
  ORTHROS_TRY_VOID(runs_.end(result, backends_));
  return result;
}

Result<void> LatencyExperiment::run_points(const RunControl& control, const Clock& clock) {
  for (size_t i = 0; i < spec_.points.size(); ++i) {
    const LatencyPoint& point = spec_.points[i];
    ORTHROS_TRY_VOID(run_point(point, control, clock));
    done_ += cost(point);
    report(control.progress, fmt::format("cell {}/{}", i + 1, spec_.points.size()), done_, total_);
  }
  return {};
}

// At least as large in every respect as one that failed: it would fail too.
const LatencyExperiment::Failure* LatencyExperiment::dominating(size_t arm, const LatencyPoint& point) const {
  for (const Failure& failure : failures_[arm]) {
    const LatencyPoint& p = failure.point;
    const bool larger = point.tokens >= p.tokens && point.outputs >= p.outputs && point.batch >= p.batch;
    // More threads may meet a time limit that fewer missed.
    if (larger && (failure.status == CellStatus::oom || point.threads == p.threads)) return &failure;
  }
  return nullptr;
}

Result<void> LatencyExperiment::fail_cell(size_t arm, const LatencyPoint& point, const Error& error) {
  // The experiment itself was not stopped: a cancelled sample ran into its time limit.
  const CellStatus status = error.code == ErrorCode::cancelled ? CellStatus::timeout : failed_status(error);
  if (status != CellStatus::error) failures_[arm].push_back({point, status});
  const std::string text = status == CellStatus::timeout
                               ? fmt::format("a sample took longer than {} s", spec_.timeout_seconds)
                               : error.line();
  return runs_.end_cell(arm, point.key(), status, to_string(error.code), text);
}

Result<std::vector<CellArm>> LatencyExperiment::open_cell(const LatencyPoint& point, LatencyRequest& request,
                                                          bool try_dominated) {
  std::vector<CellArm> opened;
  for (size_t i = 0; i < arms_.size(); ++i) {
    const CellState& state = runs_.cell(i, point.key());
    if (state.status == CellStatus::oom || state.status == CellStatus::timeout) {
      failures_[i].push_back({point, state.status});
    }
    if (is_final(state.status)) continue;
    if (const Failure* failure = try_dominated ? nullptr : dominating(i, point)) {
      ORTHROS_TRY_VOID(runs_.end_cell(
          i, point.key(), CellStatus::skipped, "dominated",
          fmt::format("{} already in cell {}", to_string(failure->status), failure->point.key())));
      continue;
    }
    ORTHROS_TRY_VOID(runs_.begin_cell(i, point.key()));
    if (const auto open = arms_[i].target->open(request); !open) {
      // Opening has no time limit: it was the experiment that was stopped.
      if (open.error().code == ErrorCode::cancelled) return fail(open.error());
      ORTHROS_TRY_VOID(fail_cell(i, point, open.error()));
      continue;
    }
    CellArm arm{arms_[i].target.get(), i, state.next_no, state.next_warmup, {}};
    for (const CellState::Kept& kept : state.kept) {
      arm.kept.push_back(main_figure_ns(spec_.mode, kept.prefill_ns, kept.e2e_ns));
    }
    opened.push_back(std::move(arm));
  }
  return opened;
}

Result<store::RowId> LatencyExperiment::keep_prompt(const LatencyPoint& point, const LatencyRequest& request,
                                                    size_t arm) {
  store::PromptRecord prompt;
  // Ids can be made again: the hash and the seed are enough.
  prompt.ids_sha256 = ids_sha256(request.prompts);
  prompt.n_tokens = point.tokens * point.batch;
  prompt.generator = "random ids";
  prompt.generator_version = kGeneratorVersion;
  prompt.seed = static_cast<int64_t>(spec_.seed);
  prompt.params_json =
      Json{{"T", point.tokens}, {"B", point.batch}, {"vocab_size", arms_[arm].arm.config.vocab_size}}.dump();
  return runs_.store().put_prompt(prompt, runs_.tokenizer(arm));
}

Result<void> LatencyExperiment::run_point(const LatencyPoint& point, const RunControl& control,
                                          const Clock& clock) {
  ORTHROS_TRY_VOID(control.stop.check("the experiment"));
  LatencyRequest request;
  request.prompts =
      random_prompts(spec_, point, arms_.front().arm.config.vocab_size, arms_.front().arm.special_ids);
  request.outputs = point.outputs;
  request.decode_only = spec_.mode == LatencyMode::decode_at_depth;
  request.threads = point.threads;
  ORTHROS_TRY(std::vector<CellArm> cell, open_cell(point, request, control.try_dominated));
  if (cell.empty()) return {};
  ORTHROS_TRY(const store::RowId prompt, keep_prompt(point, request, cell.front().arm));
  const auto sink = [&](const CellSample& sample) -> Result<void> {
    ORTHROS_TRY_VOID(keep(point, sample, prompt));
    report(control.progress, fmt::format("{} #{}", point.key(), sample.number + 1), done_, total_);
    return {};
  };
  const Result<void> ran = run_latency_cell(spec_, point.outputs, cell, sink, control, clock);
  for (const CellArm& arm : cell) arm.target->close();
  ORTHROS_TRY_VOID(ran);
  for (const CellArm& arm : cell) {
    if (arm.failed) {
      ORTHROS_TRY_VOID(fail_cell(arm.arm, point, arm.error));
    } else {
      ORTHROS_TRY_VOID(runs_.end_cell(arm.arm, point.key(), CellStatus::done));
    }
  }
  return {};
}

Result<void> LatencyExperiment::keep(const LatencyPoint& point, const CellSample& sample,
                                     store::RowId prompt) {
  store::LatencySampleRecord record;
  record.cell_id = runs_.cell(sample.arm, point.key()).id;
  record.prompt_id = prompt;
  record.rep_no = sample.number;
  record.warmup = sample.warmup;
  record.cold = !called_[sample.arm];
  record.seq_no = sequence_++;
  record.n_in = point.tokens;
  record.n_out = sample.measured.outputs;
  record.prefill_ns = sample.measured.prefill_ns;
  record.ttft_ns = sample.measured.ttft_ns;
  record.e2e_ns = sample.measured.e2e_ns;
  record.step_ns = sample.measured.step_ns;
  record.kv_bytes = sample.measured.kv_bytes;
  record.peak_bytes = sample.measured.peak_bytes;
  record.load_avg = load_average();
  called_[sample.arm] = true;
  backends_[sample.arm] = sample.measured.backend;
  ORTHROS_TRY([[maybe_unused]] const store::RowId id, runs_.store().add_sample(record));
  return {};
}

}  // namespace orthros
