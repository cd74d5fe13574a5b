#include "app/studio/pages/lessons/lessons_page.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QTimer>
#include <algorithm>

#include "app/studio/pages/lessons/card_panel.h"
#include "app/studio/pages/lessons/lesson_text.h"
#include "app/studio/pages/lessons/question_panel.h"
#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "engine/lessons/ledger.h"
#include "engine/lessons/lesson_task.h"
#include "widgets/controls.h"
#include "widgets/equation_view.h"
#include "widgets/format.h"
#include "widgets/motion.h"
#include "widgets/step_bar.h"

namespace orthros::studio {
namespace {

constexpr int kMoveMs = 320;  // within 250-400 at normal speed

QStringList namesOf(const std::vector<std::string>& words) {
  QStringList names;
  for (const std::string& word : words) names.append(toQt(word));
  return names;
}

}  // namespace

LessonsPage::LessonsPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_library(workspace.files(), this),
      m_notice(new widgets::Notice(this)),
      m_card(new CardPanel(this)) {
  m_notice->setObjectName(QStringLiteral("lessonsNotice"));
  m_card->setObjectName(QStringLiteral("lessonCard"));
  m_progress = LessonProgress::fromText(workspace.settings().lessonProgress());
  m_isChinese = lessonsInChinese(workspace.settings().language());
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(m_card);
  row->addWidget(makeFigure(), 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(10);
  layout->addWidget(makeTools());
  layout->addWidget(m_notice);
  layout->addLayout(row, 1);
  m_card->setDepth(m_progress.depth);
  connect(m_card, &CardPanel::lessonChosen, this, &LessonsPage::openLesson);
  connect(m_card, &CardPanel::depthChosen, this, &LessonsPage::setDepth);
  connect(m_card, &CardPanel::nextRequested, this, &LessonsPage::next);
  connect(m_card, &CardPanel::backRequested, this, &LessonsPage::back);
  connect(m_card, &CardPanel::returnRequested, this, [this] { setSpot(spotOfItem()); });
  connect(m_card->question(), &QuestionPanel::solved, this, [this] {
    m_progress.solved[toQt(m_lesson.id)].insert(m_item - static_cast<int>(m_lesson.cards.size()));
    keep();
    fillLessons();
    showPlace();
    setFocus();  // Space goes on
  });
  connect(&m_library, &LessonLibrary::changed, this, &LessonsPage::lessonsChanged);
  connect(&m_library, &LessonLibrary::broken, this, [this](const QString& problem) {
    if (!problem.isEmpty()) {
      m_notice->show(widgets::Notice::Kind::Bad, problem);
    } else if (m_notice->property("lessonFile").toBool()) {
      m_notice->hide();
    }
    m_notice->setProperty("lessonFile", !problem.isEmpty());
  });
  connect(&m_workspace.engine(), &JobRunner::jobsChanged, this, [this] {
    if (m_hasBegun) sayWaiting();
  });
  makeActions();
  refreshTools();
}

void LessonsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  begin();
}

void LessonsPage::hideEvent(QHideEvent* event) {
  Page::hideEvent(event);
  // Another page was chosen: the window has its rail again.
  if (window()->isVisible()) setPresenting(false);
}

void LessonsPage::begin() {
  if (m_hasBegun) return;
  m_hasBegun = true;
  m_library.setFolder(m_workspace.settings().dataFolder() + QStringLiteral("/lessons"));
  m_library.read();
  loadModel();
}

void LessonsPage::loadModel() {
  m_workspace.engine().start<std::shared_ptr<const Model>>(
      tr("Open the lesson model"),
      [path = sampleModel(QStringLiteral("lesson"))](JobContext& context) {
        return loadLessonModel(path, context.stop());
      },
      this,
      [this](Result<std::shared_ptr<const Model>>& model) {
        if (!model) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(model.error()));
          return;
        }
        m_model = *model;
        if (!m_lesson.id.empty()) makePasses();
      },
      /*quiet=*/true);
}

