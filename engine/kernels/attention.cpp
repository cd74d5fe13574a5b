// attention_forward: picks the instruction set for the arguments.
#include "engine/kernels/attention.h"

#include "engine/kernels/attention_driver.h"

namespace orthros::kernels {

const AttentionKernels& choose_attention_kernels(const AttentionArgs& args) {
  if (args.q_type == ScalarType::bfloat16 && args.kv_type == ScalarType::bfloat16) {
    if (const AttentionKernels* bf16 = attention_kernels_bf16()) return *bf16;
  }
  return attention_kernels_fp32();
}

void attention_forward(const AttentionArgs& args) {
  run_attention(args, choose_attention_kernels(args));
}

bool attention_gives_scores(const AttentionArgs& args) noexcept {
  return args.batch == 1 && args.num_queries == 1 && args.num_kv_heads > 0 && args.scale > 0 &&
         args.num_heads / args.num_kv_heads <= kMaxDirectRows &&
         choose_attention_kernels(args).direct_fits(args.head_dim);
}

const char* attention_backend(const AttentionArgs& args) noexcept {
  return choose_attention_kernels(args).name;
}

}  // namespace orthros::kernels
