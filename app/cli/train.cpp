// orthros train: runs a training config, shows how it goes, and keeps its points in the run database.
#include <chrono>

#include <unistd.h>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "engine/training/trainer.h"
#include "engine/training/training_log.h"

namespace orthros::cli {
namespace {

using training::StepEvent;

struct Options {
  CommonOptions common;
  StoreOptions store;
  std::string config, name;
  bool resume = false, no_store = false;
  int64_t steps = 0;
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
  std::unique_ptr<store::RunStore> store;
  training::TrainingLog log;
  auto last_line = std::chrono::steady_clock::now();
  training::TrainHooks hooks;
  hooks.stop = stop_token();
  hooks.resume = options.resume;
  hooks.stop_after = options.steps;
  hooks.on_note = [&](const std::string& text) {
    note("{}", text);
    log.note(text);
  };
  hooks.on_step = [&](const StepEvent& e) -> Result<void> {
    const auto now = std::chrono::steady_clock::now();
    if (e.step % 50 == 0 || now - last_line > std::chrono::seconds(10)) {
      last_line = now;
      note("{}", step_line(e));
    }
    if (options.no_store) return {};
    // Only now: a run that is refused leaves nothing behind.
    if (!log.is_open()) {
      ORTHROS_TRY(store, open_store(options.store));
      ORTHROS_TRY_VOID(log.open(*store, config, {options.config, options.name, options.resume}));
    }
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
