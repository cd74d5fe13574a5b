// The attention page while it follows a decode: every step is shown as it comes.
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>

#include "app/studio/pages/attention/attention_form.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/live_follow.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/head_atlas.h"
#include "widgets/icon.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

QWidget* AttentionPage::makeFollow() {
  auto* group = new QWidget(this);
  m_follow->setObjectName(QStringLiteral("attentionFollow"));
  m_follow->setToolTip(
      tr("Reads the prompt and decodes: the rows of every step are recorded and shown as they "
         "come (F). Captured: C1 unless another level is chosen"));
  m_newTokens->setObjectName(QStringLiteral("attentionNewTokens"));
  m_newTokens->setRange(1, 100'000);
  m_newTokens->setValue(64);
  m_newTokens->setSuffix(tr(" tokens"));
  m_newTokens->setToolTip(tr("Tokens to decode at most; it ends earlier at the model's end of text"));
  m_newTokens->setAccessibleName(tr("New tokens"));
  m_newTokens->setFixedWidth(112);
  connect(m_follow, &QPushButton::clicked, this, &AttentionPage::follow);
  connect(m_live, &LiveFollow::grown, this, &AttentionPage::grow);
  connect(m_live, &LiveFollow::finished, this, &AttentionPage::endFollow);
  connect(m_live, &LiveFollow::kept, this, [this](const QString& problem) {
    if (problem.isEmpty()) {
      m_notice->show(widgets::Notice::Kind::Good,
                     tr("Kept, step by step. It opens again under Kept, without the model."));
    } else {
      m_isLiveKept = false;
      m_notice->show(widgets::Notice::Kind::Bad, problem);
    }
    refresh();
    Q_EMIT kept();
  });
  auto* layout = new QHBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_follow);
  layout->addWidget(m_newTokens);
  return group;
}

bool AttentionPage::isFollowing() const {
  return m_live->isRunning();
}

bool AttentionPage::isBusy() const {
  return isFollowing() || (m_job != nullptr && m_job->isActive());
}

void AttentionPage::showFollowState(bool ready) {
  m_follow->setText(isFollowing() ? tr("Stop") : tr("Follow live"));
  m_follow->setIcon(widgets::icon(isFollowing() ? QStringLiteral("stop") : QStringLiteral("play")));
  m_follow->setEnabled(isFollowing() || (ready && !isBusy() && !m_form->text().isEmpty()));
  m_newTokens->setEnabled(!isFollowing());
}

void AttentionPage::follow() {
  if (isFollowing()) {
    m_live->stop();
    return;
  }
  const OpenedModel* model = m_workspace.currentModel();
  if (model == nullptr || !model->model || isBusy() || m_form->text().isEmpty()) return;
  m_notice->hide();
  m_isFirstStep = true;
  m_isLiveKept = false;
  m_liveModel = model->model;
  m_live->start({specOf(*model), m_newTokens->value()});
  refresh();
}

// The newest step is followed unless another position is pinned.
void AttentionPage::grow(const CapturePointer& capture) {
  if (m_isFirstStep) {
    m_isFirstStep = false;
    m_capture = capture;
    showCapture();
  } else {
    const bool follows = m_pins.positions.size() == 1 && m_pins.current == m_capture->lastPosition();
    m_capture = capture;
    if (follows) m_pins.set(capture->lastPosition());
    applyRegime();
    m_heat->setPieces(capture->pieces);
    m_heat->setPredictions(capture->predictions);
    m_heat->setQueries(m_pins.currentFirst());
    m_views->growCapture(capture);
    showMeasure();
    showHead();
    if (follows) showQueryInStrip();
  }
  refresh();
  Q_EMIT followed(std::ssize(capture->record.steps));
}

void AttentionPage::endFollow(bool stopped, const QString& problem) {
  if (!problem.isEmpty()) {
    m_notice->show(widgets::Notice::Kind::Bad, problem);
  } else if (m_capture && m_capture->isDecode()) {
    const QString what = stepsInWords(*m_capture);
    m_notice->show(widgets::Notice::Kind::Info,
                   stopped ? tr("Stopped. %1").arg(what) : tr("Decoded to its end. %1").arg(what));
  }
  showMeasure();  // what following leaves out
  refresh();
  Q_EMIT followEnded();
}

void AttentionPage::showPair() {
  m_pairs.start(
      &m_workspace.files(), tr("Draw the rows"),
      [capture = m_capture, layer = m_atlas->layer(), head = m_atlas->head(), from = m_pins.outputFrom] {
        return pairDataOf(capture, layer, head, from);
      },
      [this](std::shared_ptr<const widgets::PairData>& pair) {
        m_views->setPair(pair);
        m_heat->setLane(m_views->lane());
      });
}

void AttentionPage::whenDrawn(const std::function<void()>& then) {
  if (m_workspace.files().isIdle()) {
    then();
    return;
  }
  connect(&m_workspace.files(), &JobRunner::idle, this, then, Qt::SingleShotConnection);
}

}  // namespace orthros::studio
