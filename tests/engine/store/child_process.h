// ChildProcess: a forked process that runs a body and talks in numbers over pipes. Fork while this process
// has no other threads that matter to the child: it opens its own store. Killed and reaped at the end.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

namespace orthros::store::test {

class ChildProcess {
 public:
  class Pipe {
   public:
    Pipe(int in, int out) : in_(in), out_(out) {}
    void say(int64_t number) const { (void)!::write(out_, &number, sizeof number); }
    /// Until the parent says go, or is gone.
    void wait() const {
      char byte = 0;
      (void)!::read(in_, &byte, 1);
    }

   private:
    int in_, out_;
  };

  explicit ChildProcess(const std::function<void(Pipe&)>& body) {
    int up[2] = {-1, -1}, down[2] = {-1, -1};
    if (::pipe(up) != 0 || ::pipe(down) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(up[0]);
      ::close(down[1]);
      Pipe pipe(down[0], up[1]);
      body(pipe);
      ::_exit(0);
    }
    ::close(up[1]);
    ::close(down[0]);
    in_ = up[0];
    out_ = down[1];
  }
  ~ChildProcess() {
    kill();
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    if (in_ >= 0) ::close(in_);
    if (out_ >= 0) ::close(out_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void go() const { (void)!::write(out_, "g", 1); }
  /// The next number; nullopt when the child is gone and all it said is heard.
  std::optional<int64_t> hear() const {
    int64_t number = 0;
    if (::read(in_, &number, sizeof number) != sizeof number) return std::nullopt;
    return number;
  }
  /// Dead when this returns, though not reaped.
  void kill() {
    if (pid_ <= 0 || killed_) return;
    ::kill(pid_, SIGKILL);
    siginfo_t info;
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
    killed_ = true;
  }

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  bool killed_ = false;
};

}  // namespace orthros::store::test
