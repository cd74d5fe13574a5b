#include "app/studio/pages/attention/attention_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/attention/attention_form.h"
#include "app/studio/pages/attention/compare_view.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/live_follow.h"
#include "app/studio/pages/attention/regime_bar.h"
#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/token_heat.h"

namespace orthros::studio {
namespace {

constexpr int kEstimateDelayMs = 300;
constexpr QSize kLeastContent(1040, 400);

// A scroll area would give a layout with wrapping labels the height it prefers, and scroll where there is
// room enough.
class ShrinkingColumn : public QVBoxLayout {
 public:
  using QVBoxLayout::QVBoxLayout;
  bool hasHeightForWidth() const override { return false; }
};

}  // namespace

AttentionPage::AttentionPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_form(new AttentionForm(this)),
      m_regimeBar(new RegimeBar(this)),
      m_measure(new QComboBox(this)),
      m_order(new QComboBox(this)),
      m_atlas(new widgets::HeadAtlas(this)),
      m_rank(widgets::makeLabel({}, "caption", this)),
      m_views(new HeadViews(this)),
      m_inspector(new RowInspector(this)),
      m_heat(new widgets::TokenHeat(this)),
      m_notice(new widgets::Notice(this)),
      m_stack(new QStackedWidget(this)),
      m_keep(widgets::makeButton(tr("Keep"), {}, "plain", this)),
      m_keptButton(widgets::makeButton(tr("Kept"), QStringLiteral("history"), "plain", this)),
      m_keptMenu(new QMenu(this)),
      m_export(widgets::makeButton(tr("Export…"), QStringLiteral("export"), "plain", this)),
      m_estimateTimer(new QTimer(this)),
      m_live(new LiveFollow(workspace, this)),
      m_follow(widgets::makeButton(tr("Follow live"), QStringLiteral("play"), "plain", this)),
      m_newTokens(new QSpinBox(this)) {
  m_views->setRunner(&workspace.files());
  auto* content = new QWidget(this);
  auto* views = new QHBoxLayout;
  views->setSpacing(12);
  views->addWidget(makeAtlas());
  views->addWidget(m_views, 1);
  views->addWidget(m_inspector);
  auto* filled = new ShrinkingColumn(content);
  filled->setContentsMargins(0, 0, 0, 0);
  filled->setSpacing(12);
  filled->addLayout(views, 1);
  m_stack->addWidget(makeEmpty());
  // In a window that is too small for them side by side, the panels keep their size and scroll.
  content->setObjectName(QStringLiteral("scrollBody"));
  content->setMinimumSize(kLeastContent);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  m_stack->addWidget(scroll);
  m_notice->setObjectName(QStringLiteral("attentionNotice"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(10);
  layout->addWidget(makeTop());
  layout->addWidget(makeStrip());
  layout->addWidget(m_notice);
  layout->addWidget(m_stack, 1);
  m_estimateTimer->setSingleShot(true);
  m_estimateTimer->setInterval(kEstimateDelayMs);
  connect(m_estimateTimer, &QTimer::timeout, this, &AttentionPage::estimate);
  connect(m_form, &AttentionForm::lookRequested, this, [this] {
    if (isFollowing()) {
      m_live->stop();
    } else if (isBusy()) {
      m_job->stop();
    } else {
      look();
    }
  });
  connect(m_form, &AttentionForm::changed, this, [this] {
    m_asked.reset();
    refresh();
  });
  connect(m_form, &AttentionForm::changed, m_estimateTimer, qOverload<>(&QTimer::start));
  connect(m_regimeBar, &RegimeBar::regimeChosen, this, [this](Regime regime) {
    setRegime({regime, m_regime.split});
  });
  connect(m_regimeBar, &RegimeBar::splitChosen, this, &AttentionPage::splitAt);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &AttentionPage::showMeasure);
  connect(m_order, &QComboBox::currentIndexChanged, this, &AttentionPage::showMeasure);
  connect(m_atlas, &widgets::HeadAtlas::selected, this, &AttentionPage::showHead);
  connect(m_views, &HeadViews::queryChosen, this, &AttentionPage::pinQuery);
  connect(m_views, &HeadViews::layerChosen, this,
          [this](int layer) { m_atlas->select(layer, m_atlas->head()); });
  connect(m_views, &HeadViews::keyHovered, m_heat, &widgets::TokenHeat::setMarked);
  connect(m_heat, &widgets::TokenHeat::keyHovered, m_views, &HeadViews::setMarked);
  connect(m_heat, &widgets::TokenHeat::chosen, this, &AttentionPage::pinQuery);
  connect(m_heat, &widgets::TokenHeat::added, this, &AttentionPage::addPin);
  connect(m_views, &HeadViews::styleChanged, this, [this] { m_heat->setLane(m_views->lane()); });
  connect(m_views->compareView(), &CompareView::transformerWanted, this, &AttentionPage::lookAsTransformer);
  connect(m_notice, &widgets::Notice::actionRequested, this, [this] {
    const qint64 tokens = m_capture ? m_capture->record.num_keys : 64;
    m_form->setWindow({std::max<int64_t>(2, tokens / 4), m_form->window().sinks});
    look();
  });
  connect(&workspace, &Workspace::currentModelChanged, this, [this] {
    if (const auto own = m_workspace.currentWindow()) m_form->setWindow(*own);
  });
  connect(&workspace, &Workspace::currentModelChanged, this, &AttentionPage::refresh);
  connect(&workspace, &Workspace::currentModelChanged, m_estimateTimer, qOverload<>(&QTimer::start));
  connect(&workspace.library(), &ModelLibrary::changed, this, &AttentionPage::refresh);
  makeActions();
  refresh();
}

QWidget* AttentionPage::makeTop() {
  auto* top = new QWidget(this);
  m_keep->setObjectName(QStringLiteral("attentionKeep"));
  m_keep->setToolTip(tr("Keeps this capture in the run store: it opens again without the model"));
  m_keptButton->setObjectName(QStringLiteral("attentionKept"));
  m_keptButton->setToolTip(tr("Captures that were kept"));
  m_keptButton->setMenu(m_keptMenu);
  m_export->setObjectName(QStringLiteral("attentionExport"));
  m_export->setToolTip(tr("What is shown, as a picture or as numbers (E)"));
  auto* menu = new QMenu(m_export);
  menu->setObjectName(QStringLiteral("attentionExportMenu"));
  const std::pair<const char*, QString> kinds[] = {{"svg", tr("Picture as SVG…")},
                                                   {"pdf", tr("Picture as PDF…")},
                                                   {"png", tr("Picture as PNG…")},
                                                   {"csv", tr("Values as CSV…")},
                                                   {"npy", tr("Values as NumPy array…")},
                                                   {"query.csv", tr("Query vectors as CSV…")},
                                                   {"query.npy", tr("Query vectors as NumPy array…")},
                                                   {"tokens.csv", tr("Tokens as CSV…")},
                                                   {"json", tr("Bookmark of this view…")}};
  for (const auto& [suffix, text] : kinds) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QStringLiteral("export-") + QLatin1String(suffix));
    connect(action, &QAction::triggered, this,
            [this, kind = QString::fromLatin1(suffix)] { chooseExport(kind); });
  }
  m_export->setMenu(menu);
  connect(m_keep, &QPushButton::clicked, this, &AttentionPage::keep);
  connect(m_keptMenu, &QMenu::aboutToShow, this, &AttentionPage::fillKeptMenu);
  auto* layout = new QHBoxLayout(top);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_form, 1);
  layout->addWidget(makeFollow());
  layout->addWidget(m_regimeBar);
  layout->addWidget(m_keep);
  layout->addWidget(m_keptButton);
  layout->addWidget(m_export);
  return top;
}

