// CostModel: bytes and FLOP of a model from its config alone, and refusals before anything is allocated.
// Units: bytes, FLOP (a multiply-add counts 2), tokens. Threads: pure functions.
// Source: ORTHROS.md "Why it is fast"; flop_paper leaves the last-layer saving out, flop_engine counts what runs.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"
#include "engine/base/scalar_type.h"
#include "engine/formats/model_config.h"

namespace orthros {

/// Weights by use; norms and scale-offsets are in `other`.
struct ParameterCount {
  int64_t embedding = 0, layers = 0, lm_head = 0, other = 0;  // lm_head is 0 when tied
  int64_t total() const { return embedding + layers + lm_head + other; }
};
ParameterCount count_parameters(const ModelConfig& config);

/// Weights of one layer's matrices: N_layer of ORTHROS.md.
int64_t layer_matrix_weights(const ModelConfig& config);

int64_t kv_bytes_per_token(const ModelConfig& config, ScalarType kv_type);
/// Cache for `tokens` positions; window layers of a plain SWA model keep only what a later row reads.
int64_t kv_cache_bytes(const ModelConfig& config, ScalarType kv_type, int64_t batch, int64_t tokens, int64_t chunk);

/// FLOP of reading T prompt tokens and giving the logits of the last one (LM head not counted).
struct PrefillFlop {
  double paper = 0;   // every layer in full, for every base row
  double engine = 0;  // with the last-layer saving
};
PrefillFlop prefill_flop(const ModelConfig& config, int64_t tokens);

/// Sequence length at which full attention costs as much as the matrices: N_lin / (L d_q).
double flop_balance_tokens(const ModelConfig& config);

struct MemoryRequest {
  ScalarType compute_type = ScalarType::float32;
  ScalarType kv_type = ScalarType::float32;
  int64_t weight_bytes = 0;  // as held; from plan_weight_bytes
  int64_t batch = 1, tokens = 0, chunk = 512, output_rows = 1;
};

struct MemoryPlan {
  int64_t weights_bytes = 0, kv_bytes = 0, activation_bytes = 0, available_bytes = 0;
  int64_t total_bytes() const { return weights_bytes + kv_bytes + activation_bytes; }
  /// "weights 16.06 GB + KV cache 17.2 GB + activations 0.41 GB = 33.7 GB; available 22.1 GB"
  std::string sentence() const;
};
MemoryPlan plan_memory(const ModelConfig& config, const MemoryRequest& request);
/// out_of_memory with the plan's numbers when it does not fit.
Result<void> check_fits(const MemoryPlan& plan, std::string_view what);

/// Memory this process may still take: the machine's, or its cgroup's limit when lower.
int64_t available_memory_bytes();

/// "16.06 GB": four significant digits, decimal units.
std::string format_bytes(int64_t bytes);

}  // namespace orthros
