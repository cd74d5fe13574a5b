#include <algorithm>
#include <cmath>

#include "engine/kernels/encode_groups.h"
#include "engine/kernels/half.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {
namespace {

void encode_bf16(const float* source, int64_t count, uint16_t* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = float_to_bf16(source[i]);
}

/// Calls make(row, group index) for every group and lays the results out; padding rows are zero.
template <class MakeGroup>
void write_tiles(WeightFormat format, int64_t rows, int64_t columns, void* out, MakeGroup make) {
  auto* bytes = static_cast<uint8_t*>(out);
  for (int64_t tile = 0; tile < num_tiles(rows); ++tile, bytes += tile_bytes(format, columns)) {
    for (int64_t g = 0; g < columns / kQuantGroup; ++g) {
      for (int64_t r = 0; r < kRowTile; ++r) {
        const int64_t row = tile * kRowTile + r;
        write_group(format, row < rows ? make(row, g) : GroupCodes{}, r, bytes + g * group_bytes(format));
      }
    }
  }
}

}  // namespace

void encode_rows(WeightFormat format, const float* source, int64_t rows, int64_t columns,
                 void* out) noexcept {
  switch (format) {
    case WeightFormat::float32:
      std::copy_n(source, rows * columns, static_cast<float*>(out));
      return;
    case WeightFormat::bfloat16:
      encode_bf16(source, rows * columns, static_cast<uint16_t*>(out));
      return;
    case WeightFormat::int8:
      write_tiles(format, rows, columns, out, [&](int64_t row, int64_t g) {
        return encode_int8_group(source + row * columns + g * kQuantGroup);
      });
      return;
    case WeightFormat::int4:
      write_tiles(format, rows, columns, out, [&](int64_t row, int64_t g) {
        return encode_int4_group(source + row * columns + g * kQuantGroup);
      });
      return;
  }
}

void pack_q4_1_rows(const std::byte* blocks, int64_t rows, int64_t columns, void* out) noexcept {
  const auto* bytes = reinterpret_cast<const uint8_t*>(blocks);
  const int64_t groups = columns / kQuantGroup;
  write_tiles(WeightFormat::int4, rows, columns, out, [&](int64_t row, int64_t g) {
    const uint8_t* block = bytes + (row * groups + g) * 20;
    GroupCodes codes{load_u16(block), load_u16(block + 2), {}};
    for (int64_t i = 0; i < 16; ++i) {
      codes.codes[i] = block[4 + i] & 15;
      codes.codes[i + 16] = block[4 + i] >> 4;
    }
    return codes;
  });
}

void pack_q8_0_rows(const std::byte* blocks, int64_t rows, int64_t columns, void* out) noexcept {
  const auto* bytes = reinterpret_cast<const uint8_t*>(blocks);
  const int64_t groups = columns / kQuantGroup;
  write_tiles(WeightFormat::int8, rows, columns, out, [&](int64_t row, int64_t g) {
    const uint8_t* block = bytes + (row * groups + g) * 34;
    GroupCodes codes{load_u16(block), 0, {}};
    for (int64_t i = 0; i < kQuantGroup; ++i) codes.codes[i] = block[2 + i] ^ 0x80u;  // q + 128
    return codes;
  });
}

}  // namespace orthros::kernels
