// Files of other versions, other programs and no program at all: migrated with a backup, or refused in one
// line.
#include <fstream>
#include <functional>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/store/run_store_impl.h"
#include "engine/store/schema.h"
#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kV1 = std::filesystem::path(ORTHROS_FIXTURES) / "store" / "v1.sqlite";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct MigrationTest : ::testing::Test {
  orthros::test::TempFolder folder;
  std::filesystem::path path = folder / "runs.sqlite";

  void take_fixture() const {
    std::filesystem::copy_file(kV1, path, std::filesystem::copy_options::overwrite_existing);
  }
  void change(const std::string& sql) const {
    SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec(sql);
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  Error store_error() const {
    const auto result = RunStore::open(path);
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }
  Error reader_error() const {
    const auto result = RunReader::open(path);
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }
};

void expect_fixture_content(const RunReader& reader) {
  const auto all = value_of(reader.experiments());
  ASSERT_EQ(all.size(), 2U);
  const ExperimentRecord niah = value_of(reader.find_experiment("00000001"));
  EXPECT_EQ(niah.note, "kept");
  EXPECT_EQ(niah.tags, "");
  EXPECT_FALSE(niah.starred);
  const RunRecord run = value_of(reader.runs(niah.id)).at(0);
  EXPECT_EQ(run.status, RunStatus::done);
  const auto trials = value_of(reader.trials(run.id, true));
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials[0].primary.score, 0.0);
  EXPECT_EQ(trials[2].primary.score, 1.0);
  EXPECT_EQ(trials[2].output_ids, (std::vector<int64_t>{48, 213}));
  EXPECT_EQ(trials[2].others.at(0).score, 0.5);
  EXPECT_EQ(trials[2].probes.at(0).mass, 0.25);
  const PromptRecord prompt = value_of(reader.prompt(trials[2].prompt_id));
  ASSERT_EQ(prompt.ids.size(), 64U);
  EXPECT_EQ(prompt.ids[63], 263);
  EXPECT_EQ(prompt.needles.at(0).value, "48213");
  const auto latency = value_of(reader.query("SELECT decode_tps FROM v_latency"));
  EXPECT_EQ(latency.rows.at(0).at(0), "40");  // 2 * (3 - 1) / 0.1 s
  EXPECT_EQ(value_of(reader.query("SELECT n, k FROM v_niah_cell")).rows.at(0),
            (std::vector<std::string>{"3", "2"}));
}

