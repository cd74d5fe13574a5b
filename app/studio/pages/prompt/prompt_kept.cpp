// The prompt page's kept runs: list, reopen, run again, copy to the form; outputs side by side compared token
// by token.
#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/pages/prompt/arm_column.h"
#include "app/studio/pages/prompt/kept_delegate.h"
#include "app/studio/pages/prompt/prompt_form.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/token_diff.h"

namespace orthros::studio {
namespace {

constexpr int kMostColumns = 3;

}  // namespace

QWidget* PromptPage::makeKept() {
  auto* panel = widgets::makePanel(this);
  m_keptView = new QListView(panel);
  m_keptView->setObjectName(QStringLiteral("keptRuns"));
  m_keptView->setModel(m_kept);
  m_keptView->setItemDelegate(new KeptDelegate(m_keptView));
  m_keptView->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_keptView->setMouseTracking(true);
  m_keptView->setStyleSheet(QStringLiteral("QListView { border: none; }"));
  m_keptView->setAccessibleName(tr("Kept runs"));
  auto* hint = widgets::makeLabel(tr("Click to reopen. With Ctrl or Shift up to 3 runs side by side."),
                                  "caption", panel);
  hint->setWordWrap(true);
  hint->setContentsMargins(4, 0, 4, 0);
  m_again = widgets::makeButton(tr("Run again"), QStringLiteral("play"), "plain", panel);
  m_again->setObjectName(QStringLiteral("keptAgain"));
  m_again->setToolTip(tr("The same text, arms, sampling and seed, with the model that is open now"));
  m_duplicate = widgets::makeButton(tr("Copy to form"), QStringLiteral("copy"), "plain", panel);
  m_duplicate->setObjectName(QStringLiteral("keptDuplicate"));
  m_duplicate->setToolTip(tr("Puts text, arms and sampling into the form, to be changed"));
  for (QPushButton* button : {m_again, m_duplicate}) button->setEnabled(false);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(4, 0, 4, 0);
  buttons->addWidget(m_again, 1);
  buttons->addWidget(m_duplicate, 1);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(8, 8, 8, 12);
  layout->addWidget(m_keptView, 1);
  layout->addLayout(buttons);
  layout->addWidget(hint);
  connect(m_again, &QPushButton::clicked, this, [this] { takeKept(true); });
  connect(m_duplicate, &QPushButton::clicked, this, [this] { takeKept(false); });
  connect(m_keptView->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PromptPage::openKept);
  return panel;
}

void PromptPage::refreshKept() {
  m_workspace.files().start<QList<KeptRow>>(
      tr("Read kept runs"),
      [path = m_workspace.settings().runStorePath()](JobContext&) { return readKeptRows(path); }, this,
      [this](Result<QList<KeptRow>>& rows) {
        if (rows) m_kept->setRows(*rows);
      },
      /*quiet=*/true);
}

void PromptPage::openKept() {
  QStringList uuids;
  for (const QModelIndex& index : m_keptView->selectionModel()->selectedIndexes()) {
    if (uuids.size() < kMostColumns) uuids.append(index.data(KeptPrompts::UuidRole).toString());
  }
  if (!uuids.isEmpty()) openRuns(uuids);
}

void PromptPage::useRun(const QString& uuid, RunUse use) {
  m_keptTab->click();
  openRuns({uuid}, [this, use] {
    if (use == RunUse::Again && m_workspace.currentModel() == nullptr) {
      m_notice->show(widgets::Notice::Kind::Warn, tr("Open a model first, then run it again."));
    } else if (use != RunUse::Show) {
      takeKept(use == RunUse::Again);
    }
  });
}

void PromptPage::openRuns(const QStringList& uuids, std::function<void()> then) {
  if (m_runner->isRunning()) return;
  const auto work = [path = m_workspace.settings().runStorePath(),
                     uuids](JobContext&) -> Result<QList<KeptRun>> {
    QList<KeptRun> runs;
    for (const QString& uuid : uuids) {
      ORTHROS_TRY(KeptRun run, readKeptRun(path, uuid));
      runs.append(run);
    }
    return runs;
  };
  m_workspace.files().start<QList<KeptRun>>(
      tr("Reopen runs"), work, this,
      [this, then = std::move(then)](Result<QList<KeptRun>>& runs) {
        if (runs) {
          showKept(*runs);
          if (then) then();
        } else {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(runs.error()));
        }
      },
      /*quiet=*/true);
}

void PromptPage::showKept(const QList<KeptRun>& runs) {
  if (m_runner->isRunning()) return;
  std::vector<PromptArm> arms;
  for (const KeptRun& run : runs) {
    const QString label = run.row.arm.section(QStringLiteral(", "), 1);
    arms.push_back({run.armKey, label.isEmpty() ? run.row.arm : label, Architecture::transformer, {}});
  }
  m_arms.clear();
  m_lastSpec = {};
  m_notice->hide();
  setColumns(arms);
  for (qsizetype i = 0; i < runs.size(); ++i) {
    widgets::TokenChips* chips = m_columns[i]->chips();
    chips->addTurn(runs[i].text);
    for (const widgets::TokenChip& chip : runs[i].tokens) chips->addChip(chip);
    m_columns[i]->setFigures(runs[i].figures);
    m_columns[i]->setState(runs[i].row.created);
    m_prompts[static_cast<size_t>(i)] = runs[i].prompt;
  }
  m_opened = runs;
  m_again->setEnabled(m_workspace.currentModel() != nullptr);
  m_duplicate->setEnabled(true);
  compareColumns();
}

void PromptPage::takeKept(bool start) {
  if (m_opened.isEmpty() || m_runner->isRunning()) return;
  const KeptRun& first = m_opened.front();
  QStringList arms;
  WindowSpec window = WindowSpec::full();
  for (const KeptRun& run : m_opened) {
    arms.append(run.armKey);
    if (!run.window.is_full()) window = run.window;
  }
  m_form->setRun(first.text, first.chat, arms, window, first.request);
  m_newTab->click();
  if (start) run();
}

void PromptPage::compareColumns() {
  if (m_columns.size() < 2) return;
  const std::vector<qint64> first = m_columns.front()->chips()->ids();
  if (first.empty()) return;
  for (qsizetype i = 1; i < m_columns.size(); ++i) {
    const std::vector<qint64> other = m_columns[i]->chips()->ids();
    if (other.empty()) continue;
    const auto [inFirst, inOther] = widgets::tokensApart(first, other);
    if (i == 1) m_columns.front()->chips()->setApart(inFirst);
    m_columns[i]->chips()->setApart(inOther);
    const auto same = std::ranges::mismatch(first, other).in1 - first.begin();
    const auto shared = std::ranges::count(inOther, false);
    m_columns[i]->setComparison(same == std::ssize(first) && first.size() == other.size()
                                    ? tr("the same tokens as %1").arg(m_columns.front()->label())
                                    : tr("parts from %1 after %2 tokens; %3 of %4 shared (dashed: not)")
                                          .arg(m_columns.front()->label())
                                          .arg(same)
                                          .arg(shared)
                                          .arg(other.size()));
  }
}

}  // namespace orthros::studio
