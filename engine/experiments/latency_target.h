// LatencyTarget: where a latency sample is taken: in this process (LocalTarget) or in a worker
// (worker_target.h). A sample's timed region holds the model's work and nothing else: no store, log or
// progress. Units: ns, bytes. Errors: out_of_memory, cancelled, as LanguageModel. Threads: one caller.
// Public: no torch. Source: niah-and-latency.md 3: t0 ids ready on the host; t1 first id of every sequence
// there; tN the last.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/experiments/clock.h"
#include "engine/experiments/language_model.h"

namespace orthros {

struct LatencyRequest {
  std::vector<std::vector<TokenId>> prompts;  // B x T
  int64_t outputs = 1;                        // N; decode_only: N steps after the prompts
  bool decode_only = false;
  int64_t threads = 0;
  int64_t tokens() const { return static_cast<int64_t>(prompts.front().size()); }
};

struct LatencyMeasurement {
  int64_t outputs = 0;  // ids a sequence was given, the one from the prefill included
  int64_t prefill_ns = 0, ttft_ns = 0, e2e_ns = 0;  // decode_only: prefill and ttft are 0
  std::vector<int64_t> step_ns;          // from one id on the host to the next: they sum to e2e - ttft
  int64_t kv_bytes = 0, peak_bytes = 0;  // peak resident memory of the process since open()
  std::string backend;
};

class LatencyTarget {
 public:
  virtual ~LatencyTarget() = default;
  /// Caches for the request's shape, and its prompts.
  virtual Result<void> open(const LatencyRequest& request) = 0;
  /// One run of the opened request with `outputs` ids (a warm-up takes fewer).
  virtual Result<LatencyMeasurement> sample(int64_t outputs, const StopToken& stop) = 0;
  virtual void close() = 0;
};

class LocalTarget final : public LatencyTarget {
 public:
  LocalTarget(std::shared_ptr<LanguageModel> model, const Clock& clock)
      : model_(std::move(model)), clock_(clock) {}
  Result<void> open(const LatencyRequest& request) override;
  Result<LatencyMeasurement> sample(int64_t outputs, const StopToken& stop) override;
  void close() override;

 private:
  Result<LatencyMeasurement> whole_run(int64_t outputs, const StopToken& stop);
  Result<LatencyMeasurement> decode_only(int64_t outputs, const StopToken& stop);
  Result<void> return_to_depth(const StopToken& stop);
  Result<void> steps(int64_t count, int64_t start_ns, LatencyMeasurement& measured, const StopToken& stop);
  void take_ids();

  std::shared_ptr<LanguageModel> model_;
  const Clock& clock_;
  LatencyRequest request_;
  std::vector<TokenId> ids_;  // the newest of each sequence
  bool at_depth_ = false;
};

/// Peak resident bytes of this process since the last reset; 0 where the system does not say.
int64_t peak_resident_bytes();
void reset_peak_resident_bytes();

}  // namespace orthros
