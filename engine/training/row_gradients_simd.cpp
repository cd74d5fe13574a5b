#include "engine/training/row_gradients_simd.h"

#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/training/row_gradients_simd.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>
//
#include <hwy/contrib/math/math-inl.h>

#include "engine/kernels/vector_io-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::training::row_simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernels::HWY_NAMESPACE::FloatTag;
using kernels::HWY_NAMESPACE::FloatVec;
using kernels::HWY_NAMESPACE::kFloatLanes;
using kernels::HWY_NAMESPACE::load_lanes;
using kernels::HWY_NAMESPACE::store_lanes;

/// body(i, n) for vectors of n lanes from 0 to count.
#define ORTHROS_FOR_LANES(i, n, count)                                  \
  for (int64_t i = 0, n = HWY_MIN(kFloatLanes, (count)-i); i < (count); \
       i += kFloatLanes, n = HWY_MIN(kFloatLanes, (count)-i))

HWY_INLINE float sum_of(FloatVec v) {
  return hn::GetLane(hn::SumOfLanes(FloatTag(), v));
}
HWY_INLINE FloatVec set(float value) {
  return hn::Set(FloatTag(), value);
}

/// With g = d_y * weight: d_x = r (g - x r^2 mean(g x)), r = 1 / rms(x).
void rms_norm(const RmsNormGradient& a, int64_t begin, int64_t end, float* d_weight) {
  const int64_t columns = a.columns;
  for (int64_t row = begin; row < end; ++row) {
    const float *x = a.x + row * columns, *d_y = a.d_y + row * columns;
    FloatVec squares = set(0), products = set(0);
    ORTHROS_FOR_LANES(i, n, columns) {
      const auto value = load_lanes(x + i, n);
      squares = hn::MulAdd(value, value, squares);
      products = hn::MulAdd(hn::Mul(load_lanes(d_y + i, n), load_lanes(a.weight + i, n)), value, products);
    }
    const double mean = static_cast<double>(sum_of(squares)) / static_cast<double>(columns) + a.eps;
    const double factor = 1.0 / std::sqrt(mean);
    const auto r = set(static_cast<float>(factor));
    const auto pull =
        set(static_cast<float>(factor / mean * sum_of(products) / static_cast<double>(columns)));
    ORTHROS_FOR_LANES(i, n, columns) {
      const auto value = load_lanes(x + i, n), gradient = load_lanes(d_y + i, n);
      auto d_x = hn::NegMulAdd(value, pull, hn::Mul(hn::Mul(gradient, load_lanes(a.weight + i, n)), r));
      if (a.d_residual != nullptr) d_x = hn::Add(d_x, load_lanes(a.d_residual + row * columns + i, n));
      store_lanes(d_x, a.d_x + row * columns + i, n);
      if (d_weight == nullptr) continue;
      const auto part = hn::Mul(hn::Mul(gradient, value), r);
      store_lanes(hn::Add(load_lanes(d_weight + i, n), part), d_weight + i, n);
    }
  }
}

HWY_INLINE FloatVec sigmoid(FloatVec x) {
  const FloatTag d;
  return hn::Div(set(1), hn::Add(set(1), hn::Exp(d, hn::Neg(hn::Max(x, set(-87.0f))))));
}

void silu_mul(const float* gate_up, const float* d_y, int64_t intermediate, float* d_gate_up, int64_t begin,
              int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float *gate = gate_up + row * 2 * intermediate, *up = gate + intermediate;
    float *d_gate = d_gate_up + row * 2 * intermediate, *d_up = d_gate + intermediate;
    ORTHROS_FOR_LANES(i, n, intermediate) {
      const auto g = load_lanes(gate + i, n), gradient = load_lanes(d_y + row * intermediate + i, n);
      const auto s = sigmoid(g);
      const auto slope = hn::Mul(s, hn::MulAdd(g, hn::Sub(set(1), s), set(1)));
      store_lanes(hn::Mul(hn::Mul(gradient, load_lanes(up + i, n)), slope), d_gate + i, n);
      store_lanes(hn::Mul(gradient, hn::Mul(g, s)), d_up + i, n);
    }
  }
}

HWY_INLINE void add_lanes(float* p, FloatVec v, int64_t n) {
  store_lanes(hn::Add(load_lanes(p, n), v), p, n);
}

/// The rotation's transpose turns back.
HWY_INLINE void rotate_back(const float* d_y, const float* cos, const float* sin, int64_t half, float* out) {
  ORTHROS_FOR_LANES(i, n, half) {
    const auto first = load_lanes(d_y + i, n), second = load_lanes(d_y + half + i, n);
    const auto c = load_lanes(cos + i, n), s = load_lanes(sin + i, n);
    store_lanes(hn::MulAdd(second, s, hn::Mul(first, c)), out + i, n);
    store_lanes(hn::Sub(hn::Mul(second, c), hn::Mul(first, s)), out + half + i, n);
  }
}

