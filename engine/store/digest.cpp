#include "engine/store/digest.h"

#include <cstdint>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace orthros::store::detail {

std::string make_uuid() {
  std::random_device source;  // the kernel's generator, not seeded from time
  const uint32_t a = source();
  const uint32_t b = source();
  const uint32_t c = source();
  const uint32_t d = source();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", a, b >> 16, b & 0xfff,
                     0x8000 | ((c >> 16) & 0x3fff), c & 0xffff, d);
}

std::string utc_of(std::chrono::system_clock::time_point time) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

std::string utc_now() {
  return utc_of(std::chrono::system_clock::now());
}

}  // namespace orthros::store::detail
