// gemv for every instruction set that Highway 1.0.3 knows: all dense products, and int8 and int4 without
// VNNI.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/gemv_highway.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "engine/kernels/gemv_dense-inl.h"
#include "engine/kernels/gemv_quantised-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

const GemvKernel* kernel_of(WeightFormat format) {
  static const GemvKernel kFloat32{hwy::TargetName(HWY_TARGET), 1, dense_scratch_bytes,
                                   dense_prepare<Float32Elements>, dense_run<Float32Elements>};
  static const GemvKernel kBfloat16{hwy::TargetName(HWY_TARGET), 1, dense_scratch_bytes,
                                    dense_prepare<Bfloat16Elements>, dense_run<Bfloat16Elements>};
  static const GemvKernel kInt8{hwy::TargetName(HWY_TARGET), kRowTile, quantised_scratch_bytes,
                                quantised_prepare, quantised_run<WeightFormat::int8>};
  static const GemvKernel kInt4{hwy::TargetName(HWY_TARGET), kRowTile, quantised_scratch_bytes,
                                quantised_prepare, quantised_run<WeightFormat::int4>};
  switch (format) {
    case WeightFormat::float32:
      return &kFloat32;
    case WeightFormat::bfloat16:
      return &kBfloat16;
    case WeightFormat::int8:
      return &kInt8;
    case WeightFormat::int4:
      return &kInt4;
  }
  return &kFloat32;
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(kernel_of);

const GemvKernel* highway_kernel(WeightFormat format) {
  return HWY_DYNAMIC_DISPATCH(kernel_of)(format);
}

}  // namespace orthros::kernels
#endif
