// JobBar: the strip below every page: what runs now, how far it is, how long it still takes, and Stop.
// Shows the newest running job; the others, and what ended, are in the list that the counter opens.
#pragma once

#include <QList>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace orthros::widgets {

struct JobView {
  enum class State { Queued, Running, Ok, Cancelled, Failed };
  quint64 id = 0;
  QString title, phase, message;  // message: of an ended job
  State state = State::Queued;
  int permille = -1;        // -1: not known
  double secondsLeft = -1;  // -1: not known
  bool stopping = false;

  bool isActive() const { return state == State::Queued || state == State::Running; }
};

/// "Queued", "Prefill 61 %, 3 s left", "Stopped", ...: one line about a job.
QString describe(const JobView& job);

class JobBar : public QWidget {
  Q_OBJECT
 public:
  explicit JobBar(QWidget* parent = nullptr);
  /// Newest first.
  void setJobs(const QList<JobView>& jobs);
  const QList<JobView>& jobs() const { return m_jobs; }

 Q_SIGNALS:
  void stopRequested(quint64 id);

 private:
  void showJob(const JobView& job);
  void showIdle();
  void openList();

  QList<JobView> m_jobs;
  quint64 m_shown = 0;
  QLabel* m_sign;
  QLabel* m_title;
  QLabel* m_phase;
  QProgressBar* m_bar;
  QToolButton* m_more;
  QPushButton* m_stop;
};

}  // namespace orthros::widgets
