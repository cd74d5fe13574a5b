#include "engine/formats/gguf.h"

#include <bit>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/gguf_builder.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::exact_copy;
using test::GgufBuilder;
using testing::HasSubstr;

constexpr uint32_t kF32 = 0, kQ4_1 = 3, kQ8_0 = 8, kQ6_K = 14;

std::vector<std::byte> numbered(size_t count) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + 7);
  return bytes;
}

GgufBuilder sound() {
  GgufBuilder builder;
  builder.string("general.architecture", "llama").u32("a.u32", 7).u64("a.u64", UINT64_MAX).i32("a.i32", -7);
  builder.f32("a.f32", 0.5f)
      .boolean("a.bool", true)
      .strings("a.texts", {"x", "", "yz"})
      .i32s("a.ints", {-1, 0, 9});
  builder.tensor("first", {32, 3}, kQ8_0, numbered(3 * 34));
  builder.tensor("second", {64, 2}, kQ4_1, numbered(2 * 2 * 20));
  builder.tensor("third", {2, 3, 5}, kF32, numbered(120));
  builder.tensor("fourth", {256}, kQ6_K, numbered(210));
  return builder;
}

Error error_of(const std::vector<std::byte>& bytes) {
  const auto file = GgufFile::parse(bytes);
  EXPECT_FALSE(file);
  return file ? Error{} : file.error();
}

TEST(Gguf, GivesTensorsInTorchOrderWithTheirBytes) {
  const std::vector<std::byte> bytes = sound().build();
  const auto file = GgufFile::parse(bytes);
  ASSERT_TRUE(file) << file.error().line();
  ASSERT_EQ(file->tensors().size(), 4u);
  const GgufTensor* third = file->find("third");
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(third->shape, (std::vector<int64_t>{5, 3, 2}));
  EXPECT_EQ(third->num_elements(), 30);
  for (const auto& [name, type, size] :
       {std::tuple{"first", BlockType::Q8_0, 102u}, std::tuple{"second", BlockType::Q4_1, 80u},
        std::tuple{"third", BlockType::F32, 120u}, std::tuple{"fourth", BlockType::Q6_K, 210u}}) {
    const GgufTensor* tensor = file->find(name);
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(tensor->type, type);
    EXPECT_TRUE(std::ranges::equal(tensor->bytes, numbered(size))) << name;
  }
  EXPECT_EQ(file->find("fifth"), nullptr);
}

