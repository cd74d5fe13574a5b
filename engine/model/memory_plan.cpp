// The memory half of the cost model: plans, refusals and what the machine has.
#include <algorithm>
#include <fstream>
#include <limits>

#include "engine/model/cost_model.h"

namespace orthros {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

int64_t number_in_file(const char* path) {
  std::ifstream file(path);
  int64_t value = 0;
  return file >> value ? value : kUnlimited;
}

int64_t meminfo_available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  int64_t value = 0;
  while (file >> key >> value) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return value * 1024;
  }
  return kUnlimited;
}

// What a cgroup (v2, then v1) still allows; page cache counts as used there, so this errs on the safe side.
int64_t cgroup_available_bytes() {
  int64_t limit = number_in_file("/sys/fs/cgroup/memory.max");
  int64_t used = number_in_file("/sys/fs/cgroup/memory.current");
  if (limit == kUnlimited) {
    limit = number_in_file("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    used = number_in_file("/sys/fs/cgroup/memory/memory.usage_in_bytes");
  }
  if (limit == kUnlimited || used == kUnlimited) return kUnlimited;
  return std::max<int64_t>(0, limit - used);
}

}  // namespace

int64_t available_memory_bytes() { return std::min(meminfo_available_bytes(), cgroup_available_bytes()); }

std::string format_bytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  // 999.95 would round to 1000 at four digits.
  while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string MemoryPlan::sentence() const {
  return fmt::format("weights {} + KV cache {} + activations {} = {}; available {}", format_bytes(weights_bytes),
                     format_bytes(kv_bytes), format_bytes(activation_bytes), format_bytes(total_bytes()),
                     format_bytes(available_bytes));
}

MemoryPlan plan_memory(const ModelConfig& config, const MemoryRequest& request) {
  MemoryPlan plan;
  plan.weights_bytes = request.weight_bytes;
  plan.kv_bytes = kv_cache_bytes(config, request.kv_type, request.batch, request.tokens, request.chunk);
  const int64_t rows = request.batch * (std::min(request.chunk, std::max<int64_t>(request.tokens, 1)) +
                                        std::min(request.output_rows, request.chunk));
  const int64_t element = size_bytes(request.compute_type);
  // Live at once in a layer: fp32 residual and its update, normalised rows, fused projections, the widest product.
  const int64_t per_row = 8 * config.hidden_size +
                          element * (2 * config.hidden_size + 2 * config.q_size() + 2 * config.kv_size() +
                                     3 * config.intermediate_size);
  const int64_t expanded_layer = element * layer_matrix_weights(config);
  plan.activation_bytes = rows * per_row + expanded_layer + 4 * request.batch * config.vocab_size;
  plan.available_bytes = available_memory_bytes();
  return plan;
}

Result<void> check_fits(const MemoryPlan& plan, std::string_view what) {
  if (plan.total_bytes() <= plan.available_bytes) return {};
  return fail(Error{ErrorCode::out_of_memory, fmt::format("{} needs more memory than there is: {}", what, plan.sentence()),
                    "take a smaller weight or cache type, fewer tokens, or a machine with more memory"});
}

}  // namespace orthros
