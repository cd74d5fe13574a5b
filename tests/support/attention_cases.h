// One attention problem with its memory, and the case lists that test and benchmark share.
// Shapes: q lies in fused rows [B, Tq, (H + 2 Hkv) D] as the projection leaves it; k, v in a cache [B, Hkv,
// cap, D]
//   whose slots beyond num_keys are NaN; out [B, Tq, H, D] with NaN around and inside.
// Units: peak multiplies q, so that the softmax is peaked and a lost key moves the output.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/kernels/attention.h"

namespace orthros::kernels::testing {

struct AttentionCase {
  int64_t batch = 1, num_heads = 1, num_kv_heads = 1, head_dim = 64;
  int64_t num_keys = 0;
  std::vector<int64_t> positions;
  WindowSpec window;
  ScalarType q_type = ScalarType::float32;
  ScalarType kv_type = ScalarType::float32;
  ScalarType out_type = ScalarType::float32;
  float peak = 3.0f;
};

inline std::vector<int64_t> contiguous_positions(int64_t begin, int64_t count) {
  std::vector<int64_t> positions(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) positions[i] = begin + i;
  return positions;
}

/// Reproducible, roughly normal with variance 1, cheap enough for benchmark sizes.
class NoiseSource {
 public:
  explicit NoiseSource(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  float next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    const uint64_t bits = state_ >> 16;
    const int sum = static_cast<int>(bits & 0xfff) + static_cast<int>((bits >> 12) & 0xfff) +
                    static_cast<int>((bits >> 24) & 0xfff) + static_cast<int>((bits >> 36) & 0xfff);
    return static_cast<float>(sum - 8190) * (1.0f / 2365.0f);
  }

 private:
  uint64_t state_;
};

/// A buffer of either element type.
class TypedBuffer {
 public:
  TypedBuffer(ScalarType type, int64_t size)
      : type_(type),
        bytes_(static_cast<size_t>(size * size_bytes(type)) + 64, 0xff) {}  // 0xff..: NaN in both types

  void* data() { return bytes_.data(); }
  ScalarType type() const { return type_; }
  float at(int64_t i) const {
    if (type_ == ScalarType::bfloat16)
      return bf16_to_float(reinterpret_cast<const uint16_t*>(bytes_.data())[i]);
    return reinterpret_cast<const float*>(bytes_.data())[i];
  }
  void set(int64_t i, float value) {
    if (type_ == ScalarType::bfloat16) {
      reinterpret_cast<uint16_t*>(bytes_.data())[i] = float_to_bf16(value);
    } else {
      reinterpret_cast<float*>(bytes_.data())[i] = value;
    }
  }

 private:
  ScalarType type_;
  std::vector<uint8_t> bytes_;
};

class AttentionProblem {
 public:
  static constexpr int64_t kCacheTail = 5;

  explicit AttentionProblem(AttentionCase c, uint64_t seed = 1)
      : case_(std::move(c)),
        capacity_(case_.num_keys + kCacheTail),
        q_row_((case_.num_heads + 2 * case_.num_kv_heads) * case_.head_dim),
        q_(case_.q_type, case_.batch * num_queries() * q_row_),
        k_(case_.kv_type, case_.batch * case_.num_kv_heads * capacity_ * case_.head_dim),
        v_(case_.kv_type, case_.batch * case_.num_kv_heads * capacity_ * case_.head_dim),
        out_(case_.out_type, case_.batch * num_queries() * case_.num_heads * case_.head_dim),
        lse_(static_cast<size_t>(case_.batch * case_.num_heads * num_queries()),
             std::numeric_limits<float>::quiet_NaN()) {
    NoiseSource noise(seed);
    for (int64_t row = 0; row < case_.batch * num_queries(); ++row) {
      for (int64_t i = 0; i < case_.num_heads * case_.head_dim; ++i)
        q_.set(row * q_row_ + i, noise.next() * case_.peak);
    }
    for (int64_t head = 0; head < case_.batch * case_.num_kv_heads; ++head) {
      for (int64_t i = 0; i < case_.num_keys * case_.head_dim; ++i) {
        k_.set(head * capacity_ * case_.head_dim + i, noise.next());
        v_.set(head * capacity_ * case_.head_dim + i, noise.next());
      }
    }
  }

  int64_t num_queries() const { return static_cast<int64_t>(case_.positions.size()); }
  const AttentionCase& problem() const { return case_; }

  AttentionArgs args() {
    AttentionArgs a;
    a.batch = case_.batch;
    a.num_heads = case_.num_heads;
    a.num_kv_heads = case_.num_kv_heads;
    a.head_dim = case_.head_dim;
    a.num_queries = num_queries();
    a.num_keys = case_.num_keys;
    a.positions = case_.positions.data();
    a.window = case_.window;
    a.scale = 1.0f / std::sqrt(static_cast<float>(case_.head_dim));
    a.q_type = case_.q_type;
    a.q = q_.data();
    a.q_stride_b = num_queries() * q_row_;
    a.q_stride_t = q_row_;
    a.q_stride_h = case_.head_dim;
    a.kv_type = case_.kv_type;
    a.k = k_.data();
    a.v = v_.data();
    a.kv_stride_b = case_.num_kv_heads * capacity_ * case_.head_dim;
    a.kv_stride_h = capacity_ * case_.head_dim;
    a.kv_stride_s = case_.head_dim;
    a.out_type = case_.out_type;
    a.out = out_.data();
    a.out_stride_b = num_queries() * case_.num_heads * case_.head_dim;
    a.out_stride_t = case_.num_heads * case_.head_dim;
    a.out_stride_h = case_.head_dim;
    a.lse = lse_.data();
    return a;
  }

