// LayerState: what a layer remembers of the base stream. Here: the KV cache of softmax attention.
// Shapes: k, v [B, Hkv, capacity, D], rotated keys at their logical positions; slots >= num_slots() hold
// garbage. The output stream sees a LayerState only through const: it can never write keys or values.
// Threads: one writer. Private: includes torch.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

#include "engine/base/window_spec.h"

namespace orthros {

struct KvCacheSpec {
  int64_t batch = 1, num_key_value_heads = 0, head_dim = 0;
  int64_t capacity = 0;  // slots
  /// A window here lets the cache forget keys that no later row reads (the SWA baseline); full keeps all
  /// (Orthros).
  WindowSpec keep;
  at::ScalarType type = at::kFloat;
  at::Device device = at::kCPU;
};

class KvCache {
 public:
  explicit KvCache(const KvCacheSpec& spec);

  /// Base tokens written so far; also the next logical position.
  int64_t length() const { return length_; }
  /// Slots in use: equal to length() unless old keys were forgotten.
  int64_t num_slots() const { return length_ - forgotten_; }
  int64_t capacity() const { return spec_.capacity; }
  /// Slot of a logical position that is still kept and is no sink.
  int64_t slot_of(int64_t position) const { return position - forgotten_; }
  int64_t forgotten() const { return forgotten_; }
  int64_t bytes() const { return static_cast<int64_t>(k_.nbytes() + v_.nbytes()); }

  /// Makes room for `count` new tokens and returns the first of their slots; throws if they do not fit.
  int64_t append(int64_t count);
  /// Drops the newest tokens, so that another continuation can follow the first `length`. False (and
  /// unchanged) when keys that the next row would read were forgotten.
  bool truncate(int64_t length);
  void clear();

  const at::Tensor& k() const { return k_; }
  const at::Tensor& v() const { return v_; }
  at::Tensor& k() { return k_; }
  at::Tensor& v() { return v_; }

 private:
  void forget_unreachable();

  KvCacheSpec spec_;
  at::Tensor k_, v_;
  int64_t length_ = 0;
  int64_t forgotten_ = 0;  // positions in [sinks, sinks + forgotten) are gone
};

struct LayerState {
  KvCache kv;
};

}  // namespace orthros
