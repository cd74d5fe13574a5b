#include "engine/experiments/latency_report.h"

#include <algorithm>

namespace orthros {
namespace {

using store::CellStatus;

class ReportReader {
 public:
  ReportReader(const store::RunReader& reader, LatencyReport& report) : reader_(reader), report_(report) {}

  Result<void> read(const store::RunRecord& run) {
    const auto index = static_cast<size_t>(run.arm);
    LatencyArmReport& arm = report_.arms[index];
    arm.label = run.arm_label;
    if (!run.attn_impl.empty()) arm.attn_impl = run.attn_impl;
    arm.kv_dtype = run.kv_dtype;
    ORTHROS_TRY(const auto events, reader_.events(run.id));
    for (const store::EventRecord& event : events) {
      if (event.kind == EqualWork::event_kind) arm.equal_work = parse_equal_work(event.detail);
      if (event.kind != ArmCeilings::event_kind) continue;
      if (const auto ceilings = parse_ceilings(event.detail)) keep_best(arm, *ceilings);
    }
    arm.mixed_environments = arm.mixed_environments || !arm.architecture.empty();
    if (run.model_id) ORTHROS_TRY_VOID(read_model(*run.model_id, arm));
    ORTHROS_TRY(const auto cells, reader_.cells(run.id));
    std::map<store::RowId, LatencyArmCell*> by_id;
    for (const store::CellRecord& cell : cells) {
      LatencyArmCell* found = find(cell.key, index);
      if (found == nullptr) continue;
      by_id[cell.id] = found;
      if (found->status != CellStatus::done && cell.status != CellStatus::pending) {
        found->status = cell.status;
        found->error = cell.error_text;
      }
    }
    ORTHROS_TRY(auto samples, reader_.samples(run.id));
    std::ranges::stable_sort(samples, {}, &store::LatencySampleRecord::rep_no);
    for (const auto& sample : samples) {
      if (const auto cell = by_id.find(sample.cell_id); cell != by_id.end()) add(*cell->second, sample);
    }
    return {};
  }

 private:
  Result<void> read_model(store::RowId id, LatencyArmReport& arm) {
    ORTHROS_TRY(const store::ModelRecord model, reader_.model(id));
    arm.architecture = model.architecture;
    const Json json = Json::parse(model.config_json, nullptr, false);
    // A stub's config is no model's: figures that need one are then left out.
    if (auto config = parse_model_config(json)) {
      arm.flop_balance_tokens = flop_balance_tokens(*config);
      arm.config = std::move(*config);
    }
    return {};
  }

  // A ceiling is the best that was seen: a busy moment before one session of several does not lower it.
  static void keep_best(LatencyArmReport& arm, const ArmCeilings& measured) {
    if (!arm.ceilings || arm.ceilings->threads != measured.threads) arm.ceilings = measured;
    MachineCeilings& best = arm.ceilings->machine;
    best.flop_per_second = std::max(best.flop_per_second, measured.machine.flop_per_second);
    best.bytes_per_second = std::max(best.bytes_per_second, measured.machine.bytes_per_second);
  }

  LatencyArmCell* find(const std::string& key, size_t arm) {
    for (LatencyCellReport& cell : report_.cells) {
      if (cell.point.key() == key) return &cell.arms[arm];
    }
    return nullptr;
  }

  void add(LatencyArmCell& cell, const store::LatencySampleRecord& sample) {
    if (sample.cold) cell.cold_ms = static_cast<double>(sample.prefill_ns) * 1e-6;
    cell.kv_bytes = std::max(cell.kv_bytes, sample.kv_bytes);
    cell.peak_bytes = std::max(cell.peak_bytes, sample.peak_bytes);
    if (sample.warmup) {
      ++cell.warmups;
    } else if (!sample.excluded.empty()) {
      ++cell.excluded;
    } else {
      cell.timings.push_back(timing_of(sample, 1));
    }
  }

