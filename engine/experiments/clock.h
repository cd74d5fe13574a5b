// Clock: monotonic time that tests can replace. Units: ns. Threads: now_ns may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace orthros {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now_ns() const = 0;
};

class SteadyClock final : public Clock {
 public:
  int64_t now_ns() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  static const SteadyClock& instance() {
    static const SteadyClock clock;
    return clock;
  }
};

}  // namespace orthros
