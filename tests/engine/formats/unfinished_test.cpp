// What a killed writer left goes with the next write; what a living one is at, and what is not ours, stays.
#include "engine/formats/unfinished.h"

#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/formats/mapped_file.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

void make(const fs::path& path) {
  std::ofstream(path) << "half";
}

std::string text_of(const fs::path& path) {
  return read_text(path, 1 << 20).value_or("(unreadable)");
}

TEST(Unfinished, TheNextWriteRemovesWhatAKilledOneLeft) {
  const TempFolder folder;
  make(folder / "a.part-4242-7");
  make(folder / "a.part-1");
  for (const char* other : {"a.part-x", "a.part-1-", "ab.part-1-0", "b.part-1-0", "a.part"})
    make(folder / other);
  fs::create_directory(folder / "a.part-5-5");
  fs::create_symlink(folder / "b.part-1-0", folder / "a.part-6-6");
  ASSERT_TRUE(write_text_atomically(folder / "a", "whole"));
  EXPECT_EQ(text_of(folder / "a"), "whole");
  EXPECT_FALSE(fs::exists(folder / "a.part-4242-7"));
  EXPECT_FALSE(fs::exists(folder / "a.part-1"));
  EXPECT_EQ(folder.num_files(), 8u);
}

TEST(Unfinished, APartBeingWrittenStays) {
  const TempFolder folder;
  const auto outer = write_atomically(folder / "a", [&](ByteSink& sink) -> Result<void> {
    ORTHROS_TRY_VOID(write_text_atomically(folder / "a", "inner"));
    return sink.write(std::as_bytes(std::span("outer", 5)));
  });
  ASSERT_TRUE(outer) << outer.error().line();
  EXPECT_EQ(text_of(folder / "a"), "outer");
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(Unfinished, APartThatWasTidiedAwayIsNotClaimed) {
  const TempFolder folder;
  make(folder / "part");
  const int first = ::open((folder / "part").c_str(), O_RDONLY);
  const int second = ::open((folder / "part").c_str(), O_RDONLY);
  EXPECT_TRUE(claim_part(first, folder / "part"));
  EXPECT_FALSE(claim_part(second, folder / "part"));  // held by the first
  ::close(first);
  EXPECT_TRUE(claim_part(second, folder / "part"));
  fs::remove(folder / "part");
  EXPECT_FALSE(claim_part(second, folder / "part"));
  make(folder / "part");
  EXPECT_FALSE(claim_part(second, folder / "part"));  // another file has the name now
  ::close(second);
}

TEST(WriteAtomically, ALinkStaysALink) {
  const TempFolder folder;
  fs::create_directory(folder / "runs");
  ASSERT_TRUE(write_text_atomically(folder / "runs/1", "old"));
  fs::create_symlink("runs/1", folder / "latest");
  ASSERT_TRUE(write_text_atomically(folder / "latest", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "latest"));
  EXPECT_EQ(text_of(folder / "runs/1"), "new");
}

TEST(WriteAtomically, ReplacesNothingButFiles) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder / "folder");
  fs::create_symlink("pipe", folder / "link");
  for (const char* name : {"pipe", "folder", "folder/", "link"}) {
    EXPECT_EQ(check_writable(folder / name).error().code, ErrorCode::io) << name;
    EXPECT_EQ(write_text_atomically(folder / name, "text").error().code, ErrorCode::io) << name;
  }
  EXPECT_EQ(check_writable("").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(check_writable(folder / "none/a").error().code, ErrorCode::io);
  EXPECT_TRUE(check_writable(folder / "a"));
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_EQ(folder.num_files(), 3u);
}

}  // namespace
}  // namespace orthros
