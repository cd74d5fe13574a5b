#include "engine/kernels/row_ops_simd.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/row_ops_simd.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>
//
#include <hwy/contrib/math/math-inl.h>

#include "engine/kernels/vector_io-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

template <class T>
T* row_of(const Rows& rows, int64_t r) {
  return static_cast<T*>(rows.data) + r * rows.stride;
}

/// Sum of squares: fp32 within blocks of this many vectors, fp64 across them.
constexpr int64_t kSumBlock = 32;

class SquareSum {
 public:
  // Not implicit: that one would be compiled without the instruction set.
  HWY_INLINE SquareSum() : block_(hn::Zero(FloatTag())) {}
  HWY_INLINE void add(FloatVec v) {
    block_ = hn::MulAdd(v, v, block_);
    if (++count_ == kSumBlock) flush();
  }
  HWY_INLINE double total() {
    flush();
    return total_;
  }

 private:
  HWY_INLINE void flush() {
    total_ += static_cast<double>(hn::GetLane(hn::SumOfLanes(FloatTag(), block_)));
    block_ = hn::Zero(FloatTag());
    count_ = 0;
  }

  FloatVec block_;
  double total_ = 0;
  int64_t count_ = 0;
};

inline float norm_factor(double square_sum, int64_t columns, float eps) {
  return static_cast<float>(1.0 / std::sqrt(square_sum / static_cast<double>(columns) + eps));
}

template <class Delta>
HWY_INLINE void add_row(float* x, const Delta* delta, int64_t columns) {
  for (int64_t i = 0; i < columns; i += kFloatLanes) {
    const int64_t n = HWY_MIN(kFloatLanes, columns - i);
    store_lanes(hn::Add(load_lanes(x + i, n), load_lanes(delta + i, n)), x + i, n);
  }
}

template <class Out>
HWY_INLINE void norm_row(const float* x, const float* weight, float factor, int64_t columns, Out* out) {
  const auto factors = hn::Set(FloatTag(), factor);
  for (int64_t i = 0; i < columns; i += kFloatLanes) {
    const int64_t n = HWY_MIN(kFloatLanes, columns - i);
    store_lanes(hn::Mul(hn::Mul(load_lanes(x + i, n), factors), load_lanes(weight + i, n)), out + i, n);
  }
}

void add_rows_range(const NormArgs& args, int64_t begin, int64_t end) {
  for (int64_t r = begin; r < end; ++r) {
    float* x = args.x + r * args.x_stride;
    if (args.delta.type == ScalarType::float32) {
      add_row(x, row_of<float>(args.delta, r), args.columns);
    } else {
      add_row(x, row_of<uint16_t>(args.delta, r), args.columns);
    }
  }
}

void add_rms_norm_range(const NormArgs& args, int64_t begin, int64_t end) {
  for (int64_t r = begin; r < end; ++r) {
    if (args.delta.data != nullptr) add_rows_range(args, r, r + 1);
    const float* x = args.x + r * args.x_stride;
    SquareSum sum;
    for (int64_t i = 0; i < args.columns; i += kFloatLanes) {
      sum.add(load_lanes(x + i, HWY_MIN(kFloatLanes, args.columns - i)));
    }
    const float factor = norm_factor(sum.total(), args.columns, args.eps);
    if (args.out.type == ScalarType::float32) {
      norm_row(x, args.weight, factor, args.columns, row_of<float>(args.out, r));
    } else {
      norm_row(x, args.weight, factor, args.columns, row_of<uint16_t>(args.out, r));
    }
  }
}

HWY_INLINE FloatVec silu(FloatVec gate) {
  const FloatTag d;
  // Beyond 88 exp overflows and silu is zero in fp32; as a selection, so that NaN stays.
  const auto limit = hn::Set(d, -88.0f);
  const auto exponential = hn::Exp(d, hn::Neg(hn::Max(gate, limit)));
  const auto value = hn::Div(gate, hn::Add(hn::Set(d, 1.0f), exponential));
  return hn::IfThenElse(hn::Lt(gate, limit), hn::Zero(d), value);
}

template <class In, class Out>
void silu_mul_rows(const Rows& gate_up, int64_t intermediate, const Rows& out, int64_t begin, int64_t end) {
  for (int64_t r = begin; r < end; ++r) {
    const In* gate = row_of<In>(gate_up, r);
    Out* destination = row_of<Out>(out, r);
    for (int64_t i = 0; i < intermediate; i += kFloatLanes) {
      const int64_t n = HWY_MIN(kFloatLanes, intermediate - i);
      const auto up = load_lanes(gate + intermediate + i, n);
      store_lanes(hn::Mul(silu(load_lanes(gate + i, n)), up), destination + i, n);
    }
  }
}

