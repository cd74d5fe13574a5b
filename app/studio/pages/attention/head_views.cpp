#include "app/studio/pages/attention/head_views.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/studio/pages/attention/compare_view.h"
#include "app/studio/pages/attention/view_tools.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"
#include "widgets/step_timeline.h"

namespace orthros::studio {

HeadViews::HeadViews(QWidget* parent)
    : QFrame(parent),
      m_tools(new ViewTools(this)),
      m_tabs(new QButtonGroup(this)),
      m_bar(new QHBoxLayout),
      m_stack(new QStackedWidget(this)),
      m_plot(new widgets::RowPlot(this)),
      m_pair(new widgets::PairView(this)),
      m_outputReaders(new widgets::GridMap(this)),
      m_baseReaders(new widgets::GridMap(this)),
      m_cacheNote(widgets::makeLabel({}, "caption", this)),
      m_beyond(new widgets::GridMap(this)),
      m_shares(new widgets::ShareTimeline(this)),
      m_steps(new widgets::StepTimeline(this)),
      m_compare(new CompareView(this)) {
  setProperty("panel", true);
  m_plot->setObjectName(QStringLiteral("rowPlot"));
  m_pair->setObjectName(QStringLiteral("pairView"));
  m_outputReaders->setObjectName(QStringLiteral("outputReaders"));
  m_beyond->setObjectName(QStringLiteral("beyondByTime"));
  m_shares->setObjectName(QStringLiteral("shareTimeline"));
  m_steps->setObjectName(QStringLiteral("stepTimeline"));
  m_bar->setSpacing(4);
  struct Tab {
    const char* name;
    QString text, tip;
  };
  const Tab tabs[] = {
      {"viewRows", tr("Rows"), tr("Both rows of one query on one key axis (R)")},
      {"viewAll", tr("All rows"),
       tr("Every captured row: the base band unrolled, the output rows in full (A)")},
      {"viewCache", tr("KV map"), tr("Which keys of the cache each layer reads (V)")},
      {"viewTimeline", tr("Timeline"), tr("How the weight is split at every position (T)")},
      {"viewCompare", tr("Compare"), tr("Two heads, or two captures, and their difference (C)")}};
  int index = 0;
  for (const Tab& tab : tabs) {
    QPushButton* button = widgets::makeButton(tab.text, {}, "toggle", this);
    button->setObjectName(QString::fromLatin1(tab.name));
    button->setToolTip(tab.tip);
    button->setCheckable(true);
    m_tabs->addButton(button, index++);
    m_bar->addWidget(button);
  }
  m_bar->addStretch(1);
  m_tabs->button(Rows)->setChecked(true);
  for (QWidget* view : {static_cast<QWidget*>(m_plot), static_cast<QWidget*>(m_pair), makeCache(),
                        makeTimeline(), static_cast<QWidget*>(m_compare)})
    m_stack->addWidget(view);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 8, 8);
  layout->setSpacing(8);
  layout->addLayout(m_bar);
  layout->addWidget(m_tools);
  layout->addWidget(m_stack, 1);
  connect(m_tabs, &QButtonGroup::idClicked, this, [this](int id) { setView(static_cast<View>(id)); });
  connect(m_tools, &ViewTools::styleChanged, this, &HeadViews::applyStyle);
  connect(m_tools, &ViewTools::streamsChanged, this, &HeadViews::applyStyle);
  connect(m_plot, &widgets::RowPlot::keyHovered, this, &HeadViews::keyHovered);
  connect(m_pair, &widgets::PairView::rowPinned, this, &HeadViews::queryChosen);
  connect(m_pair, &widgets::PairView::hovered, this, [this](qint64, qint64 key) { Q_EMIT keyHovered(key); });
  connect(m_compare->pairView(), &widgets::PairView::rowPinned, this, &HeadViews::queryChosen);
  connect(m_outputReaders, &widgets::GridMap::chosen, this,
          [this](qsizetype layer, qsizetype) { Q_EMIT layerChosen(static_cast<int>(layer)); });
  connect(m_beyond, &widgets::GridMap::chosen, this, [this](qsizetype layer, qsizetype position) {
    Q_EMIT layerChosen(static_cast<int>(layer));
    Q_EMIT queryChosen(position);
  });
  connect(m_shares, &widgets::ShareTimeline::chosen, this, &HeadViews::queryChosen);
  connect(m_steps, &widgets::StepTimeline::chosen, this, &HeadViews::queryChosen);
}

