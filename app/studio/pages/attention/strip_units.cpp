#include "app/studio/pages/attention/strip_units.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QTimer>

#include "widgets/controls.h"
#include "widgets/token_heat.h"

namespace orthros::studio {
namespace {

constexpr int kTypingMs = 250;
constexpr int kWidestNote = 300;

}  // namespace

using widgets::Granularity;

StripUnits::StripUnits(widgets::TokenHeat* heat, QWidget* parent)
    : QWidget(parent),
      m_heat(heat),
      m_units(new QComboBox(this)),
      m_pattern(new QLineEdit(this)),
      m_note(new widgets::ElidedLabel("caption", this)),
      m_typing(new QTimer(this)) {
  m_units->setObjectName(QStringLiteral("stripUnits"));
  m_units->addItems({tr("tokens"), tr("words"), tr("lines"), tr("paragraphs"), tr("pattern")});
  m_units->setToolTip(tr("What is one frame of the strip; its weights are added up"));
  m_units->setAccessibleName(tr("Frames of the strip"));
  m_pattern->setObjectName(QStringLiteral("stripPattern"));
  m_pattern->setPlaceholderText(tr("regular expression"));
  m_pattern->setClearButtonEnabled(true);
  m_pattern->setFixedWidth(170);
  m_pattern->setFont(widgets::monoFont(12));
  m_pattern->setAccessibleName(tr("Pattern of the frames"));
  m_pattern->setToolTip(
      tr("A regular expression over the text: each match is one frame, its weights are added up; what lies "
         "between stays by token.\nA token is never split: it belongs to the match in which it begins, its "
         "leading white space aside.\nLetters and digits of every script count as such (\\w, \\d); ^ and $ "
         "match at every line."));
  m_note->setObjectName(QStringLiteral("stripPatternNote"));
  m_note->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  m_note->setMaximumWidth(kWidestNote);
  m_note->setTextFormat(Qt::PlainText);
  m_typing->setSingleShot(true);
  m_typing->setInterval(kTypingMs);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_note);
  layout->addWidget(m_units);
  layout->addWidget(m_pattern);
  m_pattern->hide();
  m_note->hide();
  connect(m_units, &QComboBox::currentIndexChanged, this, &StripUnits::chooseUnits);
  connect(m_pattern, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
  connect(m_pattern, &QLineEdit::returnPressed, this, &StripUnits::apply);
  connect(m_typing, &QTimer::timeout, this, &StripUnits::apply);
  connect(m_heat, &widgets::TokenHeat::unitsChanged, this, &StripUnits::say);
}

Granularity StripUnits::granularity() const {
  return static_cast<Granularity>(m_units->currentIndex());
}

QString StripUnits::pattern() const {
  return m_pattern->text();
}

void StripUnits::setUnits(Granularity granularity, const QString& pattern) {
  m_pattern->setText(pattern);
  m_units->setCurrentIndex(static_cast<int>(granularity));
  apply();
}

void StripUnits::editPattern() {
  m_units->setCurrentIndex(static_cast<int>(Granularity::Pattern));
  m_pattern->setFocus();
  m_pattern->selectAll();
}

void StripUnits::chooseUnits() {
  const bool isPattern = granularity() == Granularity::Pattern;
  m_pattern->setVisible(isPattern);
  m_note->setVisible(isPattern);
  m_heat->setGranularity(granularity());
}

void StripUnits::apply() {
  m_typing->stop();
  m_heat->setPattern(m_pattern->text());
}

void StripUnits::say() {
  const widgets::PatternUnits& state = m_heat->patternState();
  const bool isBad = !state.problem.isEmpty();
  const QString text = isBad && state.problemAt >= 0
                           ? tr("✕ at character %1: %2").arg(state.problemAt + 1).arg(state.problem)
                       : isBad                       ? tr("✕ %1").arg(state.problem)
                       : m_pattern->text().isEmpty() ? QString()
                                                     : tr("matches: %1").arg(state.matches);
  m_note->setProperty("kind", isBad ? QStringLiteral("warning") : QStringLiteral("caption"));
  widgets::restyle(m_note);
  m_note->setWhole(text);
  if (isBad) m_note->setToolTip(text + u'\n' + tr("The frames are those of the last pattern that worked."));
  m_pattern->setAccessibleDescription(text);
}

}  // namespace orthros::studio
