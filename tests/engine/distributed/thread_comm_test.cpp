// Ranks as threads: sums in a fixed order, and ends that leave nobody waiting.
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/distributed/comm.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;

/// Terms whose float sum depends on the order they are added in.
float term(int rank, size_t i) {
  return 1.0f / static_cast<float>(1 + (static_cast<size_t>(rank) * 7919 + i * 104729) % 1009);
}

TEST(ThreadComm, SumsInTheOrderOfTheRanks) {
  for (const int ranks : {1, 2, 3, 5}) {
    // Fewer elements than ranks, none, and more than a block.
    for (const size_t count : {0UL, 1UL, 4UL, 5000UL}) {
      std::vector<std::vector<float>> sums(static_cast<size_t>(ranks));
      const auto ran = run_thread_ranks(ranks, [&](Comm& comm) -> Result<void> {
        EXPECT_EQ(comm.size(), ranks);
        std::vector<float>& mine = sums[static_cast<size_t>(comm.rank())];
        for (size_t i = 0; i < count; ++i) mine.push_back(term(comm.rank(), i));
        return comm.all_reduce(std::span(mine));
      });
      ASSERT_TRUE(ran) << ran.error().line();
      size_t differs = 0;
      for (size_t i = 0; i < count; ++i) {
        float expected = term(0, i), backwards = term(ranks - 1, i);
        for (int r = 1; r < ranks; ++r) expected += term(r, i), backwards += term(ranks - 1 - r, i);
        for (const auto& sum : sums) ASSERT_EQ(sum[i], expected) << ranks << " ranks, element " << i;
        differs += expected != backwards ? 1 : 0;
      }
      EXPECT_TRUE(ranks < 3 || count < 5000 || differs > 100) << "the order must matter here";
    }
  }
}

TEST(ThreadComm, ManyCallsOfBothTypesStayApart) {
  const auto ran = run_thread_ranks(4, [](Comm& comm) -> Result<void> {
    double total = 0;
    for (int round = 0; round < 2000; ++round) {
      std::vector<double> values(3, comm.rank() + round);
      ORTHROS_TRY_VOID(comm.all_reduce(std::span(values)));
      total += values[2];
      if (round % 3 == 0) ORTHROS_TRY_VOID(comm.barrier());
      float one = 1;
      ORTHROS_TRY_VOID(comm.all_reduce(std::span(&one, 1)));
      total += one;
    }
    EXPECT_EQ(total, 4.0 * 2000 * 1999 / 2 + 6.0 * 2000 + 4.0 * 2000);
    return {};
  });
  EXPECT_TRUE(ran) << ran.error().line();
}

TEST(ThreadComm, NobodyPassesABarrierBeforeAllHaveCome) {
  std::atomic<int> come{0};
  const auto ran = run_thread_ranks(3, [&](Comm& comm) -> Result<void> {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * comm.rank()));
    ++come;
    ORTHROS_TRY_VOID(comm.barrier());
    EXPECT_EQ(come.load(), 3);
    return {};
  });
  EXPECT_TRUE(ran) << ran.error().line();
}

TEST(ThreadComm, AnErrorOnOneRankEndsAll) {
  for (const int culprit : {0, 1, 2}) {
    std::atomic<int> cancelled{0};
    const auto ran = run_thread_ranks(3, [&](Comm& comm) -> Result<void> {
      for (int round = 0;; ++round) {
        if (comm.rank() == culprit && round == 5) return fail(ErrorCode::io, "the disk is full");
        double value = 1;
        const auto summed = comm.all_reduce(std::span(&value, 1));
        if (summed) continue;
        cancelled += summed.error().code == ErrorCode::cancelled ? 1 : 0;
        EXPECT_THAT(summed.error().message, HasSubstr("the disk is full"));
        return fail(summed.error());
      }
    });
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::io) << "the cause, not its consequence";
    EXPECT_EQ(cancelled.load(), 2);
  }
}

TEST(ThreadComm, AnExceptionIsAnError) {
  const auto ran = run_thread_ranks(2, [](Comm& comm) -> Result<void> {
    if (comm.rank() == 1) throw std::runtime_error("out of luck");
    return comm.barrier();
  });
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("rank 1 failed: out of luck"));
}

TEST(ThreadComm, CallsThatDoNotFitAreAnError) {
  using Body = std::function<Result<void>(Comm&)>;
  const std::vector<std::pair<Body, std::string>> wrong{
      {[](Comm& comm) { return comm.rank() == 0 ? Result<void>() : comm.barrier(); }, "ended while others"},
      {[](Comm& comm) -> Result<void> {
         std::vector<float> values(static_cast<size_t>(comm.rank() + 1));
         return comm.all_reduce(std::span(values));
       },
       "same calls"},
      {[](Comm& comm) -> Result<void> {
         std::vector<float> values(4);
         std::vector<double> others(4);
         return comm.rank() == 0 ? comm.all_reduce(std::span(values)) : comm.all_reduce(std::span(others));
       },
       "same calls"}};
  for (const auto& [body, says] : wrong) {
    const auto ran = run_thread_ranks(2, body);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::internal);
    EXPECT_THAT(ran.error().message, HasSubstr(says));
  }
}

TEST(ThreadComm, AnImpossibleNumberOfRanksIsRefused) {
  for (const int ranks : {0, -1, kMaxThreadRanks + 1}) {
    const auto ran = run_thread_ranks(ranks, [](Comm&) -> Result<void> { return {}; });
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::invalid_argument);
  }
}

/// A caller's thread is rank 0: what must run on it does.
TEST(ThreadComm, RankZeroIsTheCaller) {
  const auto caller = std::this_thread::get_id();
  const auto ran = run_thread_ranks(3, [&](Comm& comm) -> Result<void> {
    EXPECT_EQ(std::this_thread::get_id() == caller, comm.rank() == 0);
    return {};
  });
  EXPECT_TRUE(ran) << ran.error().line();
}

}  // namespace
}  // namespace orthros
