#include "app/studio/job.h"

#include <exception>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

using State = widgets::JobView::State;

constexpr qint64 kReportEveryMs = 50;
constexpr qint64 kEtaAfterMs = 400;  // earlier guesses jump too much to be read
constexpr qsizetype kKeptJobs = 20;

quint64 nextId() {
  static quint64 id = 0;
  return ++id;
}

}  // namespace

Job::Job(quint64 id, const QString& title, bool quiet, QObject* parent) : QObject(parent), m_quiet(quiet) {
  m_view.id = id;
  m_view.title = title;
}

void Job::stop() {
  if (!isActive() || m_view.stopping) return;
  m_stop.request_stop();
  m_view.stopping = true;
  Q_EMIT changed();
}

void Job::setRunning() {
  m_view.state = State::Running;
  Q_EMIT changed();
}

void Job::setProgress(const QString& phase, qint64 done, qint64 total) {
  if (!isActive()) return;
  if (m_view.phase != phase || !m_phaseTimer.isValid()) m_phaseTimer.start();
  m_view.phase = phase;
  m_view.permille = total > 0 ? static_cast<int>(std::min<qint64>(1000, done * 1000 / total)) : -1;
  const qint64 spent = m_phaseTimer.elapsed();
  m_view.secondsLeft = -1;
  if (total > 0 && done > 0 && spent > kEtaAfterMs)
    m_view.secondsLeft =
        static_cast<double>(spent) / 1e3 * static_cast<double>(total - done) / static_cast<double>(done);
  Q_EMIT changed();
}

void Job::finish(State state, const QString& message) {
  m_view.state = state;
  m_view.message = message;
  m_view.secondsLeft = -1;
  Q_EMIT changed();
  Q_EMIT finished();
}

JobContext::JobContext(QPointer<Job> job) : m_job(job), m_stop(job->m_stop.token()) {}

void JobContext::progress(const QString& phase, qint64 done, qint64 total) {
  const bool due = !m_sinceReport.isValid() || m_sinceReport.elapsed() >= kReportEveryMs;
  if (!due && phase == m_phase) return;
  m_phase = phase;
  m_sinceReport.start();
  QMetaObject::invokeMethod(
      m_job, [job = m_job, phase, done, total] { job->setProgress(phase, done, total); },
      Qt::QueuedConnection);
}

ProgressSink JobContext::sink(const QString& prefix) {
  return [this, prefix](const Progress& at) {
    QString phase = toQt(at.phase);
    if (!phase.isEmpty()) phase[0] = phase[0].toUpper();
    progress(prefix.isEmpty() ? phase : prefix + u' ' + phase.toLower(), at.done, at.total);
  };
}

JobRunner::JobRunner(const QString& threadName, QObject* parent) : QObject(parent), m_worker(new QObject) {
  m_thread.setObjectName(threadName);
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  m_thread.start();
}

JobRunner::~JobRunner() {
  shutDown();
}

void JobRunner::shutDown() {
  for (Job* job : m_jobs) job->m_stop.request_stop();
  m_thread.quit();
  m_thread.wait();
}

Job* JobRunner::enqueue(const QString& title, bool quiet, RawWork work, std::function<void()> done) {
  auto* job = new Job(nextId(), title, quiet, this);
  m_jobs.prepend(job);
  connect(job, &Job::changed, this, &JobRunner::jobsChanged);
  const auto run = [this, job, stop = job->m_stop.token(), work = std::move(work), done = std::move(done)] {
    State state = State::Cancelled;
    QString message;
    if (!stop.stop_requested()) {
      QMetaObject::invokeMethod(
          job, [job] { job->setRunning(); }, Qt::QueuedConnection);
      JobContext context{QPointer<Job>(job)};
      try {
        const Error* error = work(context);
        state = error == nullptr                      ? State::Ok
                : error->code == ErrorCode::cancelled ? State::Cancelled
                                                      : State::Failed;
        message = error == nullptr ? context.message() : toQt(*error);
      } catch (const std::exception& defect) {
        state = State::Failed;
        message = toQt(defect.what());
      }
    }
    QMetaObject::invokeMethod(
        job,
        [this, job, state, message, done] {
          job->finish(state, message.isEmpty() && state == State::Ok ? tr("Done") : message);
          ended(job, done);
        },
        Qt::QueuedConnection);
  };
  QMetaObject::invokeMethod(m_worker, run, Qt::QueuedConnection);
  Q_EMIT jobsChanged();
  return job;
}

void JobRunner::ended(Job* job, const std::function<void()>& done) {
  done();
  // A page that reads every second must not push out what the user wants to see of the list.
  if (job->isQuiet() && m_jobs.removeOne(job)) job->deleteLater();
  forgetOld();
  Q_EMIT jobsChanged();
  if (isIdle()) Q_EMIT idle();
}

void JobRunner::forgetOld() {
  while (m_jobs.size() > kKeptJobs && !m_jobs.last()->isActive()) m_jobs.takeLast()->deleteLater();
}

bool JobRunner::isIdle() const {
  return std::ranges::none_of(m_jobs, [](const Job* job) { return job->isActive(); });
}

void JobRunner::stopAll() {
  for (Job* job : m_jobs) job->stop();
}

}  // namespace orthros::studio
