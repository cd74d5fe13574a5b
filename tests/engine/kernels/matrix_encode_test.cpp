// Quantisation: blocks of GGUF are held verbatim, grids come back exactly, everything else within a stated
// error.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/kernels/half.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"
#include "tests/engine/kernels/kernel_cases.h"

namespace orthros::kernels {
namespace {

constexpr int64_t kColumns = 96;

struct Blocks {
  std::vector<std::byte> bytes;
  std::vector<float> values;  // what the format's definition says
};

void append_half(std::vector<std::byte>& out, uint16_t half) {
  out.push_back(static_cast<std::byte>(half & 255));
  out.push_back(static_cast<std::byte>(half >> 8));
}

/// Random Q4_1 blocks; each uses the codes 0 and `top` at least.
Blocks q4_1_blocks(int64_t rows, int top, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Blocks out;
  for (int64_t b = 0; b < rows * kColumns / 32; ++b) {
    const uint16_t d = float_to_half(std::fabs(normal(random)) * 0.01f + 1e-4f);
    const uint16_t m = float_to_half(normal(random) * 0.1f);
    uint8_t q[32];
    for (uint8_t& code : q) code = static_cast<uint8_t>(random() % static_cast<uint32_t>(top + 1));
    q[random() % 16] = 0;
    q[16 + random() % 16] = static_cast<uint8_t>(top);
    append_half(out.bytes, d);
    append_half(out.bytes, m);
    for (int i = 0; i < 16; ++i) out.bytes.push_back(static_cast<std::byte>(q[i] | (q[i + 16] << 4)));
    for (const uint8_t code : q) out.values.push_back(half_to_float(d) * code + half_to_float(m));
  }
  return out;
}

Blocks q8_0_blocks(int64_t rows, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Blocks out;
  for (int64_t b = 0; b < rows * kColumns / 32; ++b) {
    const uint16_t d = float_to_half(std::fabs(normal(random)) * 0.01f);
    append_half(out.bytes, d);
    for (int i = 0; i < 32; ++i) {
      const auto code = static_cast<int8_t>(static_cast<uint8_t>(random()));  // -128 too
      out.bytes.push_back(static_cast<std::byte>(code));
      out.values.push_back(half_to_float(d) * static_cast<float>(code));
    }
  }
  return out;
}

std::vector<float> decoded(WeightFormat format, const std::vector<std::byte>& held, int64_t begin,
                           int64_t end, int64_t rows) {
  const MatrixView view{format, rows, kColumns, held.data()};
  std::vector<float> out(static_cast<size_t>((end - begin) * kColumns), kNan);
  decode_rows(view.row_range(begin, end), ScalarType::float32, out.data());
  return out;
}

std::vector<std::byte> encoded(WeightFormat format, const std::vector<float>& values) {
  const int64_t rows = static_cast<int64_t>(values.size()) / kColumns;
  std::vector<std::byte> out(static_cast<size_t>(matrix_bytes(format, rows, kColumns)), std::byte{0xff});
  encode_rows(format, values.data(), rows, kColumns, out.data());
  return out;
}

double relative_error(const std::vector<float>& got, const std::vector<float>& want) {
  double error = 0, size = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    error += std::pow(static_cast<double>(got[i]) - want[i], 2);
    size += std::pow(static_cast<double>(want[i]), 2);
  }
  return std::sqrt(error / size);
}

TEST(MatrixBytes, RoundsQuantisedRowsUpToTiles) {
  EXPECT_EQ(matrix_bytes(WeightFormat::int4, 32, 64), 32 * 40);
  EXPECT_EQ(matrix_bytes(WeightFormat::int4, 33, 64), 48 * 40);
  EXPECT_EQ(matrix_bytes(WeightFormat::int8, 1, 64), 16 * 68);
  EXPECT_EQ(matrix_bytes(WeightFormat::bfloat16, 33, 64), 33 * 128);
  EXPECT_EQ(row_bytes(WeightFormat::int4, 32), 20);  // as Q4_1
  EXPECT_EQ(row_bytes(WeightFormat::int8, 32), 34);  // as Q8_0
}

TEST(PackRows, HoldsQ4_1Verbatim) {
  for (const int64_t rows : {1, 16, 37}) {
    const Blocks blocks = q4_1_blocks(rows, 15, 1);
    std::vector<std::byte> held(static_cast<size_t>(matrix_bytes(WeightFormat::int4, rows, kColumns)));
    pack_q4_1_rows(blocks.bytes.data(), rows, kColumns, held.data());
    on_every_target([&] {
      const std::vector<float> got = decoded(WeightFormat::int4, held, 0, rows, rows);
      EXPECT_EQ(got, blocks.values);
      std::vector<float> wrong = blocks.values;
      std::swap(wrong[3], wrong[19]);  // the two nibbles of a byte
      if (wrong != blocks.values) {
        EXPECT_NE(got, wrong);
      }
    });
  }
}

TEST(PackRows, HoldsQ8_0Verbatim) {
  for (const int64_t rows : {1, 16, 37}) {
    const Blocks blocks = q8_0_blocks(rows, 2);
    std::vector<std::byte> held(static_cast<size_t>(matrix_bytes(WeightFormat::int8, rows, kColumns)));
    pack_q8_0_rows(blocks.bytes.data(), rows, kColumns, held.data());
    on_every_target([&] { EXPECT_EQ(decoded(WeightFormat::int8, held, 0, rows, rows), blocks.values); });
  }
}

TEST(PackRows, ProductsOfExtremeCodesAreExactEnough) {
  // Code -128 and the largest activations: nothing may saturate.
  Blocks blocks;
  for (int64_t b = 0; b < 3; ++b) {
    append_half(blocks.bytes, float_to_half(1.0f));
    for (int i = 0; i < 32; ++i) blocks.bytes.push_back(static_cast<std::byte>(b == 1 ? 127 : -128));
  }
  std::vector<std::byte> held(static_cast<size_t>(matrix_bytes(WeightFormat::int8, 1, kColumns)));
  pack_q8_0_rows(blocks.bytes.data(), 1, kColumns, held.data());
  for (const float sign : {1.0f, -1.0f}) {
    const std::vector<float> x(kColumns, sign * 5.0f);
    on_every_target([&] {
      float y = kNan;
      gemv({WeightFormat::int8, 1, kColumns, held.data()}, x.data(), kColumns, 1, &y, 1);
      EXPECT_NEAR(y, sign * 5.0f * 32 * (127 - 256), 0.5f);
    });
  }
}

TEST(EncodeRows, GivesBackQ4_1GridsExactly) {
  for (const int top : {15, 14, 9, 3, 1}) {
    const Blocks blocks = q4_1_blocks(64, top, 3);
    std::vector<float> negated = blocks.values;
    for (float& v : negated) v = -v;
    on_every_target([&] {
      const auto again = [](const std::vector<float>& values) {
        return decoded(WeightFormat::int4, encoded(WeightFormat::int4, values), 0, 64, 64);
      };
      EXPECT_EQ(again(blocks.values), blocks.values) << "codes 0.." << top;
      EXPECT_EQ(again(negated), negated);
      std::vector<float> off_grid = blocks.values;  // one value between two points
      off_grid[5] += (off_grid[5] == off_grid[6] ? 0.37f : 0.41f * (off_grid[6] - off_grid[5]));
      EXPECT_NE(again(off_grid), off_grid);
    });
  }
}

TEST(EncodeRows, GivesBackQ8_0GridsExactly) {
  Blocks blocks = q8_0_blocks(32, 4);
  for (size_t b = 0; b < blocks.values.size(); b += 32) {  // as its encoder does: the largest code is 127
    const float d = half_to_float(float_to_half(0.01f + 1e-5f * static_cast<float>(b)));
    for (size_t i = 0; i < 32; ++i)
      blocks.values[b + i] = d * static_cast<float>(static_cast<int>(i * 8) - 124);
    blocks.values[b + 7] = 127 * d;
  }
  EXPECT_EQ(decoded(WeightFormat::int8, encoded(WeightFormat::int8, blocks.values), 0, 32, 32),
            blocks.values);
}

TEST(EncodeRows, ErrorIsBoundedOnRandomAndHeavyTailedWeights) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.03f);
  std::vector<float> gaussian(64 * kColumns);
  for (float& v : gaussian) v = normal(random);
  std::vector<float> peaked = gaussian;  // cubes: a few values a hundred times the median
  for (float& v : peaked) v = v * v * v * 1e3f;
  for (const std::vector<float>& weights : {gaussian, peaked}) {
    const std::vector<float> int8 =
        decoded(WeightFormat::int8, encoded(WeightFormat::int8, weights), 0, 64, 64);
    const std::vector<float> int4 =
        decoded(WeightFormat::int4, encoded(WeightFormat::int4, weights), 0, 64, 64);
    // Rounding to max/127 has an rms error of max/440: 0.6 % of a normal group's rms, 0.9 % where one value in 32
    // stands for most of the group.
    EXPECT_LT(relative_error(int8, weights), weights == peaked ? 0.01 : 0.007);
    EXPECT_LT(relative_error(int4, weights), 0.1);
    for (size_t b = 0; b < weights.size();
         b += 32) {  // no value is further off than its own grid's step allows
      float low = weights[b], high = weights[b];
      for (size_t i = b; i < b + 32; ++i) {
        low = std::min(low, weights[i]);
        high = std::max(high, weights[i]);
      }
      const float largest = std::max(-low, high);
      for (size_t i = b; i < b + 32; ++i) {
        ASSERT_LE(std::fabs(int8[i] - weights[i]), largest / 127 * 0.51f + 6e-8f);
        ASSERT_LE(std::fabs(int4[i] - weights[i]), (high - low) * 0.25f);  // ends may be cut
      }
    }
  }
}

