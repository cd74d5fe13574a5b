// orthros train: runs a training config, shows how it goes, and keeps its points in the run database.
#include <chrono>

#include <unistd.h>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "engine/formats/mapped_file.h"
#include "engine/model/model_identity.h"
#include "engine/store/environment.h"
#include "engine/training/trainer.h"

namespace orthros::cli {
namespace {

namespace fs = std::filesystem;
using training::StepEvent;

constexpr size_t kPointsAtOnce = 25;
constexpr const char* kExperimentFile =
    "experiment.txt";  // in the output folder: which experiment a resumed run joins

struct Options {
  CommonOptions common;
  StoreOptions store;
  std::string config, name;
  bool resume = false, no_store = false;
  int64_t steps = 0;
};

/// The run's points in the database, some at a time: a transaction for each would cost more than a small
/// step.
class PointLog {
 public:
  Result<void> open(const Options& options, const training::TrainConfig& config) {
    ORTHROS_TRY(store_, open_store(options.store));
    ORTHROS_TRY(const store::ExperimentRecord experiment, experiment_of(options, config));
    store::RunRecord run;
    run.experiment_id = experiment.id;
    ORTHROS_TRY(run.environment_id, store_->put_environment(store::current_environment()));
    run.arm_label = experiment.name;
    run.device = "cpu";
    run.dtype = to_string(config.dtype);
    run.seed = config.seed;
    ORTHROS_TRY(const store::RunRecord created, store_->create_run(run, {}));
    run_ = created.id;
    return store_->begin_run(run_);
  }

  Result<void> add(const StepEvent& e) {
    points_.push_back({e.step, e.loss, e.learning_rate, e.gradient_norm, e.tokens_per_second});
    return points_.size() >= kPointsAtOnce ? flush() : Result<void>();
  }

  Result<void> finish(const Result<training::TrainSummary>& ran) {
    if (!store_) return {};
    ORTHROS_TRY_VOID(flush());
    if (!ran) return store_->end_run(run_, store::RunStatus::failed, ran.error().line());
    return store_->end_run(run_, ran->finished ? store::RunStatus::done : store::RunStatus::cancelled);
  }

  void event(const std::string& text) {
    if (store_) (void)store_->add_event(run_, "note", text);
  }
  bool is_open() const { return store_ != nullptr; }

 private:
  Result<void> flush() {
    if (points_.empty()) return {};
    ORTHROS_TRY_VOID(store_->add_train_points(run_, points_));
    points_.clear();
    return {};
  }

  Result<store::ExperimentRecord> experiment_of(const Options& options, const training::TrainConfig& config) {
    const fs::path file = config.output / kExperimentFile;
    std::error_code error;
    if (options.resume && fs::exists(file, error)) {
      ORTHROS_TRY(const std::string uuid, read_text(file, 1000));
      ORTHROS_TRY(const auto reader, open_reader(options.store));
      if (const auto found = reader->find_experiment(uuid)) return *found;
    }
    store::ExperimentRecord record;
    record.kind = store::ExperimentKind::training;
    record.name = options.name.empty() ? fs::path(options.config).stem().string() : options.name;
    ORTHROS_TRY(record.spec_json, read_text(options.config, int64_t{16} << 20));
    record.spec_sha256 = sha256_hex(record.spec_json);
    ORTHROS_TRY(store::ExperimentRecord created, store_->create_experiment(record));
    fs::create_directories(config.output, error);
    ORTHROS_TRY_VOID(write_text_atomically(file, created.uuid));
    return created;
  }

  std::unique_ptr<store::RunStore> store_;
  store::RowId run_ = 0;
  std::vector<store::TrainPointRecord> points_;
};

std::string step_line(const StepEvent& e) {
  return fmt::format(
      "step {:>6}  stage {}  T {:>5}  loss {:.4f}  first {:.3f}  exact {:.3f}  score {:.3f}  lr {:.2e}  "
      "norm {:.2f}  {:.0f} tok/s",
      e.step, e.stage + 1, e.length, e.loss, e.first, e.exact, e.score, e.learning_rate, e.gradient_norm,
      e.tokens_per_second);
}

Json summary_json(const training::TrainSummary& s) {
  return {{"steps", s.steps},
          {"tokens", s.tokens},
          {"parameters", s.parameters},
          {"seconds", s.seconds},
          {"loss", s.loss},
          {"score", s.score},
          {"finished", s.finished},
          {"model", s.model.filename().string()}};
}

Result<void> run(const Options& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  ORTHROS_TRY(const training::TrainConfig config, training::read_train_config(options.config));
  PointLog log;
  auto last_line = std::chrono::steady_clock::now();
  training::TrainHooks hooks;
  hooks.stop = stop_token();
  hooks.resume = options.resume;
  hooks.stop_after = options.steps;
  hooks.on_note = [&](const std::string& text) {
    note("{}", text);
    log.event(text);
  };
  hooks.on_step = [&](const StepEvent& e) -> Result<void> {
    const auto now = std::chrono::steady_clock::now();
    if (e.step % 50 == 0 || now - last_line > std::chrono::seconds(10)) {
      last_line = now;
      note("{}", step_line(e));
    }
    if (options.no_store) return {};
    // Only now: a run that is refused leaves nothing behind.
    if (!log.is_open()) ORTHROS_TRY_VOID(log.open(options, config));
    return log.add(e);
  };
  const Result<training::TrainSummary> ran = training::train(config, hooks);
  const Result<void> kept = log.finish(ran);
  if (!ran) return fail(ran.error());
  ORTHROS_TRY_VOID(kept);
  if (options.common.json) print_json(summary_json(*ran));
  if (ran->finished) {
    note("{} parameters, {} steps, {} tokens, {:.0f} s", ran->parameters, ran->steps, ran->tokens,
         ran->seconds);
    return {};
  }
  note("stopped after step {}; continue with --resume", ran->steps);
  return stop_token().check("the training");
}

}  // namespace

void add_train(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("train", "Train a model, or adapt a converted one, as a config says");
  sub->add_option("CONFIG", options->config, "Training config (JSON; keys: engine/training/train_config.h)")
      ->required();
  sub->add_flag("--resume", options->resume, "Continue from the output folder's last checkpoint");
  sub->add_option("--steps", options->steps, "Stop after this many steps of this call, with a checkpoint")
      ->transform(whole_number(1));
  sub->add_option("--name", options->name, "Name in the run database (default: the config's)");
  sub->add_flag("--no-store", options->no_store, "Keep no points in the run database");
  add_store_option(*sub, options->store);
  add_common_options(*sub, options->common);
  // The config says these.
  for (const char* name : {"--dtype", "--weights", "--kv-dtype"}) sub->remove_option(sub->get_option(name));
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
