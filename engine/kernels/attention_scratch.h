// Working memory of one thread for attention work items, kept between calls: a decode step takes
// microseconds. Shapes: see attention_tile.h. Threads: one instance a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "engine/kernels/attention_tile.h"

namespace orthros::kernels {

struct ScratchSizes {
  int64_t rows = 0;  // padded to the row block
  int64_t q_stride = 0;
  int64_t acc_stride = 0;
  int64_t packed_depth = 0;  // head_dim rounded up to whole pairs
  bool packed = true;        // room for packed K and V
};

class AttentionScratch {
 public:
  /// False when the memory cannot be had; the buffers must not be used then.
  bool reserve(const ScratchSizes& sizes) noexcept {
    offset_ = 0;
    const size_t q_at = take(sizes.rows * sizes.q_stride * 4);
    const size_t acc_at = take(sizes.rows * sizes.acc_stride * 4);
    const size_t k_at = take(sizes.packed ? kTileKeys * sizes.packed_depth * 4 : 0);
    const size_t v_at = take(sizes.packed ? kTileKeys * sizes.acc_stride * 4 : 0);
    const size_t scores_at = take(kScoreRows * kScoreStride * 4);
    const size_t max_at = take(sizes.rows * 4);
    const size_t sum_at = take(sizes.rows * 4);
    const size_t first_at = take(sizes.rows * 4);
    const size_t last_at = take(sizes.rows * 4);
    if (offset_ > capacity_ && !grow(offset_)) return false;
    q = at<std::byte>(q_at);
    acc = at<float>(acc_at);
    k = at<std::byte>(k_at);
    v = at<std::byte>(v_at);
    scores = at<float>(scores_at);
    max_log2 = at<float>(max_at);
    sum = at<float>(sum_at);
    first = at<int32_t>(first_at);
    last = at<int32_t>(last_at);
    return true;
  }

  std::byte* q = nullptr;
  float* acc = nullptr;
  std::byte* k = nullptr;
  std::byte* v = nullptr;
  float* scores = nullptr;
  float* max_log2 = nullptr;
  float* sum = nullptr;
  int32_t* first = nullptr;
  int32_t* last = nullptr;

 private:
  static constexpr size_t kLine = 64;

  /// An odd number of lines between buffers keeps equal rows of different buffers in different cache sets.
  size_t take(int64_t bytes) {
    const size_t begin = offset_;
    offset_ += (static_cast<size_t>(bytes) / kLine + 5) / 2 * 2 * kLine + kLine;
    return begin;
  }
  bool grow(size_t bytes) noexcept {
    memory_.reset();
    memory_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kLine}, std::nothrow)));
    capacity_ = memory_ ? bytes : 0;
    return memory_ != nullptr;
  }
  template <class T>
  T* at(size_t offset) {
    return reinterpret_cast<T*>(memory_.get() + offset);
  }

  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{kLine}); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  size_t capacity_ = 0;
  size_t offset_ = 0;
};

}  // namespace orthros::kernels
