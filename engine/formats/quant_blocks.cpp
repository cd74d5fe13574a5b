#include "engine/formats/quant_blocks.h"

#include <array>
#include <bit>
#include <cstring>

#include "engine/base/scalar_type.h"

namespace orthros {
namespace {

struct TypeInfo {
  const char* name;
  int64_t elements;
  int64_t bytes;
  uint32_t code;  // number in a GGUF file
};

// In the order of BlockType.
constexpr std::array<TypeInfo, 11> kTypes{{{"F32", 1, 4, 0},
                                           {"F16", 1, 2, 1},
                                           {"BF16", 1, 2, 30},
                                           {"Q4_0", 32, 18, 2},
                                           {"Q4_1", 32, 20, 3},
                                           {"Q5_0", 32, 22, 6},
                                           {"Q5_1", 32, 24, 7},
                                           {"Q8_0", 32, 34, 8},
                                           {"Q4_K", 256, 144, 12},
                                           {"Q5_K", 256, 176, 13},
                                           {"Q6_K", 256, 210, 14}}};

struct OtherType {
  uint32_t code;
  const char* name;
};

// Types that files hold and nothing here reads: only for the message.
constexpr std::array<OtherType, 23> kOtherTypes{
    {{9, "Q8_1"},     {10, "Q2_K"},  {11, "Q3_K"},   {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"},
     {18, "IQ3_XXS"}, {19, "IQ1_S"}, {20, "IQ4_NL"}, {21, "IQ3_S"}, {22, "IQ2_S"},   {23, "IQ4_XS"},
     {24, "I8"},      {25, "I16"},   {26, "I32"},    {27, "I64"},   {28, "F64"},     {29, "IQ1_M"},
     {34, "TQ1_0"},   {35, "TQ2_0"}, {39, "MXFP4"},  {40, "NVFP4"}, {41, "Q1_0"}}};

const TypeInfo& info(BlockType type) {
  return kTypes[static_cast<size_t>(type)];
}

const uint8_t* as_u8(const std::byte* bytes) {
  return reinterpret_cast<const uint8_t*>(bytes);
}

float read_half(const uint8_t* bytes) {
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return half_to_float(bits);
}

void from_halves(const uint8_t* source, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = read_half(source + 2 * i);
}

void from_bf16(const uint8_t* source, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, source + 2 * i, sizeof bits);
    out[i] = bf16_to_float(bits);
  }
}

// 32-element blocks: half d | [half m] | [u32 fifth bits] | 16 bytes, low nibbles are the first 16 elements.
void from_q4(const uint8_t* source, int64_t blocks, bool has_min, float* out) {
  for (int64_t b = 0; b < blocks; ++b, out += 32) {
    const float d = read_half(source);
    const float m = has_min ? read_half(source + 2) : 0.0f;
    const uint8_t* quants = source + (has_min ? 4 : 2);
    if (has_min) {
      for (int j = 0; j < 16; ++j) {
        out[j] = d * static_cast<float>(quants[j] & 15) + m;
        out[j + 16] = d * static_cast<float>(quants[j] >> 4) + m;
      }
    } else {
      for (int j = 0; j < 16; ++j) {
        out[j] = d * static_cast<float>((quants[j] & 15) - 8);
        out[j + 16] = d * static_cast<float>((quants[j] >> 4) - 8);
      }
    }
    source = quants + 16;
  }
}

void from_q5(const uint8_t* source, int64_t blocks, bool has_min, float* out) {
  for (int64_t b = 0; b < blocks; ++b, out += 32) {
    const float d = read_half(source);
    const float m = has_min ? read_half(source + 2) : 0.0f;
    source += has_min ? 4 : 2;
    uint32_t high;
    std::memcpy(&high, source, sizeof high);
    const uint8_t* quants = source + 4;
    for (int j = 0; j < 16; ++j) {
      const int first = (quants[j] & 15) | static_cast<int>(((high >> j) & 1u) << 4);
      const int second = (quants[j] >> 4) | static_cast<int>(((high >> (j + 16)) & 1u) << 4);
      out[j] = has_min ? d * static_cast<float>(first) + m : d * static_cast<float>(first - 16);
      out[j + 16] = has_min ? d * static_cast<float>(second) + m : d * static_cast<float>(second - 16);
    }
    source = quants + 16;
  }
}

void from_q8_0(const uint8_t* source, int64_t blocks, float* out) {
  for (int64_t b = 0; b < blocks; ++b, out += 32, source += 34) {
    const float d = read_half(source);
    for (int j = 0; j < 32; ++j) out[j] = static_cast<float>(static_cast<int8_t>(source[2 + j])) * d;
  }
}

struct ScaleMin {
  uint8_t scale[8];
  uint8_t min[8];
};

// Eight 6-bit scales and eight 6-bit minima in 12 bytes.
ScaleMin unpack_scales(const uint8_t* packed) {
  ScaleMin result;
  for (int j = 0; j < 4; ++j) {
    result.scale[j] = packed[j] & 63;
    result.min[j] = packed[j + 4] & 63;
    result.scale[j + 4] = static_cast<uint8_t>((packed[j + 8] & 15) | ((packed[j] >> 6) << 4));
    result.min[j + 4] = static_cast<uint8_t>((packed[j + 8] >> 4) | ((packed[j + 4] >> 6) << 4));
  }
  return result;
}

// half d | half dmin | 12 bytes of scales | [32 bytes of fifth bits] | 128 bytes of nibbles; eight groups
// of 32.
void from_q45_k(const uint8_t* source, int64_t blocks, bool five_bits, float* out) {
  for (int64_t b = 0; b < blocks; ++b) {
    const float d = read_half(source);
    const float dmin = read_half(source + 2);
    const ScaleMin scales = unpack_scales(source + 4);
    const uint8_t* high = source + 16;
    const uint8_t* quants = source + (five_bits ? 48 : 16);
    for (int group = 0; group < 8; ++group, out += 32) {
      const float scale = d * static_cast<float>(scales.scale[group]);
      const float min = dmin * static_cast<float>(scales.min[group]);
      const uint8_t* nibbles = quants + (group / 2) * 32;
      const int shift = (group % 2) * 4;
      for (int j = 0; j < 32; ++j) {
        const int fifth = five_bits ? ((high[j] >> group) & 1) << 4 : 0;
        out[j] = scale * static_cast<float>(((nibbles[j] >> shift) & 15) | fifth) - min;
      }
    }
    source = quants + 128;
  }
}

// ql[128] | qh[64] | int8 scales[16] | half d. Each half of 128: four groups of 32 share 64 bytes ql, 32
// bytes qh.
void from_q6_k(const uint8_t* source, int64_t blocks, float* out) {
  for (int64_t b = 0; b < blocks; ++b, source += 210) {
    const float d = read_half(source + 208);
    for (int group = 0; group < 8; ++group, out += 32) {
      const int half = group / 4;
      const int part = group % 4;
      const uint8_t* low = source + half * 64 + (part % 2) * 32;
      const uint8_t* high = source + 128 + half * 32;
      const int low_shift = (part / 2) * 4;
      const int high_shift = part * 2;
      for (int sub = 0; sub < 2; ++sub) {
        const auto scale = static_cast<int8_t>(source[192 + group * 2 + sub]);
        const float step = d * static_cast<float>(scale);
        for (int j = sub * 16; j < sub * 16 + 16; ++j) {
          const int q = ((low[j] >> low_shift) & 15) | (((high[j] >> high_shift) & 3) << 4);
          out[j] = step * static_cast<float>(q - 32);
        }
      }
    }
  }
}

}  // namespace

