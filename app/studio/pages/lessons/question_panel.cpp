#include "app/studio/pages/lessons/question_panel.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "app/studio/text.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kButtonsOfLine = 4;
constexpr int kQuestion = 16, kVerdict = 13, kAnswer = 13;  // px
constexpr int kFieldWidth = 140;

// A number has no space in it: while nothing is written, Space goes on to the next card as everywhere.
class NumberField : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

 protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride && text().isEmpty() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
      event->ignore();
      return false;
    }
    return QLineEdit::event(event);
  }
};

}  // namespace

QuestionPanel::QuestionPanel(QWidget* parent)
    : QWidget(parent),
      m_text(widgets::makeLabel({}, "lesson", this)),
      m_answers(new QVBoxLayout),
      m_check(widgets::makeButton(tr("Check"), QStringLiteral("check"), "primary", this)),
      m_verdict(widgets::makeLabel({}, "strong", this)) {
  m_text->setObjectName(QStringLiteral("lessonQuestion"));
  m_text->setWordWrap(true);
  m_check->setObjectName(QStringLiteral("lessonCheck"));
  m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
  m_verdict->setWordWrap(true);
  restyleTexts();
  m_answers->setContentsMargins(0, 0, 0, 0);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  layout->addWidget(m_text);
  layout->addLayout(m_answers);
  layout->addWidget(m_check, 0, Qt::AlignLeft);
  layout->addWidget(m_verdict);
  layout->addStretch(1);
  connect(m_check, &QPushButton::clicked, this, &QuestionPanel::check);
}

void QuestionPanel::setZoom(double zoom) {
  m_zoom = zoom;
  restyleTexts();
}

void QuestionPanel::restyleTexts() {
  const auto setSize = [this](QWidget* widget, int pixels) {
    QFont font = widget->font();
    font.setPixelSize(qRound(pixels * m_zoom));
    widget->setFont(font);
  };
  setSize(m_text, kQuestion);
  setSize(m_verdict, kVerdict);
  setSize(m_check, kAnswer);
  if (m_body == nullptr) return;
  for (QWidget* part : m_body->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) setSize(part, kAnswer);
  if (m_number != nullptr) m_number->setMaximumWidth(qRound(kFieldWidth * m_zoom));
}

void QuestionPanel::focusAnswer() {
  if (m_number != nullptr) {
    m_number->setFocus(Qt::OtherFocusReason);
  } else if (m_buttons != nullptr) {
    m_buttons->buttons().constFirst()->setFocus(Qt::TabFocusReason);
  } else if (!m_positions.isEmpty()) {
    m_positions.constFirst()->setFocus(Qt::TabFocusReason);
  }
}

bool QuestionPanel::write(const QString& text) {
  if (m_number == nullptr || text.size() != 1 || !(text[0].isDigit() || text == u"-")) return false;
  m_number->setFocus(Qt::OtherFocusReason);
  m_number->insert(text);
  return true;
}

// Return checks, from wherever in the question; on a choice it takes that one.
void QuestionPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QWidget::keyPressEvent(event);
  if (m_buttons != nullptr) {
    for (QAbstractButton* button : m_buttons->buttons()) {
      if (button->hasFocus()) button->setChecked(true);
    }
  }
  check();
}

void QuestionPanel::clear() {
  delete m_body;
  m_body = new QWidget(this);
  m_answers->addWidget(m_body);
  m_positions.clear();
  m_buttons = nullptr;
  m_number = nullptr;
  m_choices.clear();
  m_verdict->clear();
  m_isSolved = false;
}

