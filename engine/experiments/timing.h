// Timing: latencies and rates of one measured generation, each with its formula, unit and whom it agrees
// with, as data for headers, hovers and exports; a bare name such as "throughput" is never shown. Units:
// marks in ns; results as QuantityInfo::unit says. Errors: none; what is undefined is nullopt. Threads: pure
// functions. Public: no torch. Source: niah-and-latency.md 3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/records.h"

namespace orthros {

/// Marks of one run, device synchronised at each. t0: prompt ids ready on the host.
struct GenerationTiming {
  int64_t batch = 1;          // B sequences
  int64_t prompt_tokens = 0;  // T ids each
  int64_t output_tokens = 0;  // N ids each; the first comes from the prefill
  int64_t prefill_ns = 0;     // forward only: no tokenisation, sampling or weight load
  int64_t ttft_ns = 0;        // first id of *every* sequence on the host, from t0
  int64_t e2e_ns = 0;         // last id of every sequence on the host, from t0
  std::vector<int64_t> step_ns;
};
GenerationTiming timing_of(const store::LatencySampleRecord& sample, int64_t batch);

enum class TimingQuantity {
  prefill_latency,
  time_to_first_token,
  end_to_end_latency,
  output_throughput,
  decode_throughput,              // primary
  decode_throughput_all_tokens,   // alternative 1: counts the first token too
  decode_throughput_median_step,  // alternative 2
  time_per_output_token,
  prefill_throughput,
};

struct QuantityInfo {
  TimingQuantity quantity;
  const char* key;    // for CSV and JSON: "decode_tok_s"
  const char* label;  // for people: "Decode-only throughput"
  const char* unit;   // "tok/s"
  const char*
      formula;  // of B, T, N, prefill, TTFT, E2E in s and median(step) in s, before the scale to `unit`
  const char* agrees_with;
  bool higher_is_better;

  /// "Decode-only throughput [tok/s] = B*(N-1)/(E2E-TTFT)"
  std::string heading() const;
};

/// All of them, in the order of the enumeration.
std::span<const QuantityInfo> timing_quantities();
const QuantityInfo& quantity_info(TimingQuantity quantity);
std::optional<TimingQuantity> parse_timing_quantity(std::string_view key);

/// Decode rates and the time per token are nullopt for N = 1; a rate over no time is nullopt.
std::optional<double> evaluate(TimingQuantity quantity, const GenerationTiming& timing);

}  // namespace orthros
