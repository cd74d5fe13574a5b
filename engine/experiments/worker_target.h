// WorkerTarget: samples taken in a process of its own, so that what the system kills for want of memory costs
// one cell. The worker loads the model and times; this process never holds the weights. A worker that died is
// started again, its model loaded anew, by the next open(). Errors: out_of_memory (killed by SIGKILL, or as
// the worker says), cancelled (the worker is killed at once), internal (it died otherwise, or answered
// nonsense), io (it cannot be started), as opening an arm. Threads: one caller. Public: no torch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/experiments/latency_experiment.h"
#include "engine/experiments/worker_process.h"

namespace orthros {

struct WorkerOptions {
  std::vector<std::string> command;  // program and arguments that serve (latency_worker.h)
  ArmSpec spec;
  LoadOptions load;
  StopToken stop;         // of the experiment: heard while loading and opening too
  ProgressSink progress;  // of loading
};

class WorkerTarget final : public LatencyTarget {
 public:
  /// Starts the worker, which opens the arm.
  static Result<std::shared_ptr<WorkerTarget>> start(WorkerOptions options);

  /// All of the arm but its model and the tokenizer's functions.
  const Arm& arm() const { return arm_; }

  Result<void> open(const LatencyRequest& request) override;
  Result<LatencyMeasurement> sample(int64_t outputs, const StopToken& stop) override;
  void close() override;

 private:
  explicit WorkerTarget(WorkerOptions options) : options_(std::move(options)) {}
  /// The worker, started and with its arm open.
  Result<Arm> start_worker();
  /// The answer's value under `key`. Any failure but one that the worker itself reports ends the worker.
  Result<Json> ask(const Json& request, const char* key, const StopToken& stop);
  Result<Json> converse(const Json& request, const StopToken& stop);
  void end_worker();

  WorkerOptions options_;
  Arm arm_;
  std::unique_ptr<WorkerProcess> process_;
  bool alive_ = false, open_ = false, decode_only_ = false;
};

/// One worker for each arm; all are loaded when this returns.
Result<std::vector<LatencyArm>> open_worker_arms(const std::vector<ArmSpec>& specs,
                                                 const WorkerOptions& like);

}  // namespace orthros