void LessonsPage::lessonsChanged() {
  fillLessons();
  if (m_library.lessons().empty()) return;
  const int before =
      m_lesson.id.empty() ? m_library.indexOf(toStd(m_progress.lesson)) : m_library.indexOf(m_lesson.id);
  showLesson(std::max(0, before));
}

void LessonsPage::fillLessons() {
  QStringList titles;
  for (const Lesson& lesson : m_library.lessons()) {
    const auto solved = m_progress.solved.value(toQt(lesson.id)).size();
    const bool isDone =
        !lesson.questions.empty() && solved == static_cast<qsizetype>(lesson.questions.size());
    titles.append(QStringLiteral("%1  %2%3")
                      .arg(lesson.number)
                      .arg(toQt(lesson.title.in(m_isChinese)), isDone ? QStringLiteral("  ✓") : QString()));
  }
  m_card->setLessons(titles, m_lessonIndex);
}

void LessonsPage::openLesson(int index) {
  if (index < 0 || index >= static_cast<int>(m_library.lessons().size())) return;
  setFocus();
  showLesson(index);
}

void LessonsPage::showLesson(int index) {
  m_passes = nullptr;
  m_card->question()->forget();
  m_lesson = m_library.lessons()[static_cast<size_t>(index)];
  m_lessonIndex = index;
  m_progress.lesson = toQt(m_lesson.id);
  m_item = std::clamp(m_progress.at.value(m_progress.lesson), 0, itemCount() - 1);
  fillLessons();
  showItem();
  makePasses();
}

void LessonsPage::makePasses() {
  if (m_model == nullptr) return;
  if (m_tracing != nullptr) m_tracing->stop();  // of a lesson that nobody waits for any more
  auto* job = m_workspace.engine().start<PassesPointer>(
      tr("Trace the lesson's passes"),
      [model = m_model, lesson = m_lesson](JobContext& context) -> Result<PassesPointer> {
        ORTHROS_TRY(LessonPasses passes, LessonPasses::make(model, lesson, context.stop()));
        return std::make_shared<const LessonPasses>(std::move(passes));
      },
      this,
      [this, number = ++m_asked](Result<PassesPointer>& passes) {
        if (number != m_asked) return;
        m_tracing = nullptr;
        if (!passes) {
          m_waiting->hide();
          m_notice->show(widgets::Notice::Kind::Bad,
                         toQt(m_lesson.title.in(m_isChinese)) + QStringLiteral(": ") + toQt(passes.error()));
          return;
        }
        m_passes = *passes;
        showItem();
        Q_EMIT ready();
      },
      /*quiet=*/true);
  m_tracing = job;
}

// The engine does one thing after another: what is before the lesson has a name and can be stopped.
void LessonsPage::sayWaiting() {
  m_waiting->setVisible(!isReady());
  if (isReady()) return;
  QString before;
  for (const Job* job : m_workspace.engine().jobs()) {
    if (job == m_tracing) before.clear();                                // newer ones come later
    if (job->isActive() && !job->isQuiet()) before = job->view().title;  // the oldest is at work
  }
  m_waiting->setText(before.isEmpty()
                         ? QString()
                         : tr("The stage and the numbers wait for: %1. Ctrl+. stops it.").arg(before));
}

std::optional<PassSource> LessonsPage::source() const {
  if (!isReady()) return {};
  return m_passes->source();
}

StageSpot LessonsPage::spotOf(const Moment& moment, const PassSetting& setting, int64_t row,
                              int64_t head) const {
  StageSpot spot{moment, setting, row, head};
  if (!isReady()) return spot;
  const int64_t tokens = m_passes->trace(setting).num_tokens();
  if (spot.row < 0 || spot.row >= tokens) spot.row = tokens - 1;
  spot.moment.layer = std::min<int64_t>(spot.moment.layer, std::ssize(m_passes->trace(setting).layers) - 1);
  return spot;
}

void LessonsPage::goTo(int item) {
  if (item < 0 || item >= itemCount()) return;
  m_item = item;
  m_card->question()->forget();
  showItem();
}

