#include "app/studio/pages/latency/latency_estimate.h"

#include <algorithm>

#include "engine/experiments/roofline.h"

namespace orthros::studio {
namespace {

// Shares of a machine's ceilings that models of a usual size reach here; see the roofline panel.
constexpr double kPrefillShare = 0.35;
constexpr double kStepShare = 0.5;
constexpr double kUsualWarmups = 2.5;
constexpr double kUsualRounds = 1.4;  // of the least number: until medians are narrow
constexpr double kGiga = 1e9;

double sampleSeconds(const LatencySpec& spec, const LatencyPoint& point, const LatencyArmSource& arm,
                     const MachineRates& rates) {
  const LoadReport& report = arm.source.model->report();
  const bool narrow = arm.dtype.value_or(report.compute_type) == ScalarType::bfloat16;
  double flops = (narrow ? rates.bfloat16_gflops : rates.float32_gflops) * kGiga;
  // Cores add up, nearly, until the memory is the limit.
  if (point.threads > 0 && rates.threads > 0)
    flops *= static_cast<double>(point.threads) / static_cast<double>(rates.threads);
  const MachineCeilings machine{flops, rates.read_gb_s * kGiga};
  const double weights = static_cast<double>(report.held_bytes);
  const double prefill =
      roofline_seconds(prefill_work(arm.source.config, report.kv_type, weights, point.batch, point.tokens),
                       machine, kPrefillShare)
          .value_or(0);
  const double step = roofline_seconds(decode_step_work(arm.source.config, report.kv_type, weights,
                                                        point.batch, point.tokens + point.outputs),
                                       machine, kStepShare)
                          .value_or(0);
  const double steps = static_cast<double>(point.outputs - 1) * step;
  return spec.mode == LatencyMode::decode_at_depth ? static_cast<double>(point.outputs) * step
                                                   : prefill + steps;
}

}  // namespace

LatencyEstimate estimateOf(const LatencySpec& spec, const std::vector<LatencyArmSource>& arms,
                           const std::optional<MachineRates>& rates) {
  LatencyEstimate estimate;
  estimate.cells = std::ssize(spec.points) * std::ssize(arms);
  estimate.available_bytes = available_memory_bytes();
  double seconds = 0;
  for (const LatencyPoint& point : spec.points) {
    int64_t bytes = 0;
    double cell = 0;
    for (const LatencyArmSource& arm : arms) {
      const LoadReport& report = arm.source.model->report();
      MemoryRequest request;
      request.compute_type = arm.dtype.value_or(report.compute_type);
      request.kv_type = report.kv_type;
      request.batch = point.batch;
      request.tokens = point.tokens + point.outputs;
      bytes += plan_memory(arm.source.config, request).total_bytes();
      if (rates) cell += sampleSeconds(spec, point, arm, *rates);
    }
    estimate.peak_bytes = std::max(estimate.peak_bytes, bytes);
    const double rounds = static_cast<double>(spec.min_samples) * kUsualRounds;
    const double samples = std::min(static_cast<double>(spec.max_warmups), kUsualWarmups) +
                           std::clamp(rounds, 1.0, static_cast<double>(spec.max_samples));
    seconds += std::min(cell * samples, std::max(3 * cell, spec.cell_seconds + cell));
  }
  if (rates) estimate.seconds = seconds;
  return estimate;
}

}  // namespace orthros::studio
