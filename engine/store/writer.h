// Writer: the one thread that writes. Callers queue a job and wait until its transaction is committed or
// rolled back; the connection is touched by no other thread. The destructor finishes what is queued. Threads:
// any may call write(). Private to engine/store.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>

#include "engine/base/result.h"
#include "engine/store/connection.h"

namespace orthros::store::detail {

class Writer {
 public:
  explicit Writer(std::unique_ptr<Connection> connection);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// job(Connection&) within one transaction; what it throws undoes all of it.
  template <class F>
  auto write(std::string_view what, F&& job) -> Result<std::invoke_result_t<F, Connection&>> {
    using T = std::invoke_result_t<F, Connection&>;
    if constexpr (std::is_void_v<T>) {
      return run(what, std::ref(job));
    } else {
      std::optional<T> value;
      auto result = run(what, [&](Connection& connection) { value.emplace(job(connection)); });
      if (!result) return fail(std::move(result).error());
      return std::move(*value);
    }
  }

 private:
  struct Job {
    std::string_view what;
    std::function<void(Connection&)> body;
    Result<void> result;
    bool finished = false;
  };
  Result<void> run(std::string_view what, std::function<void(Connection&)> body);
  void loop();
  Result<void> commit(const Job& job);

  std::unique_ptr<Connection> connection_;
  std::mutex mutex_;
  std::condition_variable arrived_, finished_;
  std::deque<Job*> queue_;  // each lies on the stack of a caller that waits for it
  bool stopping_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace orthros::store::detail
