#include "engine/experiments/effective_context.h"

#include <map>

namespace orthros {

EffectiveContext effective_context(std::span<const LengthScore> lengths, double threshold) {
  struct Pool {
    double sum = 0;
    int64_t n = 0;
  };
  std::map<int64_t, Pool> pools;  // shortest first
  for (const LengthScore& entry : lengths) {
    Pool& pool = pools[entry.ctx_len];
    if (entry.n <= 0) continue;
    pool.sum += entry.mean_score * static_cast<double>(entry.n);
    pool.n += entry.n;
  }
  EffectiveContext result;
  // Means of scores such as 0.9 are sums of rounded parts; one that equals the threshold must pass.
  const double needed = threshold - 1e-9;
  for (const auto& [length, pool] : pools) {
    if (pool.n == 0 || !(pool.sum / static_cast<double>(pool.n) >= needed)) {
      result.stopped_at = length;
      result.stopped_unmeasured = pool.n == 0;
      return result;
    }
    result.length = length;
  }
  return result;
}

}  // namespace orthros
