// What follows when a head or a query is chosen on the attention page: pins, atlas, rows.
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/compare_view.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/regime_bar.h"
#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/pages/attention/strip_units.h"
#include "app/studio/pages/attention/view_tools.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/head_atlas.h"
#include "widgets/head_label.h"
#include "widgets/token_heat.h"

namespace orthros::studio {
namespace {

// A letter a head, unless one label would cover most of them: then the score stands alone.
void addLabels(const std::vector<widgets::RowMeasures>& rows, widgets::AtlasView& view) {
  using Kind = widgets::HeadLabel::Kind;
  std::vector<widgets::HeadLabel> labels;
  for (const widgets::RowMeasures& row : rows) labels.push_back(widgets::labelOf(row));
  const Kind common = widgets::tooCommon(labels);
  view.letters.clear();
  view.notes.clear();
  for (const widgets::HeadLabel& label : labels) {
    view.letters.append(common == Kind::None ? widgets::labelLetter(label.kind) : QString());
    view.notes.append(widgets::labelName(label.kind));
  }
  if (common != Kind::None)
    view.measure = AttentionPage::tr("mostly %1: scores shown").arg(widgets::labelName(common));
}

}  // namespace

void AttentionPage::pinQuery(qint64 position) {
  if (!m_capture) return;
  m_pins.set(std::clamp<qint64>(position, 0, m_capture->lastPosition()));
  showPins();
}

void AttentionPage::addPin(qint64 position) {
  if (!m_capture) return;
  m_pins.add(std::clamp<qint64>(position, 0, m_capture->lastPosition()));
  showPins();
}

void AttentionPage::showPins() {
  m_heat->setQueries(m_pins.currentFirst());
  sayWhatStripShows();
  showMeasure();
  showHead();
  showQueryInStrip();
}

void AttentionPage::sayWhatStripShows() {
  const bool isAbsent = m_capture->record.has_output && m_pins.asking(StreamKind::output).empty();
  m_stripHint->setWhole(
      isAbsent
          ? tr("Token %1 has no x′ in this regime (tabs: those that have): x as tint.").arg(m_pins.current)
          : tr("x′ as tint, x as underline; tab: has x′; corner: the keys of 70 % of x′. Click pins, "
               "Shift+click adds."));
}

void AttentionPage::setRegime(const RegimeChoice& choice) {
  m_regime = choice;
  if (!m_capture) return;
  applyRegime();
  showPins();
}

void AttentionPage::splitAt(qint64 position) {
  const bool keeps = canSplit(*m_capture, m_regime);
  setRegime({keeps ? m_regime.regime : Regime::sft, position});
}

// Which rows of x′ there are, for all views.
void AttentionPage::applyRegime() {
  m_pins.outputFrom = outputFrom(*m_capture, m_regime);
  m_regimeBar->setChoice(*m_capture, m_regime);
  m_heat->setOutputFrom(m_capture->record.has_output ? static_cast<qsizetype>(m_pins.outputFrom) : -1);
  m_views->compareView()->setRegime(m_regime);
  sayWhatStripShows();
}

bool AttentionPage::escape() {
  if (m_find->hasFocus()) {
    m_find->clear();
    m_heat->setFocus();
    return true;
  }
  if (m_stripUnits->isAncestorOf(QApplication::focusWidget())) {
    m_heat->setFocus();
    return true;
  }
  if (!m_capture || (m_pins.positions.size() == 1 && m_pins.current == m_capture->lastPosition()))
    return false;
  pinQuery(m_capture->lastPosition());
  return true;
}

// Where the pointer or the keyboard is: in the strip, in the rows of the head, else the pinned query.
qint64 AttentionPage::cursorQuery() const {
  const qint64 cursor = m_views->cursorQuery();
  if (cursor >= 0) return cursor;
  return m_heat->hasFocus() && m_heat->marked() >= 0 ? qint64{m_heat->marked()} : m_pins.current;
}

// The next token that begins with the text asks.
void AttentionPage::findToken() {
  const qsizetype found = m_heat->findText(m_find->text(), static_cast<qsizetype>(m_pins.current) + 1);
  m_find->setProperty("wrong", found < 0 && !m_find->text().isEmpty());
  m_find->setToolTip(found < 0 ? tr("No token has this text") : tr("Enter: the next one (/)"));
  if (found >= 0) pinQuery(found);
}

void AttentionPage::showMeasure() {
  if (!m_capture) return;
  const auto measure = static_cast<AtlasMeasure>(m_measure->currentIndex());
  m_measure->setToolTip(measureFormula(measure));
  const AttentionRecord& record = m_capture->record;
  widgets::AtlasView view;
  view.layers = static_cast<int>(record.layers);
  view.heads = static_cast<int>(record.heads);
  view.headsPerGroup = m_capture->headsPerGroup;
  const bool hasOutput = record.has_output && m_pins.hasOutput();
  view.measure = hasOutput           ? tr("x lower left, x′ upper right")
                 : record.has_output ? tr("x alone: no x′ at this token")
                                     : tr("one stream");
  view.order = static_cast<widgets::AtlasOrder>(m_order->currentIndex());
  const bool isDeep = measure == AtlasMeasure::Induction || measure == AtlasMeasure::Divergence ||
                      measure == AtlasMeasure::Label;
  const Measures which = isDeep ? Measures::All : Measures::Cheap;
  const auto fill = [&](StreamKind stream, std::vector<float>& values) {
    const std::vector<widgets::RowMeasures> rows =
        measuresAt(*m_capture, stream, m_pins.current, which, isFollowing());
    for (const widgets::RowMeasures& row : rows)
      values.push_back(static_cast<float>(measureValue(row, measure)));
    // The last stream's labels stand: x′ where there is one.
    if (measure == AtlasMeasure::Label) addLabels(rows, view);
  };
  fill(StreamKind::base, view.base);
  if (hasOutput) fill(StreamKind::output, view.output);
  m_atlas->setView(view);
}

void AttentionPage::showHead() {
  if (!m_capture || m_atlas->layer() < 0) return;
  const int layer = m_atlas->layer();
  const int head = m_atlas->head();
  const AttentionRecord& record = m_capture->record;
  m_inspector->setRow(*m_capture, layer, head, m_pins);
  m_heat->setRows(
      rowOf(*m_capture, StreamKind::base, layer, head, m_pins),
      record.has_output ? rowOf(*m_capture, StreamKind::output, layer, head, m_pins) : std::vector<float>());
  m_views->setSelection(layer, head, m_pins);
  showPair();
  const int rank = m_atlas->rank();
  m_rank->setText(rank == 0 ? tr("not captured")
                            : tr("rank %1 of %2").arg(rank).arg(record.layers * record.heads));
}

QList<widgets::ShortcutRow> AttentionPage::moreKeys() const {
  return {{QStringLiteral("↑ ↓ ← →"), tr("In the views: query and key")},
          {tr("Shift+arrows"), tr("In the views: by 10")},
          {tr("Ctrl+arrows"), tr("In the views: by paragraph")},
          {QStringLiteral("+ −"), tr("All rows: zoom")},
          {tr("Home"), tr("All rows: everything")},
          {tr("Space"), tr("All rows: pin the query")},
          {tr("Ctrl+C"), tr("In the strip: copy the exact bytes")}};
}

void AttentionPage::lookAsTransformer() {
  const OpenedModel* model = m_workspace.currentModel();
  CompareView* compare = m_views->compareView();
  if (!m_capture || model == nullptr || !model->model || model->name() != m_capture->modelName) {
    compare->setAgainstTransformer(false);
    m_notice->show(widgets::Notice::Kind::Warn,
                   tr("The model of this capture is not open: open it, then compare with the Transformer."));
    return;
  }
  AttentionSpec spec;
  spec.model = model->model;
  spec.modelName = toStd(model->name());
  spec.ids = m_capture->ids;
  spec.architecture = Architecture::transformer;
  spec.level = m_capture->record.level;
  spec.layer = std::max(0, m_atlas->layer());
  m_workspace.engine().start<AttentionCapture>(
      tr("Read as a Transformer"),
      [spec](JobContext& context) { return captureAttention(spec, context.stop(), context.sink()); }, this,
      [this, compare](Result<AttentionCapture>& result) {
        if (result) {
          compare->setTransformer(std::make_shared<const AttentionCapture>(std::move(*result)));
        } else {
          compare->setAgainstTransformer(false);
          if (result.error().code != ErrorCode::cancelled)
            m_notice->show(widgets::Notice::Kind::Bad, toQt(result.error()));
        }
        Q_EMIT compared();
      });
}

}  // namespace orthros::studio