QWidget* HeadViews::makeCache() {
  auto* page = new QWidget(this);
  m_cacheNote->setWordWrap(true);
  m_cacheNote->setObjectName(QStringLiteral("cacheNote"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_outputReaders, 1);
  layout->addWidget(m_baseReaders, 1);
  layout->addWidget(m_cacheNote);
  return page;
}

QWidget* HeadViews::makeTimeline() {
  auto* page = new QWidget(this);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_beyond, 3);
  layout->addWidget(m_shares, 2);
  layout->addWidget(m_steps, 4);
  return page;
}

void HeadViews::setRunner(JobRunner* runner) {
  m_runner = runner;
  m_compare->setRunner(runner);
}

void HeadViews::setCapture(const CapturePointer& capture) {
  m_pins.set(capture->lastPosition());
  growCapture(capture);
}

void HeadViews::growCapture(const CapturePointer& capture) {
  m_capture = capture;
  const qint64 bytes = capture->kvBytesPerToken * capture->record.num_keys;
  m_cacheNote->setText(tr("The cache holds %1 keys in each of %2 layers%3. The base stream wrote every entry "
                          "once; x reads an entry for "
                          "w = %4 steps (sinks always), x′ reads it for ever and writes none.")
                           .arg(capture->record.num_keys)
                           .arg(capture->record.layers)
                           .arg(bytes > 0 ? tr(", %1 in all").arg(widgets::formatBytes(bytes)) : QString())
                           .arg(capture->record.window.window));
}

void HeadViews::setSelection(int layer, int head, const Pins& pins) {
  m_layer = layer;
  m_head = head;
  m_pins = pins;
  m_tools->setPins(pins);
  m_compare->setCurrent(m_capture, layer, head);
  refresh();
}

void HeadViews::setPair(const std::shared_ptr<const widgets::PairData>& pair) {
  m_pairData = pair;
  m_pair->setData(pair);
  m_pair->setPinned(m_pins.current);
  if (m_capture && view() == Rows) showRows();  // its sink lane follows from the pair
}

void HeadViews::applyStyle() {
  using Streams = ViewTools::Streams;
  const Streams streams = m_tools->streams();
  m_plot->setStyle(m_tools->style());
  m_plot->setStreams(streams != Streams::Output, streams != Streams::Base);
  for (widgets::PairView* pair : {m_pair, m_compare->pairView()}) {
    pair->setStyle(m_tools->style());
    pair->setStreams(streams);
  }
  refresh();
  Q_EMIT styleChanged();
}

std::vector<qsizetype> HeadViews::lane() const {
  std::vector<qsizetype> keys;
  if (!m_tools->style().lane || !m_pairData || !m_pairData->facts) return keys;
  for (const widgets::LaneKey& one : m_pairData->facts->lane) keys.push_back(static_cast<qsizetype>(one.key));
  return keys;
}

qint64 HeadViews::cursorQuery() const {
  return view() == AllRows   ? m_pair->cursorPosition()
         : view() == Compare ? m_compare->pairView()->cursorPosition()
                             : -1;
}

QString HeadViews::styleText() const {
  const widgets::WeightStyle& style = m_tools->style();
  QStringList parts{widgets::scaleName(style.mode)};
  if (style.sums) parts.append(tr("bins: sum"));
  QStringList keys;
  for (const qsizetype key : lane()) keys.append(QString::number(key));
  if (!keys.isEmpty()) parts.append(tr("sink lane: key %1").arg(keys.join(QStringLiteral(", "))));
  return parts.join(QStringLiteral(", "));
}

void HeadViews::setMarked(qint64 key) {
  m_plot->setMarked(key);
  m_pair->setMarked(key < 0 ? -1 : m_pins.current, key);
}

void HeadViews::setView(View view) {
  m_tabs->button(view)->setChecked(true);
  m_stack->setCurrentIndex(view);
  refresh();
  Q_EMIT viewChanged();
}

