// RunControl: what steers an experiment from outside: stop at once, pause between trials, hear the progress.
// Threads: PauseGate and StopSource may be used from any thread while the experiment runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "engine/base/job_control.h"

namespace orthros {

class PauseGate {
 public:
  void pause() { set(true); }
  void resume() { set(false); }
  bool paused() const {
    const std::scoped_lock lock(mutex_);
    return paused_;
  }
  /// Returns when not paused, or when stop was requested.
  void wait(const StopToken& stop) const {
    std::unique_lock lock(mutex_);
    // A stop does not notify: look for it ten times a second, which only a paused experiment does.
    while (paused_ && !stop.stop_requested()) changed_.wait_for(lock, std::chrono::milliseconds(100));
  }

 private:
  void set(bool paused) {
    {
      const std::scoped_lock lock(mutex_);
      paused_ = paused;
    }
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool paused_ = false;
};

struct RunControl {
  StopToken stop;
  std::shared_ptr<PauseGate> pause;  // null: cannot be paused
  /// done and total are in predicted cost (FLOP), so that time left is honest though lengths differ.
  ProgressSink progress;
  bool try_dominated = false;  // also cells that a smaller one's failure says will fail
};

}  // namespace orthros
