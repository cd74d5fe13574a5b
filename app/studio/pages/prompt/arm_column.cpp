#include "app/studio/pages/prompt/arm_column.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

struct Figure {
  const char* name;
  const char* tip;
};
constexpr Figure kFigures[] = {
    {QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "First token"),
     QT_TRANSLATE_NOOP("orthros::studio::ArmColumn",
                       "Time to first token: from the start of the prefill to the first sampled token")},
    {QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "Prefill"),
     QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "Prompt tokens read a second")},
    {QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "Decode"),
     QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "New tokens a second, after the first")},
    {QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "KV cache"),
     QT_TRANSLATE_NOOP("orthros::studio::ArmColumn", "Bytes of keys and values held now")},
};

}  // namespace

ArmColumn::ArmColumn(QWidget* parent)
    : QFrame(parent),
      m_dot(new QLabel(this)),
      m_label(makeLabel({}, "strong", this)),
      m_state(makeLabel({}, "caption", this)),
      m_comparison(new widgets::ElidedLabel("caption", this)),
      m_detail(new widgets::ElidedLabel("caption", this)),
      m_chips(new widgets::TokenChips(this)) {
  setProperty("panel", true);
  setObjectName(QStringLiteral("armColumn"));
  m_state->setObjectName(QStringLiteral("armState"));
  m_chips->setObjectName(QStringLiteral("armChips"));
  m_dot->setFixedSize(10, 10);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(16, 0, 16, 0);
  head->setSpacing(8);
  head->addWidget(m_dot);
  head->addWidget(m_label);
  head->addStretch(1);
  head->addWidget(m_state);
  auto* grid = new QGridLayout;
  grid->setContentsMargins(16, 0, 16, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(2);
  for (int i = 0; i < static_cast<int>(std::size(kFigures)); ++i) {
    auto* name = makeLabel(tr(kFigures[i].name), "caption", this);
    auto* figure = makeLabel(QStringLiteral("–"), "mono", this);
    for (QLabel* label : {name, figure}) label->setToolTip(tr(kFigures[i].tip));
    figure->setObjectName(QStringLiteral("figure%1").arg(i));
    grid->addWidget(name, 0, i);
    grid->addWidget(figure, 1, i);
    grid->setColumnStretch(i, 1);
    m_figures.append(figure);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 12, 1, 12);
  layout->setSpacing(8);
  layout->addLayout(head);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, this));
  layout->addWidget(m_chips, 1);
  m_comparison->setObjectName(QStringLiteral("armComparison"));
  m_comparison->setContentsMargins(16, 0, 16, 0);
  m_comparison->hide();
  layout->addWidget(m_comparison);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, this));
  layout->addLayout(grid);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(16, 0, 16, 0);
  foot->addWidget(m_detail, 1);
  layout->addLayout(foot);
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, &ArmColumn::paintDot);
}

void ArmColumn::paintDot() {
  m_dot->setStyleSheet(
      QStringLiteral("background:%1; border-radius:5px;").arg(widgets::theme().architecture(m_key).name()));
}

void ArmColumn::setArm(const QString& key, const QString& label, const QString& detail) {
  m_key = key;
  m_label->setText(label);
  m_detail->setWhole(detail);
  m_chips->setAccessibleName(tr("Answer of %1").arg(label));
  paintDot();
}

QString ArmColumn::label() const {
  return m_label->text();
}

void ArmColumn::setComparison(const QString& text) {
  m_comparison->setWhole(text);
  m_comparison->setVisible(!text.isEmpty());
}

void ArmColumn::setState(const QString& state) {
  m_state->setText(state);
}

void ArmColumn::clearFigures() {
  setComparison({});
  for (QLabel* figure : m_figures) figure->setText(QStringLiteral("–"));
}

void ArmColumn::setFigures(const ArmFigures& figures) {
  using namespace widgets;
  const QString none = QStringLiteral("–");
  const QString texts[] = {figures.ttftMs > 0 ? formatMilliseconds(figures.ttftMs) : none,
                           figures.prefillTokS > 0 ? formatNumber(figures.prefillTokS) + tr(" tok/s") : none,
                           figures.decodeTokS > 0 ? formatNumber(figures.decodeTokS) + tr(" tok/s") : none,
                           figures.kvBytes > 0 ? formatBytes(figures.kvBytes) : none};
  for (qsizetype i = 0; i < m_figures.size(); ++i) m_figures[i]->setText(texts[i]);
  QStringList detail{tr("%1 prompt tokens").arg(formatCount(figures.promptTokens))};
  if (figures.reusedTokens > 0) detail.append(tr("%1 from the cache").arg(formatCount(figures.reusedTokens)));
  detail.append(figures.backend);
  m_detail->setWhole(detail.join(QStringLiteral("  ·  ")));
}

}  // namespace orthros::studio
