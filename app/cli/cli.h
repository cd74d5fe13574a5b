// What the subcommands of orthros share: options, models, output and stopping.
// Messages go to stderr; with --json stdout holds one JSON object and nothing else.
// Exit codes: 0 ok, 1 failed, 2 usage, 130 stopped.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/base/job_control.h"
#include "engine/formats/json.h"
#include "engine/inference/evaluate.h"
#include "engine/model/model.h"

namespace orthros::cli {

/// --json, --device, --threads, --dtype, --weights, --kv-dtype.
struct CommonOptions {
  bool json = false;
  std::string device = "cpu";
  int threads = 0;
  std::string dtype = "auto", weights = "auto", kv_dtype = "auto";
};

/// --as, --window, --sinks: the same weights read as another architecture.
struct ArchitectureOptions {
  std::string as;
  int64_t window = 128;
  int64_t sinks = 0;
  CLI::Option* window_option = nullptr;
  CLI::Option* sinks_option = nullptr;
};

/// --regime, --prompt-length, --chunk: at which positions the model predicts.
struct RegimeOptions {
  std::string regime;
  int64_t prompt_length = 0;
  int64_t chunk = 512;
  CLI::Option* prompt_length_option = nullptr;
};

using Command = std::function<Result<void>()>;

/// Adds the options; a subcommand calls the ones it uses.
void add_common_options(CLI::App& app, CommonOptions& options);
void add_architecture_options(CLI::App& app, ArchitectureOptions& options);
void add_regime_options(CLI::App& app, RegimeOptions& options);
void add_chunk_option(CLI::App& app, int64_t& chunk);

/// Whole decimal numbers from low to high; real numbers likewise. For Option::transform.
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
CLI::Validator whole_number(int64_t low, int64_t high = kNoLimit);
CLI::Validator real_number(double low, double high);
/// All of uint64.
CLI::Validator seed_number();
/// The longest window or sinks that a config may have.
constexpr int64_t kMaxWindow = int64_t{1} << 32;

/// A mistake in the command line that no single option shows: thrown from a subcommand's callback, exit
/// code 2.
[[noreturn]] void usage_error(const std::string& message);
/// Exactly one of these options is given.
void require_one_of(const std::vector<const CLI::Option*>& options);

/// Applies --threads and --device.
Result<void> apply(const CommonOptions& options);
/// Fills in regime, prompt length and chunk. "transformer" is short for --as transformer.
Result<void> apply(const RegimeOptions& options, ArchitectureOptions& architecture, EvaluateRequest& request);
LoadOptions load_options(const CommonOptions& options);
/// The config that --as, --window and --sinks ask for.
Result<ModelConfig> read_as(const ModelConfig& config, const ArchitectureOptions& options);

/// Opens and loads; progress on a terminal.
Result<std::shared_ptr<const Model>> load(const std::string& path, const CommonOptions& options,
                                          int64_t plan_tokens = 0);

struct LoadedModel {
  std::shared_ptr<const Model> model;
  ModelConfig config;  // as --as, --window and --sinks read it
};
/// Reads the ids of a run and whatever else the files alone decide; returns the tokens that need room in the
/// cache.
using PrepareRun = std::function<Result<int64_t>(const ModelFiles& files)>;
/// Everything before a run, in the order that finds mistakes early: options, files, architecture, ids, then
/// weights.
Result<LoadedModel> load_for_run(const std::string& path, const CommonOptions& common,
                                 const ArchitectureOptions& architecture, const PrepareRun& prepare);
/// Refuses a result that would not fit beside the model, before the work.
Result<void> check_result_fits(int64_t bytes, const std::string& what);

/// "1,2,3" or "@FILE" (white space or commas). `option` names the source in messages.
Result<std::vector<TokenId>> parse_ids(const std::string& text, const std::string& option = "--ids");
/// The same, and within the model's vocabulary.
Result<std::vector<TokenId>> model_ids(const ModelFiles& files, const std::string& text);
/// "all", "last" or "0,5,9" against T tokens; ascending.
Result<std::vector<int64_t>> parse_rows(const std::string& text, int64_t tokens);
/// Ids from --prompt (by the model's tokenizer, BOS as it says) or --ids; exactly one is given.
Result<std::vector<TokenId>> prompt_ids(const ModelFiles& files, const CLI::Option& prompt_option,
                                        const std::string& prompt, const std::string& ids);

/// Ctrl-C, a closed terminal or kill requests a stop here.
const StopToken& stop_token();
/// Also: standard streams that are closed are opened on nothing, lest a model file become one.
void install_signal_handlers();
/// A bar on stderr when that is a terminal; silent otherwise.
ProgressSink progress_bar();
void end_progress_bar();

/// Text to stdout and to stderr. fmt::print would throw when a disk is full or a stream closed: here
/// finish_output() tells in the end whether stdout took everything.
void write_out(const std::string& text);
void write_err(const std::string& text);
/// What was written so far reaches the reader now.
void flush_out();
Result<void> finish_output();
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  write_out(fmt::format(format, std::forward<Args>(args)...));
}
/// One line on stderr, after "orthros: ".
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  end_progress_bar();
  write_err("orthros: " + fmt::format(format, std::forward<Args>(args)...) + "\n");
}

void print_json(const Json& json);
/// Bytes that are no valid UTF-8 become U+FFFD, so that they can stand in JSON.
std::string valid_utf8(const std::string& bytes);
/// Four significant digits; whole numbers from 10,000 on.
std::string number(double value);

// One file each.
void add_info(CLI::App& app, Command& command);
void add_tokenize(CLI::App& app, Command& command);
void add_logits(CLI::App& app, Command& command);
void add_generate(CLI::App& app, Command& command);
void add_attention(CLI::App& app, Command& command);
void add_convert(CLI::App& app, Command& command);
void add_perplexity(CLI::App& app, Command& command);
void add_machine(CLI::App& app, Command& command);
void add_niah(CLI::App& app, Command& command);
void add_latency(CLI::App& app, Command& command);
/// Hidden: what orthros latency --isolate starts.
void add_latency_worker(CLI::App& app, Command& command);
void add_train(CLI::App& app, Command& command);
void add_haystack(CLI::App& app, Command& command);
void add_runs(CLI::App& app, Command& command);
void add_lessons(CLI::App& app, Command& command);

}  // namespace orthros::cli
