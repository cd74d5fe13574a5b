// Roofline: measured rates as shares of what the machine reached by itself, and the FLOP ratio that a
// speed-up is held against. Counts come from the cost model; bytes are the least that must move, each once.
// Units: FLOP, bytes, seconds. Errors: none; what is undefined is nullopt. Threads: pure functions. Public:
// no torch. Source: niah-and-latency.md 3; Williams, Waterman, Patterson 2009.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/experiments/statistics.h"
#include "engine/model/cost_model.h"

namespace orthros {

struct MachineCeilings {
  double flop_per_second = 0;   // of a large GEMM of the type computed in
  double bytes_per_second = 0;  // of plain reads
};

struct Work {
  double flop = 0, bytes = 0;
};
/// Reading T prompt tokens of each sequence up to the last logits: weights once, K/V written once and read
/// once. `weight_bytes`: of the layers and the LM head as held.
Work prefill_work(const ModelConfig& config, ScalarType kv_type, double weight_bytes, int64_t batch,
                  int64_t tokens);
/// One new token a sequence with `tokens` positions in the cache, itself included. Keys that both streams
/// read count once in bytes and twice in FLOP.
Work decode_step_work(const ModelConfig& config, ScalarType kv_type, double weight_bytes, int64_t batch,
                      int64_t tokens);
/// Layers and LM head at this many bytes a weight.
double read_weight_bytes(const ModelConfig& config, double bytes_per_weight);

/// Fastest possible, or what to expect of another machine at an efficiency measured on this one.
std::optional<double> roofline_seconds(const Work& work, const MachineCeilings& machine,
                                       double efficiency = 1);

struct RooflineShare {
  double flop_share = 0, byte_share = 0;  // of the ceilings
  bool compute_bound = false;             // more time needed for FLOP than for bytes
  double efficiency = 0;                  // fastest possible time / measured time: the larger share
};
std::optional<RooflineShare> roofline_share(const Work& work, double seconds, const MachineCeilings& machine);

/// FLOP of the baseline's prefill over the model's.
struct FlopRatio {
  double paper = 0;   // every layer in full: T*, 3.76 and 23.1
  double engine = 0;  // what runs here: hold measured speed-ups against this one
};
FlopRatio prefill_flop_ratio(const ModelConfig& baseline, const ModelConfig& model, int64_t tokens);

enum class AgainstFlops { below, agrees, above };
/// Whether the interval of a speed-up lies below, around or above the FLOP ratio.
AgainstFlops against_flop_ratio(const Ratio& speed_up, double flop_ratio);
/// One sentence for the page.
const char* explanation(AgainstFlops verdict);

}  // namespace orthros