  /// Elements of k and v belonging to a slot, for tests that change it.
  int64_t slot_index(int64_t b, int64_t kv_head, int64_t slot) const {
    return ((b * case_.num_kv_heads + kv_head) * capacity_ + slot) * case_.head_dim;
  }
  TypedBuffer& q() { return q_; }
  TypedBuffer& k() { return k_; }
  TypedBuffer& v() { return v_; }
  TypedBuffer& out() { return out_; }
  std::vector<float>& lse() { return lse_; }
  int64_t out_size() const { return case_.batch * num_queries() * case_.num_heads * case_.head_dim; }

 private:
  AttentionCase case_;
  int64_t capacity_;
  int64_t q_row_;
  TypedBuffer q_, k_, v_, out_;
  std::vector<float> lse_;
};

inline std::string describe(const AttentionCase& c) {
  const auto name = [](ScalarType type) { return type == ScalarType::float32 ? "f32" : "bf16"; };
  std::string text = "B" + std::to_string(c.batch) + " H" + std::to_string(c.num_heads) + "/" +
                     std::to_string(c.num_kv_heads) + " D" + std::to_string(c.head_dim) + " Tq" +
                     std::to_string(c.positions.size()) + " S" + std::to_string(c.num_keys) + " t" +
                     std::to_string(c.positions.front()) + ".." + std::to_string(c.positions.back());
  if (!c.window.is_full()) {
    text += " w" + std::to_string(c.window.window) + " s" + std::to_string(c.window.sinks);
  }
  return text + " q:" + name(c.q_type) + " kv:" + name(c.kv_type) + " out:" + name(c.out_type);
}

/// Every case the back ends are compared on.
inline std::vector<AttentionCase> attention_cases() {
  constexpr auto f32 = ScalarType::float32;
  constexpr auto bf16 = ScalarType::bfloat16;
  struct Shape {
    int64_t batch, heads, kv_heads, dim;
  };
  struct Queries {
    int64_t num_keys;
    std::vector<int64_t> positions;
  };
  const std::vector<Shape> shapes = {{1, 1, 1, 16},  {2, 9, 3, 64}, {1, 4, 1, 32}, {1, 8, 1, 128},
                                     {1, 2, 2, 256}, {2, 3, 1, 80}, {1, 4, 4, 40}, {1, 2, 1, 18}};
  const std::vector<Queries> queries = {
      {1, {0}},
      {150, contiguous_positions(0, 150)},
      {300, contiguous_positions(171, 129)},
      {400, {0, 1, 5, 130, 131, 255, 256, 399}},
      {700, {3, 20, 127, 128, 129, 200, 300, 301, 302, 511, 512, 600, 601, 650, 699}},
      {1300, {1290}}};
  const std::vector<WindowSpec> windows = {WindowSpec::full(), {1, 0},    {4, 1},    {128, 0},
                                           {128, 4},           {130, 16}, {7, 1000}, {256, 200}};
  const std::vector<std::vector<ScalarType>> types = {
      {f32, f32, f32}, {bf16, bf16, bf16}, {f32, bf16, f32}, {bf16, f32, f32}, {bf16, bf16, f32}};
  std::vector<AttentionCase> cases;
  size_t i = 0;
  for (const Queries& q : queries) {
    for (const WindowSpec& window : windows) {
      for (const auto& type : types) {
        // Shapes take turns; every (window, types, queries) occurs.
        const Shape& shape = shapes[i++ % shapes.size()];
        cases.push_back({shape.batch, shape.heads, shape.kv_heads, shape.dim, q.num_keys, q.positions, window,
                         type[0], type[1], type[2], 3.0f});
      }
    }
  }
  for (const Shape& shape : shapes) {
    for (const auto& type : types) {
      cases.push_back({shape.batch, shape.heads, shape.kv_heads, shape.dim, 300,
                       contiguous_positions(40, 260), WindowSpec::full(), type[0], type[1], type[2], 3.0f});
      // Few rows, many keys: the keys are split and merged.
      cases.push_back({shape.batch,
                       shape.heads,
                       shape.kv_heads,
                       shape.dim,
                       9000,
                       {4, 4095, 4096, 4097, 5000, 6000, 6001, 8191, 8192, 8500, 8998, 8999},
                       WindowSpec::full(),
                       type[0],
                       type[1],
                       type[2],
                       3.0f});
      cases.push_back({shape.batch,
                       shape.heads,
                       shape.kv_heads,
                       shape.dim,
                       6000,
                       {5990},
                       {3000, 1500},
                       type[0],
                       type[1],
                       type[2],
                       3.0f});
      cases.push_back({shape.batch,
                       shape.heads,
                       shape.kv_heads,
                       shape.dim,
                       5000,
                       {4998},
                       WindowSpec::full(),
                       type[0],
                       type[1],
                       type[2],
                       3.0f});
    }
  }
  return cases;
}

}  // namespace orthros::kernels::testing
