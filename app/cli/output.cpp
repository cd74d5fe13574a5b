// Stopping, progress and output.
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>

#include "app/cli/cli.h"

namespace orthros::cli {
namespace {

const StopSource& stop_source() {
  static const StopSource source;
  return source;
}

void on_signal(int signal) {
  // A second Ctrl-C ends the program the usual way, should the first not be heard.
  stop_source().request_stop();
  std::signal(signal, SIG_DFL);
}

bool bar_shown = false;

// Bytes of the UTF-8 sequence at text[i], 0 when it is none.
size_t sequence_length(const std::string& text, size_t i) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return 1;
  size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
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

void install_stop_handler() {
  (void)stop_token();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

ProgressSink progress_bar() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](const Progress& progress) {
    constexpr int kWidth = 30;
    const double share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
    const int filled = static_cast<int>(share * kWidth);
    fmt::print(stderr, "\r{:<10} [{:<{}}] {:3.0f} %\x1b[K", progress.phase, std::string(static_cast<size_t>(filled), '='),
               kWidth, share * 100);
    std::fflush(stderr);
    bar_shown = true;
  };
}

void end_progress_bar() {
  if (bar_shown) fmt::print(stderr, "\r\x1b[K");
  bar_shown = false;
}

void print_json(const Json& json) {
  end_progress_bar();
  fmt::print("{}\n", json.dump());
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