/// gradient of the normed head -> of its input x, in place.
HWY_INLINE void norm_back(const float* x, const float* weight, float eps, int64_t dim, float* gradient,
                          float* d_weight) {
  FloatVec squares = set(0), products = set(0);
  ORTHROS_FOR_LANES(i, n, dim) {
    const auto value = load_lanes(x + i, n);
    squares = hn::MulAdd(value, value, squares);
    products = hn::MulAdd(hn::Mul(load_lanes(gradient + i, n), load_lanes(weight + i, n)), value, products);
  }
  const double mean = static_cast<double>(sum_of(squares)) / static_cast<double>(dim) + eps;
  const double factor = 1.0 / std::sqrt(mean);
  const auto r = set(static_cast<float>(factor));
  const auto pull = set(static_cast<float>(factor / mean * sum_of(products) / static_cast<double>(dim)));
  ORTHROS_FOR_LANES(i, n, dim) {
    const auto value = load_lanes(x + i, n), g = load_lanes(gradient + i, n);
    if (d_weight != nullptr) add_lanes(d_weight + i, hn::Mul(hn::Mul(g, value), r), n);
    store_lanes(hn::NegMulAdd(value, pull, hn::Mul(hn::Mul(g, load_lanes(weight + i, n)), r)), gradient + i,
                n);
  }
}

/// Working rows of one head.
struct HeadRows {
  float *gradient, *scaled;
};

void transform_head(const HeadGradient& a, int64_t row, int64_t head, const HeadRows& work, float* d_scale,
                    float* d_offset, float* d_norm_weight) {
  const int64_t dim = a.head_dim, at = head * dim;
  const float* source = a.source + row * a.source_stride + at;
  const float* d_y = a.d_y + row * a.d_y_stride + at;
  float* d_source = a.d_source + row * a.d_source_stride + at;
  if (a.cos != nullptr) {
    const int64_t table = a.positions[row] * (dim / 2);
    rotate_back(d_y, a.cos + table, a.sin + table, dim / 2, work.gradient);
  } else {
    ORTHROS_FOR_LANES(i, n, dim) store_lanes(load_lanes(d_y + i, n), work.gradient + i, n);
  }
  if (a.norm_weight != nullptr) {
    ORTHROS_FOR_LANES(i, n, dim) {
      auto value = load_lanes(source + i, n);
      if (a.scale != nullptr) value = hn::Mul(value, load_lanes(a.scale + at + i, n));
      if (a.offset != nullptr) value = hn::Add(value, load_lanes(a.offset + at + i, n));
      store_lanes(value, work.scaled + i, n);
    }
    norm_back(work.scaled, a.norm_weight, a.norm_eps, dim, work.gradient, d_norm_weight);
  }
  ORTHROS_FOR_LANES(i, n, dim) {
    auto gradient = load_lanes(work.gradient + i, n);
    if (d_offset != nullptr) add_lanes(d_offset + at + i, gradient, n);
    if (d_scale != nullptr) add_lanes(d_scale + at + i, hn::Mul(gradient, load_lanes(source + i, n)), n);
    if (a.scale != nullptr) gradient = hn::Mul(gradient, load_lanes(a.scale + at + i, n));
    store_lanes(gradient, d_source + i, n);
  }
}

void transform(const HeadGradient& a, int64_t begin, int64_t end, float* d_scale, float* d_offset,
               float* d_norm_weight) {
  std::vector<float> memory(static_cast<size_t>(2 * a.head_dim));
  const HeadRows work{memory.data(), memory.data() + a.head_dim};
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t head = 0; head < a.heads; ++head) {
      transform_head(a, row, head, work, d_scale, d_offset, d_norm_weight);
    }
  }
}

int64_t best_class(const float* logits, int64_t classes, float maximum) {
  for (int64_t i = 0; i < classes; ++i) {
    if (logits[i] == maximum) return i;
  }
  return -1;  // NaN in the row
}

void cross_entropy(const CrossEntropyRows& a, int64_t begin, int64_t end) {
  const FloatTag d;
  for (int64_t row = begin; row < end; ++row) {
    float* logits = a.logits + row * a.classes;
    float maximum = logits[0];
    for (int64_t i = 1; i < a.classes; ++i) maximum = logits[i] > maximum ? logits[i] : maximum;
    a.best[row] = best_class(logits, a.classes, maximum);
    const float target = logits[a.targets[row]];
    const auto shift = set(maximum);
    FloatVec sum = set(0);
    ORTHROS_FOR_LANES(i, n, a.classes) {
      auto value = hn::Exp(d, hn::Sub(load_lanes(logits + i, n), shift));
      if (n < kFloatLanes) value = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(n)), value);
      sum = hn::Add(sum, value);
      store_lanes(value, logits + i, n);
    }
    const float total = sum_of(sum);
    a.loss[row] = std::log(total) + maximum - target;
    const auto factor = set(a.weights[row] / total);
    ORTHROS_FOR_LANES(i, n, a.classes) {
      store_lanes(hn::Mul(load_lanes(logits + i, n), factor), logits + i, n);
    }
    logits[a.targets[row]] -= a.weights[row];
  }
}

const RowGradientKernels* KernelsOfTarget() {
  static constexpr RowGradientKernels kKernels{rms_norm, silu_mul, transform, cross_entropy};
  return &kKernels;
}

}  // namespace orthros::training::row_simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::training {
namespace row_simd {
HWY_EXPORT(KernelsOfTarget);
}  // namespace row_simd

const RowGradientKernels& row_gradient_kernels() {
  static const RowGradientKernels& kernels = *HWY_DYNAMIC_DISPATCH(row_simd::KernelsOfTarget)();
  return kernels;
}

}  // namespace orthros::training
#endif
