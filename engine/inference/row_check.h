// Rows of attention as a watcher takes them: the query of an event, and invariant 8 on every row that is
// shown. Shapes: weights [keys]. Source: ORTHROS.md invariant 8. Private: includes torch. Threads: one
// caller.
#pragma once

#include <cmath>

#include <ATen/ATen.h>

#include "engine/mixers/attention.h"
#include "engine/mixers/mixer.h"

namespace orthros {

/// The event's own query, for attention_row.
AttentionQuery query_of(const AttentionEvent& event);

/// The larger error; what is no number is the largest.
inline double worse(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

/// Largest |expected - own| of the rows [rows, head_dim], of a row whose largest |own| is above 1 relative to
/// that: rounding grows with what is rounded.
double output_error(const at::Tensor& expected, const at::Tensor& own);

/// Largest errors of the rows seen so far; what is no number is the largest.
struct RowErrors {
  double max_sum = 0;     // |1 - sum of a row|, double sum
  double max_output = 0;  // output_error of a row
  void add(const AttentionEvent& event, int64_t head, int64_t row, const at::Tensor& weights);
};

}  // namespace orthros
