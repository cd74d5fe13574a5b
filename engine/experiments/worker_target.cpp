#include "engine/experiments/worker_target.h"

#include "engine/experiments/worker_protocol.h"
#include "engine/formats/json_access.h"
#include "engine/model/runtime.h"

namespace orthros {
namespace {

Error nonsense(const std::string& what) {
  return {ErrorCode::internal, fmt::format("the worker's answer cannot be read: {}", what), {}};
}

// What the worker says of itself; only this process decides whether something was stopped.
Error reported(const Json& json) {
  Error error = worker::error_from_json(json);
  if (error.code == ErrorCode::cancelled) error.code = ErrorCode::internal;
  return error;
}

void relay(const ProgressSink& sink, const Json& json) {
  const auto phase = json_access::text(json, "phase");
  const auto done = json_access::integer(json, "done"), total = json_access::integer(json, "total");
  if (phase && *phase && done && total) report(sink, **phase, *done, *total);
}

}  // namespace

Result<std::shared_ptr<WorkerTarget>> WorkerTarget::start(WorkerOptions options) {
  std::shared_ptr<WorkerTarget> target(new WorkerTarget(std::move(options)));
  ORTHROS_TRY(target->arm_, target->start_worker());
  return target;
}

void WorkerTarget::end_worker() {
  if (process_) process_->kill();
  alive_ = open_ = false;
}

Result<Arm> WorkerTarget::start_worker() {
  // The one before is gone, memory and all, before another asks for as much.
  process_.reset();
  ORTHROS_TRY(const Json request,
              worker::to_json(worker::OpenArm{options_.spec, options_.load, num_threads()}));
  ORTHROS_TRY(process_, WorkerProcess::start(options_.command));
  alive_ = true;
  const Result<Json> answer = ask(request, "arm", options_.stop);
  Result<Arm> arm = answer ? worker::arm_from_json(*answer) : fail(answer.error());
  if (!arm) end_worker();  // without an arm it is of no use
  if (!arm && answer) return fail(nonsense(arm.error().line()));
  return arm;
}

// The next answer that is no news of progress.
Result<Json> WorkerTarget::converse(const Json& request, const StopToken& stop) {
  LineChannel& channel = process_->channel();
  ORTHROS_TRY_VOID(channel.send(request, stop));
  for (;;) {
    ORTHROS_TRY(std::optional<Json> answer, channel.receive(stop));
    if (!answer) return fail(ErrorCode::io, "the worker hung up");
    const Json* progress = json_access::find(*answer, "progress");
    if (progress == nullptr) return std::move(*answer);
    relay(options_.progress, *progress);
  }
}

Result<Json> WorkerTarget::ask(const Json& request, const char* key, const StopToken& stop) {
  Result<Json> answer = converse(request, stop);
  if (answer) {
    if (const Json* value = json_access::find(*answer, key)) return *value;
    if (const Json* error = json_access::find(*answer, "error")) return fail(reported(*error));
    answer = fail(ErrorCode::corrupt_file, "it holds no '{}'", key);
  }
  Error error = std::move(answer).error();
  if (error.code == ErrorCode::invalid_argument) return fail(std::move(error));  // nothing was sent
  alive_ = open_ = false;
  // Ctrl-C reaches the worker too: that it is gone then says nothing about memory.
  if (error.code == ErrorCode::io && !stop.stop_requested()) return fail(process_->how_it_ended());
  end_worker();
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "the worker was stopped");
  return fail(nonsense(error.line()));
}

Result<void> WorkerTarget::open(const LatencyRequest& request) {
  if (!alive_) {
    ORTHROS_TRY(const Arm again, start_worker());
    if (again.identity() != arm_.identity()) {
      end_worker();
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{}: the model's files are not what they were", arm_.label),
                        "start a new experiment"});
    }
  }
  open_ = false;
  decode_only_ = request.decode_only;
  ORTHROS_TRY([[maybe_unused]] const Json done, ask(worker::to_json(request), "done", options_.stop));
  open_ = true;
  return {};
}

Result<LatencyMeasurement> WorkerTarget::sample(int64_t outputs, const StopToken& stop) {
  if (!open_) return fail(ErrorCode::invalid_argument, "the arm has no open session");
  ORTHROS_TRY(const Json answer, ask({{"sample", outputs}}, "sample", stop));
  auto measured = worker::measurement_from_json(answer, outputs, decode_only_);
  if (measured) return measured;
  end_worker();
  return fail(nonsense(measured.error().line()));
}

void WorkerTarget::close() {
  // A worker that cannot be asked is gone or about to be: its memory goes with it.
  if (open_) (void)ask({{"close", true}}, "done", options_.stop);
  open_ = false;
}

Result<std::vector<LatencyArm>> open_worker_arms(const std::vector<ArmSpec>& specs,
                                                 const WorkerOptions& like) {
  std::vector<LatencyArm> arms;
  for (const ArmSpec& spec : specs) {
    WorkerOptions options = like;
    options.spec = spec;
    ORTHROS_TRY(std::shared_ptr<WorkerTarget> target, WorkerTarget::start(std::move(options)));
    arms.push_back({target->arm(), target});
  }
  return arms;
}

}  // namespace orthros
