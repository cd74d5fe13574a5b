// orthros latency-worker: one arm of orthros latency --isolate, in a process of its own. Not for people.
#include "engine/experiments/latency_worker.h"

#include <csignal>

#include <unistd.h>

#include "app/cli/cli.h"

namespace orthros::cli {
namespace {

Result<void> run() {
  // Ctrl-C and a closed terminal are the experiment's to hear: it ends its workers.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  // SIGTERM ends the worker at once: it has nothing to leave in order, and no handler runs.
  std::signal(SIGTERM, SIG_DFL);
  sigset_t terminate;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &terminate, nullptr);
  // Nothing that some library prints may come between two answers.
  const int answers = ::dup(STDOUT_FILENO);
  if (answers < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return fail(ErrorCode::io, "the worker has no stdout to answer on");
  exit_when_closed(STDIN_FILENO);
  return serve({.in_fd = STDIN_FILENO, .out_fd = answers, .own_process = true});
}

}  // namespace

void add_latency_worker(CLI::App& app, Command& command) {
  CLI::App* sub = app.add_subcommand("latency-worker", "Serves one arm of orthros latency --isolate");
  sub->group("");
  sub->callback([&command] { command = run; });
}

}  // namespace orthros::cli
