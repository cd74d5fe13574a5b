// The keys of the lessons page and what they do.
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRadioButton>
#include <QStackedWidget>

#include "app/studio/pages/lessons/card_panel.h"
#include "app/studio/pages/lessons/lessons_page.h"
#include "app/studio/pages/lessons/question_panel.h"
#include "widgets/controls.h"

namespace orthros::studio {

void LessonsPage::makeActions() {
  m_spaceKeys = {addKey("lesson-next", tr("Next card"), "Space", [this] { next(); }),
                 addKey("lesson-back", tr("Card before"), "Shift+Space", [this] { back(); })};
  m_arrowKeys = {addKey("lesson-step-on", tr("Next step"), "Right", [this] { step(1); }),
                 addKey("lesson-step-back", tr("Step before"), "Left", [this] { step(-1); }),
                 addKey("lesson-row-on", tr("Next token"), "Down", [this] { moveRow(1); }),
                 addKey("lesson-row-back", tr("Token before"), "Up", [this] { moveRow(-1); })};
  addKey("lesson-point", tr("Point at x, x′, the shelf, the weights in turn"), "X", [this] { pointOn(1); });
  addKey("lesson-point-back", tr("Point at the one before"), "Shift+X", [this] { pointOn(-1); });
  m_arrowKeys +=
      {addKey("lesson-number-on", tr("Next number of what is pointed at"), "Shift+Right",
              [this] { movePointed(1); }),
       addKey("lesson-number-back", tr("Number before"), "Shift+Left", [this] { movePointed(-1); }),
       addKey("lesson-line-on", tr("Number below"), "Shift+Down",
              [this] { movePointed(widgets::kNumbersOfLine); }),
       addKey("lesson-line-back", tr("Number above"), "Shift+Up",
              [this] { movePointed(-widgets::kNumbersOfLine); })};
  const char* const digits[] = {"1", "2", "3", "4"};
  const QString regimes[] = {tr("Regime: pre-training"), tr("Regime: tuning"), tr("Regime: prefill"),
                             tr("Regime: decode")};
  for (int i = 0; i < 4; ++i) {
    const QByteArray name = QByteArrayLiteral("lesson-regime-") + digits[i];
    m_settingKeys.append(
        addKey(name.constData(), regimes[i], digits[i], [this, i] { setRegime(static_cast<Regime>(i)); }));
  }
  m_settingKeys +=
      {addKey("lesson-output", tr("Output copies off and on"), "O", [this] { toggleOutput(); }),
       addKey("lesson-scale-offset", tr("Scale-offset off and on"), "S", [this] { toggleScaleOffset(); })};
  addKey("lesson-depth", tr("Deeper: idea, shapes, numbers"), "D",
         [this] { setDepth(static_cast<LessonDepth>((static_cast<int>(m_progress.depth) + 1) % 3)); });
  addKey("lesson-head-on", tr("Next head"), ".", [this] { moveHead(1); });
  addKey("lesson-head-back", tr("Head before"), ",", [this] { moveHead(-1); });
  addKey("lesson-layer-on", tr("Next layer, same step"), "]", [this] { moveLayer(1); });
  addKey("lesson-layer-back", tr("Layer before, same step"), "[", [this] { moveLayer(-1); });
  m_arrowKeys.append(addKey("lesson-return", tr("Back to the step of the card"), "Home", [this] {
    if (!m_lesson.id.empty()) setSpot(spotOfItem());
  }));
  addKey("lesson-on", tr("Next lesson"), "PgDown", [this] { openLesson(m_lessonIndex + 1); });
  addKey("lesson-before", tr("Lesson before"), "PgUp", [this] { openLesson(m_lessonIndex - 1); });
  addKey("lesson-glossary", tr("Glossary"), "G", [this] { showGlossary(m_side->currentIndex() == 0); });
  addKey("lesson-present", tr("Presenter view"), "P", [this] { setPresenting(!m_isPresenting); });
  addKey("lesson-full-screen", tr("Presenter view (full screen)"), "F11",
         [this] { setPresenting(!m_isPresenting); });
  addKey("lesson-export", tr("Export this step…"), "E",
         [this] { chooseExport(QStringLiteral("svg"), false); });
  addKey("lesson-export-all", tr("Export the lesson as PDF…"), "Shift+E",
         [this] { chooseExport(QStringLiteral("pdf"), true); });
  connect(qApp, &QApplication::focusChanged, this, &LessonsPage::updateKeys);
  connect(&m_workspace, &Workspace::currentModelChanged, this, &LessonsPage::refreshTools);
}

// A control that has the focus keeps the keys it needs.
void LessonsPage::updateKeys() {
  const QWidget* focus = QApplication::focusWidget();
  const bool takesSpace = qobject_cast<const QAbstractButton*>(focus) != nullptr ||
                          qobject_cast<const QComboBox*>(focus) != nullptr;
  const bool takesArrows = qobject_cast<const QRadioButton*>(focus) != nullptr ||
                           qobject_cast<const QComboBox*>(focus) != nullptr ||
                           qobject_cast<const QLineEdit*>(focus) != nullptr;
  for (QAction* action : m_spaceKeys) action->setEnabled(!takesSpace);
  for (QAction* action : m_arrowKeys) action->setEnabled(!takesArrows);
  // A question is asked of its own pass, and the stage shows that one.
  for (QAction* action : m_settingKeys) action->setEnabled(!isQuestion());
}

void LessonsPage::focusInEvent(QFocusEvent* event) {
  Page::focusInEvent(event);
  const bool isByHand = event->reason() == Qt::MouseFocusReason || event->reason() == Qt::TabFocusReason ||
                        event->reason() == Qt::BacktabFocusReason;
  if (!isByHand && asksForKeys()) m_card->question()->focusAnswer();
}

// From the page itself the first Tab leads to the answer.
bool LessonsPage::focusNextPrevChild(bool next) {
  if (!next || !hasFocus() || m_lesson.id.empty() || !isQuestion()) return Page::focusNextPrevChild(next);
  m_card->question()->focusAnswer();
  return true;
}

// A number begins in its field, wherever the focus is.
void LessonsPage::keyPressEvent(QKeyEvent* event) {
  if (!asksForKeys() || !m_card->question()->write(event->text())) Page::keyPressEvent(event);
}

bool LessonsPage::asksForKeys() const {
  return !m_lesson.id.empty() && isQuestion() && m_card->question()->wantsFocus();
}

void LessonsPage::next() {
  if (m_lesson.id.empty()) return;
  did(QStringLiteral("next"));
  if (m_item + 1 < itemCount()) {
    goTo(m_item + 1);
  } else {
    openLesson((m_lessonIndex + 1) % static_cast<int>(m_library.lessons().size()));
  }
}

void LessonsPage::back() {
  goTo(m_item - 1);
}

void LessonsPage::step(int by) {
  if (!isReady()) return;
  const int64_t layers = std::ssize(m_passes->trace(m_spot.setting).layers);
  const int64_t index = index_of(m_spot.moment, layers) + by;
  if (index < 0 || index >= moment_count(layers)) return;
  StageSpot spot = m_spot;
  spot.moment = moment_at(index, layers);
  setSpot(spot);
}

void LessonsPage::moveRow(int by) {
  if (!isReady()) return;
  StageSpot spot = m_spot;
  spot.row = std::clamp<int64_t>(spot.row + by, 0, m_passes->trace(m_spot.setting).num_tokens() - 1);
  setSpot(spot);
}

void LessonsPage::moveHead(int by) {
  if (!isReady()) return;
  StageSpot spot = m_spot;
  spot.head = std::clamp<int64_t>(spot.head + by, 0, m_passes->trace(m_spot.setting).heads - 1);
  setSpot(spot);
}

void LessonsPage::moveLayer(int by) {
  if (!isReady()) return;
  StageSpot spot = m_spot;
  spot.moment.layer =
      std::clamp<int64_t>(spot.moment.layer + by, 0, std::ssize(m_passes->trace(m_spot.setting).layers) - 1);
  setSpot(spot);
}

// By keys: x, x′ and the shelf of the token in focus, then each of the weights, then nothing.
void LessonsPage::pointOn(int by) {
  if (!isReady()) return;
  using Kind = widgets::StageTarget::Kind;
  std::vector<widgets::StageTarget> targets;
  for (const Kind kind : {Kind::Base, Kind::Output, Kind::Slot}) {
    widgets::StageTarget target;
    target.kind = kind;
    target.position = static_cast<int>(m_spot.row);
    target.column = kind == Kind::Slot ? -1 : 0;
    targets.push_back(target);
  }
  for (const QString& name : m_stage->weightNames()) {
    widgets::StageTarget target;
    target.kind = Kind::Weight;
    target.weight = name;
    targets.push_back(target);
  }
  const auto count = static_cast<int>(targets.size());
  m_pointer = (m_pointer + 1 + by + count + 1) % (count + 1) - 1;
  m_stage->setPointed(m_pointer < 0 ? widgets::StageTarget() : targets[static_cast<size_t>(m_pointer)]);
  pointedAt(m_stage->pointed());
}

// Another number of the cell, or another place of the shelf.
void LessonsPage::movePointed(int by) {
  if (!isReady()) return;
  widgets::StageTarget target = m_stage->pointed();
  if (target.kind == widgets::StageTarget::Kind::Slot) {
    target.position = std::clamp(target.position + (by > 0 ? 1 : -1), 0,
                                 static_cast<int>(m_stage->data().tokens.size()) - 1);
  } else if (target.column >= 0 && target.position >= 0) {
    const auto& cells =
        target.kind == widgets::StageTarget::Kind::Output ? m_stage->data().output : m_stage->data().base;
    const auto count = static_cast<int>(cells[static_cast<size_t>(target.position)].values.size());
    target.column = std::clamp(target.column + by, 0, std::max(0, count - 1));
  }
  m_stage->setPointed(target);
  pointedAt(target);
}

void LessonsPage::setRegime(Regime regime) {
  if (!isReady() || isQuestion()) return;
  StageSpot spot = m_spot;
  spot.setting.regime = regime;
  setSpot(spot);
  refreshTools();
}

void LessonsPage::toggleOutput() {
  if (!isReady() || isQuestion()) return;
  StageSpot spot = m_spot;
  spot.setting.output_on = !spot.setting.output_on;
  const QString before = m_stage->data().hash;
  setSpot(spot);
  const bool same = before == m_stage->data().hash;
  m_notice->show(same ? widgets::Notice::Kind::Good : widgets::Notice::Kind::Bad,
                 (same ? tr("Output copies %1: the shelf of layer %2 is the same bit for bit, sha256 %3")
                       : tr("Output copies %1: the shelf of layer %2 differs, sha256 %3"))
                     .arg(spot.setting.output_on ? tr("on") : tr("off"))
                     .arg(m_spot.moment.layer + 1)
                     .arg(m_stage->data().hash.left(16)));
}

void LessonsPage::toggleScaleOffset() {
  if (!isReady() || isQuestion()) return;
  StageSpot spot = m_spot;
  spot.setting.scale_offset = !spot.setting.scale_offset;
  setSpot(spot);
}

void LessonsPage::setDepth(LessonDepth depth) {
  const bool isOther = m_progress.depth != depth;
  m_progress.depth = depth;
  m_card->setDepth(depth);
  keep();
  if (m_lesson.id.empty()) return;
  if (isOther) did(QStringLiteral("depth"));
  if (!isQuestion()) showCard();
}

}  // namespace orthros::studio
