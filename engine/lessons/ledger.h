// Ledger: the work of a pass up to a moment, and what a Transformer would have done for the same: rows
// through the matrices, keys read, FLOP (a multiply-add counts 2). At the end it is count_flop's total.
// Units: rows, keys of one head, FLOP. Public: no torch. Threads: plain functions.
#pragma once

#include "engine/inference/pass_trace.h"
#include "engine/lessons/step.h"

namespace orthros {

struct Ledger {
  int64_t base_rows = 0, output_rows = 0;  // rows of the pass, one layer
  int64_t base_keys = 0, output_keys = 0;  // keys read so far, by one head, all layers
  int64_t full_keys = 0;                   // that full attention would have read in the same layers
  double flop = 0;
  double full_flop = 0;  // a Transformer's prefill of the same tokens, whole, LM head on one row
};

Ledger ledger_at(const ModelConfig& config, const PassTrace& trace, const Moment& moment);

}  // namespace orthros
