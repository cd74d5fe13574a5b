// LatencySpec: which points of (T, N, B, threads) a latency experiment measures, and by what protocol.
// Units: tokens, seconds. Errors: invalid_argument naming the field; corrupt_file for broken JSON.
// Source: niah-and-latency.md 3 and 6.2. Public: no torch. Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/store/records.h"

namespace orthros {

enum class LatencyMode {
  prefill,          // T alone, one id out (the paper's Fig. 4)
  in_out,           // T in, N out (Table 4)
  decode_at_depth,  // N steps after T ids that are read once
  grid,             // all of T x N x B x threads
};
const char* to_string(LatencyMode mode);
Result<LatencyMode> parse_latency_mode(std::string_view text);

struct LatencyPoint {
  int64_t tokens = 0;       // T
  int64_t outputs = 1;      // N
  int64_t batch = 1;        // B
  int64_t threads = 0;      // 0: as the program has them
  std::string key() const;  // "T=1024 N=1 B=1", and " threads=2"
  bool operator==(const LatencyPoint&) const = default;
};

struct LatencySpec {
  LatencyMode mode = LatencyMode::prefill;
  std::vector<LatencyPoint> points;  // shortest first
  uint64_t seed = 42;
  int64_t min_samples = 5, max_samples = 30, max_warmups = 5;
  double half_width = 0.02;    // enough when the median's 95 % interval is this narrow (share of the median)
  double warm_change = 0.05;   // warm when two runs in a row differ by less
  double cell_seconds = 300;   // no new round after this, once there are 3 samples
  double timeout_seconds = 0;  // of one sample; 0: none
};

/// All combinations, shortest first. Empty lists count as {1} (threads: {0}).
std::vector<LatencyPoint> latency_points(const std::vector<int64_t>& lengths,
                                         const std::vector<int64_t>& outputs,
                                         const std::vector<int64_t>& batches,
                                         const std::vector<int64_t>& threads);

Result<void> check(const LatencySpec& spec);
Json to_json(const LatencySpec& spec);
Result<LatencySpec> latency_spec_from_json(const Json& json);
std::vector<store::CellRecord> cell_records(const LatencySpec& spec);

/// B prompts of T random ids, none of them special: the same on every machine for the same seed and point.
std::vector<std::vector<int64_t>> random_prompts(const LatencySpec& spec, const LatencyPoint& point,
                                                 int64_t vocab_size, const std::vector<int64_t>& special_ids);

}  // namespace orthros
