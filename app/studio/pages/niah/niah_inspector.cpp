#include "app/studio/pages/niah/niah_inspector.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QTextCursor>
#include <QVBoxLayout>

#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace orthros::studio {
namespace {

enum Column { kFound, kAnswer, kLogProbability, kMass, kColumns };

constexpr double kPpm = 1e6;

QString orDash(double value) {
  return std::isnan(value) ? QStringLiteral("–") : widgets::formatNumber(value);
}

QTableWidgetItem* cellItem(const QString& text, const QString& tip, bool number) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(tip);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

NiahInspector::NiahInspector(Workspace& workspace, QWidget* parent)
    : QFrame(parent),
      m_workspace(workspace),
      m_arm(fail(ErrorCode::not_found, "nothing is looked at")),
      m_title(widgets::makeLabel({}, "strong", this)),
      m_arms(new QComboBox(this)),
      m_table(new QTableWidget(0, kColumns, this)),
      m_facts(widgets::makeLabel({}, "caption", this)),
      m_text(new widgets::PlainText(this)),
      m_problem(widgets::makeLabel({}, "caption", this)),
      m_explore(widgets::makeButton(tr("Open in the attention explorer"), QStringLiteral("attention"),
                                    "plain", this)) {
  setObjectName(QStringLiteral("niahInspector"));
  m_arms->setObjectName(QStringLiteral("niahInspectorArm"));
  m_arms->setAccessibleName(tr("Arm whose trials are shown"));
  m_arms->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_table->setObjectName(QStringLiteral("niahTrialTable"));
  m_table->setAccessibleName(tr("Trials of the cell"));
  m_table->setHorizontalHeaderLabels({{}, tr("answer"), tr("log-prob., nats"), tr("attention")});
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(24);
  m_table->setShowGrid(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTabKeyNavigation(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(kAnswer, QHeaderView::Stretch);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setMinimumHeight(84);
  m_facts->setObjectName(QStringLiteral("niahTrialFacts"));
  m_facts->setWordWrap(true);
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_text->setObjectName(QStringLiteral("niahTrialPrompt"));
  m_text->setAccessibleName(tr("The prompt around the needle"));
  m_text->setReadOnly(true);
  m_text->setFont(widgets::monoFont(11));
  m_text->setTabChangesFocus(true);
  m_text->setMinimumHeight(72);
  m_problem->setWordWrap(true);
  m_explore->setObjectName(QStringLiteral("niahExplore"));
  m_explore->setToolTip(tr("Every head at the row that answers, on the very same ids"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(makeHead());
  layout->addWidget(m_arms);
  layout->addWidget(m_table, 3);
  layout->addWidget(m_facts);
  layout->addWidget(m_text, 2);
  layout->addWidget(m_problem);
  layout->addWidget(m_explore);
  setFixedWidth(340);
  connect(m_arms, &QComboBox::currentIndexChanged, this, &NiahInspector::readTrials);
  connect(m_table, &QTableWidget::itemSelectionChanged, this, &NiahInspector::chooseTrial);
  connect(m_explore, &QPushButton::clicked, this, &NiahInspector::openAttention);
  connect(&workspace.library(), &ModelLibrary::changed, this, [this] {
    if (isVisible()) chooseTrial();
  });
  hide();
}

QWidget* NiahInspector::makeHead() {
  auto* head = new QWidget(this);
  m_title->setObjectName(QStringLiteral("niahInspectorTitle"));
  auto* close = widgets::makeToolButton(QStringLiteral("close"), tr("Close the inspector (Esc)"), head);
  close->setObjectName(QStringLiteral("niahInspectorClose"));
  connect(close, &QToolButton::clicked, this, &NiahInspector::closed);
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_title, 1);
  layout->addWidget(close);
  return head;
}

void NiahInspector::look(const NiahView& view, widgets::NeedleIndex cell, qsizetype arm) {
  const NiahSpec& spec = view.map.spec;
  if (!cell.isValid() || cell.length >= std::ssize(spec.lengths) ||
      cell.depth >= std::ssize(spec.depths_ppm)) {
    hide();
    return;
  }
  const bool same = isVisible() && m_view.uuid == view.uuid;
  m_view = view;
  m_cell = cell;
  const int before = same ? m_arms->currentIndex() : 0;
  {
    const QSignalBlocker quiet(m_arms);
    m_arms->clear();
    m_arms->addItems(shortLabels(view));
    m_arms->setCurrentIndex(arm >= 0 ? static_cast<int>(arm) : std::min(before, m_arms->count() - 1));
  }
  const double depth = static_cast<double>(spec.depths_ppm[static_cast<size_t>(cell.depth)]) / kPpm;
  m_title->setText(tr("%1 tokens, depth %2")
                       .arg(widgets::tokensText(spec.lengths[static_cast<size_t>(cell.length)]),
                            widgets::formatPercent(depth)));
  show();
  readTrials();
}

void NiahInspector::follow(const NiahView& view) {
  const auto arm = static_cast<size_t>(std::max(0, m_arms->currentIndex()));
  if (view.uuid == m_view.uuid && arm < view.map.arms.size()) {
    const NiahShare& share =
        view.map.arms[arm].cells[static_cast<size_t>(m_cell.length)][static_cast<size_t>(m_cell.depth)];
    if (share.n == std::ssize(m_trials)) return;
  }
  look(view, m_cell);
}

void NiahInspector::readTrials() {
  const qint64 arm = m_arms->currentIndex();
  if (arm < 0 || !m_cell.isValid()) return;
  const quint64 asked = ++m_asked;
  const qint64 length = m_view.map.spec.lengths[static_cast<size_t>(m_cell.length)];
  const qint64 depth = m_view.map.spec.depths_ppm[static_cast<size_t>(m_cell.depth)];
  m_workspace.files().start<std::vector<NiahTrial>>(
      tr("Read the trials"),
      [path = m_workspace.settings().runStorePath(), uuid = m_view.uuid, arm, length, depth](JobContext&) {
        return readNiahTrials(path, uuid, arm, length, depth);
      },
      this,
      [this, asked](Result<std::vector<NiahTrial>>& trials) {
        if (asked != m_asked) return;
        m_problem->setText(trials ? QString() : toQt(trials.error()));
        showTrials(trials ? std::move(*trials) : std::vector<NiahTrial>());
      },
      /*quiet=*/true);
}

void NiahInspector::showTrials(std::vector<NiahTrial> trials) {
  const int before = m_table->currentRow();
  m_trials = std::move(trials);
  {
    const QSignalBlocker quiet(m_table);
    m_table->setRowCount(static_cast<int>(m_trials.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
      const NiahTrial& trial = m_trials[static_cast<size_t>(row)];
      auto* sign = cellItem(trial.isHit() ? QStringLiteral("✓") : QStringLiteral("✗"),
                            trial.isHit() ? tr("found") : tr("not found"), false);
      sign->setForeground(widgets::color(trial.isHit() ? widgets::Role::Good : widgets::Role::Bad));
      m_table->setItem(row, kFound, sign);
      m_table->setItem(row, kAnswer, cellItem(trial.answer.simplified(), trial.answer, false));
      m_table->setItem(row, kLogProbability, cellItem(orDash(trial.logProbability), {}, true));
      m_table->setItem(row, kMass, cellItem(orDash(trial.mass), {}, true));
    }
    if (!m_trials.empty()) m_table->selectRow(std::clamp(before, 0, m_table->rowCount() - 1));
  }
  chooseTrial();
}

const NiahTrial* NiahInspector::chosen() const {
  const int row = m_table->currentRow();
  return row >= 0 && row < std::ssize(m_trials) ? &m_trials[static_cast<size_t>(row)] : nullptr;
}

void NiahInspector::chooseTrial() {
  const NiahTrial* trial = chosen();
  m_explore->setEnabled(false);
  m_prompt = {};
  const qsizetype arm = m_arms->currentIndex();
  if (trial == nullptr || arm < 0) {
    const widgets::NeedleCell* cell = nullptr;
    const widgets::NeedleMapData data =
        arm < 0 ? widgets::NeedleMapData() : mapDataOf(m_view, static_cast<size_t>(arm));
    if (arm >= 0) cell = data.at(m_cell);
    m_facts->setText(cell != nullptr && !cell->error.isEmpty() ? cell->error
                                                               : tr("No trial of this cell yet."));
    m_text->clear();
    Q_EMIT shown();
    return;
  }
  m_arm = findArm(m_workspace.library(), m_view.spec, static_cast<size_t>(arm));
  QStringList lines{tr("expected %1 · score %2 (%3) · %4")
                        .arg(trial->expected, widgets::formatNumber(trial->score), trial->scorer,
                             trial->finish == u"eos" ? tr("ended by itself") : tr("ended by the budget")),
                    tr("right answer %1 nats an id, %2 of its ids most probable")
                        .arg(orDash(trial->logProbability),
                             std::isnan(trial->rankedFirst) ? QStringLiteral("–")
                                                            : widgets::formatPercent(trial->rankedFirst))};
  if (!std::isnan(trial->mass)) {
    lines.append(tr("attention on the needle %1, even would be %2")
                     .arg(widgets::formatNumber(trial->mass), widgets::formatNumber(trial->uniform)));
    if (trial->layer >= 0)
      lines.last() += tr("; most in layer %1, head %2: %3")
                          .arg(trial->layer)
                          .arg(trial->head)
                          .arg(widgets::formatNumber(trial->headMass));
  }
  lines.append(tr("prefill %1, answer %2")
                   .arg(widgets::formatMilliseconds(static_cast<double>(trial->prefillNs) / 1e6),
                        widgets::formatMilliseconds(static_cast<double>(trial->decodeNs) / 1e6)));
  m_facts->setText(lines.join(u'\n'));
  const quint64 asked = ++m_asked;
  m_workspace.files().start<NiahPrompt>(
      tr("Read the prompt"),
      [path = m_workspace.settings().runStorePath(), id = trial->prompt,
       model = m_arm ? m_arm->model : nullptr](JobContext&) { return readNiahPrompt(path, id, model); },
      this,
      [this, asked](Result<NiahPrompt>& prompt) {
        if (asked == m_asked) showPrompt(prompt);
      },
      /*quiet=*/true);
}

void NiahInspector::showPrompt(const Result<NiahPrompt>& prompt) {
  m_text->clear();
  m_problem->setText(prompt ? QString() : toQt(prompt.error()));
  m_problem->setVisible(!prompt || !m_arm);
  if (prompt) {
    m_prompt = *prompt;
    if (prompt->text.isEmpty()) {
      m_text->setPlainText(tr("%1: %2, ids %3 to %4 of %5")
                               .arg(prompt->key, prompt->value)
                               .arg(prompt->begin)
                               .arg(prompt->end - 1)
                               .arg(prompt->ids.size()));
    } else {
      const QString dots = QStringLiteral("…");
      const QString before = (prompt->begin > 0 ? dots : QString()) + prompt->before;
      m_text->setPlainText(before + prompt->needle + prompt->after + QStringLiteral(" … ") +
                           prompt->question);
      QTextEdit::ExtraSelection mark;
      mark.cursor = m_text->textCursor();
      mark.cursor.setPosition(static_cast<int>(before.size()));
      mark.cursor.setPosition(static_cast<int>(before.size() + prompt->needle.size()),
                              QTextCursor::KeepAnchor);
      mark.format.setBackground(widgets::color(widgets::Role::OutputSoft));
      mark.format.setForeground(widgets::color(widgets::Role::Text));
      m_text->setExtraSelections({mark});
      QTextCursor needle = m_text->textCursor();
      needle.setPosition(static_cast<int>(before.size()));
      m_text->setTextCursor(needle);
      m_text->centerCursor();
    }
    if (!m_arm) m_problem->setText(toQt(m_arm.error()));
    m_explore->setEnabled(m_arm.has_value() && !m_prompt.ids.empty());
  }
  Q_EMIT shown();
}

void NiahInspector::openAttention() {
  const NiahTrial* trial = chosen();
  if (trial == nullptr || !m_arm || m_prompt.ids.empty()) return;
  Q_EMIT attentionRequested(
      {m_arm->model, m_arm->config, m_prompt.ids, m_prompt.text, trial->layer, trial->head});
}

}  // namespace orthros::studio
