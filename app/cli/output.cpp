// Stopping, progress and output.
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/cli.h"

namespace orthros::cli {
namespace {

const StopSource& stop_source() {
  static const StopSource source;
  return source;
}

bool bar_shown = false;
int output_error = 0;  // errno of the first write to stdout that failed

// nohup and the background jobs of a script ignore some signals, and want them ignored.
sigset_t signals_that_stop() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present {};
    ::sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  return signals;
}

// A second signal ends the program the usual way, should the first not be heard.
void wait_for_signals(const sigset_t& signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  stop_source().request_stop();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  while (true) ::pause();
}

// A file opened while a standard stream is closed would get its number, and messages would be written into
// it.
void fill_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // Stdout is opened for reading: writing to it fails, and the program says that its output was lost.
    (void)::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Bytes of the UTF-8 sequence at text[i], 0 when it is none.
size_t sequence_length(const std::string& text, size_t i) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return 1;
  size_t length = first >= 0xc2 && first < 0xe0   ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(i + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

}  // namespace

const StopToken& stop_token() {
  static const StopToken token = stop_source().token();
  return token;
}

void install_signal_handlers() {
  fill_closed_streams();
  (void)stop_token();
  // No thread that computes may take a signal: while oneDNN's AVX-512 sgemm multiplies, its stack pointer
  // points into a buffer of the heap, and a handler's frame would be written over what lies before that. So
  // all threads, also those made later, block them, and one waits for them.
  const sigset_t signals = signals_that_stop();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for_signals, signals).detach();
  // A file beyond the user's limit is then an error of the write like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

namespace {

// Time left by the speed since the work began; a new total or a step back is new work.
class TimeLeft {
 public:
  std::string text(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (progress.total != total_ || progress.done < done_) {
      begin_ = now;
      first_ = progress.done;
      total_ = progress.total;
    }
    done_ = progress.done;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    if (seconds < 2 || done_ <= first_ || total_ <= done_) return {};
    const double left = seconds * static_cast<double>(total_ - done_) / static_cast<double>(done_ - first_);
    const auto whole = static_cast<int64_t>(left + 0.5);
    if (whole >= 3600) return fmt::format(", {}:{:02}:{:02} left", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format(", {}:{:02} left", whole / 60, whole % 60);
  }

 private:
  std::chrono::steady_clock::time_point begin_;
  int64_t first_ = 0, done_ = 0, total_ = -1;
};

}  // namespace

ProgressSink progress_bar() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [time = TimeLeft()](const Progress& progress) mutable {
    constexpr int kWidth = 30;
    const double share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
    const int filled = static_cast<int>(share * kWidth);
    write_err(fmt::format("\r{:<10} [{:<{}}] {:3.0f} %{}\x1b[K", progress.phase,
                          std::string(static_cast<size_t>(filled), '='), kWidth, share * 100,
                          time.text(progress)));
    bar_shown = true;
  };
}

void end_progress_bar() {
  if (bar_shown) write_err("\r\x1b[K");
  bar_shown = false;
}

void write_out(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written && output_error == 0) output_error = errno;
}

void flush_out() {
  // Later flushes succeed: what could not be written is gone from the buffer.
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
}

void write_err(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

Result<void> finish_output() {
  flush_out();
  if (output_error == 0) return {};
  return fail(ErrorCode::io, "cannot write the output: {}", std::generic_category().message(output_error));
}

void print_json(const Json& json) {
  end_progress_bar();
  // Names of files may hold any bytes.
  print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string valid_utf8(const std::string& bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = sequence_length(bytes, i);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++i;
    } else {
      out.append(bytes, i, length);
      i += length;
    }
  }
  return out;
}

std::string number(double value) {
  // No exponents for token counts and rates.
  return std::abs(value) >= 9999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

}  // namespace orthros::cli
