// EqualWork: the proof that two arms of the same weights differ in what they read and in nothing else:
// Orthros with a window that holds the whole prompt and identity scale-offsets must give the Transformer's
// logits. Units: tokens; logits. Errors: as Session; unsupported where the weights have no such reading.
// Threads: one caller. Public: no torch. Source: niah-and-latency.md 5.12, 6.4 check 16.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/job_control.h"
#include "engine/model/model.h"

namespace orthros {

struct EqualWork {
  static constexpr const char* event_kind = "equal_work";

  int64_t tokens = 0;
  double worst = 0;    // largest difference of a logit
  double largest = 0;  // largest logit, by size
  bool is_float32 = true;

  /// 1e-4 in float32; in bfloat16 both round, so 5 % of the largest logit.
  bool is_equal() const;
  std::string detail() const;
};
std::optional<EqualWork> parse_equal_work(std::string_view detail);

/// The weights as they compute, on random ids of a fixed seed. `window`: for tests that want it to fail; 0 is
/// the whole prompt.
Result<EqualWork> measure_equal_work(const std::shared_ptr<const Model>& model, int64_t tokens = 64,
                                     int64_t window = 0, const StopToken& stop = {});

}  // namespace orthros
