#include "engine/formats/safetensors.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace orthros {
namespace {

using test::ByteWriter;
using test::exact_copy;
using testing::HasSubstr;

std::vector<std::byte> file_of(std::string_view header, size_t data_bytes) {
  ByteWriter writer;
  writer.put(static_cast<uint64_t>(header.size())).text(header);
  for (size_t i = 0; i < data_bytes; ++i) writer.put(static_cast<uint8_t>(i));
  return {writer.bytes().begin(), writer.bytes().end()};
}

std::string tensor(std::string_view name, std::string_view dtype, std::string_view shape, uint64_t begin,
                   uint64_t end) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name, dtype, shape, begin,
                     end);
}

std::string object(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "{" : ",") + member;
  return text.empty() ? "{}" : text + "}";
}

Error error_of(const std::vector<std::string>& members, size_t data_bytes) {
  const auto file = SafetensorsFile::parse(file_of(object(members), data_bytes));
  EXPECT_FALSE(file) << object(members);
  return file ? Error{} : file.error();
}

TEST(Safetensors, GivesTensorsInTheOrderOfTheirData) {
  // The header names them in another order, and pads with spaces.
  const std::string header = object({tensor("z", "F32", "[2,3]", 0, 24), tensor("a", "BF16", "[4]", 24, 32),
                                     tensor("m", "I64", "[0,5]", 32, 32), tensor("k", "F16", "[]", 32, 34),
                                     R"("__metadata__":{"format":"pt"})"}) +
                             "   ";
  const std::vector<std::byte> bytes = file_of(header, 34);
  const auto file = SafetensorsFile::parse(bytes);
  ASSERT_TRUE(file) << file.error().line();
  std::vector<std::string> names;
  for (const TensorEntry& entry : file->tensors()) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAre("z", "a", "m", "k"));
  EXPECT_EQ(file->metadata().at("format"), "pt");
  EXPECT_EQ(file->find("z")->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(file->find("a")->bytes.size(), 8u);
  EXPECT_EQ(file->find("a")->bytes[0], std::byte{24});
  EXPECT_EQ(file->find("k")->num_elements(), 1);
  EXPECT_EQ(file->find("m")->num_elements(), 0);
  EXPECT_EQ(file->find("__metadata__"), nullptr);
  EXPECT_EQ(*scalar_type_of(*file->find("a")), ScalarType::bfloat16);
  EXPECT_EQ(scalar_type_of(*file->find("m")).error().code, ErrorCode::unsupported);
}

TEST(Safetensors, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes =
      file_of(object({tensor("a", "F32", "[2]", 0, 8), tensor("b", "U8", "[3]", 8, 11)}), 11);
  ASSERT_TRUE(SafetensorsFile::parse(bytes));
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::byte> cut = exact_copy(bytes, length);
    const auto file = SafetensorsFile::parse(cut);
    ASSERT_FALSE(file) << length;
    ASSERT_EQ(file.error().code, ErrorCode::corrupt_file);
  }
}

TEST(Safetensors, HolesOverlapsAndRestsAreRefused) {
  const auto two = [](uint64_t begin, uint64_t end, size_t data) {
    return error_of(
        {tensor("a", "U8", "[4]", 0, 4), tensor("b", "U8", fmt::format("[{}]", end - begin), begin, end)},
        data);
  };
  EXPECT_THAT(two(5, 8, 8).message, HasSubstr("'b' begins at 5, after the end 4"));
  EXPECT_THAT(two(3, 8, 8).message, HasSubstr("'b' begins at 3, before the end 4"));
  EXPECT_THAT(two(0, 4, 4).message, HasSubstr("before the end"));
  EXPECT_THAT(two(4, 8, 9).message, HasSubstr("take 8 bytes and the file holds 9"));
  EXPECT_THAT(two(4, 8, 7).hint, HasSubstr("cut short"));
  EXPECT_THAT(error_of({tensor("a", "U8", "[4]", 1, 5)}, 5).message, HasSubstr("after the end 0"));
}

TEST(Safetensors, SizesMustMatchShapeAndDtype) {
  for (const auto& [dtype, shape, end] :
       {std::tuple{"F32", "[2]", 7u}, std::tuple{"F32", "[2]", 9u}, std::tuple{"BF16", "[3,3]", 17u},
        std::tuple{"F4", "[3]", 2u}, std::tuple{"F4", "[3]", 1u}, std::tuple{"F32", "[0]", 4u},
        std::tuple{"F32", "[4611686018427387904,4]", 0u}, std::tuple{"U8", "[4294967296,4294967296]", 0u},
        std::tuple{"F64", "[2305843009213693952]", 0u}, std::tuple{"U8", "[9223372036854775807]", 8u}}) {
    EXPECT_EQ(error_of({tensor("a", dtype, shape, 0, end)}, end).code, ErrorCode::corrupt_file)
        << dtype << shape;
  }
  EXPECT_TRUE(SafetensorsFile::parse(file_of(object({tensor("a", "F4", "[4]", 0, 2)}), 2)));
  // A zero size makes the others harmless only when their product is possible.
  EXPECT_EQ(error_of({tensor("a", "F32", "[4611686018427387904,4,0]", 0, 0)}, 0).code,
            ErrorCode::corrupt_file);
}

TEST(Safetensors, HostileHeadersAreRefused) {
  for (const char* member :
       {R"("a":1)",
        R"("a":{})",
        R"("a":{"dtype":"U8","shape":[1]})",
        R"("a":{"dtype":"U8","data_offsets":[0,1]})",
        R"("a":{"dtype":1,"shape":[1],"data_offsets":[0,1]})",
        R"("a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]})",
        R"("a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]})",
        R"("a":{"dtype":"U8","shape":1,"data_offsets":[0,1]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[9223372036854775806,9223372036854775807]})",
        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":0})",
        R"("":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})",
        R"("a\nb":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})",
        R"("__metadata__":{"a":1})",
        R"("__metadata__":[])",
        R"("a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]})",
        R"("a":{"dtype":"U8","shape":[[[[[1]]]]],"data_offsets":[0,1]})"}) {
    EXPECT_EQ(error_of({member}, 1).code, ErrorCode::corrupt_file) << member;
  }
  const Error unknown = error_of({tensor("a", "Q4", "[1]", 0, 1)}, 1);
  EXPECT_EQ(unknown.code, ErrorCode::unsupported);
  EXPECT_THAT(unknown.message, testing::AllOf(HasSubstr("'a'"), HasSubstr("'Q4'")));
  const std::string once = tensor("a", "U8", "[1]", 0, 1);
  EXPECT_THAT(error_of({once, once}, 1).message, HasSubstr("occurs twice"));
}

TEST(Safetensors, HeaderMustBeAnObjectOfItsLength) {
  for (const char* header : {"", "[]", " {}", "1", "{", "{}x", "\"a\""}) {
    EXPECT_FALSE(SafetensorsFile::parse(file_of(header, 0))) << header;
  }
  EXPECT_TRUE(SafetensorsFile::parse(file_of("{}", 0)));
  for (const uint64_t length : {uint64_t{3}, uint64_t{100'000'001}, uint64_t{1} << 60, UINT64_MAX}) {
    std::vector<std::byte> bytes = file_of("{}", 0);
    std::memcpy(bytes.data(), &length, sizeof length);
    EXPECT_EQ(SafetensorsFile::parse(bytes).error().code, ErrorCode::corrupt_file);
  }
}

}  // namespace
}  // namespace orthros
