#include "app/studio/pages/prompt/prompt_page.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/example_text.h"
#include "app/studio/pages/prompt/arm_column.h"
#include "app/studio/pages/prompt/prompt_form.h"
#include "app/studio/text.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kLeftWidth = 304;

}  // namespace

PromptPage::PromptPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_runner(new PromptRunner(workspace, this)),
      m_form(new PromptForm(this)),
      m_kept(new KeptPrompts(this)),
      m_notice(new widgets::Notice(this)),
      m_look(widgets::makeButton(tr("See what it reads"), QStringLiteral("attention"), "plain", this)),
      m_columnRow(new QHBoxLayout) {
  m_notice->setObjectName(QStringLiteral("promptNotice"));
  m_columnRow->setSpacing(12);
  auto* right = new QVBoxLayout;
  right->setSpacing(12);
  right->addWidget(m_notice);
  right->addLayout(m_columnRow, 1);
  auto* legend = widgets::makeLabel(tr("Underline: probability under the model itself. Warm: the model was "
                                       "unsure. Hover, click or ← → for the top 10."),
                                    "caption", this);
  legend->setWordWrap(true);
  m_look->setObjectName(QStringLiteral("promptLook"));
  m_look->setToolTip(
      tr("Opens prompt and answer on the Attention page: which keys x and x′ read, head by head"));
  auto* foot = new QHBoxLayout;
  foot->setSpacing(12);
  foot->addWidget(legend, 1);
  foot->addWidget(m_look);
  right->addLayout(foot);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 16, 16, 10);
  row->setSpacing(12);
  row->addWidget(makeLeft());
  row->addLayout(right, 1);

  setFocusProxy(m_form);
  connect(m_form, &PromptForm::runRequested, this, &PromptPage::run);
  connect(m_form, &PromptForm::stopRequested, m_runner, &PromptRunner::stop);
  connect(m_form, &PromptForm::armsChanged, this, [this] {
    if (!m_runner->isRunning()) setColumns(m_form->spec().arms);
  });
  connect(m_form, &PromptForm::newChatRequested, this, [this] {
    m_runner->newChat();
    forgetPrompts();
    for (ArmColumn* column : m_columns) {
      column->chips()->clear();
      column->clearFigures();
      column->setState({});
    }
  });
  connect(&workspace, &Workspace::currentModelChanged, this, [this] {
    if (const auto own = m_workspace.currentWindow()) m_form->setWindow(*own);
  });
  connect(&workspace, &Workspace::currentModelChanged, this, [this] {
    m_lastSpec = {};
    forgetPrompts();      // of another model's tokens
    m_runner->newChat();  // a closed model must not be held by a cache
    showModel();
  });
  connect(&workspace.library(), &ModelLibrary::changed, this, &PromptPage::showModel);
  connect(&workspace, &Workspace::runKept, this, &PromptPage::refreshKept);
  connect(m_notice, &widgets::Notice::actionRequested, this, &PromptPage::modelsRequested);
  connectRunner();
  connect(m_look, &QPushButton::clicked, this, &PromptPage::askForAttention);
  m_form->setText(exampleText());
  setColumns(m_form->spec().arms);
  showModel();
  refreshKept();
}

QWidget* PromptPage::makeLeft() {
  auto* side = new QWidget(this);
  side->setFixedWidth(kLeftWidth);
  m_newTab = widgets::makeButton(tr("New run"), QStringLiteral("plus"), "toggle", side);
  m_keptTab = widgets::makeButton(tr("Kept runs"), QStringLiteral("history"), "toggle", side);
  m_newTab->setObjectName(QStringLiteral("tabNew"));
  m_keptTab->setObjectName(QStringLiteral("tabKept"));
  auto* group = new QButtonGroup(this);
  for (QPushButton* tab : {m_newTab, m_keptTab}) {
    tab->setCheckable(true);
    group->addButton(tab);
  }
  m_newTab->setChecked(true);
  m_left = new QStackedWidget(side);
  m_left->addWidget(m_form);
  m_left->addWidget(makeKept());
  connect(m_newTab, &QPushButton::clicked, this, [this] { m_left->setCurrentIndex(0); });
  connect(m_keptTab, &QPushButton::clicked, this, [this] { m_left->setCurrentIndex(1); });
  auto* tabs = new QHBoxLayout;
  tabs->setSpacing(4);
  tabs->addWidget(m_newTab, 1);
  tabs->addWidget(m_keptTab, 1);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  layout->addLayout(tabs);
  layout->addWidget(m_left, 1);
  return side;
}

