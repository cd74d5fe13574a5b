// Byte layout of int8 and int4 matrices. Private to kernels.
// A tile is kRowTile rows x K, tiles follow each other; a tile is K/32 groups, each for its 16 rows r:
//   int8, 544 bytes: fp16 scale[r] | uint8 (q + 128)[8][r][4]: quad j of row r holds columns 4j..4j+3 of the
//   group. int4, 320 bytes: fp16 scale[r] | fp16 minimum[r] | uint8[4][r][4]: low nibbles are quads 0..3,
//   high ones 4..7.
// One vector lane is one row: a dot product of four bytes a lane needs no sum across lanes, and 16 scales are
// one load.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/kernels/matrix.h"

namespace orthros::kernels {

inline constexpr int64_t kQuantGroup = 32;
static_assert(kInt8Group == kQuantGroup && kInt4Group == kQuantGroup);
inline constexpr int64_t kQuads = kQuantGroup / 4;
inline constexpr int64_t kQuadBytes = 4 * kRowTile;  // one quad of every row of a tile
inline constexpr int64_t kHalvesBytes = 2 * kRowTile;
inline constexpr int64_t kInt8GroupBytes = kHalvesBytes + kQuads * kQuadBytes;
inline constexpr int64_t kInt4GroupBytes = 2 * kHalvesBytes + kQuads * kQuadBytes / 2;

constexpr bool is_quantised(WeightFormat format) {
  return format == WeightFormat::int8 || format == WeightFormat::int4;
}
constexpr int64_t group_bytes(WeightFormat format) {
  return format == WeightFormat::int8 ? kInt8GroupBytes : kInt4GroupBytes;
}
constexpr int64_t tile_bytes(WeightFormat format, int64_t columns) {
  return columns / kQuantGroup * group_bytes(format);
}
constexpr int64_t num_tiles(int64_t rows) {
  return (rows + kRowTile - 1) / kRowTile;
}

inline uint16_t load_u16(const uint8_t* bytes) {
  uint16_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
inline void store_u16(uint8_t* bytes, uint16_t value) {
  std::memcpy(bytes, &value, sizeof value);
}

/// One group of one row, unpacked: stored codes are 0..255 (q + 128) for int8 and 0..15 for int4.
struct GroupCodes {
  uint16_t scale = 0;    // fp16
  uint16_t minimum = 0;  // fp16, int4 only
  uint8_t codes[kQuantGroup] = {};
};

/// `group` points at the group of the whole tile.
inline GroupCodes read_group(WeightFormat format, const uint8_t* group, int64_t row) {
  GroupCodes out;
  out.scale = load_u16(group + 2 * row);
  if (format == WeightFormat::int8) {
    for (int64_t j = 0; j < kQuads; ++j) {
      std::memcpy(out.codes + 4 * j, group + kHalvesBytes + j * kQuadBytes + 4 * row, 4);
    }
    return out;
  }
  out.minimum = load_u16(group + kHalvesBytes + 2 * row);
  for (int64_t j = 0; j < kQuads / 2; ++j) {
    const uint8_t* packed = group + 2 * kHalvesBytes + j * kQuadBytes + 4 * row;
    for (int64_t i = 0; i < 4; ++i) {
      out.codes[4 * j + i] = packed[i] & 15;
      out.codes[4 * j + i + kQuantGroup / 2] = packed[i] >> 4;
    }
  }
  return out;
}

inline void write_group(WeightFormat format, const GroupCodes& in, int64_t row, uint8_t* group) {
  store_u16(group + 2 * row, in.scale);
  if (format == WeightFormat::int8) {
    for (int64_t j = 0; j < kQuads; ++j) {
      std::memcpy(group + kHalvesBytes + j * kQuadBytes + 4 * row, in.codes + 4 * j, 4);
    }
    return;
  }
  store_u16(group + kHalvesBytes + 2 * row, in.minimum);
  for (int64_t j = 0; j < kQuads / 2; ++j) {
    uint8_t* packed = group + 2 * kHalvesBytes + j * kQuadBytes + 4 * row;
    for (int64_t i = 0; i < 4; ++i) {
      packed[i] = static_cast<uint8_t>(in.codes[4 * j + i] | (in.codes[4 * j + i + kQuantGroup / 2] << 4));
    }
  }
}

}  // namespace orthros::kernels
