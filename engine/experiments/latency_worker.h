// The other side of WorkerTarget: opens one arm and takes samples of it as asked, until nobody asks any more.
// Only the model's work lies between two marks of a sample; reading requests and writing answers do not.
// Errors: io (the answer cannot be written), corrupt_file (what asks speaks another language); failures of
// the arm itself are answers. Threads: one caller. Public: no torch.
#pragma once

#include <functional>

#include "engine/experiments/arm.h"
#include "engine/experiments/clock.h"

namespace orthros {

using ArmOpener = std::function<Result<Arm>(const ArmSpec& spec, const LoadOptions& defaults,
                                            const ProgressSink& progress)>;
/// As open_arms does.
Result<Arm> open_one_arm(const ArmSpec& spec, const LoadOptions& defaults, const ProgressSink& progress);

struct LatencyWorker {
  int in_fd = 0, out_fd = 1;
  ArmOpener opener = open_one_arm;  // tests put stubs here
  const Clock& clock = SteadyClock::instance();
  /// This process is nothing but the worker: when memory runs out it asks to be the one that goes, before
  /// what the user has open, and most of all while it is busy.
  bool own_process = false;
};
Result<void> serve(const LatencyWorker& worker);

/// Ends this process as soon as the other side of `fd` is closed, even in the middle of a sample: a worker
/// outlives nobody.
void exit_when_closed(int fd);

}  // namespace orthros
