#include "engine/formats/mapped_file.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::TempFolder;

/// Makes every write beyond this size fail, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    previous_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &previous_);
    const rlimit limit{bytes, previous_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &previous_);
    std::signal(SIGXFSZ, previous_handler_);
  }

 private:
  rlimit previous_{};
  void (*previous_handler_)(int) = nullptr;
};

std::string text_of(const std::filesystem::path& path) {
  return read_text(path, 1 << 20).value_or("(unreadable)");
}

TEST(MappedFile, HoldsTheFilesBytes) {
  const TempFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a", "hello"));
  const auto file = MappedFile::open(folder / "a");
  ASSERT_TRUE(file);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()), "hello");
}

TEST(MappedFile, BytesOutliveTheFirstCopyAndTheName) {
  const TempFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a", "hello"));
  MappedFile copy;
  {
    const auto file = MappedFile::open(folder / "a");
    ASSERT_TRUE(file);
    copy = *file;
  }
  std::filesystem::remove(folder / "a");
  EXPECT_EQ(copy.bytes()[4], std::byte{'o'});
}

TEST(MappedFile, EmptyFileHasNoBytes) {
  const TempFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a", ""));
  const auto file = MappedFile::open(folder / "a");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
  file->release(file->bytes());
}

TEST(MappedFile, ReleasedBytesAreReadAgain) {
  const TempFolder folder;
  const std::string text(100'000, 'x');
  ASSERT_TRUE(write_text_atomically(folder / "a", text));
  const auto file = MappedFile::open(folder / "a");
  ASSERT_TRUE(file);
  file->release(file->bytes().subspan(1, 90'000));
  for (const std::byte value : file->bytes()) ASSERT_EQ(value, std::byte{'x'});
}

TEST(MappedFile, SaysWhatIsWrongWithAPath) {
  const TempFolder folder;
  EXPECT_EQ(MappedFile::open(folder / "none").error().code, ErrorCode::not_found);
  EXPECT_THAT(MappedFile::open(folder / "none").error().message, testing::HasSubstr("none"));
  EXPECT_EQ(MappedFile::open(folder.path()).error().code, ErrorCode::io);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(folder / "pipe").error().code, ErrorCode::io);  // and does not wait for a writer
}

TEST(ReadText, RefusesMoreThanTheLimit) {
  const TempFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a", "12345"));
  EXPECT_EQ(*read_text(folder / "a", 5), "12345");
  EXPECT_EQ(read_text(folder / "a", 4).error().code, ErrorCode::unsupported);
  EXPECT_EQ(read_text(folder / "b", 4).error().code, ErrorCode::not_found);
}

TEST(WriteAtomically, KeepsTheOrderOfSmallAndLargeWrites) {
  const TempFolder folder;
  std::string expected;
  const auto result = write_atomically(folder / "a", [&](ByteSink& sink) -> Result<void> {
    for (const size_t size : {1u, 3u, 5'000'000u, 2u, 1u << 20, 7u, 900'000u, 900'000u, 0u}) {
      const std::string part(size, static_cast<char>('a' + expected.size() % 26));
      expected += part;
      ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(part))));
    }
    return {};
  });
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_TRUE(*read_text(folder / "a", 1 << 24) == expected);
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(WriteAtomically, AnErrorOfTheBodyLeavesTheOldFile) {
  const TempFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a", "old"));
  const auto result = write_atomically(folder / "a", [](ByteSink& sink) -> Result<void> {
    ORTHROS_TRY_VOID(sink.write(std::vector<std::byte>(3 << 20)));
    return fail(ErrorCode::cancelled, "stopped");
  });
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_EQ(text_of(folder / "a"), "old");
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(WriteAtomically, AThrowingBodyLeavesNothing) {
  const TempFolder folder;
  EXPECT_THROW((void)write_atomically(folder / "a",
                                      [](ByteSink&) -> Result<void> { throw std::runtime_error("body"); }),
               std::runtime_error);
  EXPECT_EQ(folder.num_files(), 0u);
}

TEST(WriteAtomically, AFullDiskIsAnIoErrorWithAHintAndLeavesNothing) {
  const TempFolder folder;
  for (const size_t size :
       {size_t{200'000}, size_t{5'000'000}}) {  // fails at the last flush, fails at a large write
    const FileSizeLimit limit(100'000);
    const auto result = write_atomically(
        folder / "a", [&](ByteSink& sink) { return sink.write(std::vector<std::byte>(size)); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::io);
    EXPECT_THAT(result.error().hint, testing::HasSubstr("space"));
    EXPECT_EQ(folder.num_files(), 0u);
  }
}

TEST(WriteAtomically, SaysWhenTheFolderIsMissing) {
  const TempFolder folder;
  const auto result = write_text_atomically(folder.path() / "none" / "a", "text");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  // A folder in the place of the file.
  EXPECT_EQ(write_text_atomically(folder.path(), "text").error().code, ErrorCode::io);
  EXPECT_EQ(folder.num_files(), 0u);
}

}  // namespace
}  // namespace orthros
