// orthros latency: prefill, end-to-end and decode times of several arms, taking turns.
#include "app/cli/experiment.h"
#include "engine/experiments/latency_experiment.h"
#include "engine/experiments/paper.h"
#include "engine/experiments/worker_target.h"

namespace orthros::cli {
namespace {

struct Options {
  ExperimentOptions experiment;
  std::string mode = "prefill", lengths, outputs, batches, threads_list, paper;
  uint64_t seed = 42;
  int64_t min_samples = 5, max_samples = 30;
  double cell_seconds = 300, timeout = 0, half_width = 2;
  bool isolate = false;
};

Result<std::vector<int64_t>> optional_list(const std::string& text, const std::string& option) {
  if (text.empty()) return std::vector<int64_t>();
  return parse_lengths(text, option);
}

// A prefill sweep gives one id; in-out and decode default to what can be seen in a minute.
int64_t default_outputs(LatencyMode mode) {
  return mode == LatencyMode::prefill ? 1 : 32;
}

Result<LatencySpec> make_spec(const Options& options) {
  LatencySpec spec;
  ORTHROS_TRY(spec.mode, parse_latency_mode(options.mode));
  ORTHROS_TRY(const auto lengths,
              parse_lengths(options.lengths.empty() ? "256,512,1024,2048" : options.lengths, "--lengths"));
  ORTHROS_TRY(auto outputs, optional_list(options.outputs, "--outputs"));
  if (spec.mode == LatencyMode::prefill && !outputs.empty()) {
    return fail(
        Error{ErrorCode::invalid_argument, "--mode prefill gives one id", "use --mode in-out for --outputs"});
  }
  if (outputs.empty()) outputs = {default_outputs(spec.mode)};
  ORTHROS_TRY(const auto batches, optional_list(options.batches, "--batches"));
  ORTHROS_TRY(const auto threads, optional_list(options.threads_list, "--threads-list"));
  spec.points = latency_points(lengths, outputs, batches, threads);
  spec.seed = options.seed;
  spec.min_samples = options.min_samples;
  spec.max_samples = options.max_samples;
  spec.cell_seconds = options.cell_seconds;
  spec.timeout_seconds = options.timeout;
  spec.half_width = options.half_width / 100;
  ORTHROS_TRY_VOID(check(spec));
  return spec;
}

// An exhibit of the paper stands beside what measures the same, and beside nothing else.
Result<void> check_paper(const std::string& paper, LatencyMode mode) {
  const LatencyMode fitting = paper == "figure4" ? LatencyMode::prefill : LatencyMode::in_out;
  if (paper.empty() || mode == fitting) return {};
  return fail(Error{ErrorCode::invalid_argument,
                    fmt::format("{} and --mode {} measure different things", paper, to_string(mode)),
                    "figure4 goes with --mode prefill, table4 with --mode in-out"});
}

Result<void> print_paper(const std::string& paper) {
  if (paper.empty()) return {};
  if (!paper_data()) return fail(paper_data().error());
  const std::string metric = paper == "figure4" ? "prefill_speedup" : "ttft_s";
  ORTHROS_TRY(const Overlay overlay, overlay_for(*paper_data(), {paper, metric}));
  print("\nThe paper's {}: {}\n", overlay.exhibit().title, overlay.exhibit().protocol);
  for (const PaperPoint& point : overlay.points()) {
    print("  {}  {} {}\n", overlay.label(point), number(point.value), point.unit);
  }
  return {};
}

// An experiment of which no cell gave a sample is stored, but it answers nothing.
Result<void> check_measured(const LatencyReport& report) {
  bool timed_out = true;
  for (const LatencyCellReport& cell : report.cells) {
    for (const LatencyArmCell& arm : cell.arms) {
      if (!arm.figures.empty()) return {};
      timed_out = timed_out && arm.status == store::CellStatus::timeout;
    }
  }
  const std::string why =
      timed_out ? fmt::format("every run took longer than {} s", number(report.spec.timeout_seconds))
                : std::string("every cell failed, timed out or was skipped");
  return fail(Error{ErrorCode::unsupported, "nothing could be measured: " + why,
                    timed_out ? "give a longer --timeout" : "see: orthros runs show last"});
}

// One of the two given alone moves the other's default out of its way.
void settle_samples(Options& options, const CLI::App& sub) {
  const bool least = sub.count("--min-samples") > 0, most = sub.count("--max-samples") > 0;
  if (options.min_samples <= options.max_samples) return;
  if (least && most)
    usage_error(
        fmt::format("--max-samples {} is below --min-samples {}", options.max_samples, options.min_samples));
  (most ? options.min_samples : options.max_samples) = most ? options.max_samples : options.min_samples;
}

// Workers are this very program, wherever it lies and even if it has been replaced since.
Result<std::vector<LatencyArm>> open_latency_arms(const Options& options) {
  if (!options.isolate) {
    ORTHROS_TRY(std::vector<Arm> arms, open_arms(options.experiment));
    return local_latency_arms(std::move(arms));
  }
  ORTHROS_TRY_VOID(apply(options.experiment.common));
  std::vector<ArmSpec> specs;
  for (const std::string& text : options.experiment.arms) {
    ORTHROS_TRY(const ArmSpec spec, parse_arm(text));
    specs.push_back(spec);
  }
  WorkerOptions like;
  like.command = {"/proc/self/exe", "latency-worker"};
  like.load = load_options(options.experiment.common);
  like.stop = stop_token();
  like.progress = progress_bar();
  return open_worker_arms(specs, like);
}

Result<LatencyExperiment> begin(const Options& options, store::RunStore& store,
                                std::vector<LatencyArm> latency_arms) {
  if (options.experiment.resume.empty()) {
    ORTHROS_TRY(const LatencySpec spec, make_spec(options));
    return LatencyExperiment::create(store, spec, std::move(latency_arms), options.experiment.name);
  }
  ORTHROS_TRY(const auto stored, find_resumed(options.experiment, store::ExperimentKind::latency));
  ORTHROS_TRY(const LatencySpec spec, latency_spec_from_json(Json::parse(stored.spec_json, nullptr, false)));
  return LatencyExperiment::resume(store, stored.uuid, spec, std::move(latency_arms),
                                   options.experiment.retry_failed);
}

Result<void> run(const Options& options) {
  // Mistakes in the spec are found before a model is loaded.
  if (options.experiment.resume.empty()) {
    ORTHROS_TRY(const LatencySpec spec, make_spec(options));
    ORTHROS_TRY_VOID(check_paper(options.paper, spec.mode));
  }
  ORTHROS_TRY(const auto store, open_store(options.experiment.store));
  ORTHROS_TRY(std::vector<LatencyArm> arms, open_latency_arms(options));
  ORTHROS_TRY(LatencyExperiment experiment, begin(options, *store, std::move(arms)));
  ORTHROS_TRY_VOID(experiment.keep_ceilings(measure_machine_rates()));
  const Result<void> ran = experiment.run(run_control(options.experiment));
  end_progress_bar();
  ORTHROS_TRY(const auto reader, open_reader(options.experiment.store));
  ORTHROS_TRY(const LatencyReport report, read_latency_report(*reader, experiment.experiment()));
  if (options.experiment.common.json) {
    Json json = latency_json(report);
    json["experiment"] = experiment.experiment().uuid;
    json["complete"] = ran.has_value();
    print_json(json);
  } else {
    print_latency(report);
    ORTHROS_TRY_VOID(print_paper(options.paper));
  }
  say_where("latency", experiment.experiment(), ran);
  ORTHROS_TRY_VOID(ran);
  return check_measured(report);
}

}  // namespace

void add_latency(CLI::App& app, Command& command) {
  CLI::App* sub = app.add_subcommand("latency", "Prefill, end-to-end and decode times of one or more arms");
  auto options = std::make_shared<Options>();
  add_experiment_options(*sub, options->experiment);
  sub->add_option("--mode", options->mode,
                  "prefill (one id out), in-out (T in, N out), decode-at-depth (N steps after T) or grid")
      ->check(CLI::IsMember({"prefill", "in-out", "decode-at-depth", "grid"}))
      ->capture_default_str();
  sub->add_option("--lengths", options->lengths,
                  "T: prompt lengths in tokens, 256,512,1K (default 256 to 2048)");
  sub->add_option("--outputs", options->outputs, "N: ids to generate (default 32); end tokens are ignored");
  sub->add_option("--batches", options->batches, "B: sequences at once (default 1)");
  sub->add_option("--threads-list", options->threads_list, "Thread counts to compare");
  sub->add_option("--seed", options->seed, "Seed of the random prompts")
      ->transform(seed_number())
      ->capture_default_str();
  sub->add_option("--min-samples", options->min_samples, "Rounds at least")
      ->transform(whole_number(1, 1000))
      ->capture_default_str();
  sub->add_option("--max-samples", options->max_samples, "Rounds at most")
      ->transform(whole_number(1, 1000))
      ->capture_default_str();
  sub->add_option("--half-width", options->half_width, "Enough when medians are known within this percentage")
      ->transform(real_number(0, 100))
      ->capture_default_str();
  sub->add_option("--cell-seconds", options->cell_seconds,
                  "No new round of a cell after this, once there are 3")
      ->transform(real_number(0, 1e6))
      ->capture_default_str();
  sub->add_option("--timeout", options->timeout, "Seconds that one run may take (0: no limit)")
      ->transform(real_number(0, 1e6));
  sub->add_flag("--isolate", options->isolate,
                "A process for each arm: what the system ends for want of memory costs one cell; every arm "
                "then holds its own copy of the weights");
  sub->add_option("--paper", options->paper, "Also print what the paper reports: figure4 or table4")
      ->check(CLI::IsMember({"figure4", "table4"}));
  sub->callback([options, sub, &command] {
    settle_samples(*options, *sub);
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