void QuestionPanel::ask(const LessonQuestion& question, const QString& text, const QString& why,
                        int positions, bool chinese, Grader grader) {
  // The same question once more, now with its passes: what was written meanwhile stays.
  const bool isAgain = m_number != nullptr && !m_isSolved && m_text->text() == text;
  const QString written = isAgain ? m_number->text() : QString();
  clear();
  m_text->setText(text);
  m_why = why;
  m_kind = question.kind;
  m_grader = std::move(grader);
  if (m_kind == AnswerKind::positions) makePositions(positions);
  if (m_kind == AnswerKind::choice) makeChoices(question, chinese);
  if (m_kind == AnswerKind::number) makeNumber();
  if (m_number != nullptr) m_number->setText(written);
  restyleTexts();
  m_body->show();  // with all its parts, at once: Tab finds them
}

void QuestionPanel::forget() {
  m_text->clear();
}

void QuestionPanel::makeNumber() {
  auto* row = new QVBoxLayout(m_body);
  row->setContentsMargins(0, 0, 0, 0);
  m_number = new NumberField(m_body);
  m_number->setObjectName(QStringLiteral("lessonNumber"));
  m_number->setAccessibleName(tr("Your number"));
  row->addWidget(m_number);
}

void QuestionPanel::makePositions(int count) {
  auto* grid = new QGridLayout(m_body);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(6);
  for (int i = 0; i < count; ++i) {
    auto* button = widgets::makeButton(QString::number(i + 1), {}, "toggle", m_body);
    button->setObjectName(QStringLiteral("lessonPosition%1").arg(i + 1));
    button->setAccessibleName(tr("Position %1").arg(i + 1));
    button->setCheckable(true);
    m_positions.append(button);
    grid->addWidget(button, i / kButtonsOfLine, i % kButtonsOfLine);
  }
}

void QuestionPanel::makeChoices(const LessonQuestion& question, bool chinese) {
  m_buttons = new QButtonGroup(m_body);
  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(0, 0, 0, 0);
  for (const LessonChoice& choice : question.choices) {
    auto* button = new QRadioButton(toQt(choice.text.in(chinese)), m_body);
    button->setObjectName(QStringLiteral("lessonChoice%1").arg(m_choices.size()));
    m_buttons->addButton(button, static_cast<int>(m_choices.size()));
    column->addWidget(button);
    m_choices.push_back(choice.value);
  }
}

void QuestionPanel::togglePosition(int position) {
  if (m_kind == AnswerKind::positions && position >= 0 && position < m_positions.size())
    m_positions[position]->toggle();
}

std::optional<QuantityValue> QuestionPanel::answer() const {
  QuantityValue value;
  if (m_kind == AnswerKind::positions) {
    value.kind = QuantityValue::Kind::positions;
    for (qsizetype i = 0; i < m_positions.size(); ++i) {
      if (m_positions[i]->isChecked()) value.positions.push_back(i + 1);
    }
    if (value.positions.empty()) return {};
  } else if (m_kind == AnswerKind::choice) {
    if (m_buttons->checkedId() < 0) return {};
    value.kind = QuantityValue::Kind::text;
    value.text = m_choices[static_cast<size_t>(m_buttons->checkedId())];
  } else {
    bool isNumber = false;
    QString text = m_number->text().trimmed();
    value.number = text.replace(QLatin1Char(','), QLatin1Char('.'))
                       .replace(QChar(0x2212), QLatin1Char('-'))
                       .toDouble(&isNumber);
    if (!isNumber) return {};
  }
  return value;
}

void QuestionPanel::say(const char* kind, const QString& text) {
  m_verdict->setProperty("kind", QLatin1String(kind));
  widgets::restyle(m_verdict);
  m_verdict->setText(text);
}

void QuestionPanel::check() {
  const auto given = answer();
  if (!given) {
    say("muted", m_kind == AnswerKind::number ? tr("Write a number first.") : tr("Choose something first."));
    return;
  }
  const Result<bool> right = m_grader(*given);
  if (!right) {
    say("muted", toQt(right.error()));
    return;
  }
  if (*right) {
    say("strong", tr("✓ Right. %1").arg(m_why));
    m_isSolved = true;
    Q_EMIT solved();
  } else {
    say("strong", tr("✗ Not yet. Look at the stage and try again."));
  }
}

}  // namespace orthros::studio
