// The SQL pane: any one reading statement, nothing else.
#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::ElementsAre;

struct ReaderQueryTest : StoreTest {};

TEST_F(ReaderQueryTest, ValuesOfEveryTypeBecomeText) {
  const Table table =
      value_of(reader()->query("SELECT 1 AS i, 0.5 AS r, 'text' AS t, NULL AS n, x'00ff' AS b -- done"));
  EXPECT_THAT(table.columns, ElementsAre("i", "r", "t", "n", "b"));
  EXPECT_THAT(table.rows.at(0), ElementsAre("1", "0.5", "text", "", "00ff"));
}

TEST_F(ReaderQueryTest, LongBlobsAreTheirSizeAndBeginning) {
  const std::string whole(128, '7');
  const Table table =
      value_of(reader()->query("SELECT x'" + whole + "', x'" + whole + "ff', zeroblob(50000000)"));
  EXPECT_EQ(table.rows.at(0).at(0), whole);
  EXPECT_EQ(table.rows.at(0).at(1), "blob, 65 bytes, 0x" + std::string(32, '7') + "…");
  EXPECT_EQ(table.rows.at(0).at(2), "blob, 50000000 bytes, 0x" + std::string(32, '0') + "…");
}

TEST_F(ReaderQueryTest, LongTextsAreCutBetweenCharacters) {
  const Table table = value_of(reader()->query(
      "SELECT 'a' || replace(hex(zeroblob(40000)), '00', 'é'), replace(hex(zeroblob(32768)), '0', 'x')"));
  std::string cut = "a";
  while (cut.size() < 65'535) cut += "é";
  EXPECT_EQ(table.rows.at(0).at(0), cut + "… (80001 bytes)");
  EXPECT_EQ(table.rows.at(0).at(1), std::string(65'536, 'x'));
}

TEST_F(ReaderQueryTest, AValueOfAGigabyteIsRefusedAndTheConnectionGoesOn) {
  const auto open = reader();
  for (const char* sql : {"SELECT zeroblob(1000000000)", "SELECT hex(zeroblob(200000000))"}) {
    const auto result = open->query(sql);
    ASSERT_FALSE(result) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument) << result.error().line();
  }
  EXPECT_TRUE(open->query("SELECT 1"));
}

TEST_F(ReaderQueryTest, ATokenStopsAQueryOfFewStepsBetweenItsCells) {
  const StopSource stop;
  stop.request_stop();
  const auto result = reader()->query("SELECT zeroblob(100000), zeroblob(100000)", 1, stop.token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled) << result.error().line();
}

TEST_F(ReaderQueryTest, ReadingStatementsRun) {
  experiment();
  for (const char* sql : {"SELECT * FROM experiment", "WITH x AS (SELECT 1) SELECT * FROM x;  ",
                          "VALUES(1), (2)", "EXPLAIN QUERY PLAN SELECT * FROM run", "PRAGMA table_info(run)",
                          "PRAGMA user_version", "SELECT count(*) FROM v_niah_cell",
                          "SELECT value FROM json_each('[1,2]')", "SELECT * FROM pragma_table_info('run')"}) {
    const auto result = reader()->query(sql);
    EXPECT_TRUE(result) << sql << ": " << (result ? "" : result.error().line());
  }
}

TEST_F(ReaderQueryTest, EverythingElseIsRefused) {
  const std::string target = (folder / "made.sqlite").string();
  for (const std::string& sql :
       std::vector<std::string>{"",
                                "  ;",
                                "-- nothing",
                                "SELEC 1",
                                "SELECT * FROM nowhere",
                                "DELETE FROM experiment",
                                "INSERT INTO experiment(uuid) VALUES('x') RETURNING id",
                                "UPDATE run SET status = 'done'",
                                "DROP TABLE run",
                                "CREATE TEMP TABLE t(x)",
                                "ATTACH '" + target + "' AS other",
                                "VACUUM INTO '" + target + "'",
                                "BEGIN",
                                "PRAGMA journal_mode = DELETE",
                                "PRAGMA query_only = OFF",
                                "PRAGMA writable_schema = ON",
                                "SELECT load_extension('x')",
                                "SELECT 1; DELETE FROM experiment",
                                "SELECT 1; SELECT 2",
                                "ANALYZE",
                                "REINDEX",
                                std::string("SELECT 1\0 DELETE", 16)}) {
    const auto result = reader()->query(sql);
    ASSERT_FALSE(result) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument) << sql << ": " << result.error().line();
  }
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(ReaderQueryTest, RowsAreLimited) {
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
  EXPECT_EQ(value_of(reader()->query(endless, 10)).rows.size(), 10U);
  EXPECT_EQ(value_of(reader()->query(endless, 0)).rows.size(), 0U);
}

TEST_F(ReaderQueryTest, AnEndlessQueryCanBeStopped) {
  const auto open = reader();
  std::atomic<bool> done = false;
  std::thread stopper([&] {
    while (!done) {
      open->interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const auto result =
      open->query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  done = true;
  stopper.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_TRUE(open->query("SELECT 1"));
}

TEST_F(ReaderQueryTest, ATokenStopsAnEndlessQueryThatHasNotBegun) {
  const auto open = reader();
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  const StopSource stop;
  stop.request_stop();
  const auto result = open->query(endless, 1, stop.token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_TRUE(open->query("SELECT 1"));  // and the next one is not watched by it
}

TEST_F(ReaderQueryTest, DataVersionTellsOfOtherConnectionsCommits) {
  const auto open = reader();
  const auto before = value_of(open->data_version());
  EXPECT_EQ(value_of(open->data_version()), before);
  experiment();
  EXPECT_NE(value_of(open->data_version()), before);
}

TEST_F(ReaderQueryTest, AReaderSeesWhatIsCommittedAfterItWasOpened) {
  const auto open = reader();
  EXPECT_TRUE(value_of(open->experiments()).empty());
  experiment();
  EXPECT_EQ(value_of(open->experiments()).size(), 1U);
}

}  // namespace
}  // namespace orthros::store::test
