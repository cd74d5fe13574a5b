#include "engine/experiments/timing.h"

#include <algorithm>
#include <array>

#include "engine/experiments/statistics.h"

namespace orthros {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kNsPerMs = 1e6;

using Q = TimingQuantity;
constexpr std::array<QuantityInfo, 9> kQuantities{{
    {Q::prefill_latency, "prefill_ms", "Prefill latency", "ms", "prefill", "paper Figure 4", false},
    {Q::time_to_first_token, "ttft_s", "Time to first token", "s", "TTFT",
     "paper Table 4; the first token of every sequence of the batch", false},
    {Q::end_to_end_latency, "e2e_s", "End-to-end latency", "s", "E2E", "paper Table 4", false},
    {Q::output_throughput, "output_tok_s", "Output throughput", "tok/s", "B*N/E2E",
     "paper Table 4, vLLM and SGLang bench_serving; whole batch, prefill included", true},
    {Q::decode_throughput, "decode_tok_s", "Decode-only throughput", "tok/s", "B*(N-1)/(E2E-TTFT)",
     "paper Table 4 within 3 %; whole batch", true},
    {Q::decode_throughput_all_tokens, "decode_all_tok_s", "Decode-only throughput, first token counted",
     "tok/s", "B*N/(E2E-TTFT)", "SGLang one-batch server", true},
    {Q::decode_throughput_median_step, "decode_median_tok_s", "Decode-only throughput of the median step",
     "tok/s", "B/median(step)", "SGLang one-batch", true},
    {Q::time_per_output_token, "tpot_ms", "Time per output token", "ms", "(E2E-TTFT)/(N-1)",
     "vLLM and SGLang; per sequence, first token not counted", false},
    {Q::prefill_throughput, "prefill_tok_s", "Prefill throughput", "tok/s", "B*T/prefill",
     "llama.cpp batched-bench S_PP; whole batch", true},
}};

std::optional<double> per_second(int64_t tokens, double ns) {
  if (!(ns > 0)) return std::nullopt;
  return static_cast<double>(tokens) * kNsPerSecond / ns;
}

std::optional<double> median_step_rate(const GenerationTiming& timing) {
  const std::vector<double> steps(timing.step_ns.begin(), timing.step_ns.end());
  const std::optional<double> step_ns = median(steps);
  return step_ns ? per_second(timing.batch, *step_ns) : std::nullopt;
}

}  // namespace

GenerationTiming timing_of(const store::LatencySampleRecord& sample, int64_t batch) {
  return {batch, sample.n_in, sample.n_out, sample.prefill_ns, sample.ttft_ns, sample.e2e_ns, sample.step_ns};
}

std::string QuantityInfo::heading() const {
  return std::string(label) + " [" + unit + "] = " + formula;
}

std::span<const QuantityInfo> timing_quantities() {
  return kQuantities;
}

const QuantityInfo& quantity_info(TimingQuantity quantity) {
  return kQuantities.at(static_cast<size_t>(quantity));
}

std::optional<TimingQuantity> parse_timing_quantity(std::string_view key) {
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(),
                                  [&](const QuantityInfo& info) { return info.key == key; });
  return found == kQuantities.end() ? std::nullopt : std::optional(found->quantity);
}

std::optional<double> evaluate(TimingQuantity quantity, const GenerationTiming& timing) {
  const int64_t b = timing.batch, n = timing.output_tokens;
  const auto decode_ns = static_cast<double>(timing.e2e_ns - timing.ttft_ns);
  switch (quantity) {
    case Q::prefill_latency:
      return static_cast<double>(timing.prefill_ns) / kNsPerMs;
    case Q::time_to_first_token:
      return static_cast<double>(timing.ttft_ns) / kNsPerSecond;
    case Q::end_to_end_latency:
      return static_cast<double>(timing.e2e_ns) / kNsPerSecond;
    case Q::output_throughput:
      return per_second(b * n, static_cast<double>(timing.e2e_ns));
    case Q::prefill_throughput:
      return per_second(b * timing.prompt_tokens, static_cast<double>(timing.prefill_ns));
    case Q::decode_throughput:
      return n > 1 ? per_second(b * (n - 1), decode_ns) : std::nullopt;
    case Q::decode_throughput_all_tokens:
      return n > 1 ? per_second(b * n, decode_ns) : std::nullopt;
    case Q::decode_throughput_median_step:
      return n > 1 ? median_step_rate(timing) : std::nullopt;
    case Q::time_per_output_token:
      if (n <= 1) return std::nullopt;
      return decode_ns / static_cast<double>(n - 1) / kNsPerMs;
  }
  return std::nullopt;
}

}  // namespace orthros