void LessonsPage::showItem() {
  const QWidget* focus = QApplication::focusWidget();
  const bool hasKeys = hasFocus() || isAncestorOf(focus);
  const bool wasAnswering = m_card->question()->isAncestorOf(focus);
  m_progress.at.insert(toQt(m_lesson.id), m_item);
  keep();
  m_isTaskDone = false;
  m_done.clear();
  m_card->setTitle(toQt(m_lesson.title.in(m_isChinese)), toQt(m_lesson.goal.in(m_isChinese)));
  m_spot = spotOfItem();
  if (isQuestion()) {
    askQuestion();
  } else {
    showCard();
  }
  showPlace();
  showSpot();
  if (hasKeys && asksForKeys()) {
    m_card->question()->focusAnswer();
  } else if (wasAnswering) {
    setFocus();
  }
  updateKeys();
}

StageSpot LessonsPage::spotOfItem() const {
  if (isQuestion()) {
    const LessonQuestion& question = m_lesson.questions[static_cast<size_t>(m_item) - m_lesson.cards.size()];
    return spotOf(question.moment, question.setting, -1, 0);
  }
  const LessonCard& card = m_lesson.cards[static_cast<size_t>(m_item)];
  return spotOf(card.moment, card.setting, card.row, card.head);
}

void LessonsPage::sayMoved() {
  const Moment& at = m_spot.moment;
  const auto step = static_cast<int>(at.step);
  QString where;
  if (at != spotOfItem().moment) {
    where = step < kStepsOfLayer ? tr("The picture is at layer %1, step %2.").arg(at.layer + 1).arg(step + 1)
                                 : tr("The picture is at the end, step %1.").arg(step - kStepsOfLayer + 1);
  }
  m_card->setMoved(where, isQuestion() ? tr("Back to the question (Home)") : tr("Back to the card (Home)"));
}

// Where this is in the lesson, and what comes next.
void LessonsPage::showPlace() {
  const auto cards = static_cast<int>(m_lesson.cards.size());
  const auto questions = static_cast<int>(m_lesson.questions.size());
  m_card->setPlace(isQuestion()
                       ? tr("Question %1 of %2 · %3 right")
                             .arg(m_item - cards + 1)
                             .arg(questions)
                             .arg(m_progress.solved.value(toQt(m_lesson.id)).size())
                       : tr("Card %1 of %2, then %3 questions").arg(m_item + 1).arg(cards).arg(questions));
  QString next = tr("Next"), tip;
  if (m_item + 1 == itemCount()) {
    const bool isLast = m_lessonIndex + 1 == static_cast<int>(m_library.lessons().size());
    const Lesson& following = m_library.lessons()[static_cast<size_t>(isLast ? 0 : m_lessonIndex + 1)];
    next = isLast ? tr("To the first lesson") : tr("Next lesson");
    tip = QStringLiteral("%1  %2").arg(following.number).arg(toQt(following.title.in(m_isChinese)));
  }
  m_card->setWays(m_item > 0, next, tip);
}

void LessonsPage::showCard() {
  const LessonCard& card = m_lesson.cards[static_cast<size_t>(m_item)];
  const std::optional<PassSource> source = this->source();
  const auto text = [&](LessonDepth depth) {
    if (static_cast<int>(depth) > static_cast<int>(m_progress.depth)) return QString();
    return liveText(card.text[static_cast<size_t>(depth)].in(m_isChinese), card.setting, source);
  };
  QString nothingMore;
  if (card.text[static_cast<size_t>(m_progress.depth)].en.empty())
    nothingMore = m_progress.depth == LessonDepth::shapes ? tr("This card has no shapes to show.")
                                                          : tr("This card has no numbers to show.");
  m_card->showCard({text(LessonDepth::idea), text(LessonDepth::shapes), text(LessonDepth::numbers),
                    nothingMore, liveText(card.task.in(m_isChinese), card.setting, source), m_isTaskDone});
}

