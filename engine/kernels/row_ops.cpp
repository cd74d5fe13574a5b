#include "engine/kernels/row_ops.h"

#include <cmath>

namespace orthros::kernels {
namespace {

float load(const Rows& rows, int64_t r, int64_t i) {
  if (rows.type == ScalarType::float32) return static_cast<const float*>(rows.data)[r * rows.stride + i];
  return bf16_to_float(static_cast<const uint16_t*>(rows.data)[r * rows.stride + i]);
}

void store(const Rows& rows, int64_t r, int64_t i, float value) {
  if (rows.type == ScalarType::float32) {
    static_cast<float*>(rows.data)[r * rows.stride + i] = value;
  } else {
    static_cast<uint16_t*>(rows.data)[r * rows.stride + i] = float_to_bf16(value);
  }
}

}  // namespace

void add_rms_norm(float* x, int64_t x_stride, const Rows& delta, const float* weight, float eps, int64_t rows,
                  int64_t columns, const Rows& out) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    float* row = x + r * x_stride;
    double sum = 0;
    for (int64_t i = 0; i < columns; ++i) {
      if (delta.data != nullptr) row[i] += load(delta, r, i);
      sum += static_cast<double>(row[i]) * row[i];
    }
    const auto factor = static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(columns) + eps));
    for (int64_t i = 0; i < columns; ++i) store(out, r, i, row[i] * factor * weight[i]);
  }
}

void add_rows(float* x, int64_t x_stride, const Rows& delta, int64_t rows, int64_t columns) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < columns; ++i) x[r * x_stride + i] += load(delta, r, i);
  }
}

void silu_mul(const Rows& gate_up, int64_t rows, int64_t intermediate, const Rows& out) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < intermediate; ++i) {
      const float gate = load(gate_up, r, i);
      store(out, r, i, gate / (1.0f + std::exp(-gate)) * load(gate_up, r, intermediate + i));
    }
  }
}

void transform_heads(const HeadRowsArgs& args, const HeadOps& ops) noexcept {
  const int64_t d = args.head_dim;
  for (int64_t r = 0; r < args.rows; ++r) {
    for (int64_t h = 0; h < args.heads; ++h) {
      float head[1024];
      for (int64_t i = 0; i < d; ++i) {
        float value = load(args.source, r, h * d + i);
        if (ops.scale != nullptr) value *= ops.scale[h * d + i];
        if (ops.offset != nullptr) value += ops.offset[h * d + i];
        head[i] = value;
      }
      if (ops.norm_weight != nullptr) {
        double sum = 0;
        for (int64_t i = 0; i < d; ++i) sum += static_cast<double>(head[i]) * head[i];
        const auto factor = static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(d) + ops.norm_eps));
        for (int64_t i = 0; i < d; ++i) head[i] *= factor * ops.norm_weight[i];
      }
      if (ops.cos != nullptr) {
        const float* cos = ops.cos + args.positions[r] * (d / 2);
        const float* sin = ops.sin + args.positions[r] * (d / 2);
        for (int64_t i = 0; i < d / 2; ++i) {
          const float first = head[i], second = head[i + d / 2];
          head[i] = first * cos[i] - second * sin[i];
          head[i + d / 2] = second * cos[i] + first * sin[i];
        }
      }
      for (int64_t i = 0; i < d; ++i)
        store(args.destination, r, h * args.destination_head_stride + i, head[i]);
    }
  }
}

}  // namespace orthros::kernels
