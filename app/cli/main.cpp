// orthros: the engine without a display.
#include <cstdio>
#include <new>
#include <sstream>

#include "app/cli/cli.h"

namespace {

using namespace orthros;
using namespace orthros::cli;

constexpr int kFailed = 1, kUsage = 2, kStopped = 130;

int usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string what = error.what(), help = "orthros --help";
  if (argc > 1 && argv[1][0] == '-') {
    what = fmt::format("'{}' stands before the subcommand; options follow it", argv[1]);
  } else if (const auto chosen = app.get_subcommands(); !chosen.empty()) {
    help = "orthros " + chosen.front()->get_name() + " --help";
  } else if (argc > 1) {
    // CLI11 looks for a subcommand before it looks at what stands in its place.
    what = fmt::format("there is no subcommand '{}'", argv[1]);
  }
  note("{} (try: {})", Error{ErrorCode::invalid_argument, what, {}}.line(), help);
  return kUsage;
}

// The engine throws nothing; what the program's own buffers throw still ends in one line.
int run(const Command& command) {
  try {
    const Result<void> result = command();
    end_progress_bar();
    if (result) return 0;
    note("{}", result.error().line());
    return result.error().code == ErrorCode::cancelled ? kStopped : kFailed;
  } catch (const std::bad_alloc&) {
    note("out of memory (close other programs or ask for less)");
  } catch (const std::exception& error) {
    note("{}", Error{ErrorCode::internal, error.what(), "this is a defect, please report it"}.line());
  }
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  install_signal_handlers();
  CLI::App app{"Dual-stream language models: load, convert, run, look inside, measure.", "orthros"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("orthros ") + ORTHROS_VERSION);
  Command command;
  for (const auto add : {add_info, add_tokenize, add_logits, add_generate, add_attention, add_convert,
                         add_perplexity, add_machine, add_niah, add_latency, add_latency_worker, add_haystack,
                         add_train, add_runs, add_lessons}) {
    add(app, command);
  }
  // After the subcommands, which would take it over.
  app.footer("Every subcommand has --help. Exit codes: 0 ok, 1 failed, 2 wrong usage, 130 stopped.");
  int exit_code = 0;
  try {
    app.parse(argc, argv);
    exit_code = run(command);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return usage_message(app, error, argc, argv);
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    write_out(text.str());
  }
  if (const Result<void> finished = finish_output(); !finished && exit_code == 0) {
    note("{}", finished.error().line());
    return kFailed;
  }
  return exit_code;
}