void silu_mul_range(const Rows& gate_up, int64_t intermediate, const Rows& out, int64_t begin, int64_t end) {
  const bool wide_in = gate_up.type == ScalarType::float32, wide_out = out.type == ScalarType::float32;
  if (wide_in && wide_out) silu_mul_rows<float, float>(gate_up, intermediate, out, begin, end);
  if (wide_in && !wide_out) silu_mul_rows<float, uint16_t>(gate_up, intermediate, out, begin, end);
  if (!wide_in && wide_out) silu_mul_rows<uint16_t, float>(gate_up, intermediate, out, begin, end);
  if (!wide_in && !wide_out) silu_mul_rows<uint16_t, uint16_t>(gate_up, intermediate, out, begin, end);
}

/// One head vector of D elements; values are recomputed rather than kept, so D has no limit and the head may
/// be transformed in place.
template <class In>
struct Head {
  const In* source;
  const HeadOps& ops;
  int64_t offset;  // of the head within scale and offset
  float factor;    // of the norm

  HWY_INLINE FloatVec scaled(int64_t i, int64_t n) const {
    auto v = load_lanes(source + i, n);
    if (ops.scale != nullptr) v = hn::Mul(v, load_lanes(ops.scale + offset + i, n));
    if (ops.offset != nullptr) v = hn::Add(v, load_lanes(ops.offset + offset + i, n));
    return v;
  }
  HWY_INLINE FloatVec normed(int64_t i, int64_t n) const {
    const auto v = scaled(i, n);
    if (ops.norm_weight == nullptr) return v;
    return hn::Mul(hn::Mul(v, hn::Set(FloatTag(), factor)), load_lanes(ops.norm_weight + i, n));
  }
};

template <class In, class Out>
void transform_head(Head<In> head, int64_t dim, const float* cos, const float* sin, Out* out) {
  if (head.ops.norm_weight != nullptr) {
    SquareSum sum;
    for (int64_t i = 0; i < dim; i += kFloatLanes) sum.add(head.scaled(i, HWY_MIN(kFloatLanes, dim - i)));
    head.factor = norm_factor(sum.total(), dim, head.ops.norm_eps);
  }
  if (cos == nullptr) {
    for (int64_t i = 0; i < dim; i += kFloatLanes) {
      const int64_t n = HWY_MIN(kFloatLanes, dim - i);
      store_lanes(head.normed(i, n), out + i, n);
    }
    return;
  }
  const int64_t half = dim / 2;
  for (int64_t i = 0; i < half; i += kFloatLanes) {
    const int64_t n = HWY_MIN(kFloatLanes, half - i);
    const auto first = head.normed(i, n), second = head.normed(i + half, n);
    const auto c = load_lanes(cos + i, n), s = load_lanes(sin + i, n);
    store_lanes(hn::Sub(hn::Mul(first, c), hn::Mul(second, s)), out + i, n);
    store_lanes(hn::Add(hn::Mul(second, c), hn::Mul(first, s)), out + half + i, n);
  }
}

template <class In, class Out>
void transform_rows(const HeadRowsArgs& args, const HeadOps& ops, int64_t begin, int64_t end) {
  for (int64_t r = begin; r < end; ++r) {
    const int64_t table = ops.cos != nullptr ? args.positions[r] * (args.head_dim / 2) : 0;
    const float* cos = ops.cos != nullptr ? ops.cos + table : nullptr;
    const float* sin = ops.cos != nullptr ? ops.sin + table : nullptr;
    for (int64_t h = 0; h < args.heads; ++h) {
      const Head<In> head{row_of<In>(args.source, r) + h * args.head_dim, ops, h * args.head_dim, 1.0f};
      transform_head(head, args.head_dim, cos, sin,
                     row_of<Out>(args.destination, r) + h * args.destination_head_stride);
    }
  }
}

void transform_heads_range(const HeadRowsArgs& args, const HeadOps& ops, int64_t begin, int64_t end) {
  const bool wide_in = args.source.type == ScalarType::float32;
  const bool wide_out = args.destination.type == ScalarType::float32;
  if (wide_in && wide_out) transform_rows<float, float>(args, ops, begin, end);
  if (wide_in && !wide_out) transform_rows<float, uint16_t>(args, ops, begin, end);
  if (!wide_in && wide_out) transform_rows<uint16_t, float>(args, ops, begin, end);
  if (!wide_in && !wide_out) transform_rows<uint16_t, uint16_t>(args, ops, begin, end);
}

const RowKernels* kernels_of_target() {
  static constexpr RowKernels kKernels{add_rms_norm_range, add_rows_range, silu_mul_range,
                                       transform_heads_range};
  return &kKernels;
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(kernels_of_target);

const RowKernels* row_kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_of_target)();
}

}  // namespace orthros::kernels
#endif
