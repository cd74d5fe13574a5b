#include "app/studio/pages/niah/niah_page.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/niah/niah_column.h"
#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

constexpr qint64 kTellEveryMs = 100;  // trials of tiny models come faster than anyone can see
constexpr int kReadDelayMs = 150;     // several trials are read at once

}  // namespace

NiahPage::NiahPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_form(new NiahForm(workspace.library(), this)),
      m_notice(new widgets::Notice(this)),
      m_about(new widgets::ElidedLabel("muted", this)),
      m_difference(widgets::makeButton(tr("Difference"), {}, "toggle", this)),
      m_pair(new QComboBox(this)),
      m_resume(widgets::makeButton(tr("Resume"), QStringLiteral("play"), "plain", this)),
      m_kept(widgets::makeButton(tr("Kept"), QStringLiteral("history"), "plain", this)),
      m_keptMenu(nullptr),
      m_export(widgets::makeButton(tr("Export…"), QStringLiteral("export"), "plain", this)),
      m_stack(new QStackedWidget(this)),
      m_readTimer(new QTimer(this)) {
  m_notice->setObjectName(QStringLiteral("niahNotice"));
  connect(&workspace.library(), &ModelLibrary::changed, m_form, &NiahForm::refreshModels);
  auto* panel = widgets::makePanel(this);
  auto* inside = new QVBoxLayout(panel);
  inside->setContentsMargins(16, 10, 16, 10);
  inside->addWidget(m_form);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 10);
  layout->setSpacing(10);
  layout->addWidget(panel);
  layout->addWidget(makeHead());
  layout->addWidget(m_notice);
  m_stack->addWidget(makeEmpty());
  m_stack->addWidget(makeContent());
  layout->addWidget(m_stack, 1);
  m_readTimer->setSingleShot(true);
  m_readTimer->setInterval(kReadDelayMs);
  connect(m_readTimer, &QTimer::timeout, this, &NiahPage::read);
  connect(m_form, &NiahForm::runRequested, this, &NiahPage::run);
  connect(m_form, &NiahForm::stopRequested, this, [this] {
    if (m_job != nullptr) m_job->stop();
  });
  connect(m_notice, &widgets::Notice::actionRequested, this, &NiahPage::resume);
  makeActions();
  refresh();
}

QWidget* NiahPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("niahEmpty"));
  auto* text = widgets::makeLabel(
      tr("A number is hidden in a long text, at every depth and length of a grid, and every arm is asked for "
         "it on the very same prompts. The map shows where it is found. A sliding window alone finds what it "
         "can still see; an Orthros model's output stream reads everything."),
      "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setFixedWidth(480);
  auto* go = widgets::makeButton(tr("Run this grid"), QStringLiteral("niah"), "primary", empty);
  go->setObjectName(QStringLiteral("niahEmptyRun"));
  connect(go, &QPushButton::clicked, this, &NiahPage::run);
  const auto enable = [this, go] { go->setEnabled(!isRunning() && m_form->canRun()); };
  connect(m_form, &NiahForm::changed, go, enable);
  connect(&m_workspace.engine(), &JobRunner::jobsChanged, go, enable);
  enable();
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(widgets::makeLabel(tr("No map yet"), "section", empty), 0, Qt::AlignHCenter);
  auto* middle = new QHBoxLayout;  // no alignment: it would cut what wraps
  middle->addStretch(1);
  middle->addWidget(text);
  middle->addStretch(1);
  layout->addLayout(middle);
  layout->addWidget(go, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return empty;
}

QWidget* NiahPage::makeContent() {
  auto* content = widgets::makePanel(this);
  m_figure = new QWidget(content);
  m_figure->setObjectName(QStringLiteral("niahFigure"));
  m_row = new QHBoxLayout(m_figure);
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(12);
  m_delta = new NiahColumn(m_figure);
  m_delta->map()->setObjectName(QStringLiteral("niahDelta"));
  m_delta->hide();
  m_row->addWidget(m_delta, 1);
  connect(m_delta->map(), &widgets::NeedleMap::hovered, this, &NiahPage::lookAt);
  connect(m_delta->map(), &widgets::NeedleMap::chosen, this, &NiahPage::choose);
  m_readout = widgets::makeLabel({}, "caption", content);
  m_readout->setObjectName(QStringLiteral("niahReadout"));
  m_readout->setWordWrap(true);
  m_readout->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(6);
  layout->addWidget(m_figure, 1);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, content));
  layout->addWidget(m_readout);
  return content;
}

void NiahPage::run() {
  if (isRunning() || !m_form->canRun()) return;
  auto arms = m_form->sources();
  auto spec = m_form->spec();
  if (!arms || !spec) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms ? spec.error() : arms.error()));
    return;
  }
  NiahPlan plan;
  plan.arms = std::move(*arms);
  plan.name = tr("%1, up to %2 tokens")
                  .arg(toQt(to_string(spec->task.variant)), widgets::tokensText(spec->lengths.back()));
  plan.spec = std::move(*spec);
  start(std::move(plan));
}