TEST(Gguf, GettersConvertWhatFitsAndRefuseTheRest) {
  const std::vector<std::byte> bytes = sound().build();
  const auto file = GgufFile::parse(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text("general.architecture").value(), "llama");
  EXPECT_EQ(file->integer("a.u32").value(), 7);
  EXPECT_EQ(file->integer("a.i32").value(), -7);
  EXPECT_EQ(file->number("a.u32").value(), 7.0);
  EXPECT_EQ(file->number("a.f32").value(), 0.5);
  EXPECT_TRUE(file->boolean("a.bool").value());
  EXPECT_EQ(*file->strings("a.texts"), (std::vector<std::string>{"x", "", "yz"}));
  EXPECT_EQ(*file->integers("a.ints"), (std::vector<int64_t>{-1, 0, 9}));
  EXPECT_TRUE(file->has("a.u64"));
  EXPECT_FALSE(file->has("a"));
  EXPECT_EQ(file->integer("a.u64").error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(file->integer("a.f32").error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(file->text("a.u32").error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(file->boolean("a.u32").error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(file->text("none").error().code, ErrorCode::not_found);
  EXPECT_EQ(file->strings("a.ints"), nullptr);
  EXPECT_EQ(file->integers("none"), nullptr);
}

TEST(Gguf, TheFileOutlivesItsName) {
  const test::TempFolder folder;
  const std::vector<std::byte> bytes = sound().build();
  ASSERT_TRUE(write_atomically(folder / "m.gguf", [&](ByteSink& sink) { return sink.write(bytes); }));
  const auto file = GgufFile::open(folder / "m.gguf");
  ASSERT_TRUE(file);
  std::filesystem::remove(folder / "m.gguf");
  EXPECT_TRUE(std::ranges::equal(file->find("first")->bytes, numbered(102)));
  EXPECT_EQ(file->file().bytes().size(), bytes.size());
  ASSERT_TRUE(write_text_atomically(folder / "bad.gguf", "GGUFxxxxxxxxxxxxxxxx"));
  EXPECT_THAT(GgufFile::open(folder / "bad.gguf").error().message, HasSubstr("bad.gguf"));
}

TEST(Gguf, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = sound().build();
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::byte> cut = exact_copy(bytes, length);
    const auto file = GgufFile::parse(cut);
    ASSERT_FALSE(file) << length;
    ASSERT_EQ(file.error().code, ErrorCode::corrupt_file) << length;
  }
}

TEST(Gguf, EveryChangedByteIsRefusedOrHarmless) {
  const std::vector<std::byte> bytes = sound().build();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const uint8_t mask : {0x01, 0x80, 0xff}) {
      std::vector<std::byte> changed = bytes;
      changed[i] ^= std::byte{mask};
      const auto file = GgufFile::parse(changed);
      if (!file) continue;
      for (const GgufTensor& tensor : file->tensors()) {
        std::vector<float> values(static_cast<size_t>(tensor.num_elements()));
        dequantize_row(tensor.type, tensor.bytes.data(), tensor.num_elements(), values.data());
      }
    }
  }
}

TEST(Gguf, ReadsVersion2AndRefusesOthersClearly) {
  GgufBuilder builder = sound();
  builder.version = 2;
  EXPECT_EQ(GgufFile::parse(builder.build())->version(), 2u);
  for (const uint32_t version : {0u, 1u, 4u}) {
    builder.version = version;
    EXPECT_EQ(error_of(builder.build()).code, ErrorCode::unsupported);
  }
  builder.version = 0x03000000;
  EXPECT_THAT(error_of(builder.build()).message, HasSubstr("big endian"));
  std::vector<std::byte> bytes = sound().build();
  bytes[0] = std::byte{'g'};
  EXPECT_EQ(error_of(bytes).code, ErrorCode::corrupt_file);
  EXPECT_THAT(error_of(bytes).message, HasSubstr("not a GGUF file"));
}

TEST(Gguf, AnnouncedCountsAreCheckedBeforeAnythingIsAllocated) {
  for (const uint64_t count : {uint64_t{5}, uint64_t{1} << 20, uint64_t{1} << 60, UINT64_MAX - 60}) {
    GgufBuilder tensors = sound();
    tensors.announced_tensors = count;
    EXPECT_EQ(error_of(tensors.build()).code, ErrorCode::corrupt_file);
    GgufBuilder pairs = sound();
    pairs.announced_pairs = count + 8;
    EXPECT_EQ(error_of(pairs.build()).code, ErrorCode::corrupt_file);
    for (const uint32_t type : {0u, 5u, 6u, 7u, 8u, 12u}) {
      GgufBuilder array;
      array.key("a", 9).value().put(type).put(count + 60).zeros(4);  // more than the padding too
      EXPECT_EQ(error_of(array.build()).code, ErrorCode::corrupt_file);
    }
  }
  GgufBuilder text;
  text.key("a", 8).value().put(uint64_t{1} << 60);
  EXPECT_EQ(error_of(text.build()).code, ErrorCode::corrupt_file);
}

TEST(Gguf, BrokenMetadataIsRefused) {
  EXPECT_THAT(error_of(GgufBuilder().u32("a", 1).u32("a", 1).build()).message, HasSubstr("'a' occurs twice"));
  EXPECT_EQ(error_of(GgufBuilder().u32("", 1).u32("b", 1).build()).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(GgufBuilder().u32("a\nb", 1).build()).code, ErrorCode::corrupt_file);
  GgufBuilder unknown;
  unknown.key("a", 13).value().zeros(8);
  EXPECT_THAT(error_of(unknown.build()).message, HasSubstr("unknown type 13"));
  GgufBuilder flag;
  flag.key("a", 7).value().put(uint8_t{2}).zeros(8);
  EXPECT_EQ(error_of(flag.build()).code, ErrorCode::corrupt_file);
  GgufBuilder nested;
  nested.key("a", 9).value().put(uint32_t{9}).put(uint64_t{1}).zeros(64);
  EXPECT_EQ(error_of(nested.build()).code, ErrorCode::unsupported);
}

TEST(Gguf, AlignmentMustBeAPowerOfTwo) {
  for (const uint32_t alignment : {8u, 64u, 256u}) {
    GgufBuilder builder;
    builder.alignment = alignment;
    builder.u32("general.alignment", alignment)
        .tensor("a", {1}, kF32, numbered(4))
        .tensor("b", {1}, kF32, numbered(4));
    const std::vector<std::byte> bytes = builder.build();
    const auto file = GgufFile::parse(bytes);
    ASSERT_TRUE(file) << file.error().line();
    EXPECT_TRUE(std::ranges::equal(file->find("b")->bytes, numbered(4)));
  }
  for (const uint32_t alignment : {0u, 3u, 48u, 1u << 31}) {
    EXPECT_EQ(error_of(GgufBuilder().u32("general.alignment", alignment).build()).code,
              ErrorCode::corrupt_file);
  }
  EXPECT_EQ(error_of(GgufBuilder().string("general.alignment", "32").build()).code, ErrorCode::corrupt_file);
}

TEST(Gguf, TensorsMayHavePaddingBetweenButNeverShareBytes) {
  const auto two = [](uint64_t first, uint64_t second, size_t data) {
    return GgufBuilder().info("a", {16}, kF32, first).info("b", {16}, kF32, second).data(data).build();
  };
  EXPECT_TRUE(GgufFile::parse(two(0, 64, 128)));
  EXPECT_TRUE(GgufFile::parse(two(64, 0, 128)));    // any order
  EXPECT_TRUE(GgufFile::parse(two(32, 256, 400)));  // gaps and a rest
  EXPECT_THAT(error_of(two(0, 32, 128)).message, HasSubstr("overlap"));
  EXPECT_THAT(error_of(two(0, 0, 128)).message, HasSubstr("overlap"));
  EXPECT_THAT(error_of(two(0, 65, 200)).message, HasSubstr("multiple"));
  EXPECT_THAT(error_of(two(0, 64, 127)).message, HasSubstr("'b' needs 64 bytes"));
  EXPECT_EQ(error_of(two(0, uint64_t{1} << 63, 128)).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(two(0, UINT64_MAX - 31, 128)).code, ErrorCode::corrupt_file);
}

TEST(Gguf, ImpossibleTensorsAreRefused) {
  const auto one = [](const std::vector<uint64_t>& ne, uint32_t type) {
    return error_of(GgufBuilder().info("name", ne, type, 0).data(64).build());
  };
  EXPECT_EQ(one({uint64_t{1} << 60}, kF32).code, ErrorCode::corrupt_file);
  EXPECT_EQ(one({UINT64_MAX}, kF32).code, ErrorCode::corrupt_file);
  EXPECT_EQ(one({uint64_t{1} << 32, uint64_t{1} << 32}, kF32).code, ErrorCode::corrupt_file);
  EXPECT_EQ(one({1, 1, 1, 1, 1}, kF32).code, ErrorCode::corrupt_file);
  EXPECT_THAT(one({31}, kQ8_0).message, HasSubstr("blocks of 32"));
  EXPECT_THAT(one({32, 8}, kQ6_K).message, HasSubstr("blocks of 256"));
  const Error unknown = one({32}, 16);
  EXPECT_EQ(unknown.code, ErrorCode::unsupported);
  EXPECT_THAT(unknown.message, testing::AllOf(HasSubstr("'name'"), HasSubstr("IQ2_XXS")));
  EXPECT_THAT(error_of(GgufBuilder().info("a", {1}, 0, 0).info("a", {1}, 0, 32).data(64).build()).message,
              HasSubstr("occurs twice"));
  EXPECT_EQ(error_of(GgufBuilder().info("", {1}, 0, 0).data(64).build()).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(GgufBuilder().info(std::string(65, 'x'), {1}, 0, 0).data(64).build()).code,
            ErrorCode::corrupt_file);
}

TEST(Gguf, AFileWithoutTensorsNeedsNoData) {
  std::vector<std::byte> bytes = GgufBuilder().u32("a", 1).build();
  bytes.resize(bytes.size() - 1);  // part of the padding
  EXPECT_TRUE(GgufFile::parse(bytes));
}

}  // namespace
}  // namespace orthros
