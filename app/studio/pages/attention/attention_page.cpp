#include "app/studio/pages/attention/attention_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"
#include "widgets/head_atlas.h"
#include "widgets/icon.h"
#include "widgets/token_heat.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kLeftWidth = 304;
constexpr AtlasMeasure kMeasures[] = {AtlasMeasure::Beyond, AtlasMeasure::Entropy,  AtlasMeasure::First,
                                      AtlasMeasure::Self,   AtlasMeasure::Previous, AtlasMeasure::Distance,
                                      AtlasMeasure::Window};

// Longer than window and sinks together: only then do the streams differ.
const char* const kExample = QT_TRANSLATE_NOOP("AttentionPage",
                                               "Mara kept the lighthouse on Gull Island. Each evening she "
                                               "climbed the ninety-one steps, lit the lamp, and wrote the "
                                               "weather in a green notebook. In the morning a fishing boat "
                                               "lay on the rocks below, and in it she found a grey cat, a "
                                               "sack of oranges and a letter. The letter asked her to keep "
                                               "the cat, whose name was Admiral. The carpenter came after "
                                               "nine days and mended the window. The name of the cat was");

}  // namespace

AttentionPage::AttentionPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_text(new QPlainTextEdit(this)),
      m_window(new QSpinBox(this)),
      m_sinks(new QSpinBox(this)),
      m_look(widgets::makeButton(tr("Look"), QStringLiteral("attention"), "primary", this)),
      m_measure(new QComboBox(this)),
      m_atlas(new widgets::HeadAtlas(this)),
      m_inspector(new RowInspector(this)),
      m_notice(new widgets::Notice(this)),
      m_stack(new QStackedWidget(this)) {
  auto* content = new QWidget(this);
  auto* views = new QHBoxLayout(content);
  views->setContentsMargins(0, 0, 0, 0);
  views->setSpacing(12);
  views->addWidget(makeAtlas());
  views->addWidget(m_inspector, 1);
  m_stack->addWidget(makeEmpty());
  m_stack->addWidget(content);
  auto* right = new QVBoxLayout;
  right->setSpacing(12);
  right->addWidget(m_notice);
  right->addWidget(m_stack, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 16, 16, 16);
  row->setSpacing(12);
  row->addWidget(makeLeft());
  row->addLayout(right, 1);
  connect(m_look, &QPushButton::clicked, this, [this] {
    if (m_job != nullptr && m_job->isActive()) {
      m_job->stop();
    } else {
      look();
    }
  });
  connect(m_measure, &QComboBox::currentIndexChanged, this, &AttentionPage::showMeasure);
  connect(m_atlas, &widgets::HeadAtlas::selected, this, &AttentionPage::showHead);
  connect(&workspace, &Workspace::currentModelChanged, this, &AttentionPage::refresh);
  connect(&workspace.library(), &ModelLibrary::changed, this, &AttentionPage::refresh);
  connect(m_text, &QPlainTextEdit::textChanged, this, &AttentionPage::refresh);
  refresh();
}

QWidget* AttentionPage::makeLeft() {
  auto* side = new QWidget(this);
  side->setFixedWidth(kLeftWidth);
  m_text->setObjectName(QStringLiteral("attentionText"));
  m_text->setFont(widgets::monoFont(12));
  m_text->setPlainText(tr(kExample));
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Prompt"));
  m_look->setObjectName(QStringLiteral("attentionLook"));
  m_look->setToolTip(tr("Reads the prompt once and keeps the rows of its last token (Ctrl+Return)"));
  m_window->setObjectName(QStringLiteral("attentionWindow"));
  m_sinks->setObjectName(QStringLiteral("attentionSinks"));
  m_window->setRange(1, 1'000'000);
  m_window->setValue(32);
  m_window->setPrefix(QStringLiteral("w "));
  m_window->setToolTip(tr("Keys a base row reads, its own included"));
  m_sinks->setRange(0, 4096);
  m_sinks->setValue(4);
  m_sinks->setPrefix(QStringLiteral("s "));
  m_sinks->setToolTip(tr("First keys that stay visible besides"));
  auto* note = makeLabel(
      tr("The model's weights are read as Orthros. At the last token the base stream x reads the window and "
         "the sinks; the output stream x′ reads everything and predicts the next token."),
      "caption", side);
  note->setWordWrap(true);
  auto* numbers = new QHBoxLayout;
  numbers->setSpacing(8);
  numbers->addWidget(m_window, 1);
  numbers->addWidget(m_sinks, 1);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  m_text->setFixedHeight(132);
  auto* reading = widgets::makePanel(side);
  auto* heat = new QScrollArea(reading);
  heat->setWidget(m_inspector->heat());
  heat->setWidgetResizable(true);
  heat->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_inspector->heat()->setObjectName(QStringLiteral("scrollBody"));
  auto* readingLayout = new QVBoxLayout(reading);
  readingLayout->setContentsMargins(12, 12, 8, 12);
  readingLayout->setSpacing(8);
  readingLayout->addWidget(
      makeLabel(tr("What this head reads: x′ as tint, x as underline"), "caption", reading));
  readingLayout->addWidget(heat, 1);
  layout->addWidget(m_text);
  layout->addLayout(numbers);
  layout->addWidget(m_look);
  layout->addWidget(reading, 1);
  layout->addWidget(note);
  return side;
}

