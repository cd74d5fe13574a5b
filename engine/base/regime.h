// Regime: at which positions output copies x' exist. StreamKind: which of the two streams.
// Source: ORTHROS.md "Regimes".
#pragma once

#include <string_view>

#include "engine/base/result.h"

namespace orthros {

enum class StreamKind { base, output };

enum class Regime {
  pt,       // x' at every position
  sft,      // x' from the last prompt token on
  prefill,  // x' at the last prompt token only
  decode,   // token by token through the cache: one base row and one output row a step
};

inline const char* to_string(Regime regime) {
  switch (regime) {
    case Regime::pt: return "pt";
    case Regime::sft: return "sft";
    case Regime::prefill: return "prefill";
    case Regime::decode: return "decode";
  }
  return "unknown";
}

inline Result<Regime> parse_regime(std::string_view text) {
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
    if (text == to_string(regime)) return regime;
  }
  return fail(ErrorCode::invalid_argument, "unknown regime '{}': pt, sft, prefill or decode", text);
}

}  // namespace orthros
