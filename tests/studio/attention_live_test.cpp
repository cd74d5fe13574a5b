// Following a decode in the real window on a tiny model: every step is there, a pin stays, Stop and Keep keep
// what was recorded, and the recording opens again without the model.
#include <QLabel>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSpinBox>

#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/live_follow.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/step_timeline.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

class AttentionLiveTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void everyStepIsRecordedAndShown();
  void moreThanTwoHundredStepsAreAllThere();
  void aPinStaysWhileStepsCome();
  void stopKeepsWhatWasRecordedAndItOpensAgain();
  void keepingGoesOnWhileStepsCome();
  void whatDoesNotFitIsRefused();
  void theNewestDrawingWins();

 private:
  AttentionPage* open(int tokens);
  void waitForDrawings() const { QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience); }
  static void verifyWhole(const AttentionCapture& capture);
};

AttentionPage* AttentionLiveTest::open(int tokens) {
  load();
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setText(QStringLiteral("the cat sat on the mat and the dog sat on the cat"));
  find<QSpinBox>("attentionWindow")->setValue(4);
  find<QSpinBox>("attentionSinks")->setValue(2);
  find<QSpinBox>("attentionNewTokens")->setValue(tokens);
  return page;
}

// No step is missing, and all that goes with a step is there.
void AttentionLiveTest::verifyWhole(const AttentionCapture& capture) {
  const AttentionRecord& record = capture.record;
  QVERIFY(capture.isDecode());
  QCOMPARE(capture.said.size(), record.steps.size());
  QCOMPARE(std::ssize(capture.ids), record.num_keys);
  QCOMPARE(capture.tokens.size(), static_cast<qsizetype>(record.num_keys));
  for (size_t i = 0; i < record.steps.size(); ++i) {
    QCOMPARE(record.steps[i]->position, record.steps.front()->position + static_cast<int64_t>(i));
    QCOMPARE(record.steps[i]->id, capture.ids[static_cast<size_t>(record.steps[i]->position)]);
    if (i > 0) QCOMPARE(record.steps[i]->id, capture.said[i - 1].id);
    QVERIFY(record.steps[i]->check.sum <= kRowTolerance);
  }
}

void AttentionLiveTest::everyStepIsRecordedAndShown() {
  AttentionPage* page = open(24);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  QTest::keyClick(page, Qt::Key_F);
  QVERIFY(page->isFollowing());
  QCOMPARE(find<QPushButton>("attentionFollow")->text(), QStringLiteral("Stop"));
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  QVERIFY(!page->isFollowing());
  const AttentionCapture& capture = *page->capture();
  verifyWhole(capture);
  const auto steps = static_cast<qsizetype>(capture.record.steps.size());
  QVERIFY(steps > 1);
  QCOMPARE(page->query(), capture.lastPosition());
  QVERIFY(find<QLabel>("inspectorLamp")->text().contains(QStringLiteral("hold")));
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(QString::number(capture.lastPosition())));
  page->views()->setView(HeadViews::AllRows);
  waitForDrawings();
  const widgets::PairData* pair = find<widgets::PairView>("pairView")->data();
  QCOMPARE(std::ssize(pair->positions), steps);  // one row a step
  QCOMPARE(pair->output.rows(), steps);
  QCOMPARE(pair->keys, static_cast<qint64>(capture.record.num_keys));
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  const auto row = capture.record.row(StreamKind::output, atlas->layer(), atlas->head(), page->query());
  for (size_t key = 0; key < row.size(); ++key)
    QCOMPARE(pair->output.at(steps - 1, static_cast<qsizetype>(key)), row[key]);
  picture(m_window.get(), "live-rows");
  page->views()->setView(HeadViews::Timeline);
  waitForDrawings();
  auto* timeline = find<widgets::StepTimeline>("stepTimeline");
  QVERIFY(timeline->isVisible());
  QCOMPARE(static_cast<qsizetype>(timeline->series().points.size()), steps);
  for (const widgets::StepPoint& point : timeline->series().points) {
    QVERIFY(point.holds);
    QVERIFY(point.ms > 0 && point.recordMs <= point.ms);
    QVERIFY(point.beyond >= 0 && point.beyond <= 1 && point.entropy >= 0 && point.entropy <= 1.0001);
  }
  QVERIFY(timeline->readout(page->query()).contains(QStringLiteral("invariants hold")));
  picture(m_window.get(), "live-timeline");
  timeline->setFocus();
  QTest::keyClick(timeline, Qt::Key_Left);
  QCOMPARE(page->query(), capture.lastPosition() - 1);
  for (int view = 0; view < 5; ++view) {  // every view stands a recording
    page->views()->setView(static_cast<HeadViews::View>(view));
    waitForDrawings();
    m_window->grab();
  }
}

