// A disk that fills while the store is made: an error that says so, nothing left behind, and a second try
// that works once there is space.
#include "tests/engine/store/full_disk.h"

#include <gmock/gmock.h>

#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(FullDiskTest, AStoreThatDoesNotFitIsNotMade) {
  int refused = 0, made = 0;
  for (int64_t free_bytes = 0; free_bytes < 900'000; free_bytes += 12'000) {
    const orthros::test::TempFolder folder;
    const std::filesystem::path path = folder / "runs.sqlite";
    {
      const FullDisk disk(free_bytes);
      const auto opened = RunStore::open(path);
      if (!opened) {
        ++refused;
        EXPECT_EQ(opened.error().code, ErrorCode::io) << opened.error().line();
        EXPECT_THAT(opened.error().line(), HasSubstr("no space left")) << free_bytes;
        EXPECT_THAT(names_in(folder.path()), IsEmpty()) << free_bytes;
      } else {
        ++made;
      }
    }
    const auto again = RunStore::open(path);
    ASSERT_TRUE(again) << free_bytes << ": " << again.error().line();
    const auto reader = value_of(RunReader::open(path));
    const Table check = value_of(reader->query("PRAGMA integrity_check"));
    EXPECT_EQ(check.rows.at(0).at(0), "ok") << free_bytes;
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(made, 1);
}

}  // namespace
}  // namespace orthros::store::test
