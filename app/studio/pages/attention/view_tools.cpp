#include "app/studio/pages/attention/view_tools.h"

#include <QComboBox>
#include <QHBoxLayout>

#include "widgets/controls.h"

namespace orthros::studio {

using widgets::ScaleMode;

ViewTools::ViewTools(QWidget* parent)
    : QWidget(parent),
      m_scale(new QComboBox(this)),
      m_sums(widgets::makeButton(tr("Σ bins"), {}, "toggle", this)),
      m_lane(widgets::makeButton(tr("Sink lane"), {}, "toggle", this)),
      m_base(widgets::makeButton(QStringLiteral("x"), {}, "toggle", this)),
      m_output(widgets::makeButton(QStringLiteral("x′"), {}, "toggle", this)),
      m_combine(new QComboBox(this)) {
  m_scale->setObjectName(QStringLiteral("weightScale"));
  m_scale->setAccessibleName(tr("Scale of the weights"));
  for (int i = 0; i < widgets::kScaleModes; ++i) {
    const auto mode = static_cast<ScaleMode>(i);
    m_scale->addItem(widgets::scaleName(mode));
    m_scale->setItemData(i, widgets::scaleFormula(mode), Qt::ToolTipRole);
  }
  m_sums->setObjectName(QStringLiteral("binSums"));
  m_sums->setToolTip(tr("Where a pixel stands for several cells: their sum in place of the heaviest (S)"));
  m_lane->setObjectName(QStringLiteral("sinkLane"));
  m_lane->setToolTip(
      tr("Leaves key 0, and keys with more than 0.30 of the mean row (at most 4), out of the "
         "colour range. Numbers stay as they are (K)"));
  m_base->setObjectName(QStringLiteral("showBase"));
  m_base->setToolTip(tr("The base stream x alone (B); both streams (X)"));
  m_output->setObjectName(QStringLiteral("showOutput"));
  m_output->setToolTip(tr("The output stream x′ alone (O); both streams (X)"));
  m_base->setAccessibleName(tr("Show the base stream"));
  m_output->setAccessibleName(tr("Show the output stream"));
  m_combine->setObjectName(QStringLiteral("combinePins"));
  m_combine->setAccessibleName(tr("Rows of the pinned queries"));
  m_combine->setToolTip(
      tr("What is shown of several pinned queries: one of them (Tab goes on), or all as one row"));
  for (const Combine combine : {Combine::One, Combine::Mean, Combine::Max, Combine::Sum})
    m_combine->addItem(combineName(combine));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_scale);
  for (QPushButton* button : {m_sums, m_lane, m_base, m_output}) {
    button->setCheckable(true);
    layout->addWidget(button);
  }
  layout->addStretch(1);
  layout->addWidget(m_combine);
  connect(m_scale, &QComboBox::activated, this, [this](int index) {
    setStyle({static_cast<ScaleMode>(index), m_style.sums, m_style.lane});
  });
  connect(m_sums, &QPushButton::clicked, this, &ViewTools::toggleSums);
  connect(m_lane, &QPushButton::clicked, this, &ViewTools::toggleLane);
  // Of two, one stays: taking x away shows x′ alone.
  connect(m_base, &QPushButton::clicked, this,
          [this](bool on) { setStreams(on ? Streams::Both : Streams::Output); });
  connect(m_output, &QPushButton::clicked, this,
          [this](bool on) { setStreams(on ? Streams::Both : Streams::Base); });
  connect(m_combine, &QComboBox::activated, this,
          [this](int index) { Q_EMIT combineChosen(static_cast<Combine>(index)); });
  m_combine->hide();
  refresh();
}

void ViewTools::setStyle(const widgets::WeightStyle& style) {
  m_style = style;
  refresh();
  Q_EMIT styleChanged();
}

void ViewTools::setStreams(Streams streams) {
  m_streams = streams;
  refresh();
  Q_EMIT streamsChanged();
}

void ViewTools::nextScale() {
  const int next = (static_cast<int>(m_style.mode) + 1) % widgets::kScaleModes;
  setStyle({static_cast<ScaleMode>(next), m_style.sums, m_style.lane});
}

void ViewTools::toggleSums() {
  setStyle({m_style.mode, !m_style.sums, m_style.lane});
}

void ViewTools::toggleLane() {
  setStyle({m_style.mode, m_style.sums, !m_style.lane});
}

void ViewTools::setPins(const Pins& pins) {
  m_combine->setVisible(pins.positions.size() > 1);
  m_combine->setCurrentIndex(static_cast<int>(pins.combine));
}

void ViewTools::refresh() {
  m_scale->setCurrentIndex(static_cast<int>(m_style.mode));
  m_scale->setToolTip(tr("%1 (L goes on)").arg(widgets::scaleFormula(m_style.mode)));
  m_sums->setChecked(m_style.sums);
  m_lane->setChecked(m_style.lane);
  m_base->setChecked(m_streams != Streams::Output);
  m_output->setChecked(m_streams != Streams::Base);
}

}  // namespace orthros::studio
