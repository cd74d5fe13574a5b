#include "engine/formats/quant_blocks.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/scalar_type.h"
#include "engine/formats/safetensors.h"

namespace orthros {
namespace {

constexpr BlockType kAll[] = {BlockType::F32,  BlockType::F16,  BlockType::BF16, BlockType::Q4_0,
                              BlockType::Q4_1, BlockType::Q5_0, BlockType::Q5_1, BlockType::Q8_0,
                              BlockType::Q4_K, BlockType::Q5_K, BlockType::Q6_K};

struct Recorded {
  std::vector<std::byte> blocks;
  std::vector<float> values;
};

Recorded load(BlockType type) {
  const auto file = SafetensorsFile::open(ORTHROS_FIXTURES "/quant/quant.safetensors");
  if (!file) throw std::runtime_error(file.error().line());
  const TensorEntry* blocks = file->find(std::string(to_string(type)) + ".blocks");
  const TensorEntry* values = file->find(std::string(to_string(type)) + ".values");
  EXPECT_EQ(blocks->shape[1], block_bytes(type));
  EXPECT_EQ(values->shape[1], block_elements(type));
  Recorded recorded;
  recorded.blocks.assign(blocks->bytes.begin(), blocks->bytes.end());
  recorded.values.resize(static_cast<size_t>(values->num_elements()));
  std::memcpy(recorded.values.data(), values->bytes.data(), values->bytes.size());
  return recorded;
}

std::vector<float> dequantized(BlockType type, const std::vector<std::byte>& blocks, size_t count) {
  std::vector<float> out(count, std::numeric_limits<float>::quiet_NaN());
  dequantize_row(type, blocks.data(), static_cast<int64_t>(count), out.data());
  return out;
}

size_t num_different(const std::vector<float>& a, const std::vector<float>& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += std::bit_cast<uint32_t>(a[i]) != std::bit_cast<uint32_t>(b[i]);
  return count;
}

class QuantBlocks : public testing::TestWithParam<BlockType> {};

TEST_P(QuantBlocks, EqualsTheGgufPackageInEveryBit) {
  const Recorded recorded = load(GetParam());
  EXPECT_EQ(num_different(dequantized(GetParam(), recorded.blocks, recorded.values.size()), recorded.values),
            0u);
}

TEST_P(QuantBlocks, EveryByteOfABlockMatters) {
  // A wrong layout that skips or repeats a byte would leave some byte without effect.
  const Recorded recorded = load(GetParam());
  for (size_t i = 0; i < static_cast<size_t>(block_bytes(GetParam())); ++i) {
    // The last recorded block: no field of it was set by hand.
    std::vector<std::byte> changed = recorded.blocks;
    changed[changed.size() - 1 - i] ^= std::byte{0x11};
    EXPECT_GT(num_different(dequantized(GetParam(), changed, recorded.values.size()), recorded.values), 0u)
        << i;
  }
}

TEST_P(QuantBlocks, WritesNothingBeyondTheCount) {
  const Recorded recorded = load(GetParam());
  const auto elements = static_cast<size_t>(block_elements(GetParam()));
  std::vector<float> out(2 * elements, -7.0f);
  dequantize_row(GetParam(), recorded.blocks.data(), static_cast<int64_t>(elements), out.data());
  for (size_t i = 0; i < elements; ++i) EXPECT_EQ(out[i], recorded.values[i]);
  for (size_t i = elements; i < out.size(); ++i) EXPECT_EQ(out[i], -7.0f);
  dequantize_row(GetParam(), nullptr, 0, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Types, QuantBlocks, testing::ValuesIn(kAll),
                         [](const auto& info) { return to_string(info.param); });

TEST(BlockTypes, CodesOfTheFileAreKnownOrNamed) {
  EXPECT_EQ(*block_type_of(0), BlockType::F32);
  EXPECT_EQ(*block_type_of(3), BlockType::Q4_1);
  EXPECT_EQ(*block_type_of(30), BlockType::BF16);
  for (const uint32_t code : {4u, 16u, 31u, 1000u, 0xffffffffu}) {
    const auto type = block_type_of(code);
    ASSERT_FALSE(type);
    EXPECT_EQ(type.error().code, ErrorCode::unsupported);
  }
  EXPECT_THAT(block_type_of(16).error().message, testing::HasSubstr("IQ2_XXS"));
}

TEST(Half, EveryValueComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = half_to_float(half);
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
      continue;
    }
    ASSERT_EQ(float_to_half(value), half) << bits;
    // The definition: sign, 5 bits of exponent, 10 of mantissa.
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double mantissa = static_cast<double>(bits & 1023) / 1024;
    double expected = exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1 + mantissa, exponent - 15);
    if (exponent == 31) expected = std::numeric_limits<double>::infinity();
    ASSERT_EQ(value, (bits & 0x8000) != 0 ? -expected : expected) << bits;
  }
}

TEST(Half, RoundsToNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7c00 - 1; ++bits) {
    const float low = half_to_float(static_cast<uint16_t>(bits));
    const float high = half_to_float(static_cast<uint16_t>(bits + 1));
    const float middle = 0.5f * (low + high);  // exact: one more bit of mantissa
    const uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(float_to_half(middle), even);
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), bits);
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9f)), bits + 1);
    ASSERT_EQ(float_to_half(-std::nextafter(middle, 1e9f)), 0x8000u + bits + 1);
  }
  EXPECT_EQ(float_to_half(65519.99f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(1e30f), 0x7c00);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::infinity()), 0xfc00);
}

}  // namespace
}  // namespace orthros