void LessonsPage::askQuestion() {
  const LessonQuestion question = m_lesson.questions[static_cast<size_t>(m_item) - m_lesson.cards.size()];
  const std::optional<PassSource> source = this->source();
  const PassesPointer passes = m_passes;
  m_card->showQuestion()->ask(
      question, liveText(question.text.in(m_isChinese), question.setting, source),
      liveText(question.why.in(m_isChinese), question.setting, source),
      passes ? static_cast<int>(passes->trace(question.setting).num_tokens()) : 0, m_isChinese,
      [question, passes](const QuantityValue& answer) -> Result<bool> {
        if (passes == nullptr)
          return fail(Error{ErrorCode::cancelled, toStd(tr("The engine is at work")), {}});
        return grade(question, answer, passes->source());
      });
}

int LessonsPage::moveMs() const {
  return widgets::isMotionReduced() ? 0 : qRound(kMoveMs / m_progress.speed);
}

void LessonsPage::setSpot(const StageSpot& spot) {
  if (!isReady() || spot == m_spot) return;
  const StageSpot before = std::exchange(m_spot, spot);
  showSpot();
  tellChanges(before);
}

// A key that changes nothing has done nothing.
void LessonsPage::tellChanges(const StageSpot& before) {
  const int64_t layers = std::ssize(m_passes->trace(m_spot.setting).layers);
  const int64_t moved = index_of(m_spot.moment, layers) - index_of(before.moment, layers);
  if (moved != 0) did(moved > 0 ? QStringLiteral("step:on") : QStringLiteral("step:back"));
  if (m_spot.row != before.row) {
    did(QStringLiteral("row:%1").arg(m_spot.row + 1));
    const LayerTrace& layer =
        m_passes->trace(m_spot.setting).layers[static_cast<size_t>(m_spot.moment.layer)];
    for (int64_t key = 0; key <= m_spot.row; ++key) {
      if (layer.window.sees(m_spot.row, key)) did(QStringLiteral("window:%1").arg(key + 1));
    }
  }
  const auto flag = [this](const char* name, bool was, bool is) {
    if (was != is) did(QLatin1String(name) + (is ? QStringLiteral(":on") : QStringLiteral(":off")));
  };
  if (m_spot.head != before.head) did(QStringLiteral("head"));
  if (m_spot.setting.regime != before.setting.regime)
    did(QStringLiteral("regime:") + QLatin1String(to_string(m_spot.setting.regime)));
  flag("output", before.setting.output_on, m_spot.setting.output_on);
  flag("scale_offset", before.setting.scale_offset, m_spot.setting.scale_offset);
}

void LessonsPage::showSpot(bool cut) {
  sayWaiting();
  sayMoved();
  refreshTools();
  m_equation->setEquations(equationsOf(m_spot.moment, m_spot.setting.scale_offset));
  if (!isReady()) {
    m_stage->showMoment({}, 0);
    m_equation->setStory({});
    m_equation->setTable({}, {});
    return;
  }
  QStringList highlight;
  if (!isQuestion()) {
    const LessonCard& card = m_lesson.cards[static_cast<size_t>(m_item)];
    if (card.moment == m_spot.moment) highlight = namesOf(card.highlight);
  }
  m_stage->showMoment(stageDataOf(*m_passes, m_spot, highlight), cut ? 0 : moveMs());
  const int64_t layers = std::ssize(m_passes->trace(m_spot.setting).layers);
  m_steps->setCurrent(static_cast<int>(index_of(m_spot.moment, layers)));
  showEquation();
}

