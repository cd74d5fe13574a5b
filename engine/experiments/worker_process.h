// WorkerProcess: a child process whose standard input and output are one socket, spoken to in JSON lines; its
// stderr is this program's. Killed and reaped at the end; a worker that heeds exit_when_closed
// (latency_worker.h) also goes when this process dies. Errors: io (cannot be started). Threads: one caller.
// Public: no torch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/experiments/line_channel.h"

namespace orthros {

class WorkerProcess {
 public:
  /// `command`: program (a path) and its arguments.
  static Result<std::unique_ptr<WorkerProcess>> start(const std::vector<std::string>& command);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  LineChannel& channel() { return channel_; }
  /// At once; a large process takes its time to give its memory back, which nobody here waits for.
  void kill();
  /// How a worker that hung up ended: killed by SIGKILL counts as out_of_memory, anything else as internal.
  Error how_it_ended();

 private:
  WorkerProcess(pid_t pid, int fd) : pid_(pid), fd_(fd), channel_(fd, fd) {}
  bool reaped_within(int milliseconds);

  pid_t pid_;
  int fd_;
  LineChannel channel_;
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace orthros
