// Job control: how a caller stops long work and hears how far it is.
// Threads: StopSource::request_stop and StopToken::stop_requested may race; both are lock free.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/base/result.h"

namespace orthros {

/// A default-made token never stops.
class StopToken {
 public:
  StopToken() = default;
  bool stop_requested() const {
    if (flag_ && flag_->load(std::memory_order_relaxed)) return true;
    return deadline_ && std::chrono::steady_clock::now() >= *deadline_;
  }
  /// The same token, which also stops by itself at `deadline`.
  StopToken until(std::chrono::steady_clock::time_point deadline) const {
    StopToken limited = *this;
    if (!limited.deadline_ || deadline < *limited.deadline_) limited.deadline_ = deadline;
    return limited;
  }
  /// Error{cancelled} once stop was requested.
  Result<void> check(std::string_view what) const {
    if (stop_requested()) return fail(ErrorCode::cancelled, "{} stopped", what);
    return {};
  }

 private:
  friend class StopSource;
  explicit StopToken(std::shared_ptr<std::atomic<bool>> flag) : flag_(std::move(flag)) {}
  std::shared_ptr<std::atomic<bool>> flag_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

class StopSource {
 public:
  StopToken token() const { return StopToken(flag_); }
  void request_stop() const { flag_->store(true, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

struct Progress {
  std::string_view phase;  // "load", "prefill", "decode", ...
  int64_t done = 0;        // units of the phase: tensors, tokens
  int64_t total = 0;       // 0 when unknown
};

/// Called on the working thread; must not throw. Empty means nobody watches.
using ProgressSink = std::function<void(const Progress&)>;

inline void report(const ProgressSink& sink, std::string_view phase, int64_t done, int64_t total) {
  if (sink) sink(Progress{phase, done, total});
}

}  // namespace orthros