void AttentionLiveTest::moreThanTwoHundredStepsAreAllThere() {
  load();
  LiveSpec spec;
  spec.attention.model = m_workspace->currentModel()->model;
  spec.attention.text = "the cat sat";
  spec.attention.window = {4, 2};
  spec.maxTokens = 230;
  spec.endsAtEos = false;
  int64_t grown = 0;
  CapturePointer last;
  const auto result = followLive(spec, {}, {}, [&](CapturePointer capture) {
    ++grown;
    QCOMPARE(std::ssize(capture->record.steps), grown);  // one by one
    last = std::move(capture);
  });
  QVERIFY2(result.has_value(), result ? "" : result.error().line().c_str());
  QCOMPARE(grown, int64_t{230});
  verifyWhole(*last);
}

void AttentionLiveTest::aPinStaysWhileStepsCome() {
  AttentionPage* page = open(3000);
  QSignalSpy grown(page, &AttentionPage::followed);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  page->follow();
  QTRY_VERIFY_WITH_TIMEOUT(grown.size() >= 2 || ended.size() == 1, kPatience);
  const qint64 pin = page->capture()->record.steps.front()->position;
  page->pinQuery(pin);
  if (page->isFollowing()) {
    const auto before = grown.size();
    QTRY_VERIFY_WITH_TIMEOUT(grown.size() > before || ended.size() == 1, kPatience);
  }
  QCOMPARE(page->query(), pin);
  QVERIFY(page->escape());  // back to the newest
  QCOMPARE(page->query(), page->capture()->lastPosition());
  page->follow();  // stops, when it has not ended
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  QCOMPARE(page->query(), page->capture()->lastPosition());
}

void AttentionLiveTest::stopKeepsWhatWasRecordedAndItOpensAgain() {
  AttentionPage* page = open(3000);
  QSignalSpy grown(page, &AttentionPage::followed);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  QTest::mouseClick(find<QPushButton>("attentionFollow"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(grown.size() >= 1, kPatience);
  QTest::mouseClick(find<QPushButton>("attentionLook"), Qt::LeftButton);  // Stop is there too
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  const CapturePointer before = std::make_shared<const AttentionCapture>(*page->capture());
  verifyWhole(*before);
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QVERIFY(!find<QPushButton>("attentionKeep")->isEnabled());
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const auto again = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
  QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
  verifyWhole(*again);
  QCOMPARE(again->record.steps.size(), before->record.steps.size());
  QCOMPARE(again->tokens, before->tokens);
  QCOMPARE(again->record.level, CaptureLevel::c1);
  const int64_t last = before->lastPosition();
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    QCOMPARE(again->record.row(stream, 1, 1, last), before->record.row(stream, 1, 1, last));
    QCOMPARE(measuresAt(*again, stream, last)[3].beyond, measuresAt(*before, stream, last)[3].beyond);
  }
  QVERIFY(again->holds(StreamKind::output, 1, 1));
  page->setCapture(*again);
  for (int view = 0; view < 5; ++view) {
    page->views()->setView(static_cast<HeadViews::View>(view));
    waitForDrawings();
    m_window->grab();
  }
  QVERIFY(!find<QPushButton>("attentionKeep")->isEnabled());
}

void AttentionLiveTest::keepingGoesOnWhileStepsCome() {
  AttentionPage* page = open(60);
  QSignalSpy grown(page, &AttentionPage::followed);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  QSignalSpy kept(page, &AttentionPage::kept);
  page->follow();
  QTRY_VERIFY_WITH_TIMEOUT(grown.size() >= 1, kPatience);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const auto again = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
  QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
  QCOMPARE(again->record.steps.size(), page->capture()->record.steps.size());
  verifyWhole(*again);
}

void AttentionLiveTest::whatDoesNotFitIsRefused() {
  AttentionPage* page = open(100'000);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  page->follow();
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  auto* notice = find<widgets::Notice>("attentionNotice");
  QVERIFY2(notice->isVisible() && notice->text().contains(QStringLiteral("budget")),
           qPrintable(notice->text()));
  QVERIFY(page->capture() == nullptr);
  find<QSpinBox>("attentionNewTokens")->setValue(2);
  page->follow();  // and then it works
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, kPatience);
  verifyWhole(*page->capture());
}

void AttentionLiveTest::theNewestDrawingWins() {
  QObject receiver;
  NewestJob<int> drawings(&receiver);
  std::vector<int> shown;
  QSemaphore gate;
  const auto draw = [&](int number) {
    drawings.start(
        &m_workspace->files(), QStringLiteral("draw"),
        [number, &gate] {
          if (number == 0) gate.acquire();
          return number;
        },
        [&shown](int& done) { shown.push_back(done); });
  };
  for (int number = 0; number < 5; ++number) draw(number);
  gate.release();
  waitForDrawings();
  QCOMPARE(shown, std::vector<int>{4});  // what was overtaken is never shown
  draw(5);
  waitForDrawings();
  QCOMPARE(shown, (std::vector<int>{4, 5}));
}

ORTHROS_QT_TEST(AttentionLiveTest);

}  // namespace orthros::studio

#include "attention_live_test.moc"
