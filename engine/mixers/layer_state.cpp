#include "engine/mixers/layer_state.h"

#include <array>

namespace orthros {

KvCache::KvCache(const KvCacheSpec& spec) : spec_(spec) {
  const auto options = at::TensorOptions().dtype(spec.type).device(spec.device);
  const std::array<int64_t, 4> shape{spec.batch, spec.num_key_value_heads, spec.capacity, spec.head_dim};
  k_ = at::empty(shape, options);
  v_ = at::empty(shape, options);
}

int64_t KvCache::append(int64_t count) {
  if (num_slots() + count > spec_.capacity) forget_unreachable();
  TORCH_CHECK(num_slots() + count <= spec_.capacity, "KV cache of ", spec_.capacity, " slots is full");
  const int64_t slot = num_slots();
  length_ += count;
  return slot;
}

void KvCache::forget_unreachable() {
  if (spec_.keep.is_full()) return;
  const int64_t sinks = spec_.keep.sinks;
  // The next row, at position length_, reads its own key and window - 1 before it.
  const int64_t first_needed = std::max(sinks, slot_of(length_ - (spec_.keep.window - 1)));
  const int64_t kept = std::max<int64_t>(0, num_slots() - first_needed);
  const int64_t dropped = num_slots() - sinks - kept;
  if (dropped <= 0) return;
  for (at::Tensor* t : {&k_, &v_}) {
    // Source and destination may overlap: copy through a clone of the few rows kept.
    t->narrow(2, sinks, kept).copy_(t->narrow(2, first_needed, kept).clone());
  }
  forgotten_ += dropped;
}

bool KvCache::truncate(int64_t length) {
  TORCH_CHECK(length >= 0 && length <= length_, "cannot cut ", length_, " tokens to ", length);
  if (length == 0) {
    clear();
    return true;
  }
  // The next row is at position `length`; positions [sinks, sinks + forgotten) are gone.
  const bool reads_forgotten = forgotten_ > 0 && (spec_.keep.is_full() || length - (spec_.keep.window - 1) <
                                                                              spec_.keep.sinks + forgotten_);
  if (reads_forgotten) return false;
  length_ = length;
  return true;
}

void KvCache::clear() {
  length_ = 0;
  forgotten_ = 0;
}

}  // namespace orthros
