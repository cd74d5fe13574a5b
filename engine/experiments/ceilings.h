// Ceilings: what this machine reached by itself just before an experiment, kept as an event of each run, so
// that shares of the roofline can be shown whenever the run is. Units: GB/s = 1e9 bytes a second, GFLOP/s.
// Errors: none; what cannot be read is nullopt. Threads: call from the engine thread. Public: no torch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/experiments/roofline.h"

namespace orthros {

struct MachineRates {
  double read_gb_s = 0;
  double float32_gflops = 0, bfloat16_gflops = 0;  // of a large GEMM, by the faster library
  int64_t threads = 0;                             // that they were measured with
};
/// About a third of a second and 256 MB.
MachineRates measure_machine_rates();

/// The ceilings of one arm: of the type that it computes in.
struct ArmCeilings {
  static constexpr const char* event_kind = "ceilings";

  MachineCeilings machine;
  double bytes_per_weight = 0;  // mean over the matrices as held
  int64_t threads = 0;
  std::string detail() const;
};
ArmCeilings arm_ceilings(const MachineRates& rates, std::string_view compute_type, double bytes_per_weight);
std::optional<ArmCeilings> parse_ceilings(std::string_view detail);

}  // namespace orthros
