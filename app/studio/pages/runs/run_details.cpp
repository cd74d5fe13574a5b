#include "app/studio/pages/runs/run_details.h"

#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/runs/run_delegate.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"
#include "widgets/plain_text.h"

namespace orthros::studio {
namespace {

constexpr int kNoteDelayMs = 800;

}  // namespace

RunDetails::RunDetails(QWidget* parent)
    : QWidget(parent),
      m_sign(new QLabel(this)),
      m_state(widgets::makeLabel({}, "strong", this)),
      m_name(new QLineEdit(this)),
      m_tags(new QLineEdit(this)),
      m_note(new widgets::PlainText(this)),
      m_problem(widgets::makeLabel({}, "muted", this)),
      m_facts(new QFormLayout),
      m_noteTimer(new QTimer(this)) {
  setObjectName(QStringLiteral("runDetails"));
  m_name->setObjectName(QStringLiteral("runName"));
  m_name->setAccessibleName(tr("Name"));
  m_name->setPlaceholderText(tr("Name"));
  m_tags->setObjectName(QStringLiteral("runTags"));
  m_tags->setAccessibleName(tr("Tags"));
  m_tags->setPlaceholderText(tr("Tags, separated by commas"));
  m_note->setObjectName(QStringLiteral("runNote"));
  m_note->setAccessibleName(tr("Note"));
  m_note->setPlaceholderText(tr("Note"));
  m_note->setTabChangesFocus(true);
  m_note->setFixedHeight(96);
  m_note->installEventFilter(this);
  m_problem->setWordWrap(true);
  m_facts->setHorizontalSpacing(12);
  m_facts->setVerticalSpacing(6);
  m_facts->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(m_sign);
  head->addWidget(m_state, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addLayout(head);
  layout->addWidget(m_problem);
  layout->addWidget(m_name);
  layout->addWidget(m_tags);
  layout->addWidget(m_note);
  layout->addSpacing(4);
  layout->addLayout(m_facts);
  layout->addStretch(1);
  m_noteTimer->setSingleShot(true);
  m_noteTimer->setInterval(kNoteDelayMs);
  connect(m_noteTimer, &QTimer::timeout, this, &RunDetails::commit);
  connect(m_name, &QLineEdit::editingFinished, this, &RunDetails::commit);
  connect(m_tags, &QLineEdit::editingFinished, this, &RunDetails::commit);
  connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
    if (m_note->toPlainText() != m_row.note) m_noteTimer->start();
  });
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, &RunDetails::showFacts);
}

void RunDetails::setRun(const RunRow& row) {
  const bool another = row.uuid != m_row.uuid;
  if (another) commit();
  const RunRow before = m_row;
  m_row = row;
  // A field that holds what it was given follows the store; one that is being written in does not.
  if (another || m_name->text() == before.name) {
    m_name->setText(row.name);
    m_name->setCursorPosition(0);  // a long name is read from its beginning
  }
  if (another || m_tags->text() == before.tags) m_tags->setText(row.tags);
  if ((another || m_note->toPlainText() == before.note) && m_note->toPlainText() != row.note)
    m_note->setPlainText(row.note);
  showFacts();
}

void RunDetails::commit() {
  m_noteTimer->stop();
  if (m_row.id == 0) return;
  const QString name = m_name->text().simplified();
  const QString tags = splitTags(m_tags->text()).join(QStringLiteral(", "));
  const QString note = m_note->toPlainText();
  const RunRow before = m_row;
  m_row.name = name;
  m_row.tags = tags;
  m_row.note = note;
  m_name->setText(name);
  m_tags->setText(tags);
  if (name != before.name) Q_EMIT edited(before.id, RunField::Name, name);
  if (tags != before.tags) Q_EMIT edited(before.id, RunField::Tags, tags);
  if (note != before.note) Q_EMIT edited(before.id, RunField::Note, note);
}

bool RunDetails::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_note && event->type() == QEvent::FocusOut) commit();
  return QWidget::eventFilter(watched, event);
}

void RunDetails::showFacts() {
  const auto [sign, role] = statusSign(m_row.status);
  m_sign->setPixmap(widgets::iconPixmap(sign, role, 18, devicePixelRatioF()));
  m_state->setText(QStringLiteral("%1 · %2").arg(kindText(m_row.kind), statusText(m_row.status)));
  m_problem->setText(m_row.problem);
  m_problem->setVisible(!m_row.problem.isEmpty());
  while (m_facts->rowCount() > 0) m_facts->removeRow(0);
  const auto add = [this](const QString& key, const QString& value, bool mono = false) {
    if (value.isEmpty()) return;
    auto* label = widgets::makeLabel(value, mono ? "mono" : "plain", this);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::NoFocus);
    m_facts->addRow(widgets::makeLabel(key, "muted", this), label);
  };
  for (qsizetype i = 0; i < m_row.arms.size(); ++i) {
    QString value = m_row.arms.size() > 1 ? m_row.arms[i] : m_row.models;
    if (i < m_row.armFigures.size()) value += QStringLiteral("\n%1 %2").arg(m_row.armFigures[i], m_row.unit);
    add(m_row.arms.size() > 1 ? tr("Arm %1").arg(i + 1) : tr("Model"), value);
  }
  add(tr("Figure"), m_row.meaning);
  add(tr("Kept"), m_row.results > 0 ? resultsText(m_row) : QString());
  if (m_row.cells > 0)
    add(tr("Cells"),
        tr("%1 of %2 done").arg(widgets::formatCount(m_row.cellsDone), widgets::formatCount(m_row.cells)));
  add(tr("Begun"), QLocale().toString(m_row.created, QLocale::ShortFormat));
  add(tr("Took"), m_row.seconds > 0 ? widgets::formatSeconds(m_row.seconds) : QString());
  add(tr("Id"), m_row.uuid.left(13), /*mono=*/true);
}

}  // namespace orthros::studio
