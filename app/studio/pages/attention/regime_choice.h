// RegimeChoice: which regime the rows of a capture are shown as: at which positions an output copy x′ exists.
// No other pass: x′ never writes, so its row at a position is the same numbers in every regime. A followed
// run has its own prompt and steps; elsewhere `split` is the prompt's last token. Threads: pure functions.
// Source: ORTHROS.md "Regimes".
#pragma once

#include "app/studio/pages/attention/attention_capture.h"
#include "engine/base/regime.h"

namespace orthros::studio {

struct RegimeChoice {
  Regime regime = Regime::pt;
  qint64 split = -1;  // SFT and decode: the first position with an x′; -1: where the last part begins
  bool operator==(const RegimeChoice&) const = default;
};

/// Decode for a followed run, else pre-training.
RegimeChoice defaultRegime(const AttentionCapture& capture);
/// The split within this capture's tokens: of a followed run in decode its prompt's last token, always.
qint64 splitOf(const AttentionCapture& capture, const RegimeChoice& choice);
bool canSplit(const AttentionCapture& capture, const RegimeChoice& choice);
/// x′ exists at this position and at all after it.
qint64 outputFrom(const AttentionCapture& capture, const RegimeChoice& choice);
/// "pre-training", "SFT", "prefill", "decode".
QString regimeName(Regime regime);
/// For captions: "SFT: x′ from token 12"; empty where there is one stream.
QString regimeText(const AttentionCapture& capture, const RegimeChoice& choice);

}  // namespace orthros::studio
