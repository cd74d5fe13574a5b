#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/distributed/comm.h"

namespace orthros {
namespace {

/// What one rank brings to a call; the ranks' calls are compared, for unlike ones would mix up data.
struct Call {
  enum class Kind { barrier, sum_of_floats, sum_of_doubles };
  Kind kind = Kind::barrier;
  void* data = nullptr;
  size_t count = 0;

  bool fits(const Call& other) const { return kind == other.kind && count == other.count; }
};

class Group {
 public:
  explicit Group(int size) : calls_(static_cast<size_t>(size)) {}

  int size() const { return static_cast<int>(calls_.size()); }

  /// Returns what all ranks brought, once all are here.
  Result<std::vector<Call>> meet(int rank, const Call& call) {
    std::unique_lock lock(mutex_);
    if (!ended_) {
      calls_[static_cast<size_t>(rank)] = call;
      if (++arrived_ == size()) {
        arrived_ = 0;
        if (!std::ranges::all_of(calls_, [&](const Call& other) { return other.fits(call); })) {
          end_locked(Error{ErrorCode::internal, "the ranks do not make the same calls", {}});
          return fail(*error_);
        }
        ++meetings_;
        changed_.notify_all();
        return calls_;
      }
      const uint64_t before = meetings_;
      changed_.wait(lock, [&] { return meetings_ != before || ended_; });
      // A rank may end right after a meeting that this one is still to wake up from.
      if (meetings_ != before) return calls_;
    }
    if (error_) return fail(ErrorCode::cancelled, "another rank ended: {}", error_->line());
    return fail(ErrorCode::internal, "a rank ended while others waited for it");
  }

  void end(const Result<void>& result) {
    const std::lock_guard lock(mutex_);
    end_locked(result ? std::nullopt : std::optional(result.error()));
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  void end_locked(std::optional<Error> error) {
    if (error && !error_) error_ = std::move(error);
    ended_ = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;
  int arrived_ = 0;
  uint64_t meetings_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;  // of the rank that failed first
};

/// Sums elements [begin, end) of all ranks' buffers into all of them.
template <class T>
void sum_range(const std::vector<Call>& calls, size_t begin, size_t end) {
  std::array<T, 1024> sum;
  for (size_t at = begin; at < end; at += sum.size()) {
    const size_t count = std::min(sum.size(), end - at);
    std::copy_n(static_cast<const T*>(calls[0].data) + at, count, sum.begin());
    for (size_t r = 1; r < calls.size(); ++r) {
      const T* term = static_cast<const T*>(calls[r].data) + at;
      for (size_t i = 0; i < count; ++i) sum[i] += term[i];
    }
    for (const Call& call : calls) std::copy_n(sum.begin(), count, static_cast<T*>(call.data) + at);
  }
}

class ThreadComm final : public Comm {
 public:
  ThreadComm(Group& group, int rank) : group_(group), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_.size(); }
  Result<void> all_reduce(std::span<float> values) override {
    return sum<float>({Call::Kind::sum_of_floats, values.data(), values.size()});
  }
  Result<void> all_reduce(std::span<double> values) override {
    return sum<double>({Call::Kind::sum_of_doubles, values.data(), values.size()});
  }
  Result<void> barrier() override {
    ORTHROS_TRY_VOID(group_.meet(rank_, {}));
    return {};
  }

 private:
  /// Each rank sums a part of all elements, for everybody.
  template <class T>
  Result<void> sum(const Call& call) {
    ORTHROS_TRY(const std::vector<Call> calls, group_.meet(rank_, call));
    const auto part = [&](int rank) { return call.count * static_cast<size_t>(rank) / calls.size(); };
    sum_range<T>(calls, part(rank_), part(rank_ + 1));
    // The same call again, for a rank may be about to read the first one.
    ORTHROS_TRY_VOID(group_.meet(rank_, call));
    return {};
  }

  Group& group_;
  int rank_;
};

Result<void> guarded(const std::function<Result<void>(Comm&)>& body, Comm& comm) {
  try {
    return body(comm);
  } catch (const std::exception& error) {
    return fail(ErrorCode::internal, "rank {} failed: {}", comm.rank(), error.what());
  }
}

}  // namespace

Result<void> run_thread_ranks(int ranks, const std::function<Result<void>(Comm&)>& body) {
  if (ranks < 1 || ranks > kMaxThreadRanks) {
    return fail(ErrorCode::invalid_argument, "{} ranks asked for; give 1 to {}", ranks, kMaxThreadRanks);
  }
  Group group(ranks);
  const auto run = [&](int rank) {
    ThreadComm comm(group, rank);
    group.end(guarded(body, comm));
  };
  std::vector<std::thread> threads;
  try {
    for (int rank = 1; rank < ranks; ++rank) threads.emplace_back(run, rank);
    run(0);
  } catch (const std::system_error& error) {
    group.end(
        fail(ErrorCode::internal, "cannot start a thread for each of {} ranks: {}", ranks, error.what()));
  }
  for (std::thread& thread : threads) thread.join();
  if (group.error()) return fail(*group.error());
  return {};
}

}  // namespace orthros