void NiahPage::resume() {
  if (isRunning() || !m_view || m_view->isDone) return;
  if (m_view->map.spec.task.haystack == HaystackKind::folder) {
    m_notice->show(widgets::Notice::Kind::Bad,
                   tr("The store does not know where this run's text folder lies. Resume it with "
                      "orthros niah --resume %1 --haystack FOLDER.")
                       .arg(m_view->uuid.left(8)));
    return;
  }
  auto arms = findArms(m_workspace.library(), m_view->spec);
  if (!arms) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms.error()));
    return;
  }
  NiahPlan plan;
  plan.spec = m_view->map.spec;
  plan.arms = std::move(*arms);
  plan.resume = m_view->uuid;
  start(std::move(plan));
}

void NiahPage::start(NiahPlan plan) {
  m_notice->hide();
  m_running.clear();
  const auto shared = std::make_shared<const NiahPlan>(std::move(plan));
  const auto work = [shared, path = m_workspace.settings().runStorePath(), &workspace = m_workspace,
                     page = QPointer<NiahPage>(this)](JobContext& context) -> Result<void> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    const auto begun = [page](const QString& uuid) {
      QMetaObject::invokeMethod(
          page, [page, uuid] { page->began(uuid); }, Qt::QueuedConnection);
    };
    QElapsedTimer told;
    const auto advanced = [page, &told] {
      if (told.isValid() && told.elapsed() < kTellEveryMs) return;
      told.start();
      QMetaObject::invokeMethod(
          page, [page] { page->advanced(); }, Qt::QueuedConnection);
    };
    ORTHROS_TRY_VOID(runNiah(*shared, *store, context, begun, advanced));
    context.setMessage(tr("%1 trials kept").arg(countOf(shared->spec).trials * std::ssize(shared->arms)));
    return {};
  };
  m_job = m_workspace.engine().start<void>(tr("Needle in a haystack"), work, this,
                                           [this](Result<void>& result) { ended(result); });
  refresh();
}

void NiahPage::began(const QString& uuid) {
  m_running = m_uuid = uuid;
  read();
}

void NiahPage::advanced() {
  if (m_uuid == m_running && !m_readTimer->isActive()) m_readTimer->start();
}

void NiahPage::ended(const Result<void>& result) {
  m_readTimer->stop();
  m_failure.reset();
  if (!result) m_failure = result.error();
  m_form->setRunning(false);
  if (m_running.isEmpty()) {  // refused before anything was stored
    sayHowItEnded();
    refresh();
    Q_EMIT finished();
    return;
  }
  m_workspace.announceRun();
  m_hasEnded = true;
  if (m_uuid == m_running) {
    read();
  } else {
    m_hasEnded = false;
    refresh();
    Q_EMIT finished();
  }
}

void NiahPage::open(const QString& uuid) {
  m_notice->hide();
  m_uuid = uuid;
  m_fillForm = true;
  m_chosen = {};
  read();
}

void NiahPage::read() {
  if (m_isReading) {
    m_readAgain = true;
    return;
  }
  m_isReading = true;
  m_readAgain = false;
  const bool last = m_hasEnded;
  m_workspace.files().start<NiahView>(
      tr("Read the maps"),
      [path = m_workspace.settings().runStorePath(), uuid = m_uuid](JobContext&) {
        return readNiah(path, uuid);
      },
      this,
      [this, uuid = m_uuid, last](Result<NiahView>& view) {
        m_isReading = false;
        if (uuid == m_uuid && view) {
          showView(std::move(*view));
        } else if (uuid == m_uuid) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(view.error()));
        }
        if (m_readAgain) {
          read();
          return;
        }
        if (!last) return;
        m_hasEnded = false;
        sayHowItEnded();
        refresh();
        Q_EMIT finished();
      },
      /*quiet=*/true);
}

void NiahPage::showView(NiahView view) {
  m_view = std::move(view);
  if (m_fillForm) m_form->setSpec(m_view->map.spec);
  m_fillForm = false;
  while (m_columns.size() > static_cast<qsizetype>(m_view->map.arms.size())) {
    NiahColumn* column = m_columns.takeLast();
    m_row->removeWidget(column);
    column->hide();
    column->deleteLater();
  }
  while (m_columns.size() < static_cast<qsizetype>(m_view->map.arms.size())) {
    auto* column = new NiahColumn(m_figure);
    column->map()->setObjectName(QStringLiteral("niahMap%1").arg(m_columns.size()));
    m_row->insertWidget(static_cast<int>(m_columns.size()), column, 1);
    m_columns.append(column);
    connect(column->map(), &widgets::NeedleMap::hovered, this, &NiahPage::lookAt);
    connect(column->map(), &widgets::NeedleMap::chosen, this, &NiahPage::choose);
  }
  fillPairs();
  showMaps();
  m_stack->setCurrentIndex(1);
  refresh();
  Q_EMIT shown();
}

