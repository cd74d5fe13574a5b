// fp32 attention kernels, one copy an instruction set; bf16 K, V and q are widened on load.
// Shapes, units: see attention_tile.h. Threads: none of its own.
#include "engine/kernels/attention_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/attention_simd.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "engine/kernels/attention_direct-inl.h"
#include "engine/kernels/attention_pack-inl.h"
#include "engine/kernels/attention_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

static const char* KernelName() {
  switch (HWY_TARGET) {
    case HWY_AVX3:
    case HWY_AVX3_DL:
      return "avx512_fp32";
    case HWY_AVX2:
      return "avx2_fp32";
    case HWY_SSE4:
      return "sse4_fp32";
    case HWY_SSSE3:
      return "ssse3_fp32";
    default:
      return "simd_fp32";
  }
}

static bool DirectFits(int64_t head_dim) {
  return head_dim % static_cast<int64_t>(hn::Lanes(DF())) == 0;
}

static const AttentionKernels* Kernels() {
  static const AttentionKernels kernels = {
      .name = KernelName(),
      .lanes = static_cast<int64_t>(hn::Lanes(DF())),
      .row_block = kRows,
      .bf16_products = false,
      .pack_q = PackQ,
      .pack_k = PackK,
      .pack_v = PackV,
      .step = Step,
      .direct_step = DirectStep,
      .direct_fits = DirectFits,
      .write_row = WriteRow,
  };
  return &kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {
namespace attention_simd {
HWY_EXPORT(Kernels);
static const AttentionKernels& chosen() {
  return *HWY_DYNAMIC_DISPATCH(Kernels)();
}
}  // namespace attention_simd

const AttentionKernels& attention_kernels_fp32() {
  return attention_simd::chosen();
}

}  // namespace orthros::kernels
#endif
