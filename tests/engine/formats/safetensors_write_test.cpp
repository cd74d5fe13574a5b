#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/safetensors.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::TempFolder;
using testing::HasSubstr;

TensorToWrite make(std::string name, std::string dtype, std::vector<int64_t> shape, size_t num_bytes,
                   size_t piece = SIZE_MAX) {
  return {std::move(name), std::move(dtype), std::move(shape), [=](ByteSink& sink) -> Result<void> {
            std::vector<uint8_t> bytes(num_bytes);
            std::iota(bytes.begin(), bytes.end(), uint8_t{1});
            std::span<const std::byte> rest = std::as_bytes(std::span(bytes));
            while (!rest.empty()) {
              const auto part = rest.first(std::min(piece, rest.size()));
              ORTHROS_TRY_VOID(sink.write(part));
              rest = rest.subspan(part.size());
            }
            return {};
          }};
}

TEST(SafetensorsWrite, ComesBackAsWritten) {
  const TempFolder folder;
  const auto result = write_safetensors(
      folder / "a",
      {make("b", "BF16", {3}, 6), make("i", "I64", {2}, 16, 5), make("f", "F32", {2, 2}, 16, 1),
       make("none", "F32", {0, 4}, 0), make("scalar", "F32", {}, 4)},
      {{"format", "pt"}, {"note", "t\xc3\xa9xt"}});
  ASSERT_TRUE(result) << result.error().line();
  const auto file = SafetensorsFile::open(folder / "a");
  ASSERT_TRUE(file) << file.error().line();
  EXPECT_EQ(file->tensors().size(), 5u);
  EXPECT_EQ(file->metadata().at("note"), "t\xc3\xa9xt");
  for (const auto& [name, dtype, shape] :
       {std::tuple{"b", "BF16", std::vector<int64_t>{3}}, std::tuple{"i", "I64", std::vector<int64_t>{2}},
        std::tuple{"f", "F32", std::vector<int64_t>{2, 2}},
        std::tuple{"none", "F32", std::vector<int64_t>{0, 4}},
        std::tuple{"scalar", "F32", std::vector<int64_t>{}}}) {
    const TensorEntry* entry = file->find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->dtype, dtype);
    EXPECT_EQ(entry->shape, shape);
    for (size_t i = 0; i < entry->bytes.size(); ++i)
      EXPECT_EQ(entry->bytes[i], static_cast<std::byte>(i + 1));
  }
}

TEST(SafetensorsWrite, EveryTensorIsAlignedToItsElement) {
  const TempFolder folder;
  for (size_t length = 1; length < 20; ++length) {  // header lengths of all residues
    ASSERT_TRUE(write_safetensors(folder / "a",
                                  {make(std::string(length, 'n'), "U8", {3}, 3), make("h", "F16", {1}, 2),
                                   make("w", "F32", {1}, 4), make("d", "I64", {1}, 8)}));
    const auto file = SafetensorsFile::open(folder / "a");
    ASSERT_TRUE(file);
    const std::byte* start = file->file().bytes().data();
    EXPECT_EQ((file->tensors().front().bytes.data() - start) % 8, 0);
    EXPECT_EQ((file->find("d")->bytes.data() - start) % 8, 0);
    EXPECT_EQ((file->find("w")->bytes.data() - start) % 4, 0);
    EXPECT_EQ((file->find("h")->bytes.data() - start) % 2, 0);
  }
}

TEST(SafetensorsWrite, TooManyOrTooFewBytesAreADefectAndLeaveNothing) {
  const TempFolder folder;
  for (const size_t produced : {0u, 7u, 9u, 16u}) {
    for (const size_t piece : {size_t{1}, SIZE_MAX}) {
      const auto result = write_safetensors(folder / "a", {make("t", "F32", {2}, produced, piece)});
      ASSERT_FALSE(result) << produced;
      EXPECT_EQ(result.error().code, ErrorCode::internal);
      EXPECT_THAT(result.error().message, HasSubstr("'t'"));
      EXPECT_EQ(folder.num_files(), 0u);
    }
  }
}

TEST(SafetensorsWrite, AnErrorOfATensorIsPassedOnAndTheOldFileStays) {
  const TempFolder folder;
  ASSERT_TRUE(write_safetensors(folder / "a", {make("old", "F32", {1}, 4)}));
  TensorToWrite bad = make("bad", "F32", {1}, 4);
  bad.produce = [](ByteSink&) -> Result<void> { return fail(ErrorCode::cancelled, "stopped"); };
  EXPECT_EQ(write_safetensors(folder / "a", {make("t", "F32", {2}, 8), bad}).error().code,
            ErrorCode::cancelled);
  EXPECT_NE(SafetensorsFile::open(folder / "a")->find("old"), nullptr);
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(SafetensorsWrite, ImpossibleRequestsAreInvalidArguments) {
  const TempFolder folder;
  const std::vector<std::vector<TensorToWrite>> requests = {
      {make("", "F32", {1}, 4)},
      {make("__metadata__", "F32", {1}, 4)},
      {make("a\nb", "F32", {1}, 4)},
      {make("\xff", "F32", {1}, 4)},
      {make("a", "F33", {1}, 4)},
      {make("a", "F32", {-1}, 4)},
      {make("a", "F32", {int64_t{1} << 62, 4}, 4)},
      {make("a", "U8", {INT64_MAX}, 4), make("b", "U8", {INT64_MAX}, 4)},
      {make("a", "F32", {1}, 4), make("a", "F32", {1}, 4)}};
  for (const auto& request : requests) {
    const auto result = write_safetensors(folder / "a", request);
    ASSERT_FALSE(result) << request.front().name;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(folder.num_files(), 0u);
}

}  // namespace
}  // namespace orthros
