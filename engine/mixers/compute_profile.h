// ComputeProfile: how fast this machine multiplies matrices in each type, measured once and remembered per
// machine. Units: GFLOP/s. Errors: none; a profile file that cannot be read or written is measured again.
// Threads: call from the engine thread; uses the current thread count. Source: LIBTORCH.md "CPU speed".
#pragma once

#include <string>

#include "engine/base/scalar_type.h"

namespace orthros {

struct ComputeProfile {
  double float32_gflops = 0;         // at::linear
  double mkldnn_float32_gflops = 0;  // oneDNN
  double bfloat16_gflops = 0;        // at::linear
  int threads = 0;

  bool prefers_mkldnn_float32() const { return mkldnn_float32_gflops > float32_gflops; }
  double best_float32_gflops() const {
    return prefers_mkldnn_float32() ? mkldnn_float32_gflops : float32_gflops;
  }
  /// The margin keeps the choice steady where the two are close: fp32 is the more exact one.
  bool prefers_bfloat16() const { return bfloat16_gflops > 1.15 * best_float32_gflops(); }
};

/// Measures (about 50 ms).
ComputeProfile measure_compute_profile();
/// The remembered profile of this CPU model and thread count; measured and stored on first use.
const ComputeProfile& compute_profile();

}  // namespace orthros
