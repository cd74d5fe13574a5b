#include "engine/experiments/latency_worker.h"

#include <chrono>
#include <fstream>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "engine/experiments/line_channel.h"
#include "engine/experiments/worker_protocol.h"
#include "engine/formats/json_access.h"
#include "engine/model/runtime.h"

namespace orthros {
namespace {

class Server {
 public:
  explicit Server(const LatencyWorker& worker) : worker_(worker), channel_(worker.in_fd, worker.out_fd) {}

  Result<void> run() {
    be_killed_first(kIdle);
    for (;;) {
      ORTHROS_TRY(const std::optional<Json> request, channel_.receive());
      if (!request) return {};
      be_killed_first(kBusy);
      const Result<Json> answered = answer(*request);
      be_killed_first(kIdle);
      ORTHROS_TRY_VOID(channel_.send(answered ? *answered : worker::to_json(answered.error())));
    }
  }

 private:
  // The worker that is at work is the one that asked for memory, and so the one to pay for it.
  static constexpr int kIdle = 500, kBusy = 1000;

  void be_killed_first(int score) const {
    if (worker_.own_process) std::ofstream("/proc/self/oom_score_adj") << score;
  }

  Result<Json> answer(const Json& request) {
    if (const Json* open_arm = json_access::find(request, "open_arm")) return answer_open_arm(*open_arm);
    if (!target_) return fail(ErrorCode::invalid_argument, "the worker has no arm yet");
    if (const Json* open = json_access::find(request, "open")) {
      ORTHROS_TRY(const LatencyRequest shape, worker::request_from_json(*open));
      target_->close();
      ORTHROS_TRY_VOID(target_->open(shape));
      most_outputs_ = shape.outputs;
      return Json{{"done", true}};
    }
    if (json_access::find(request, "sample") != nullptr) {
      ORTHROS_TRY(const int64_t outputs, json_access::integer(request, "sample"));
      if (outputs < 1 || outputs > most_outputs_) {
        return fail(ErrorCode::invalid_argument, "{} outputs where at most {} were opened", outputs,
                    most_outputs_);
      }
      ORTHROS_TRY(const LatencyMeasurement measured, target_->sample(outputs, {}));
      return worker::to_json(measured);
    }
    if (json_access::find(request, "close") == nullptr)
      return fail(ErrorCode::invalid_argument, "the worker does not know this request");
    target_->close();
    most_outputs_ = 0;
    return Json{{"done", true}};
  }

  Result<Json> answer_open_arm(const Json& json) {
    ORTHROS_TRY(const worker::OpenArm request, worker::open_arm_from_json(json));
    if (request.threads < 0 || request.threads > 1024)
      return fail(ErrorCode::invalid_argument, "{} threads: 0 to 1024", request.threads);
    ORTHROS_TRY_VOID(set_num_threads(static_cast<int>(request.threads)));
    ORTHROS_TRY(const Arm arm, worker_.opener(request.spec, request.defaults,
                                              [this](const Progress& progress) { tell(progress); }));
    target_ = std::make_unique<LocalTarget>(arm.model, worker_.clock);
    return worker::to_json(arm);
  }

  // Not more often than anyone can see. A failure shows with the answer.
  void tell(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::milliseconds(50)) return;
    told_ = now;
    (void)channel_.send(
        {{"progress",
          {{"phase", std::string(progress.phase)}, {"done", progress.done}, {"total", progress.total}}}});
  }

  const LatencyWorker& worker_;
  LineChannel channel_;
  std::unique_ptr<LocalTarget> target_;
  int64_t most_outputs_ = 0;
  std::chrono::steady_clock::time_point told_;
};

}  // namespace

Result<Arm> open_one_arm(const ArmSpec& spec, const LoadOptions& defaults, const ProgressSink& progress) {
  ORTHROS_TRY(std::vector<Arm> arms, open_arms({spec}, defaults, {}, progress));
  return std::move(arms.front());
}

Result<void> serve(const LatencyWorker& worker) {
  return Server(worker).run();
}

void exit_when_closed(int fd) {
  std::thread([fd] {
    // No event but the hang-up, which is always told: asleep until then.
    pollfd watched{fd, 0, 0};
    while (::poll(&watched, 1, -1) < 0) {
    }
    ::_exit(1);
  }).detach();
}

}  // namespace orthros