  const store::RunReader& reader_;
  LatencyReport& report_;
};

// A sample that is read only for its steps has no prefill to speak of.
bool is_measured(TimingQuantity quantity, const GenerationTiming& timing) {
  if (timing.prefill_ns > 0) return true;
  return quantity == TimingQuantity::decode_throughput ||
         quantity == TimingQuantity::decode_throughput_median_step ||
         quantity == TimingQuantity::time_per_output_token;
}

void compute_figures(LatencyCellReport& cell, const Resampling& resampling) {
  for (LatencyArmCell& arm : cell.arms) {
    for (GenerationTiming& timing : arm.timings) timing.batch = cell.point.batch;
    for (const QuantityInfo& info : timing_quantities()) {
      std::vector<double> values;
      for (const GenerationTiming& timing : arm.timings) {
        const auto value = evaluate(info.quantity, timing);
        if (value && is_measured(info.quantity, timing)) values.push_back(*value);
      }
      if (!values.empty()) arm.figures[info.quantity] = summarise(values, resampling.medians);
    }
  }
}

std::optional<double> median_step_seconds(const LatencyArmCell& arm) {
  std::vector<double> steps;
  for (const GenerationTiming& timing : arm.timings) {
    for (const int64_t step : timing.step_ns) steps.push_back(static_cast<double>(step) * 1e-9);
  }
  return median(steps);
}

// Ceilings hold for the number of threads that they were measured with.
void compute_rooflines(const LatencyReport& report, LatencyCellReport& cell) {
  for (size_t i = 0; i < cell.arms.size(); ++i) {
    const LatencyArmReport& arm = report.arms[i];
    const LatencyPoint& point = cell.point;
    if (!arm.ceilings || !arm.config) continue;
    if (point.threads != 0 && point.threads != arm.ceilings->threads) continue;
    const ScalarType kv =
        arm.kv_dtype == to_string(ScalarType::bfloat16) ? ScalarType::bfloat16 : ScalarType::float32;
    const double bytes = read_weight_bytes(*arm.config, arm.ceilings->bytes_per_weight);
    const auto& figures = cell.arms[i].figures;
    if (const auto prefill = figures.find(TimingQuantity::prefill_latency); prefill != figures.end()) {
      cell.arms[i].prefill_roofline =
          roofline_share(prefill_work(*arm.config, kv, bytes, point.batch, point.tokens),
                         prefill->second.median * 1e-3, arm.ceilings->machine);
    }
    if (const auto step = median_step_seconds(cell.arms[i])) {
      // Half of the steps read more than this, half less.
      const int64_t depth = point.tokens + (point.outputs + 1) / 2;
      cell.arms[i].step_roofline = roofline_share(
          decode_step_work(*arm.config, kv, bytes, point.batch, depth), *step, arm.ceilings->machine);
    }
  }
}

std::optional<Ratio> ratio(const LatencyArmCell& baseline, const LatencyArmCell& arm,
                           int64_t GenerationTiming::*time, int resamples) {
  std::vector<double> a, b;
  const size_t pairs = std::min(baseline.timings.size(), arm.timings.size());
  for (size_t i = 0; i < pairs; ++i) {
    a.push_back(static_cast<double>(baseline.timings[i].*time));
    b.push_back(static_cast<double>(arm.timings[i].*time));
  }
  if (a.empty() || b.front() <= 0) return std::nullopt;
  return bootstrap_paired_ratio(a, b, resamples);
}

void compute_speed_ups(const LatencyReport& report, LatencyCellReport& cell, const Resampling& resampling) {
  const LatencyArmCell& baseline = cell.arms[report.baseline];
  for (size_t i = 0; i < cell.arms.size(); ++i) {
    LatencySpeedUp& speed_up = cell.speed_ups[i];
    speed_up.prefill = ratio(baseline, cell.arms[i], &GenerationTiming::prefill_ns, resampling.medians);
    speed_up.ttft = ratio(baseline, cell.arms[i], &GenerationTiming::ttft_ns, resampling.medians);
    speed_up.e2e = ratio(baseline, cell.arms[i], &GenerationTiming::e2e_ns, resampling.medians);
    const auto& a = report.arms[report.baseline].config;
    const auto& b = report.arms[i].config;
    if (a && b) speed_up.flop = prefill_flop_ratio(*a, *b, cell.point.tokens);
  }
}

std::optional<double> median_seconds(const LatencyArmCell& arm, TimingQuantity quantity, double unit_s) {
  const auto found = arm.figures.find(quantity);
  if (found == arm.figures.end()) return std::nullopt;
  return found->second.median * unit_s;
}

// R(x): what a faster prefill saves is worth less the longer the answer.
void compute_gains(const LatencyReport& report, LatencyCellReport& cell) {
  const auto times_of = [](const LatencyArmCell& arm) {
    return std::pair(median_seconds(arm, TimingQuantity::time_to_first_token, 1),
                     median_seconds(arm, TimingQuantity::time_per_output_token, 1e-3));
  };
  const auto [base_ttft, base_step] = times_of(cell.arms[report.baseline]);
  for (size_t i = 0; i < cell.arms.size(); ++i) {
    const auto [ttft, step] = times_of(cell.arms[i]);
    if (i == report.baseline || !base_ttft || !base_step || !ttft || !step) continue;
    const EndToEndTimes times{*base_ttft, *ttft, *base_step, *step};
    for (const double gain : {2.0, 1.5, 1.1}) cell.gains[i].push_back({gain, steps_until_gain(times, gain)});
  }
}

std::vector<double> prefill_seconds(const LatencyArmCell& arm) {
  std::vector<double> seconds;
  for (const GenerationTiming& timing : arm.timings)
    seconds.push_back(static_cast<double>(timing.prefill_ns) * 1e-9);
  return seconds;
}

// Curves over T need everything else fixed: the cells of the first point's B and threads, N being no matter
// for prefill. The same T with several N would weigh more than others, so each T counts once.
std::vector<const LatencyCellReport*> prefill_cells(const LatencyReport& report) {
  std::vector<const LatencyCellReport*> cells;
  for (const LatencyCellReport& cell : report.cells) {
    const LatencyPoint& first = report.cells.front().point;
    const bool same = cell.point.batch == first.batch && cell.point.threads == first.threads;
    const bool seen =
        std::ranges::any_of(cells, [&](const auto* c) { return c->point.tokens == cell.point.tokens; });
    if (same && !seen) cells.push_back(&cell);
  }
  return cells;
}

void compute_curves(LatencyReport& report, const Resampling& resampling) {
  if (report.spec.mode == LatencyMode::decode_at_depth) return;
  const auto cells = prefill_cells(report);
  for (size_t i = 0; i < report.arms.size(); ++i) {
    LatencyArmReport& arm = report.arms[i];
    std::vector<LengthSamples> lengths;
    std::vector<PairedSamples> pairs;
    for (const LatencyCellReport* cell : cells) {
      const std::vector<double> own = prefill_seconds(cell->arms[i]);
      const std::vector<double> base = prefill_seconds(cell->arms[report.baseline]);
      if (own.empty()) continue;
      lengths.push_back({cell->point.tokens, own});
      const size_t n = std::min(own.size(), base.size());
      const auto take = static_cast<std::ptrdiff_t>(n);
      pairs.push_back(
          {cell->point.tokens, {base.begin(), base.begin() + take}, {own.begin(), own.begin() + take}});
    }
    if (auto fit = fit_cost(lengths, resampling.curves)) arm.fit = std::move(*fit);
    if (i == report.baseline) continue;
    arm.curve = speed_up_curve(pairs, resampling.medians);
    arm.first_faster = first_faster(arm.curve);
    for (const double target : {2.0, 3.5}) {
      if (auto reached = length_reaching(pairs, target, resampling.curves)) arm.reached.push_back(*reached);
    }
  }
}

}  // namespace

LatencyFigure summarise(const std::vector<double>& values, int resamples) {
  LatencyFigure figure;
  figure.n = std::ssize(values);
  figure.median = median(values).value_or(0);
  figure.mad = mad(values).value_or(0);
  figure.min = quantile(values, 0).value_or(0);
  figure.p10 = quantile(values, 0.1).value_or(0);
  figure.p90 = quantile(values, 0.9).value_or(0);
  if (figure.n >= 100) figure.p99 = quantile(values, 0.99);
  figure.interval = bootstrap_median(values, resamples);
  return figure;
}

Result<LatencyReport> read_latency_report(const store::RunReader& reader,
                                          const store::ExperimentRecord& experiment,
                                          const Resampling& resampling) {
  LatencyReport report;
  ORTHROS_TRY(report.spec, latency_spec_from_json(Json::parse(experiment.spec_json, nullptr, false)));
  ORTHROS_TRY(const auto runs, reader.runs(experiment.id));
  int64_t arms = 0;
  for (const store::RunRecord& run : runs) arms = std::max(arms, run.arm + 1);
  report.arms.resize(static_cast<size_t>(arms));
  for (const LatencyPoint& point : report.spec.points) {
    LatencyCellReport cell;
    cell.point = point;
    cell.arms.resize(report.arms.size());
    cell.speed_ups.resize(report.arms.size());
    cell.gains.resize(report.arms.size());
    report.cells.push_back(std::move(cell));
  }
  ReportReader report_reader(reader, report);
  for (const store::RunRecord& run : runs) ORTHROS_TRY_VOID(report_reader.read(run));
  const auto transformer = std::ranges::find(report.arms, "transformer", &LatencyArmReport::architecture);
  if (transformer != report.arms.end())
    report.baseline = static_cast<size_t>(transformer - report.arms.begin());
  for (LatencyCellReport& cell : report.cells) {
    compute_figures(cell, resampling);
    compute_speed_ups(report, cell, resampling);
    compute_gains(report, cell);
    compute_rooflines(report, cell);
  }
  if (!report.cells.empty() && arms > 0) compute_curves(report, resampling);
  return report;
}

}  // namespace orthros
