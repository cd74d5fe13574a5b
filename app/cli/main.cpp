// orthros: the engine without a display.
#include <fmt/core.h>

#include <cstdio>

#include "app/cli/cli.h"

namespace {

constexpr int kFailed = 1, kUsage = 2, kStopped = 130;

int exit_code(const orthros::Error& error) {
  return error.code == orthros::ErrorCode::cancelled ? kStopped : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace orthros::cli;
  CLI::App app{"Dual-stream language models: load, convert, run, look inside, measure.", "orthros"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("orthros ") + ORTHROS_VERSION);
  Command command;
  for (const auto add : {add_info, add_tokenize, add_logits, add_generate, add_attention, add_convert, add_perplexity,
                         add_machine}) {
    add(app, command);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    // CLI11 looks for a subcommand before it looks at what stands in its place.
    const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
    const std::string what = unknown ? fmt::format("there is no subcommand '{}'", argv[1]) : error.what();
    fmt::print(stderr, "orthros: {} (try: orthros --help)\n", what);
    return kUsage;
  }
  install_stop_handler();
  const auto result = command();
  end_progress_bar();
  if (!result) {
    fmt::print(stderr, "orthros: {}\n", result.error().line());
    return exit_code(result.error());
  }
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "orthros: cannot write the output\n");
    return kFailed;
  }
  return 0;
}