void PromptPage::connectRunner() {
  connect(m_runner, &PromptRunner::armStarted, this, [this](int arm, const std::vector<TokenId>& prompt) {
    const int column = m_columnOfArm[static_cast<size_t>(arm)];
    m_columns[column]->setState(tr("reading the prompt…"));
    m_prompts[static_cast<size_t>(column)] = prompt;
  });
  connect(m_runner, &PromptRunner::tokenCame, this,
          [this](int arm, const widgets::TokenChip& chip, const ArmFigures& live) {
            ArmColumn* column = m_columns[m_columnOfArm[static_cast<size_t>(arm)]];
            column->chips()->addChip(chip);
            column->setFigures(live);
            column->setState(tr("writing…"));
          });
  connect(m_runner, &PromptRunner::armFinished, this, [this](int arm, const ArmFigures& figures) {
    ArmColumn* column = m_columns[m_columnOfArm[static_cast<size_t>(arm)]];
    column->setFigures(figures);
    column->setState(figures.ending);
    column->setProperty("waiting", false);
    m_promptTokens = figures.promptTokens;
  });
  connect(m_runner, &PromptRunner::finished, this, [this](bool stopped, const QString& problem) {
    m_form->setRunning(false);
    m_look->setEnabled(m_workspace.currentModel() != nullptr);
    if (!problem.isEmpty()) {
      m_notice->show(widgets::Notice::Kind::Bad, problem);
    } else if (!stopped) {
      explainSameAnswers();
    }
    compareColumns();
    for (ArmColumn* column : m_columns) {
      if (column->property("waiting").toBool()) column->setState(stopped ? tr("stopped") : tr("failed"));
      column->setProperty("waiting", false);
    }
    Q_EMIT finished();
  });
}

void PromptPage::forgetPrompts() {
  for (std::vector<TokenId>& prompt : m_prompts) prompt.clear();
}

// Of the columns that are shown: a run of now has its own, a kept one that of its name, if it is open.
std::shared_ptr<const Model> PromptPage::shownModel() const {
  if (m_opened.isEmpty()) return m_lastSpec.model;
  std::shared_ptr<const Model> found;
  for (const OpenedModel& model : m_workspace.library().models()) {
    if (model.name() == m_opened.back().modelName && model.model) found = model.model;
  }
  return found;
}

// Before a run the text of the form; afterwards what the last column has read and written, the Orthros arm
// where there is one: by its ids, since a text can be cut into tokens in more ways than one.
void PromptPage::askForAttention() {
  const PromptSpec asked = m_form->spec();
  WindowSpec window;
  for (const PromptArm& arm : asked.arms) {
    if (!arm.window.is_full()) window = arm.window;
  }
  if (m_prompts.empty() || m_prompts.back().empty()) {
    Q_EMIT attentionRequested(asked.text, window);
    return;
  }
  for (const KeptRun& run : m_opened) {
    if (!run.window.is_full()) window = run.window;
  }
  AttentionRequest request;
  request.model = shownModel();
  if (request.model == nullptr) {
    m_notice->show(
        widgets::Notice::Kind::Warn,
        tr("%1 is not open: open it on the Models page, then look again.").arg(m_opened.back().modelName));
    return;
  }
  request.ids = m_prompts.back();
  for (const qint64 id : m_columns.last()->chips()->ids()) request.ids.push_back(id);
  const auto config =
      with_architecture(request.model->config(), Architecture::orthros,
                        window.is_full() ? window_for(request.model->config(), {}, {}) : window);
  if (!config) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(config.error()));
    return;
  }
  request.config = *config;
  const ModelFiles& files = request.model->files();
  if (const auto text = files.tokenizer ? files.tokenizer->decode(request.ids) : Result<std::string>(""))
    request.text = toQt(*text);
  Q_EMIT idsRequested(request);
}

// Equal answers look like a defect to who does not know why.
void PromptPage::explainSameAnswers() {
  if (m_lastSpec.arms.size() < 2 || m_columns.isEmpty()) return;
  const WindowSpec window = m_lastSpec.arms.back().window;
  const qint64 tokens = m_promptTokens + static_cast<qint64>(m_columns.last()->chips()->chips().size());
  if (window.is_full() || tokens > window.window + window.sinks) return;
  m_notice->show(
      widgets::Notice::Kind::Info,
      tr("All %1 tokens lie within window + sinks (%2): here the arms are the same function. Take a longer "
         "prompt or a smaller window to see them part.")
          .arg(tokens)
          .arg(window.window + window.sinks));
}

void PromptPage::showModel() {
  const OpenedModel* model = m_workspace.currentModel();
  const bool ready = model != nullptr && model->state == OpenedModel::State::Ready;
  m_form->setModelThere(ready);
  m_look->setEnabled(ready && !m_runner->isRunning());
  m_form->setChatAvailable(ready && model->facts.hasChatTemplate);
  if (ready && !model->facts.tokenizerProblem.isEmpty()) {
    m_notice->show(widgets::Notice::Kind::Warn,
                   tr("This model takes ids only: %1").arg(model->facts.tokenizerProblem), tr("Models"));
  } else if (ready) {
    m_notice->hide();
  }
  showPlaceholders();
}

