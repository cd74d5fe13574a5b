// PassTensor: the tensors of one pass that a watcher can ask for, in the order in which a layer makes them.
// Shapes: one row a token; x, normed, mixed, residual, ffn_normed, ffn [M]; projected_key, value [Hkv D];
// projected_query, scaled_query, query, attended [H D]; gate_up [2F]; hidden [F]. Source: ORTHROS.md.
#pragma once

#include <array>
#include <string_view>

namespace orthros {

enum class PassTensor {
  x,                // what enters the layer: the residual stream
  normed,           // after the layer's first norm
  projected_key,    // x W_K, before the rotation that the cache holds
  value,            // x W_V, as the cache holds it
  projected_query,  // x W_Q, before scale-offset, norm and rotation
  scaled_query,     // fp32, after scale-offset alone: made for a watcher; none where the layer has none
  query,            // what attends
  attended,         // o: weights times values, heads side by side
  mixed,            // o W_O
  residual,         // x + o W_O
  ffn_normed,
  gate_up,  // both products of the FFN's first matrix
  hidden,   // silu(gate) * up
  ffn,      // what the FFN adds to the residual
  last,     // after the last layer
  last_normed,
};

constexpr std::array<std::string_view, 16> kPassTensorNames{
    "x",      "normed",   "projected_key", "value",      "projected_query", "scaled_query",
    "query",  "attended", "mixed",         "residual",   "ffn_normed",      "gate_up",
    "hidden", "ffn",      "last",          "last_normed"};

constexpr std::string_view to_string(PassTensor tensor) {
  return kPassTensorNames[static_cast<size_t>(tensor)];
}

}  // namespace orthros