QWidget* AttentionPage::makeAtlas() {
  auto* panel = widgets::makePanel(this);
  panel->setFixedWidth(292);
  m_atlas->setObjectName(QStringLiteral("headAtlas"));
  m_rank->setObjectName(QStringLiteral("atlasRank"));
  m_measure->setObjectName(QStringLiteral("atlasMeasure"));
  for (int i = 0; i < kAtlasMeasures; ++i) {
    m_measure->addItem(measureName(static_cast<AtlasMeasure>(i)));
    m_measure->setItemData(i, measureFormula(static_cast<AtlasMeasure>(i)), Qt::ToolTipRole);
  }
  m_measure->setAccessibleName(tr("What the atlas shows"));
  m_order->setObjectName(QStringLiteral("atlasOrder"));
  m_order->addItems({tr("in place"), tr("by layer"), tr("by value")});
  m_order->setAccessibleName(tr("Order of the heads"));
  m_order->setToolTip(tr(
      "Heads in place with their KV groups; the strongest of each layer first; the strongest of all first"));
  auto* next = widgets::makeButton(tr("Next strongest"), QStringLiteral("down"), "plain", panel);
  next->setObjectName(QStringLiteral("atlasNext"));
  next->setToolTip(tr("Goes to the head with the next lower value; the first press finds the strongest (N)"));
  connect(next, &QPushButton::clicked, m_atlas, &widgets::HeadAtlas::selectNextStrongest);
  auto* foot = new QHBoxLayout;
  foot->addWidget(m_rank, 1);
  foot->addWidget(next);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(12, 10, 12, 10);
  layout->setSpacing(8);
  auto* top = new QHBoxLayout;
  top->setSpacing(6);
  m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_measure->setMinimumContentsLength(8);
  top->addWidget(m_measure, 1);
  top->addWidget(m_order);
  layout->addLayout(top);
  layout->addWidget(m_atlas, 1);
  layout->addLayout(foot);
  return panel;
}

