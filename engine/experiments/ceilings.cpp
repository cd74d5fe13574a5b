#include "engine/experiments/ceilings.h"

#include <algorithm>
#include <cmath>

#include "engine/formats/json.h"
#include "engine/kernels/machine.h"
#include "engine/mixers/compute_profile.h"
#include "engine/model/runtime.h"

namespace orthros {

MachineRates measure_machine_rates() {
  constexpr int64_t kReadBytes = int64_t{256} << 20;
  MachineRates rates;
  rates.threads = num_threads();
  rates.read_gb_s = kernels::read_bandwidth(kReadBytes, num_threads());
  const ComputeProfile profile = measure_compute_profile();
  rates.float32_gflops = profile.best_float32_gflops();
  rates.bfloat16_gflops = profile.bfloat16_gflops;
  return rates;
}

ArmCeilings arm_ceilings(const MachineRates& rates, std::string_view compute_type, double bytes_per_weight) {
  const bool narrow = compute_type == to_string(ScalarType::bfloat16);
  const double gflops = narrow ? rates.bfloat16_gflops : rates.float32_gflops;
  return {{gflops * 1e9, rates.read_gb_s * 1e9}, bytes_per_weight, rates.threads};
}

std::string ArmCeilings::detail() const {
  return Json{{"gemm_gflops", machine.flop_per_second * 1e-9},
              {"read_gb_s", machine.bytes_per_second * 1e-9},
              {"bytes_per_weight", bytes_per_weight},
              {"threads", threads}}
      .dump();
}

std::optional<ArmCeilings> parse_ceilings(std::string_view detail) {
  const Json json = Json::parse(detail, nullptr, false);
  double gflops = 0, read = 0, weight = 0, threads = 0;
  const auto number = [&](const char* key, double& value) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_number()) return false;
    value = json[key];
    return std::isfinite(value) && value >= 0 && value < 1e12;
  };
  if (!number("gemm_gflops", gflops) || !number("read_gb_s", read) || !number("bytes_per_weight", weight) ||
      !number("threads", threads))
    return std::nullopt;
  return ArmCeilings{{gflops * 1e9, read * 1e9}, weight, static_cast<int64_t>(threads)};
}

}  // namespace orthros
