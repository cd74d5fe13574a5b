// SHA-256 of a stream, in hex: names the exact source file of a conversion.
// Threads: one object, one thread. Source: FIPS 180-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orthros {

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  /// 64 lower-case hex digits of everything so far; the object then starts anew.
  std::string finish();

 private:
  void compress(const uint8_t* blocks, size_t count);

  std::array<uint32_t, 8> state_ = kInitialState;
  std::array<uint8_t, 64> tail_{};  // bytes that do not fill a block yet
  uint64_t total_bytes_ = 0;

  static constexpr std::array<uint32_t, 8> kInitialState{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

/// Of a whole text or its bytes.
std::string sha256_hex(std::string_view bytes);

}  // namespace orthros
