// Sampler: the next token from logits: greedy, or temperature, then top-k, top-p and min-p, as in HF's order.
// Units: probabilities in 0..1. Errors: invalid_argument for impossible settings. Threads: one caller.
// The same seed gives the same tokens on every machine (own uniform numbers from a 64-bit Mersenne twister).
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/tokenizer.h"

namespace orthros {

struct SamplingParams {
  double temperature = 0;  // 0: the most probable token
  int64_t top_k = 0;       // 0: off
  double top_p = 1;        // 1: off
  double min_p = 0;        // 0: off; else tokens below min_p times the best probability go
  uint64_t seed = 0;
};

struct Sample {
  TokenId id = 0;
  double probability = 0;  // under the model itself (temperature 1, nothing cut)
};

class Sampler {
 public:
  static Result<Sampler> create(const SamplingParams& params);
  Sample next(std::span<const float> logits);

 private:
  explicit Sampler(const SamplingParams& params) : params_(params), engine_(params.seed) {}
  TokenId draw(std::span<const float> logits);

  SamplingParams params_;
  std::mt19937_64 engine_;
};

/// The `count` most probable ids, best first, with their probabilities.
std::vector<Sample> most_probable(std::span<const float> logits, int64_t count);

/// Log-probability (nats) of one id under the softmax of the logits; double sums.
double log_probability(std::span<const float> logits, TokenId id);

}  // namespace orthros
