// LessonStep: the eleven steps of a layer and the three of the end, in order: what a lesson stops at. A
// moment is a step in a layer; the steps of the end belong to the last layer. Source: ORTHROS.md; research/
// attention-explorer.md 5.2. Public: no torch. Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/pass_tensor.h"
#include "engine/base/regime.h"

namespace orthros {

enum class LessonStep {
  copy,         // x′ where a prediction is due
  norm,         // both streams
  keys_values,  // from x
  shelf,        // K and V are put there
  query,        // q by alpha, beta
  window,       // mask and softmax of x
  query_out,    // q′ by alpha′, beta′
  read,         // x′ reads the whole shelf
  project,      // shared W_O, residual
  ffn,          // shared
  next,         // layer
  drop,         // x has done its work
  head,         // LM head on x′
  sample,
};
constexpr std::array<std::string_view, 14> kLessonStepNames{
    "copy", "norm",    "keys_values", "shelf", "query", "window", "query_out",
    "read", "project", "ffn",         "next",  "drop",  "head",   "sample"};
constexpr int64_t kStepsOfLayer = 11;
constexpr int64_t kStepsOfEnd = 3;

constexpr std::string_view to_string(LessonStep step) {
  return kLessonStepNames[static_cast<size_t>(step)];
}
std::optional<LessonStep> parse_lesson_step(std::string_view name);

struct Moment {
  int64_t layer = 0;
  LessonStep step = LessonStep::copy;
  bool operator==(const Moment&) const = default;
};

constexpr int64_t moment_count(int64_t layers) {
  return layers * kStepsOfLayer + kStepsOfEnd;
}
/// index in 0 .. moment_count - 1.
Moment moment_at(int64_t index, int64_t layers);
int64_t index_of(const Moment& moment, int64_t layers);

/// The tensor a lane holds at a step; empty: the lane holds nothing (the base stream at the end, or behind
/// the last layer's shelf, where nothing reads it). After the FFN it is the next layer's x, or `last`.
struct LaneTensor {
  int64_t layer = 0;
  PassTensor what = PassTensor::x;
  bool operator==(const LaneTensor&) const = default;
};
std::optional<LaneTensor> lane_tensor(const Moment& moment, StreamKind stream, int64_t layers);

}  // namespace orthros