void PromptPage::showPlaceholders() {
  const auto& models = m_workspace.library().models();
  const bool loading = std::ranges::any_of(models, [](const OpenedModel& model) {
    return model.state == OpenedModel::State::Loading || model.state == OpenedModel::State::Reading;
  });
  const OpenedModel* model = m_workspace.currentModel();
  const QString text = model != nullptr
                           ? tr("Run the prompt (Ctrl+Return) and the answer appears here, token by token.")
                       : loading ? tr("The model is loading…")
                                 : tr("Open a model first: Ctrl+O, or drop one anywhere.");
  for (ArmColumn* column : m_columns) column->chips()->setPlaceholder(text);
}

void PromptPage::setColumns(const std::vector<PromptArm>& arms) {
  while (m_columns.size() > static_cast<qsizetype>(arms.size())) {
    ArmColumn* column = m_columns.takeLast();
    m_columnRow->removeWidget(column);
    column->hide();
    column->deleteLater();
  }
  while (m_columns.size() < static_cast<qsizetype>(arms.size())) {
    auto* column = new ArmColumn(this);
    const int index = static_cast<int>(m_columns.size());
    m_columnRow->addWidget(column, 1);
    m_columns.append(column);
    connect(column->chips(), &widgets::TokenChips::branchRequested, this,
            [this, index](int chip, qint64 id) { branch(index, chip, id); });
  }
  m_prompts.resize(arms.size());
  for (size_t i = 0; i < arms.size(); ++i) {
    if (i < m_arms.size() && m_arms[i] == arms[i]) continue;
    m_prompts[i].clear();
    ArmColumn* column = m_columns[static_cast<qsizetype>(i)];
    column->setArm(arms[i].key, arms[i].label, {});
    column->chips()->clear();
    column->clearFigures();
    column->setState({});
  }
  m_arms = arms;
  showPlaceholders();
}

void PromptPage::run() {
  if (m_runner->isRunning()) return;
  PromptSpec spec = m_form->spec();
  if (spec.arms.empty() || spec.text.isEmpty()) return;
  start(spec, spec.chat);
}

void PromptPage::start(const PromptSpec& asked, bool keepText) {
  const OpenedModel* model = m_workspace.currentModel();
  if (model == nullptr || !model->model) return;
  PromptSpec spec = asked;
  spec.model = model->model;
  spec.modelName = model->name();
  spec.storePath = m_workspace.settings().runStorePath();
  m_lastSpec = spec;
  m_opened.clear();
  m_notice->hide();
  if (spec.forced.isEmpty()) {
    if (!keepText) m_arms.clear();  // all columns start anew
    setColumns(spec.arms);
    m_columnOfArm.clear();
    for (int i = 0; i < static_cast<int>(spec.arms.size()); ++i) m_columnOfArm.push_back(i);
  }
  for (const int index : m_columnOfArm) {
    ArmColumn* column = m_columns[index];
    m_prompts[static_cast<size_t>(index)].clear();
    if (spec.chat && spec.forced.isEmpty()) column->chips()->addTurn(spec.text);
    column->setState(tr("waiting"));
    column->setComparison({});
    column->chips()->setApart({});
    column->setProperty("waiting", true);
  }
  m_form->setRunning(true);
  m_look->setEnabled(false);
  m_runner->start(spec);
  if (spec.chat) m_form->setText({});
}

void PromptPage::branch(int column, int chip, qint64 id) {
  if (m_runner->isRunning() || m_lastSpec.model == nullptr || m_lastSpec.chat) return;
  if (column >= static_cast<int>(m_lastSpec.arms.size())) return;
  widgets::TokenChips* chips = m_columns[column]->chips();
  PromptSpec spec = m_lastSpec;
  spec.arms = {m_arms[static_cast<size_t>(column)]};
  spec.forced.clear();
  for (int i = 0; i < chip; ++i) spec.forced.append(chips->chips()[static_cast<size_t>(i)]);
  widgets::TokenChip other = chips->chips()[static_cast<size_t>(chip)];
  for (const widgets::TokenAlternative& alternative : other.alternatives) {
    if (alternative.id != id) continue;
    other.id = id;
    other.bytes = alternative.bytes;
    other.probability = alternative.probability;
    break;
  }
  spec.forced.append(other);
  chips->clear();
  m_columnOfArm = {column};
  const std::vector<PromptArm> all = m_lastSpec.arms;
  start(spec, true);
  m_lastSpec.arms = all;
  m_lastSpec.forced.clear();
}

bool PromptPage::escape() {
  for (ArmColumn* column : m_columns) {
    if (column->chips()->current() < 0) continue;
    column->chips()->showAlternatives(-1, false);
    return true;
  }
  return false;
}

void PromptPage::prepareForPicture() {
  if (m_workspace.currentModel() == nullptr) {
    QTimer::singleShot(0, this, &Page::readyForPicture);
    return;
  }
  connect(
      this, &PromptPage::finished, this,
      [this] {
        // One popup, so that the picture shows what a hover tells.
        ArmColumn* last = m_columns.isEmpty() ? nullptr : m_columns.last();
        if (last != nullptr && last->chips()->chips().size() > 8) last->chips()->showAlternatives(8, true);
        QTimer::singleShot(50, this, &Page::readyForPicture);
      },
      Qt::SingleShotConnection);
  run();
}

}  // namespace orthros::studio