QWidget* AttentionPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("attentionEmpty"));
  auto* text = widgets::makeLabel(tr("Press Look: the model's weights are read as Orthros, and you see every "
                                     "head of every layer. The base stream "
                                     "x reads the window and the sinks alone; the output stream x′ reads "
                                     "everything and predicts the next token. "
                                     "The rows are the engine's own softmax."),
                                  "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setFixedWidth(460);
  auto* go = widgets::makeButton(tr("Look at this prompt"), QStringLiteral("attention"), "primary", empty);
  go->setObjectName(QStringLiteral("attentionEmptyLook"));
  connect(go, &QPushButton::clicked, this, &AttentionPage::look);
  const auto enable = [this, go] { go->setEnabled(m_workspace.currentModel() != nullptr); };
  connect(&m_workspace.library(), &ModelLibrary::changed, go, enable);
  connect(&m_workspace, &Workspace::currentModelChanged, go, enable);
  enable();
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(widgets::makeLabel(tr("Nothing captured yet"), "section", empty), 0, Qt::AlignHCenter);
  layout->addWidget(text, 0, Qt::AlignHCenter);
  layout->addWidget(go, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return empty;
}

void AttentionPage::setText(const QString& text) {
  m_form->setText(text);
}

void AttentionPage::lookAt(const QString& text, const WindowSpec& window) {
  m_form->setText(text);
  if (!window.is_full()) m_form->setWindow(window);
  look();
}

void AttentionPage::lookAt(const AttentionRequest& request) {
  if (m_job != nullptr && m_job->isActive()) {
    m_notice->show(widgets::Notice::Kind::Info, tr("A capture is running: stop it, then ask again."));
    return;
  }
  for (const OpenedModel& model : m_workspace.library().models()) {
    if (model.model == request.model) m_workspace.setCurrentModel(model.id);
  }
  m_form->setText(request.text);
  for (const LayerSpec& layer : request.config.layers) {
    if (!layer.window.is_full()) m_form->setWindow(layer.window);
  }
  m_asked = request;  // after the fields: whoever changes them afterwards asks for something else
  look();
}

void AttentionPage::refresh() {
  const bool running = isBusy();
  const OpenedModel* model = m_workspace.currentModel();
  const bool ready = model != nullptr && model->state == OpenedModel::State::Ready;
  const bool isDecode = m_capture != nullptr && m_capture->isDecode();
  m_form->setState(running, ready);
  showFollowState(ready);
  m_keep->setEnabled(m_capture != nullptr && m_capture->kept.isEmpty() &&
                     (isDecode ? !m_isLiveKept && m_liveModel != nullptr : model != nullptr && !running));
  m_export->setEnabled(m_capture != nullptr);
}

void AttentionPage::estimate() {
  const OpenedModel* model = m_workspace.currentModel();
  if (model == nullptr || !model->model || m_form->text().isEmpty()) return;
  AttentionSpec spec;
  spec.model = model->model;
  spec.text = toStd(m_form->text());
  spec.window = m_form->window();
  m_workspace.files().start<CaptureEstimate>(
      tr("Count tokens"), [spec](JobContext&) { return estimateCapture(spec); }, this,
      [this](Result<CaptureEstimate>& result) {
        if (result) m_form->setEstimate(*result);
      },
      /*quiet=*/true);
}

AttentionSpec AttentionPage::specOf(const OpenedModel& model) const {
  AttentionSpec spec;
  spec.model = model.model;
  spec.modelName = toStd(model.name());
  spec.text = toStd(m_form->text());
  spec.window = m_form->window();
  spec.level = m_form->level();
  if (m_asked) {
    spec.ids = m_asked->ids;
    spec.config = m_asked->config;
  }
  spec.layer = m_atlas->layer() < 0 ? model.facts.layers / 2
                                    : std::min<int64_t>(m_atlas->layer(), model.facts.layers - 1);
  return spec;
}

void AttentionPage::look() {
  const OpenedModel* model = m_workspace.currentModel();
  if (model == nullptr || !model->model || isBusy()) return;
  m_notice->hide();
  const AttentionSpec spec = specOf(*model);
  m_job = m_workspace.engine().start<AttentionCapture>(
      tr("Capture attention"),
      [spec](JobContext& context) -> Result<AttentionCapture> {
        ORTHROS_TRY(AttentionCapture capture, captureAttention(spec, context.stop(), context.sink()));
        context.setMessage(tr("C%1 of %2 tokens, %3")
                               .arg(static_cast<int>(capture.record.level))
                               .arg(capture.record.num_keys)
                               .arg(widgets::formatBytes(capture.record.bytes())));
        return capture;
      },
      this,
      [this](Result<AttentionCapture>& result) {
        if (result) {
          setCapture(std::move(*result));
          if (m_asked && m_asked->head >= 0) m_atlas->select(m_asked->layer, m_asked->head);
        } else if (result.error().code != ErrorCode::cancelled) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(result.error()));
        }
        refresh();
        Q_EMIT captured();
      });
  refresh();
}

