// Random: SplitMix64 with unbiased bounded draws. The standard distributions differ between libraries, and
// prompts must be the same ids on every machine. Threads: one object, one thread.
// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators (2014), the 64-bit mixer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orthros {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  /// Independent streams of one seed, told apart by a number.
  Random(uint64_t seed, uint64_t stream) : state_(mix(mix(seed) ^ (stream * kIncrement))) {}

  /// Draw number `index` of a seed's sequence, without those before it.
  static uint64_t at(uint64_t seed, uint64_t index) { return mix(seed + kIncrement * (index + 1)); }

  uint64_t next() {
    state_ += kIncrement;
    return mix(state_);
  }

  /// Uniform in 0 .. count - 1; count is at least 1.
  uint64_t below(uint64_t count) {
    const uint64_t reject = (0 - count) % count;  // 2^64 mod count: draws below it would favour small results
    while (true) {
      const uint64_t draw = next();
      if (draw >= reject) return draw % count;
    }
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  static constexpr uint64_t kIncrement = 0x9e3779b97f4a7c15;
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace orthros
