#include "widgets/job_bar.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QWidgetAction>

#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::widgets {
namespace {

constexpr int kPermille = 1000;

const char* signOf(JobView::State state) {
  switch (state) {
    case JobView::State::Ok:
      return "good";
    case JobView::State::Cancelled:
      return "stop";
    case JobView::State::Failed:
      return "bad";
    case JobView::State::Queued:
      return "history";
    case JobView::State::Running:
      return "play";
  }
  return "info";
}

Role roleOf(JobView::State state) {
  switch (state) {
    case JobView::State::Ok:
      return Role::Good;
    case JobView::State::Failed:
      return Role::Bad;
    case JobView::State::Running:
      return Role::Accent;
    default:
      return Role::Muted;
  }
}

}  // namespace

QString describe(const JobView& job) {
  if (job.stopping && job.isActive()) return JobBar::tr("Stopping…");
  switch (job.state) {
    case JobView::State::Queued:
      return JobBar::tr("Waiting");
    case JobView::State::Cancelled:
      return JobBar::tr("Stopped");
    case JobView::State::Ok:
    case JobView::State::Failed:
      return job.message;
    case JobView::State::Running:
      break;
  }
  QString text = job.phase.isEmpty() ? JobBar::tr("Starting") : job.phase;
  if (job.permille >= 0) text += QStringLiteral("  %1 %").arg(job.permille / 10);
  if (job.secondsLeft >= 0)
    text += QStringLiteral("  ") + JobBar::tr("%1 left").arg(formatSeconds(job.secondsLeft));
  return text;
}

JobBar::JobBar(QWidget* parent)
    : QWidget(parent),
      m_sign(new QLabel(this)),
      m_title(makeLabel({}, "strong", this)),
      m_phase(makeLabel({}, "muted", this)),
      m_bar(new QProgressBar(this)),
      m_more(new QToolButton(this)),
      m_stop(makeButton(tr("Stop"), QStringLiteral("stop"), "danger", this)) {
  setObjectName(QStringLiteral("jobBar"));
  setAttribute(Qt::WA_StyledBackground);
  setFixedHeight(36);
  setAccessibleName(tr("Jobs"));
  m_title->setObjectName(QStringLiteral("jobTitle"));
  m_phase->setObjectName(QStringLiteral("jobPhase"));
  m_bar->setObjectName(QStringLiteral("jobProgress"));
  m_bar->setTextVisible(false);
  m_bar->setFixedWidth(180);
  m_bar->setAccessibleName(tr("Progress of the job"));
  m_more->setObjectName(QStringLiteral("jobMore"));
  m_more->setToolTip(tr("All jobs of this session, newest first"));
  m_stop->setObjectName(QStringLiteral("jobStop"));
  m_stop->setToolTip(tr("Ends this job within one step (Esc or Ctrl+.)"));
  m_stop->setFixedHeight(26);
  m_stop->setStyleSheet(QStringLiteral("padding: 0 10px; min-height: 22px;"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 0, 8, 0);
  layout->setSpacing(8);
  layout->addWidget(m_sign);
  layout->addWidget(m_title);
  layout->addWidget(m_phase, 1);
  layout->addWidget(m_more);
  layout->addWidget(m_bar);
  layout->addWidget(m_stop);
  connect(m_stop, &QPushButton::clicked, this, [this] { Q_EMIT stopRequested(m_shown); });
  connect(m_more, &QToolButton::clicked, this, &JobBar::openList);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, [this] { setJobs(m_jobs); });
  showIdle();
}

void JobBar::setJobs(const QList<JobView>& jobs) {
  m_jobs = jobs;
  const JobView* shown = nullptr;
  qsizetype active = 0;
  for (const JobView& job : jobs) {
    active += job.isActive() ? 1 : 0;
    // The newest that runs, else the newest that waits, else what ended last.
    const bool better = shown == nullptr ||
                        (job.state == JobView::State::Running && shown->state != job.state) ||
                        (job.isActive() && !shown->isActive());
    if (better) shown = &job;
  }
  m_more->setVisible(jobs.size() > 1);
  m_more->setText(active > 1 ? tr("%n more", nullptr, static_cast<int>(active - 1)) : tr("Jobs"));
  if (shown == nullptr) {
    showIdle();
  } else {
    showJob(*shown);
  }
}

void JobBar::showIdle() {
  m_shown = 0;
  m_sign->hide();
  m_title->setText(tr("Ready"));
  m_phase->setText({});
  m_more->hide();
  m_bar->hide();
  m_stop->hide();
}

void JobBar::showJob(const JobView& job) {
  m_shown = job.id;
  m_sign->setPixmap(
      iconPixmap(QString::fromLatin1(signOf(job.state)), roleOf(job.state), 16, devicePixelRatioF()));
  m_sign->show();
  m_title->setText(job.title);
  m_phase->setText(describe(job));
  m_bar->setVisible(job.isActive());
  m_bar->setRange(0, job.permille < 0 ? 0 : kPermille);
  if (job.permille >= 0) m_bar->setValue(job.permille);
  m_stop->setVisible(job.isActive());
  m_stop->setEnabled(!job.stopping);
}

void JobBar::openList() {
  QMenu menu(this);
  for (const JobView& job : m_jobs) {
    QAction* action = menu.addAction(QStringLiteral("%1 — %2").arg(job.title, describe(job)));
    action->setIcon(icon(QString::fromLatin1(signOf(job.state)), roleOf(job.state)));
    if (job.isActive()) {
      action->setText(action->text() + u'\t' + tr("Stop"));
      connect(action, &QAction::triggered, this, [this, id = job.id] { Q_EMIT stopRequested(id); });
    }
  }
  menu.exec(m_more->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

}  // namespace orthros::widgets
