// latency-256 is made with the very bytes that its Python script makes.
#include "engine/model/latency_256.h"

#include <gtest/gtest.h>

#include "engine/model/cost_model.h"
#include "engine/model/model_files.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

TEST(Latency256, IsWrittenWithItsKnownBytes) {
  const test::TempFolder folder;
  const auto path = folder.path() / "models" / "latency-256";
  const auto written = write_latency_256(path);  // compares the hash itself
  ASSERT_TRUE(written) << written.error().line();
  EXPECT_EQ(std::filesystem::file_size(path / "model.safetensors"), 17'318'224U);
  const auto files = open_model(path);
  ASSERT_TRUE(files) << files.error().line();
  EXPECT_EQ(files->config.num_hidden_layers, 8);
  EXPECT_EQ(files->config.vocab_size, 1024);
  EXPECT_DOUBLE_EQ(flop_balance_tokens(files->config), 4096);
}

TEST(Latency256, NeverWritesOverAFolder) {
  const test::TempFolder folder;
  const auto again = write_latency_256(folder.path());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(Latency256, StoppedItLeavesNothing) {
  const test::TempFolder folder;
  StopSource stop;
  stop.request_stop();
  const auto stopped = write_latency_256(folder / "latency-256", stop.token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_EQ(folder.num_files(), 0U);
}

}  // namespace
}  // namespace orthros