void LessonsPage::showEquation() {
  const auto story = storyOf(*m_passes, m_spot, m_stage->pointed());
  if (story) {
    m_equation->setStory({toQt(story->name), toQt(story->formula), toQt(story->operands),
                          toQt(story_number(story->value)), story->name.find('\'') != std::string::npos});
  } else {
    m_equation->setStory({});
  }
  const Ledger ledger = ledger_at(m_passes->config(), m_passes->trace(m_spot.setting), m_spot.moment);
  using widgets::formatCount;
  m_equation->setTable(
      tr("Ledger up to here"),
      {{tr("rows of x, x′"),
        formatCount(ledger.base_rows) + QStringLiteral(", ") + formatCount(ledger.output_rows), tr("rows")},
       {tr("x has read"), formatCount(ledger.base_keys), tr("keys")},
       {tr("x′ has read"), formatCount(ledger.output_keys), tr("keys")},
       {tr("full attention"), formatCount(ledger.full_keys), tr("keys")},
       {tr("work so far"), widgets::formatShort(ledger.flop), tr("FLOP")},
       {tr("Transformer, whole"), widgets::formatShort(ledger.full_flop), tr("FLOP")}});
}

void LessonsPage::pointedAt(const widgets::StageTarget& target) {
  if (!isReady()) return;
  using Kind = widgets::StageTarget::Kind;
  static const QHash<Kind, QString> names{{Kind::Base, QStringLiteral("x")},
                                          {Kind::Output, QStringLiteral("x'")},
                                          {Kind::Slot, QStringLiteral("shelf")}};
  const QString name = target.kind == Kind::Weight ? target.weight : names.value(target.kind);
  m_equation->setLit(name);
  showEquation();
  if (name.isEmpty()) return;
  // A number of a cell or a place of the shelf; a lane alone has no position.
  const bool isPlace = target.position >= 0 && (target.kind == Kind::Slot || target.column >= 0);
  did(QStringLiteral("point:") + name +
      (isPlace ? QStringLiteral(":%1").arg(target.position + 1) : QString()));
}

void LessonsPage::chosen(const widgets::StageTarget& target) {
  if (!isReady() || target.position < 0) return;
  if (isQuestion()) {
    m_card->question()->togglePosition(target.position);
    return;
  }
  moveRow(target.position - static_cast<int>(m_spot.row));
}

// A card's task is done by doing all that it names.
void LessonsPage::did(const QString& event) {
  if (m_lesson.id.empty() || isQuestion() || m_isTaskDone) return;
  m_done.insert(event);
  const auto hasHappened = [this](const std::string& wanted) {
    return std::ranges::any_of(m_done, [&](const QString& one) { return is_event(toStd(one), wanted); });
  };
  if (!std::ranges::all_of(m_lesson.cards[static_cast<size_t>(m_item)].done, hasHappened)) return;
  m_isTaskDone = true;
  showCard();
}

void LessonsPage::keep() {
  m_workspace.settings().setLessonProgress(m_progress.toText());
}

bool LessonsPage::escape() {
  if (m_side->currentIndex() == 1) {
    showGlossary(false);
    return true;
  }
  if (!m_isPresenting) return false;
  setPresenting(false);
  return true;
}

void LessonsPage::prepareForPicture() {
  const auto show = [this] {
    const QStringList parts = m_picture.split(QLatin1Char('/'));
    if (parts.size() > 1) goTo(parts[1].toInt() - 1);
    const QString how = parts.value(2);
    if (how == u"presenter") setPresenting(true, /*fullScreen=*/false);
    if (how == u"numbers") {
      setDepth(LessonDepth::numbers);
      widgets::StageTarget target;
      target.kind = widgets::StageTarget::Kind::Slot;
      target.position = 1;
      m_stage->setPointed(target);
    }
    if (how == u"glossary") showGlossary(true);
    showSpot(/*cut=*/true);
    QTimer::singleShot(0, this, &Page::readyForPicture);
  };
  const auto open = [this, show] {
    const int wanted = m_picture.section(QLatin1Char('/'), 0, 0).toInt() - 1;
    if (wanted >= 0 && wanted != m_lessonIndex && wanted < static_cast<int>(m_library.lessons().size())) {
      connect(this, &LessonsPage::ready, this, show, Qt::SingleShotConnection);
      openLesson(wanted);
    } else {
      show();
    }
  };
  if (isReady()) {
    open();
  } else {
    connect(this, &LessonsPage::ready, this, open, Qt::SingleShotConnection);
    begin();
  }
}

}  // namespace orthros::studio
