#include "engine/experiments/latency_target.h"

#include <algorithm>
#include <fstream>

#include "engine/model/runtime.h"

namespace orthros {

Result<void> LocalTarget::open(const LatencyRequest& request) {
  request_ = request;
  at_depth_ = false;
  if (request.threads > 0) ORTHROS_TRY_VOID(set_num_threads(static_cast<int>(request.threads)));
  SessionOptions options;
  options.batch = std::ssize(request.prompts);
  options.capacity = request.tokens() + request.outputs;
  reset_peak_resident_bytes();
  ids_.assign(request.prompts.size(), 0);
  return model_->open(options);
}

void LocalTarget::close() {
  model_->close();
}

Result<LatencyMeasurement> LocalTarget::sample(int64_t outputs, const StopToken& stop) {
  auto measured = request_.decode_only ? decode_only(outputs, stop) : whole_run(outputs, stop);
  if (measured) {
    measured->kv_bytes = model_->kv_bytes();
    measured->peak_bytes = peak_resident_bytes();
    measured->backend = model_->backend();
  }
  return measured;
}

void LocalTarget::take_ids() {
  for (size_t b = 0; b < ids_.size(); ++b) ids_[b] = greedy(model_->logits(static_cast<int64_t>(b)));
}

// End-of-sequence ids are fed on like any other, so that N is exact.
Result<void> LocalTarget::steps(int64_t count, int64_t start_ns, LatencyMeasurement& measured,
                                const StopToken& stop) {
  int64_t last = start_ns;
  for (int64_t i = 0; i < count; ++i) {
    ORTHROS_TRY_VOID(model_->step(ids_, stop));
    take_ids();
    model_->synchronize();
    const int64_t now = clock_.now_ns();
    measured.step_ns.push_back(now - last);
    last = now;
  }
  return {};
}

Result<LatencyMeasurement> LocalTarget::whole_run(int64_t outputs, const StopToken& stop) {
  LatencyMeasurement measured;
  measured.outputs = outputs;
  measured.step_ns.reserve(static_cast<size_t>(outputs));
  ORTHROS_TRY_VOID(model_->rewind(0));
  model_->synchronize();
  const int64_t t0 = clock_.now_ns();
  ORTHROS_TRY_VOID(model_->prefill(request_.prompts, stop, nullptr));
  model_->synchronize();
  measured.prefill_ns = clock_.now_ns() - t0;
  take_ids();
  const int64_t t1 = clock_.now_ns();
  measured.ttft_ns = t1 - t0;
  ORTHROS_TRY_VOID(steps(outputs - 1, t1, measured, stop));
  measured.e2e_ns = measured.ttft_ns;
  for (const int64_t step : measured.step_ns) measured.e2e_ns += step;
  return measured;
}

// The prompts are read once and kept; a cache that has forgotten too much to go back reads them again,
// untimed.
Result<void> LocalTarget::return_to_depth(const StopToken& stop) {
  if (!at_depth_ || !model_->rewind(request_.tokens())) {
    ORTHROS_TRY_VOID(model_->rewind(0));
    ORTHROS_TRY_VOID(model_->prefill(request_.prompts, stop, nullptr));
    take_ids();
    at_depth_ = true;
  }
  return {};
}

Result<LatencyMeasurement> LocalTarget::decode_only(int64_t outputs, const StopToken& stop) {
  LatencyMeasurement measured;
  measured.outputs = outputs + 1;
  measured.step_ns.reserve(static_cast<size_t>(outputs));
  ORTHROS_TRY_VOID(return_to_depth(stop));
  model_->synchronize();
  ORTHROS_TRY_VOID(steps(outputs, clock_.now_ns(), measured, stop));
  for (const int64_t step : measured.step_ns) measured.e2e_ns += step;
  return measured;
}

int64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void reset_peak_resident_bytes() {
  // "5" resets the peak; a system without this file keeps the peak of the whole process.
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace orthros
