// What the subcommands of orthros share: options, models, output and stopping.
// Messages go to stderr; with --json stdout holds one JSON object and nothing else.
// Exit codes: 0 ok, 1 failed, 2 usage, 130 stopped.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/formats/json.h"
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

using Command = std::function<Result<void>()>;

/// Adds the options; a subcommand calls the ones it uses.
void add_common_options(CLI::App& app, CommonOptions& options);
void add_architecture_options(CLI::App& app, ArchitectureOptions& options);

/// Applies --threads and --device.
Result<void> apply(const CommonOptions& options);
LoadOptions load_options(const CommonOptions& options);
/// The config that --as, --window and --sinks ask for.
Result<ModelConfig> read_as(const ModelConfig& config, const ArchitectureOptions& options);

/// Opens and loads; progress on a terminal.
Result<std::shared_ptr<const Model>> load(const std::string& path, const CommonOptions& options,
                                          int64_t plan_tokens = 0);

/// "1,2,3" or "@FILE" (white space or commas).
Result<std::vector<TokenId>> parse_ids(const std::string& text);
/// "all", "last" or "0,5,9" against T tokens; ascending.
Result<std::vector<int64_t>> parse_rows(const std::string& text, int64_t tokens);
/// Ids from --prompt (by the model's tokenizer, BOS as it says) or --ids; exactly one is given.
Result<std::vector<TokenId>> prompt_ids(const ModelFiles& files, const CLI::Option& prompt_option,
                                        const std::string& prompt, const std::string& ids);

/// Ctrl-C requests a stop here.
const StopToken& stop_token();
void install_stop_handler();
/// A bar on stderr when that is a terminal; silent otherwise.
ProgressSink progress_bar();
void end_progress_bar();

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

}  // namespace orthros::cli