void NiahPage::fillPairs() {
  const QStringList labels = armNames(*m_view);
  QStringList texts;
  for (const NiahPair& pair : m_view->map.pairs)
    texts.append(QStringLiteral("%1 − %2").arg(labels[static_cast<qsizetype>(pair.a)],
                                               labels[static_cast<qsizetype>(pair.b)]));
  QStringList there;
  for (int i = 0; i < m_pair->count(); ++i) there.append(m_pair->itemText(i));
  if (texts == there) return;
  const QSignalBlocker quiet(m_pair);
  m_pair->clear();
  m_pair->addItems(texts);
}

void NiahPage::showMaps() {
  if (!m_view) return;
  for (size_t arm = 0; arm < m_view->map.arms.size(); ++arm)
    m_columns[static_cast<qsizetype>(arm)]->show(mapDataOf(*m_view, arm), armNote(*m_view, arm));
  const int pair = m_pair->currentIndex();
  const bool difference = m_difference->isChecked() && pair >= 0;
  if (difference) {
    m_delta->show(deltaDataOf(*m_view, static_cast<size_t>(pair)),
                  deltaNote(*m_view, static_cast<size_t>(pair)));
  } else {
    m_delta->hide();
  }
  lookAt(m_chosen);
}

// The same cell in every map, and one line of each.
void NiahPage::lookAt(widgets::NeedleIndex index) {
  const widgets::NeedleIndex at = index.isValid() ? index : m_chosen;
  QStringList lines;
  QList<NiahColumn*> columns = m_columns;
  if (!m_delta->isHidden()) columns.append(m_delta);
  for (NiahColumn* column : columns) {
    column->map()->setMarked(at);
    const QString text = column->map()->readout(at);
    if (!text.isEmpty()) lines.append(column->map()->data().title + QStringLiteral(":  ") + text);
  }
  if (lines.isEmpty()) lines.append(tr("Point at a cell, or walk with the arrow keys; click to hold it."));
  m_readout->setText(lines.join(u'\n'));
  m_readout->setMinimumHeight(static_cast<int>(columns.size()) * m_readout->fontMetrics().lineSpacing());
}

void NiahPage::choose(widgets::NeedleIndex index) {
  m_chosen = m_chosen == index ? widgets::NeedleIndex{} : index;
  lookAt(index);
}

bool NiahPage::escape() {
  if (!m_chosen.isValid()) return false;
  m_chosen = {};
  lookAt({});
  return true;
}

void NiahPage::sayHowItEnded() {
  using Kind = widgets::Notice::Kind;
  if (m_failure && m_failure->code != ErrorCode::cancelled) {
    m_notice->show(Kind::Bad, toQt(*m_failure));
    return;
  }
  if (!m_view || m_view->uuid != m_running) return;
  if (m_failure) {
    m_notice->show(Kind::Info,
                   tr("Stopped. %1 of %2 trials are kept; Resume goes on with the others.")
                       .arg(m_view->trials)
                       .arg(m_view->planned),
                   tr("Resume"));
    return;
  }
  int missing = 0;
  for (const NiahColumn* column : m_columns) {
    for (const widgets::NeedleCell& cell : column->map()->data().cells)
      missing += cell.state == widgets::NeedleCell::State::Done ? 0 : 1;
  }
  if (missing > 0)
    m_notice->show(Kind::Warn,
                   tr("%n cells have no result: point at a hatched one to see why.", nullptr, missing));
}

void NiahPage::refresh() {
  const bool running = isRunning();
  m_form->setRunning(running);
  const bool several = m_view && m_view->map.arms.size() > 1;
  m_difference->setEnabled(several);
  m_pair->setVisible(several && m_difference->isChecked());
  m_resume->setVisible(m_view && !m_view->isDone && !running);
  m_export->setEnabled(m_view.has_value());
  if (!m_view) {
    m_about->setWhole(running ? tr("Preparing…") : QString());
    return;
  }
  const QString state = running && m_uuid == m_running ? tr("running")
                        : m_view->isDone               ? tr("done")
                        : !m_view->problem.isEmpty()   ? tr("failed: %1").arg(m_view->problem)
                                                       : tr("not finished");
  QStringList about{state, m_view->name, captionOf(*m_view)};
  about.removeAll(QString());
  m_about->setWhole(about.join(QStringLiteral(" · ")));
}

void NiahPage::prepareForPicture() {
  // A run that is kept there already, else what the form asks.
  const auto draw = [this] { QTimer::singleShot(50, this, &Page::readyForPicture); };
  m_workspace.files().start<QList<KeptNiah>>(
      tr("Read kept runs"),
      [path = m_workspace.settings().runStorePath()](JobContext&) { return readKeptNiah(path); }, this,
      [this, draw](Result<QList<KeptNiah>>& rows) {
        m_difference->setChecked(true);
        if (rows && !rows->isEmpty()) {
          connect(this, &NiahPage::shown, this, draw, Qt::SingleShotConnection);
          open(rows->front().uuid);
        } else if (m_form->canRun()) {
          connect(this, &NiahPage::finished, this, draw, Qt::SingleShotConnection);
          run();
        } else {
          draw();
        }
      },
      /*quiet=*/true);
}

}  // namespace orthros::studio
