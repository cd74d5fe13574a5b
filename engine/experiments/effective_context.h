// Effective context: the largest length up to which a model still passes. A length passes only when all
// shorter measured ones do, so that an island of luck behind a hole does not count. Units: tokens, shares
// 0..1. Errors: none. Threads: pure functions. Public: no torch. Source: niah-and-latency.md 6.1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace orthros {

/// Mean score over all depths of a length. n = 0: planned but not measured (pending, out of memory, skipped).
struct LengthScore {
  int64_t ctx_len = 0;
  double mean_score = 0;
  int64_t n = 0;  // trials behind the mean
};

struct EffectiveContext {
  std::optional<int64_t> length;      // nullopt: already the shortest length misses the threshold
  std::optional<int64_t> stopped_at;  // the next length, which failed or was not measured; nullopt: all pass
  bool stopped_unmeasured = false;    // stopped_at was not measured, so `length` is a lower bound
  /// All planned lengths passed or the next one is unknown: the true value may be larger.
  bool is_lower_bound() const { return length && (!stopped_at || stopped_unmeasured); }
};

/// Lengths in any order; entries of one length are pooled by n, and one without trials leaves its length
/// unmeasured only when no other entry of that length has any.
EffectiveContext effective_context(std::span<const LengthScore> lengths, double threshold);

}  // namespace orthros