const char* to_string(BlockType type) {
  return info(type).name;
}
int64_t block_elements(BlockType type) {
  return info(type).elements;
}
int64_t block_bytes(BlockType type) {
  return info(type).bytes;
}

Result<BlockType> block_type_of(uint32_t file_code) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].code == file_code) return static_cast<BlockType>(i);
  }
  const char* name = "unknown";
  for (const OtherType& other : kOtherTypes) {
    if (other.code == file_code) name = other.name;
  }
  Error error{ErrorCode::unsupported, fmt::format("tensor type {} ({}) is not read here", file_code, name),
              "use a file with F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K or Q6_K"};
  return fail(std::move(error));
}

void dequantize_row(BlockType type, const std::byte* source, int64_t count, float* out) {
  const uint8_t* bytes = as_u8(source);
  const int64_t blocks = count / block_elements(type);
  switch (type) {
    case BlockType::F32:
      if (count > 0) std::memcpy(out, bytes, static_cast<size_t>(count) * sizeof(float));
      return;
    case BlockType::F16:
      return from_halves(bytes, count, out);
    case BlockType::BF16:
      return from_bf16(bytes, count, out);
    case BlockType::Q4_0:
      return from_q4(bytes, blocks, false, out);
    case BlockType::Q4_1:
      return from_q4(bytes, blocks, true, out);
    case BlockType::Q5_0:
      return from_q5(bytes, blocks, false, out);
    case BlockType::Q5_1:
      return from_q5(bytes, blocks, true, out);
    case BlockType::Q8_0:
      return from_q8_0(bytes, blocks, out);
    case BlockType::Q4_K:
      return from_q45_k(bytes, blocks, false, out);
    case BlockType::Q5_K:
      return from_q45_k(bytes, blocks, true, out);
    case BlockType::Q6_K:
      return from_q6_k(bytes, blocks, out);
  }
}

float half_to_float(uint16_t bits) {
  // Exponents of fp16 and fp32 differ by 112. A subnormal is read as its integer mantissa times 2^-24, which
  // is exact.
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23) + (magnitude >= 0x7c00u ? 112u << 23 : 0u);
  const float subnormal = static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f;
  const uint32_t value = magnitude < 0x0400u ? std::bit_cast<uint32_t>(subnormal) : normal;
  return std::bit_cast<float>(value | sign);
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // rounds to 65536 or more
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 0.5 puts the last bit of a half subnormal at the last bit of the fp32 mantissa.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23);
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

}  // namespace orthros
