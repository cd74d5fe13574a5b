// Runs an attention plan with one instruction set's kernels. Internal: tests force an instruction set with
// it. Shapes, units: see attention.h. Threads: the OpenMP team of the caller.
#pragma once

#include "engine/kernels/attention.h"
#include "engine/kernels/attention_tile.h"

namespace orthros::kernels {

void run_attention(const AttentionArgs& args, const AttentionKernels& kernels);

/// The kernels attention_forward takes: bf16 products only when q, k and v are all bf16.
const AttentionKernels& choose_attention_kernels(const AttentionArgs& args);

}  // namespace orthros::kernels
