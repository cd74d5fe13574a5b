// evaluate: logits of chosen positions of one sequence under a regime, and mean negative log-likelihood.
// Shapes: logits [V] a position. Units: nats. Errors: as Session; invalid_argument for rows a regime does not
// have. Source: ORTHROS.md "Regimes"; every regime gives the same logits where it has the row (invariant 3).
// Threads: one caller; the sink is called on it. Public: no torch.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/base/regime.h"
#include "engine/inference/session.h"

namespace orthros {

struct EvaluateRequest {
  std::vector<TokenId> ids;
  Regime regime = Regime::pt;
  int64_t prompt_length = 0;  // sft: tokens before the answer
  std::vector<int64_t> rows;  // positions wanted, ascending; empty: all that the regime has
  int64_t chunk = 512;
};

/// Positions the regime predicts at, for T ids.
std::vector<int64_t> regime_rows(Regime regime, int64_t tokens, int64_t prompt_length);

using LogitsSink = std::function<Result<void>(int64_t position, std::span<const float> logits)>;

Result<void> evaluate(std::shared_ptr<const Model> model, const ModelConfig& config,
                      const EvaluateRequest& request, const LogitsSink& sink, const StopToken& stop = {},
                      const ProgressSink& progress = {});

/// Negative log-likelihood of ids[t + 1] at each predicting position t that has a next token, ascending.
struct TokenNll {
  int64_t position = 0;  // of the predicted token: t + 1
  double nll = 0;        // nats
};
Result<std::vector<TokenNll>> token_nll(std::shared_ptr<const Model> model, const ModelConfig& config,
                                        const EvaluateRequest& request, const StopToken& stop = {},
                                        const ProgressSink& progress = {});

}  // namespace orthros