HeadViews::View HeadViews::view() const {
  return static_cast<View>(m_stack->currentIndex());
}

QWidget* HeadViews::currentView() const {
  return m_stack->currentWidget();
}

QString HeadViews::viewName() const {
  switch (view()) {
    case Rows:
      return m_pins.isCombined() ? tr("rows, %1").arg(pinsText(m_pins))
                                 : tr("both rows of query %1").arg(m_pins.current);
    case AllRows:
      return tr("all rows");
    case Cache:
      return tr("readers of the cache at query %1").arg(m_pins.current);
    case Timeline:
      return tr("shares by position");
    case Compare:
      return m_compare->name();
  }
  return {};
}

void HeadViews::showRows() {
  widgets::RowView view;
  const AttentionRecord& record = m_capture->record;
  view.base = rowOf(*m_capture, StreamKind::base, m_layer, m_head, m_pins);
  if (record.has_output) view.output = rowOf(*m_capture, StreamKind::output, m_layer, m_head, m_pins);
  view.lane = lane();
  view.lanes = pinsText(m_pins);
  if (record.has_output && view.output.empty() && m_pins.asking(StreamKind::output).empty())
    view.lanes = tr("no x′ at query %1 in this regime").arg(m_pins.current);
  if (!m_pins.isCombined()) view.parts = m_capture->parts();  // several queries have several windows
  view.tokens = m_capture->tokens;
  view.baseUsed = record.last_base_used || m_layer + 1 < record.layers;
  view.baseKept = !view.base.empty();
  if (!view.baseKept) view.base.assign(view.output.size(), 0.0F);
  m_plot->setView(view);
}

void HeadViews::showCache() {
  const bool hasOutput = m_capture->record.has_output && m_pins.hasOutput();
  m_outputReaders->setVisible(hasOutput);
  m_readers.start(
      m_runner, tr("Draw who reads the cache"),
      [capture = m_capture, position = m_pins.current, hasOutput]() -> Readers {
        Readers readers{{}, readersOf(*capture, StreamKind::base, position)};
        if (hasOutput) readers.output = readersOf(*capture, StreamKind::output, position);
        return readers;
      },
      [this](Readers& readers) {
        if (readers.output.rows > 0) m_outputReaders->setData(readers.output);
        m_baseReaders->setData(readers.base);
        m_outputReaders->setMarked(m_layer, -1);
        m_baseReaders->setMarked(m_layer, -1);
      });
}

void HeadViews::showTimeline() {
  m_steps->setVisible(m_capture->isDecode());
  m_shares->setVisible(!m_capture->isDecode());
  m_times.start(
      m_runner, tr("Draw the timeline"),
      [capture = m_capture, layer = m_layer, from = m_pins.outputFrom]() -> Times {
        if (capture->isDecode()) return {beyondByTime(*capture, from), {}, stepSeriesOf(*capture, layer)};
        return {beyondByTime(*capture, from), sharesOf(*capture, layer, from), {}};
      },
      [this](Times& times) {
        m_beyond->setData(times.beyond);
        m_beyond->setMarked(m_layer, m_pins.current);
        m_shares->setPoints(times.shares, tr("x′ of layer %1, mean over heads").arg(m_layer));
        m_shares->setMarked(m_pins.current);
        m_steps->setSeries(std::move(times.steps));
        m_steps->setMarked(m_pins.current);
      });
}

// Only what is on the screen is made.
void HeadViews::refresh() {
  if (!m_capture) return;
  m_tools->setVisible(view() != Cache && view() != Timeline);
  std::vector<qint64> more;
  for (const qint64 pin : m_pins.positions) {
    if (pin != m_pins.current) more.push_back(pin);
  }
  m_pair->setMorePins(more);
  switch (view()) {
    case Rows:
      showRows();
      break;
    case AllRows:
      m_pair->setPinned(m_pins.current);
      break;
    case Cache:
      showCache();
      break;
    case Timeline:
      showTimeline();
      break;
    case Compare:
      m_compare->pairView()->setPinned(m_pins.current);
      break;
  }
}

}  // namespace orthros::studio
