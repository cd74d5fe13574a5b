#include "engine/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace orthros {
namespace {

constexpr size_t kBlockBytes = 64;

constexpr std::array<uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t read_big_endian(const uint8_t* bytes) {
  return static_cast<uint32_t>(bytes[0]) << 24 | static_cast<uint32_t>(bytes[1]) << 16 |
         static_cast<uint32_t>(bytes[2]) << 8 | static_cast<uint32_t>(bytes[3]);
}

std::array<uint32_t, 64> schedule(const uint8_t* block) {
  std::array<uint32_t, 64> words;
  for (size_t i = 0; i < 16; ++i) words[i] = read_big_endian(block + 4 * i);
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t a = words[i - 15];
    const uint32_t b = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + words[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  return words;
}

}  // namespace

void Sha256::compress(const uint8_t* blocks, size_t count) {
  for (size_t block = 0; block < count; ++block) {
    const std::array<uint32_t, 64> words = schedule(blocks + block * kBlockBytes);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t mix = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                           ((e & f) ^ (~e & g)) + kRound[i] + words[i];
      const uint32_t major =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + mix;
      d = c;
      c = b;
      b = a;
      a = mix + major;
    }
    const std::array<uint32_t, 8> added{a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) state_[i] += added[i];
  }
}

void Sha256::update(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t size = bytes.size();
  if (size == 0) return;  // memcpy takes no null pointer
  const size_t held = total_bytes_ % kBlockBytes;
  total_bytes_ += size;
  if (held > 0) {
    const size_t taken = std::min(size, kBlockBytes - held);
    std::memcpy(tail_.data() + held, data, taken);
    data += taken;
    size -= taken;
    if (held + taken < kBlockBytes) return;
    compress(tail_.data(), 1);
  }
  compress(data, size / kBlockBytes);
  const size_t rest = size % kBlockBytes;
  if (rest > 0) std::memcpy(tail_.data(), data + (size - rest), rest);
}

std::string Sha256::finish() {
  const uint64_t total_bits = total_bytes_ * 8;
  const size_t held = total_bytes_ % kBlockBytes;
  // 0x80, zeros up to 8 bytes before the end of a block, the length in bits.
  std::array<std::byte, 2 * kBlockBytes> padding{};
  padding[0] = std::byte{0x80};
  const size_t padding_bytes = (held < 56 ? 56 : 120) - held;
  for (size_t i = 0; i < 8; ++i)
    padding[padding_bytes + i] = static_cast<std::byte>(total_bits >> (56 - 8 * i));
  update(std::span(padding).first(padding_bytes + 8));

  std::string hex;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15u];
  }
  *this = Sha256();
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 sha;
  sha.update(std::as_bytes(std::span(bytes.data(), bytes.size())));
  return sha.finish();
}

}  // namespace orthros
