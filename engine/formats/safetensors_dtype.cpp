#include "engine/formats/safetensors_dtype.h"

#include <array>
#include <limits>

namespace orthros::safetensors {
namespace {

struct Dtype {
  std::string_view name;
  int64_t bits;
};

constexpr std::array<Dtype, 20> kDtypes{
    {{"F32", 32},    {"BF16", 16},   {"F16", 16},    {"F64", 64},    {"I64", 64}, {"I32", 32}, {"I16", 16},
     {"I8", 8},      {"U64", 64},    {"U32", 32},    {"U16", 16},    {"U8", 8},   {"BOOL", 8}, {"F8_E4M3", 8},
     {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},   {"C64", 64}}};

}  // namespace

std::optional<int64_t> bits_of(std::string_view dtype) {
  for (const Dtype& known : kDtypes) {
    if (known.name == dtype) return known.bits;
  }
  return std::nullopt;
}

std::optional<int64_t> bytes_of(int64_t bits_per_element, const std::vector<int64_t>& shape) {
  int64_t bits = bits_per_element;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(bits, size, &bits)) {
      return std::nullopt;
    }
  }
  if (empty) return 0;
  if (bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

}  // namespace orthros::safetensors
