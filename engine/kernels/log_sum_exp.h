// log of the sum of exp over a row of logits: every generated token's probability needs it over the vocabulary.
// Units: nats. Errors: none; size >= 1. Threads: the caller's. Relative error of the sum below 1e-6.
#pragma once

#include <cstdint>

namespace orthros::kernels {

double log_sum_exp(const float* values, int64_t size) noexcept;

}  // namespace orthros::kernels