TEST_F(MigrationTest, AVersionOneFileIsMigratedWithDataIntactAndABackupBeside) {
  take_fixture();
  const std::string original = read_file(path);
  {
    const auto store = value_of(RunStore::open(path));
    const auto reader = value_of(RunReader::open(path));
    expect_fixture_content(*reader);
    const RowId id = value_of(reader->find_experiment("00000001")).id;
    ok(store->set_starred(id, true));  // what version 2 added works
    ok(store->set_tags(id, "old"));
    EXPECT_EQ(value_of(reader->query("SELECT count(*) FROM schema_migration")).rows[0][0], "3");
    EXPECT_EQ(value_of(reader->query("PRAGMA user_version")).rows[0][0], "3");
    EXPECT_EQ(value_of(reader->query("SELECT count(*) FROM attn_query")).rows[0][0], "0");  // and version 3
  }
  const auto backup = folder / "runs.sqlite.v1.backup";
  ASSERT_TRUE(std::filesystem::exists(backup));
  EXPECT_EQ(folder.num_files(), 2U);
  SQLite::Database old(backup.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(old.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(old.execAndGet("SELECT count(*) FROM niah_trial").getInt(), 3);
  EXPECT_EQ(old.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(MigrationTest, AMigratedFileIsNotBackedUpAgainAndASecondBackupTakesAnotherName) {
  take_fixture();
  (void)value_of(RunStore::open(path));
  (void)value_of(RunStore::open(path));
  EXPECT_EQ(folder.num_files(), 2U);
  take_fixture();
  (void)value_of(RunStore::open(path));
  EXPECT_TRUE(std::filesystem::exists(folder / "runs.sqlite.v1.backup-2"));
}

TEST_F(MigrationTest, AMigratedFileHasTheSchemaOfANewOne) {
  take_fixture();
  (void)value_of(RunStore::open(path));
  (void)value_of(RunStore::open(folder / "new.sqlite"));
  const auto text = [](const std::filesystem::path& file) {
    return value_of(value_of(RunReader::open(file))
                        ->query("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2"))
        .rows;
  };
  EXPECT_EQ(text(path), text(folder / "new.sqlite"));
}

TEST_F(MigrationTest, AnOlderFileIsReadWithoutBeingChanged) {
  take_fixture();
  const std::string original = read_file(path);
  const auto reader = value_of(RunReader::open(path));
  EXPECT_FALSE(reader->newer_schema());
  expect_fixture_content(*reader);
  EXPECT_EQ(read_file(path), original);
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST_F(MigrationTest, ANewerFileIsRefusedForWritingAndOpensForReading) {
  take_fixture();
  { (void)value_of(RunStore::open(path)); }
  change(
      "PRAGMA user_version = 4; INSERT INTO schema_migration(version, name, sha256, app_version, "
      "applied_utc) "
      "VALUES(4, 'later', lower(hex(zeroblob(32))), '9', '2030'); ALTER TABLE run ADD COLUMN later TEXT");
  const std::string before = read_file(path);
  const Error error = store_error();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.line(), HasSubstr("newer version"));
  EXPECT_THAT(error.line(), HasSubstr("update the program, or open the file for reading only"));
  EXPECT_EQ(read_file(path), before);
  const auto reader = value_of(RunReader::open(path));
  EXPECT_TRUE(reader->newer_schema());
  expect_fixture_content(*reader);
}

TEST_F(MigrationTest, AChangedMigrationIsRefused) {
  take_fixture();
  change("UPDATE schema_migration SET sha256 = lower(hex(zeroblob(32)))");
  const std::string before = read_file(path);
  EXPECT_EQ(store_error().code, ErrorCode::corrupt_file);
  EXPECT_THAT(store_error().line(), HasSubstr("migration 1"));
  EXPECT_EQ(reader_error().code, ErrorCode::corrupt_file);
  take_fixture();
  change("DELETE FROM schema_migration");
  EXPECT_EQ(store_error().code, ErrorCode::corrupt_file);
}

TEST_F(MigrationTest, AFailedMigrationLeavesTheOldVersion) {
  take_fixture();
  change("CREATE TABLE train_point(in_the_way INTEGER)");  // version 2 cannot make its own
  EXPECT_FALSE(RunStore::open(path));
  SQLite::Database old(path.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(old.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(
      old.execAndGet("SELECT count(*) FROM pragma_table_info('experiment') WHERE name = 'tags'").getInt(), 0);
  EXPECT_EQ(old.execAndGet("SELECT count(*) FROM niah_trial").getInt(), 3);
}

TEST_F(MigrationTest, FilesThatAreNoRunStoreAreRefusedUntouched) {
  write(std::string(10'000, 'x'));
  EXPECT_EQ(store_error().code, ErrorCode::corrupt_file);
  EXPECT_THAT(store_error().line(), HasSubstr("no run store"));
  EXPECT_EQ(reader_error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(read_file(path), std::string(10'000, 'x'));

  std::filesystem::remove(path);
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE theirs(x)");
  const std::string theirs = read_file(path);
  EXPECT_EQ(store_error().code, ErrorCode::corrupt_file);
  EXPECT_THAT(store_error().line(), HasSubstr("another program"));
  EXPECT_EQ(reader_error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(read_file(path), theirs);
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST_F(MigrationTest, ATruncatedFileIsRefusedInOneLine) {
  for (const auto& [share, size] :
       std::vector<std::pair<size_t, size_t>>{{2, 0}, {3, 0}, {0, 4096}, {0, 1000}, {0, 20}}) {
    take_fixture();
    const size_t whole = std::filesystem::file_size(path);
    std::filesystem::resize_file(path, size != 0 ? size : whole / share);
    const Error error = store_error();
    EXPECT_EQ(error.code, ErrorCode::corrupt_file) << error.line();
    EXPECT_THAT(error.line(), Not(HasSubstr("\n")));
    EXPECT_EQ(reader_error().code, ErrorCode::corrupt_file);
    std::filesystem::remove(folder / "runs.sqlite-wal");
    std::filesystem::remove(folder / "runs.sqlite-shm");
  }
}

TEST_F(MigrationTest, AnEmptyFileBecomesAStore) {
  write("");
  EXPECT_EQ(reader_error().code, ErrorCode::corrupt_file);
  const auto store = value_of(RunStore::open(path));
  EXPECT_TRUE(value_of(value_of(RunReader::open(path))->experiments()).empty());
}

TEST_F(MigrationTest, PlacesWithoutAFileAreNamed) {
  EXPECT_EQ(RunStore::open(folder.path()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(RunReader::open(folder.path()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(RunReader::open(path).error().code, ErrorCode::not_found);
  EXPECT_EQ(RunStore::open("").error().code, ErrorCode::invalid_argument);
  write("a file");
  EXPECT_EQ(RunStore::open(path / "below" / "runs.sqlite").error().code, ErrorCode::io);
  EXPECT_EQ(RunStore::open("/proc/runs.sqlite").error().code, ErrorCode::io);
  (void)value_of(RunStore::open(folder / "made/by/us.sqlite"));
}

TEST_F(MigrationTest, NamesWithSpecialCharactersAreFiles) {
  for (const char* name : {"file:x?mode=memory", ":memory:", "a%20b #1.sqlite", "ünï.sqlite"}) {
    { (void)value_of(RunStore::open(folder / name)); }
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  }
}

/// What opening says in a process that is nobody and so may not write.
std::string as_nobody(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const bool dropped = ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
    const std::string text = dropped ? body() : "still root";
    (void)!::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

TEST_F(MigrationTest, AReadOnlyFolderIsReadAndWritingIsRefused) {
  take_fixture();
  { (void)value_of(RunStore::open(path)); }
  ::chmod(folder.path().c_str(), 0555);
  ::chmod(path.c_str(), 0444);
  EXPECT_EQ(as_nobody([&] {
              const auto result = RunStore::open(path);
              return std::string(result ? "opened" : to_string(result.error().code));
            }),
            "unsupported");
  EXPECT_EQ(as_nobody([&] {
              const auto reader = RunReader::open(path);
              if (!reader) return reader.error().line();
              const auto all = (*reader)->experiments();
              return all ? std::to_string(all->size()) : all.error().line();
            }),
            "2");
  EXPECT_EQ(as_nobody([&] {
              const auto result = RunStore::open(folder / "new.sqlite");
              return std::string(result ? "opened" : to_string(result.error().code));
            }),
            "io");
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_FALSE(std::filesystem::exists(folder / "new.sqlite"));
}

TEST_F(MigrationTest, AFullDiskIsReportedAndTheStoreGoesOn) {
  const auto store = value_of(RunStore::open(path));
  ExperimentRecord e;
  e.spec_json = "{}";
  const RowId id = value_of(store->create_experiment(e)).id;
  const auto limit = [&](int64_t pages) {
    ok(StoreAccess::impl(*store).write(
        "limit", [&](detail::Connection& c) { c.exec("PRAGMA max_page_count = " + std::to_string(pages)); }));
  };
  limit(1);  // SQLite takes the present size instead
  e.note = std::string(2'000'000, 'x');
  const auto result = store->create_experiment(e);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_THAT(result.error().line(), HasSubstr("no space left"));
  EXPECT_EQ(value_of(value_of(RunReader::open(path))->experiments()).size(), 1U);
  limit(1'000'000);
  ok(store->set_note(id, "goes on"));
  EXPECT_EQ(value_of(value_of(RunReader::open(path))->find_experiment("last")).note, "goes on");
}

}  // namespace
}  // namespace orthros::store::test
