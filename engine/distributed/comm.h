// Comm: what the ranks of one job say to each other. All ranks make the same calls in the same order; a call
// returns when every rank has made it. A rank that ends, well or not, ends the waiting of the others: nobody
// hangs. Errors: cancelled, when another rank ended; internal, when the ranks' calls do not fit together.
// Threads: one Comm, one thread. Public: no torch.
#pragma once

#include <functional>
#include <span>

#include "engine/base/result.h"

namespace orthros {

class Comm {
 public:
  virtual ~Comm() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Afterwards every rank holds the sum, bit for bit the same: terms are added in the order of the ranks.
  virtual Result<void> all_reduce(std::span<float> values) = 0;
  virtual Result<void> all_reduce(std::span<double> values) = 0;
  virtual Result<void> barrier() = 0;
};

/// Runs body on `ranks` threads of this process, rank 0 on the caller's own, and returns when all have ended:
/// the error of the rank that failed first, if any. invalid_argument below 1 or above kMaxThreadRanks.
constexpr int kMaxThreadRanks = 256;
Result<void> run_thread_ranks(int ranks, const std::function<Result<void>(Comm&)>& body);

}  // namespace orthros
