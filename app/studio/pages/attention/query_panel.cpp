#include "app/studio/pages/attention/query_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/controls.h"
#include "widgets/query_bars.h"

namespace orthros::studio {

QueryPanel::QueryPanel(QWidget* parent)
    : QWidget(parent),
      m_said(widgets::makeLabel({}, "caption", this)),
      m_bars(new widgets::QueryBars(this)),
      m_copy(widgets::makeButton(tr("Copy values"), {}, "toggle", this)) {
  setObjectName(QStringLiteral("queryPanel"));
  m_said->setObjectName(QStringLiteral("querySaid"));
  m_said->setWordWrap(true);
  m_bars->setObjectName(QStringLiteral("queryBars"));
  m_copy->setObjectName(QStringLiteral("queryCopy"));
  m_copy->setToolTip(tr("Copies both streams' vectors as a table of full floats (Ctrl+C in the picture)"));
  connect(m_copy, &QPushButton::clicked, m_bars,
          [this] { QGuiApplication::clipboard()->setText(m_bars->table()); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_said);
  layout->addWidget(m_bars, 1);
  layout->addWidget(m_copy, 0, Qt::AlignLeft);
  layout->addStretch(0);
}

// Why there is no picture; empty: there is.
QString QueryPanel::missing(const AttentionCapture& capture, int layer) const {
  const AttentionRecord& record = capture.record;
  if (!record.scale_offset_layers)
    return tr("This capture was kept without the queries: look again to see them.");
  if (!record.has_scale_offset(layer))
    return record.has_output
               ? tr("This layer has no scale-offset: q is x W_Q and q′ is x′ W_Q, the same up to the input.")
               : tr("This layer has no scale-offset: q is x W_Q.");
  return tr("The query of this row was not captured. Take level C3, or C2 with this layer, and look again.");
}

void QueryPanel::setRow(const AttentionCapture& capture, int layer, int head, const Pins& pins) {
  const qint64 position = pins.current;
  std::vector<widgets::QueryLane> lanes;
  for (const StreamKind stream : {StreamKind::output, StreamKind::base}) {
    if (stream == StreamKind::output && !(capture.record.has_output && pins.hasOutput())) continue;
    const QueryRow query = capture.record.query(stream, layer, head, position);
    if (query.empty()) continue;
    lanes.push_back({stream == StreamKind::output,
                     {query.projected.begin(), query.projected.end()},
                     {query.scaled.begin(), query.scaled.end()}});
  }
  m_bars->setVisible(!lanes.empty());
  m_copy->setVisible(!lanes.empty());
  m_said->setText(lanes.empty() ? missing(capture, layer)
                                : tr("Query %1. W_Q is shared, α and β are not.").arg(position));
  m_said->setToolTip(
      lanes.empty()
          ? QString()
          : tr("The engine's own vectors of this head, by dimension: the product of the normed row and W_Q, "
               "and "
               "what scale-offset makes of it, before query norm (where the model has one) and rotation."));
  m_bars->setLanes(std::move(lanes));
}

}  // namespace orthros::studio