void AttentionPage::setCapture(AttentionCapture capture) {
  m_capture = std::make_shared<const AttentionCapture>(std::move(capture));
  showCapture();
}

void AttentionPage::showCapture() {
  if (m_capture->isDecode() != m_wasDecode) m_regime = defaultRegime(*m_capture);
  m_wasDecode = m_capture->isDecode();
  m_pins.set(m_capture->lastPosition());
  applyRegime();
  m_heat->setPieces(m_capture->pieces);
  m_heat->setPredictions(m_capture->predictions);
  m_heat->setQueries(m_pins.currentFirst());
  m_stripPanel->show();
  m_views->setCapture(m_capture);
  m_stack->setCurrentIndex(1);
  explain();
  showMeasure();
  selectFirstHead();
  refresh();
  QTimer::singleShot(0, this, &AttentionPage::showQueryInStrip);  // once the strip is laid out
}

// Two streams that read the same look like a defect to who does not know why.
void AttentionPage::explain() {
  const WindowSpec& window = m_capture->record.window;
  if (m_capture->record.num_keys > window.window + window.sinks) return;
  m_notice->show(widgets::Notice::Kind::Info,
                 tr("All %1 tokens lie within window + sinks (%2): both streams read the same keys.")
                     .arg(m_capture->record.num_keys)
                     .arg(window.window + window.sinks),
                 tr("Take a smaller window"));
}

// A head that was chosen stays; at first the middle layer, and there the head that uses most of what only x′
// can read.
void AttentionPage::selectFirstHead() {
  const AttentionRecord& record = m_capture->record;
  if (m_atlas->layer() >= 0 && m_atlas->layer() < record.layers && m_atlas->head() < record.heads) {
    m_atlas->select(m_atlas->layer(), m_atlas->head());
    return;
  }
  const auto rows =
      measuresAt(*m_capture, record.has_output ? StreamKind::output : StreamKind::base, m_pins.current);
  const auto layer = static_cast<int>(record.layers / 2);
  int best = 0;
  const auto at = [&](int head) { return rows[static_cast<size_t>(layer * record.heads + head)].beyond; };
  for (int head = 1; head < record.heads; ++head) best = at(head) > at(best) ? head : best;
  m_atlas->select(layer, best);
}

void AttentionPage::showQueryInStrip() {
  const QRectF box = m_heat->boxOf(m_pins.current);
  m_stripScroll->ensureVisible(qRound(box.center().x()), qRound(box.center().y()), 0, qRound(box.height()));
}

void AttentionPage::prepareForPicture() {
  if (m_workspace.currentModel() == nullptr) {
    QTimer::singleShot(0, this, &Page::readyForPicture);
    return;
  }
  connect(
      this, &AttentionPage::captured, this,
      [this] {
        if (m_capture &&
            m_views->view() == HeadViews::Compare) {  // nothing to compare would be an empty picture
          m_views->compareView()->setA();
          m_atlas->selectNextStrongest();
        }
        whenDrawn([this] { QTimer::singleShot(50, this, &Page::readyForPicture); });
      },
      Qt::SingleShotConnection);
  look();
}

}  // namespace orthros::studio