TEST(EncodeRows, ConstantZeroTinyAndHugeGroupsStayFinite) {
  std::vector<float> weights(8 * kColumns, 0.0f);
  const float fills[] = {0.0f, 1.0f, -0.25f, 1e-9f, 1e-30f, 6e4f, 1e9f, 3e38f};
  for (size_t r = 0; r < 8; ++r) {
    std::fill_n(weights.begin() + static_cast<int64_t>(r * kColumns), kColumns, fills[r]);
    weights[r * kColumns + 40] = -fills[r];
  }
  for (const WeightFormat format : {WeightFormat::int8, WeightFormat::int4}) {
    const std::vector<float> got = decoded(format, encoded(format, weights), 0, 8, 8);
    for (const float v : got) EXPECT_TRUE(std::isfinite(v));
    for (size_t i = 0; i < 3 * kColumns; ++i) EXPECT_NEAR(got[i], weights[i], 2e-3f);
  }
  const std::vector<float> nans(kColumns, kNan);
  for (const WeightFormat format : {WeightFormat::int8, WeightFormat::int4}) {
    for (const float v : decoded(format, encoded(format, nans), 0, 1, 1)) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(DecodeRows, RangeAndTypeAgreeWithTheWhole) {
  const std::vector<float> weights = heavy_tailed(50 * kColumns, 7);
  for (const WeightFormat format :
       {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
    const std::vector<std::byte> held = encoded(format, weights);
    const std::vector<float> whole = decoded(format, held, 0, 50, 50);
    on_every_target([&] {
      const std::vector<float> part = decoded(format, held, 16, 41, 50);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 16 * kColumns));
      std::vector<uint16_t> narrow(whole.size(), float_to_bf16(kNan));
      decode_rows({format, 50, kColumns, held.data()}, ScalarType::bfloat16, narrow.data());
      for (size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(narrow[i], float_to_bf16(whole[i]));
    });
  }
}

TEST(EncodeRows, BlocksOfTilesEqualOneCall) {
  const std::vector<float> weights = heavy_tailed(50 * kColumns, 8);
  for (const WeightFormat format : {WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
    std::vector<std::byte> parts(static_cast<size_t>(matrix_bytes(format, 50, kColumns)));
    for (int64_t begin = 0; begin < 50; begin += kRowTile) {
      encode_rows(format, weights.data() + begin * kColumns, std::min<int64_t>(kRowTile, 50 - begin),
                  kColumns, parts.data() + begin * row_bytes(format, kColumns));
    }
    EXPECT_EQ(parts, encoded(format, weights));
  }
}

TEST(Half, RoundTripsEveryFiniteNumber) {
  for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if ((half & 0x7c00u) == 0x7c00u) continue;  // inf and NaN saturate
    ASSERT_EQ(float_to_half(half_to_float(half)), half);
  }
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), float_to_half(1.0f));  // a tie goes to even
  EXPECT_EQ(float_to_half(1.0f + 0x1.1p-11f), float_to_half(1.0f + 0x1p-10f));
  EXPECT_EQ(float_to_half(1e9f), 0x7bff);
}

}  // namespace
}  // namespace orthros::kernels
