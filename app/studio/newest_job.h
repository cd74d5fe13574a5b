// NewestJob: work for a drawing, off the GUI thread, of which only the newest counts: while one runs, later
// requests replace each other, and a result that a newer request has overtaken is dropped. Threads: GUI
// thread; a member of its receiver.
#pragma once

#include <optional>

#include "app/studio/job.h"

namespace orthros::studio {

template <class T>
class NewestJob {
 public:
  using Work = std::function<T()>;
  using Show = std::function<void(T&)>;

  explicit NewestJob(QObject* receiver) : m_receiver(receiver) {}

  /// Without a runner the work is done at once, as exports without a window need it.
  void start(JobRunner* runner, const QString& title, Work work, Show show) {
    if (runner == nullptr) {
      T result = work();
      show(result);
      return;
    }
    Request request{runner, title, std::move(work), std::move(show)};
    if (m_running) {
      m_next = std::move(request);
    } else {
      run(std::move(request));
    }
  }

 private:
  struct Request {
    JobRunner* runner;
    QString title;
    Work work;
    Show show;
  };

  void run(Request request) {
    m_running = true;
    request.runner->template start<T>(
        request.title, [work = std::move(request.work)](JobContext&) -> Result<T> { return work(); },
        m_receiver,
        [this, show = std::move(request.show)](Result<T>& result) {
          m_running = false;
          if (m_next) {
            Request next = std::move(*m_next);
            m_next.reset();
            run(std::move(next));
          } else if (result) {
            show(*result);
          }
        },
        /*quiet=*/true);
  }

  QObject* m_receiver;
  bool m_running = false;
  std::optional<Request> m_next;
};

}  // namespace orthros::studio
