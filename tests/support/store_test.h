// StoreTest: a fresh run store, and questions to it in SQL.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"
#include "tests/support/temp_folder.h"

namespace orthros::test {

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::RunStore::open(path());
    ASSERT_TRUE(opened) << opened.error().line();
    store_ = std::move(*opened);
  }
  std::filesystem::path path() const { return folder_.path() / "runs.sqlite"; }

  store::Table query(const std::string& sql) const {
    auto reader = store::RunReader::open(path());
    EXPECT_TRUE(reader);
    auto table = (*reader)->query(sql);
    EXPECT_TRUE(table) << table.error().line();
    return table ? *table : store::Table();
  }
  /// The first value of the first row.
  std::string value(const std::string& sql) const {
    const store::Table table = query(sql);
    return table.rows.empty() ? std::string("no row") : table.rows[0][0];
  }
  /// `read(reader, experiment)` of a stored experiment, which must succeed.
  template <class Read>
  auto read_stored(const std::string& uuid, const Read& read) const {
    auto reader = store::RunReader::open(path());
    EXPECT_TRUE(reader);
    const auto record = (*reader)->find_experiment(uuid);
    EXPECT_TRUE(record) << record.error().line();
    auto made = read(**reader, *record);
    EXPECT_TRUE(made) << made.error().line();
    return *made;
  }

  TempFolder folder_;
  std::unique_ptr<store::RunStore> store_;
};

}  // namespace orthros::test