QWidget* AttentionPage::makeAtlas() {
  auto* panel = widgets::makePanel(this);
  panel->setFixedWidth(312);
  m_atlas->setObjectName(QStringLiteral("headAtlas"));
  m_measure->setObjectName(QStringLiteral("atlasMeasure"));
  for (const AtlasMeasure measure : kMeasures) {
    m_measure->addItem(measureName(measure));
    m_measure->setItemData(m_measure->count() - 1, measureFormula(measure), Qt::ToolTipRole);
  }
  m_measure->setAccessibleName(tr("What the atlas shows"));
  auto* log = new QCheckBox(tr("log scale"), panel);
  log->setChecked(true);
  log->setToolTip(tr("Weights from 2^-16 to 1, or from 0 to the heaviest"));
  connect(log, &QCheckBox::toggled, m_inspector, &RowInspector::setLogScale);
  auto* save =
      widgets::makeToolButton(QStringLiteral("export"), tr("Export the head's rows as SVG or PNG"), panel);
  save->setObjectName(QStringLiteral("attentionExport"));
  connect(save, &QToolButton::clicked, this, &AttentionPage::exportView);
  auto* head = new QHBoxLayout;
  head->addWidget(m_measure, 1);
  auto* foot = new QHBoxLayout;
  foot->addWidget(log);
  foot->addStretch(1);
  foot->addWidget(save);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(12, 12, 12, 8);
  layout->setSpacing(8);
  layout->addLayout(head);
  layout->addWidget(m_atlas, 1);
  layout->addLayout(foot);
  return panel;
}

QWidget* AttentionPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("attentionEmpty"));
  auto* text = makeLabel(tr("Every head of every layer, for both streams, at the last token of your prompt: "
                            "which keys it reads, and "
                            "how much of it lies beyond the window. The rows are the engine's own softmax."),
                         "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setMaximumWidth(440);
  auto* go = widgets::makeButton(tr("Look at this prompt"), QStringLiteral("attention"), "primary", empty);
  connect(go, &QPushButton::clicked, this, &AttentionPage::look);
  connect(&m_workspace.library(), &ModelLibrary::changed, go,
          [this, go] { go->setEnabled(m_workspace.currentModel() != nullptr); });
  go->setEnabled(m_workspace.currentModel() != nullptr);
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(makeLabel(tr("Nothing captured yet"), "section", empty), 0, Qt::AlignHCenter);
  layout->addWidget(text, 0, Qt::AlignHCenter);
  layout->addWidget(go, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return empty;
}

void AttentionPage::setText(const QString& text) {
  m_text->setPlainText(text);
}

void AttentionPage::refresh() {
  const bool running = m_job != nullptr && m_job->isActive();
  const OpenedModel* model = m_workspace.currentModel();
  const bool ready = model != nullptr && model->state == OpenedModel::State::Ready;
  m_look->setText(running ? tr("Stop") : tr("Look"));
  m_look->setIcon(
      widgets::icon(running ? QStringLiteral("stop") : QStringLiteral("attention"), widgets::Role::OnAccent));
  m_look->setEnabled(running || (ready && !m_text->toPlainText().isEmpty()));
}

void AttentionPage::look() {
  const OpenedModel* model = m_workspace.currentModel();
  if (model == nullptr || !model->model || (m_job != nullptr && m_job->isActive())) return;
  m_notice->hide();
  AttentionSpec spec{model->model, toStd(m_text->toPlainText()), {m_window->value(), m_sinks->value()}};
  m_job = m_workspace.engine().start<AttentionCapture>(
      tr("Capture attention"),
      [spec](JobContext& context) -> Result<AttentionCapture> {
        ORTHROS_TRY(AttentionCapture capture, captureAttention(spec, context.stop(), context.sink()));
        context.setMessage(tr("%1 rows").arg(capture.base.size() + capture.output.size()));
        return capture;
      },
      this,
      [this](Result<AttentionCapture>& result) {
        refresh();
        if (result) {
          show(std::move(*result));
        } else if (result.error().code != ErrorCode::cancelled) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(result.error()));
        }
        Q_EMIT captured();
      });
  refresh();
}

