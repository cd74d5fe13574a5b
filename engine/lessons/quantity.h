// Quantity: what a text or a question asks of the engine: "readers key=3 stream=base". It is computed from
// the trace of a pass, never stored. Names and arguments: resources/lessons/README.md. Positions, heads and
// layers are 1-based as in texts. Errors: invalid_argument, naming the word that is wrong and what could
// stand there. Public: no torch. Threads: plain functions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inference/pass_trace.h"

namespace orthros {

/// Which pass: what a card is set to, and what a quantity may name itself.
struct PassSetting {
  Regime regime = Regime::prefill;
  bool output_on = true;
  bool scale_offset = true;  // false: read without the four vectors
  int64_t prompt = 0;        // of the lesson's prompts
  auto operator<=>(const PassSetting&) const = default;
};

struct Quantity {
  std::string name;
  std::map<std::string, std::string> arguments;
};
/// Checks name and arguments, not whether the positions are there.
Result<Quantity> parse_quantity(std::string_view text);

struct QuantityValue {
  enum class Kind { number, positions, text };
  Kind kind = Kind::number;
  double number = 0;
  std::vector<int64_t> positions;  // 1-based, ascending
  std::string text;
  bool operator==(const QuantityValue&) const = default;
};

/// Where quantities look: the passes of one lesson, made when they are first asked for.
struct PassSource {
  std::function<Result<const PassTrace*>(const PassSetting&)> trace;
  std::function<std::string(TokenId)> token;  // its text
  const ModelConfig* config = nullptr;
};

Result<QuantityValue> evaluate(const Quantity& quantity, const PassSetting& setting,
                               const PassSource& source);

/// Text with {quantities}: plain parts and quantities in turn.
struct LivePart {
  std::string text;      // when plain
  std::string quantity;  // otherwise
};
/// corrupt_file for a brace that is not closed.
Result<std::vector<LivePart>> split_live_text(std::string_view text);

}  // namespace orthros
