#include "engine/experiments/worker_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace orthros {
namespace {

// Between hanging up and being gone lies the return of its memory.
constexpr int kGoneMs = 5'000;

int spawn(pid_t& pid, const std::vector<std::string>& command, int fd) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fd, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, standard;
  sigemptyset(&none);
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawn(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& command) {
  if (command.empty()) return fail(ErrorCode::invalid_argument, "no program is named for the worker");
  int ends[2] = {-1, -1};
  // Closed on exec: a worker that held another's socket would keep it from noticing that this process died.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail(ErrorCode::io, "cannot make a socket for the worker: {}", std::strerror(errno));
  }
  pid_t pid = -1;
  const int error = spawn(pid, command, ends[1]);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    return fail(ErrorCode::io, "cannot start the worker {}: {}", command.front(), std::strerror(error));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, ends[0]));
}

WorkerProcess::~WorkerProcess() {
  kill();
  while (!reaped_ && !reaped_within(kGoneMs)) {
  }
  ::close(fd_);
}

void WorkerProcess::kill() {
  if (!reaped_) ::kill(pid_, SIGKILL);
}

bool WorkerProcess::reaped_within(int milliseconds) {
  constexpr timespec kPause{0, 1'000'000};
  for (int waited = 0; !reaped_ && waited < milliseconds; ++waited) {
    const pid_t got = ::waitpid(pid_, &status_, WNOHANG);
    // Somebody else has reaped it: how it ended is not known, but it has.
    if (got == pid_ || (got < 0 && errno == ECHILD)) reaped_ = true;
    if (!reaped_) ::nanosleep(&kPause, nullptr);
  }
  return reaped_;
}

Error WorkerProcess::how_it_ended() {
  if (!reaped_within(kGoneMs)) {
    kill();
    return {ErrorCode::internal, "the worker hung up without ending", {}};
  }
  if (WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL) {
    return {ErrorCode::out_of_memory, "the worker was killed, most likely for want of memory", {}};
  }
  if (WIFSIGNALED(status_)) {
    return {
        ErrorCode::internal,
        fmt::format("the worker died of signal {} ({})", WTERMSIG(status_), ::strsignal(WTERMSIG(status_))),
        {}};
  }
  return {ErrorCode::internal,
          fmt::format("the worker ended by itself with exit code {}", WEXITSTATUS(status_)),
          {}};
}

}  // namespace orthros