void AttentionPage::show(AttentionCapture capture) {
  m_capture = std::make_shared<AttentionCapture>(std::move(capture));
  m_stack->setCurrentIndex(1);
  m_inspector->setTokens(m_capture->tokens);
  const bool reaches = m_capture->atlas.num_keys > m_capture->parts.window + m_capture->parts.sinks;
  if (!reaches)
    m_notice->show(widgets::Notice::Kind::Info, tr("The prompt's %1 tokens all lie in the window: both "
                                                   "streams may read the same keys. Make the window "
                                                   "smaller or the prompt longer to see them part.")
                                                    .arg(m_capture->atlas.num_keys));
  showMeasure();
  // First the middle layer, and there the head that uses most of what only x′ can read.
  const auto layer = static_cast<int>(m_capture->atlas.layers / 2);
  int best = 0;
  const auto& rows = m_capture->output.empty() ? m_capture->base : m_capture->output;
  const auto at = [&](int head) {
    return rows[static_cast<size_t>(layer * m_capture->atlas.heads + head)].beyond;
  };
  for (int head = 1; head < m_capture->atlas.heads; ++head) best = at(head) > at(best) ? head : best;
  m_atlas->select(layer, best);
}

void AttentionPage::showMeasure() {
  if (!m_capture) return;
  const AtlasMeasure measure = kMeasures[m_measure->currentIndex()];
  m_measure->setToolTip(measureFormula(measure));
  widgets::AtlasView view;
  view.layers = static_cast<int>(m_capture->atlas.layers);
  view.heads = static_cast<int>(m_capture->atlas.heads);
  view.headsPerGroup = m_capture->headsPerGroup;
  view.measure = tr("layers down, heads across; x lower left, x′ upper right");
  for (const widgets::RowMeasures& row : m_capture->base)
    view.base.push_back(static_cast<float>(measureValue(row, measure)));
  for (const widgets::RowMeasures& row : m_capture->output)
    view.output.push_back(static_cast<float>(measureValue(row, measure)));
  m_atlas->setView(view);
}

void AttentionPage::showHead(int layer, int head) {
  if (m_capture) m_inspector->setRow(*m_capture, layer, head);
}

void AttentionPage::exportView() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Export"),
      QStringLiteral("attention-layer%1-head%2.svg").arg(m_atlas->layer()).arg(m_atlas->head()),
      tr("Pictures (*.svg *.png)"));
  if (path.isEmpty()) return;
  const QString problem = widgets::exportPicture(m_inspector, path, m_inspector->title());
  m_notice->show(problem.isEmpty() ? widgets::Notice::Kind::Good : widgets::Notice::Kind::Bad,
                 problem.isEmpty() ? tr("Written: %1").arg(path) : problem);
}

void AttentionPage::prepareForPicture() {
  if (m_workspace.currentModel() == nullptr) {
    QTimer::singleShot(0, this, &Page::readyForPicture);
    return;
  }
  connect(
      this, &AttentionPage::captured, this, [this] { QTimer::singleShot(50, this, &Page::readyForPicture); },
      Qt::SingleShotConnection);
  look();
}

}  // namespace orthros::studio
