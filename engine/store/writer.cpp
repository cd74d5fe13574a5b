#include "engine/store/writer.h"

#include <SQLiteCpp/Transaction.h>

#include "engine/store/failure.h"

namespace orthros::store::detail {

Writer::Writer(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)), thread_([this] { loop(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  arrived_.notify_one();
  thread_.join();
}

Result<void> Writer::run(std::string_view what, std::function<void(Connection&)> body) {
  Job job{what, std::move(body), {}, false};
  std::unique_lock lock(mutex_);
  queue_.push_back(&job);
  arrived_.notify_one();
  finished_.wait(lock, [&] { return job.finished; });
  return std::move(job.result);
}

void Writer::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Job& job = *queue_.front();
    queue_.pop_front();
    lock.unlock();
    Result<void> result = commit(job);
    lock.lock();
    job.result = std::move(result);
    job.finished = true;
    finished_.notify_all();
  }
}

Result<void> Writer::commit(const Job& job) {
  return guarded(job.what, [&] {
    // IMMEDIATE waits for other processes here, where waiting is harmless; a lock taken later could not wait.
    SQLite::Transaction transaction(connection_->database(), SQLite::TransactionBehavior::IMMEDIATE);
    job.body(*connection_);
    transaction.commit();
  });
}

}  // namespace orthros::store::detail
