// The token strip of the attention page: frames by a pattern, with what is wrong told beside the box.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/bookmark.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

class AttentionStripTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void framesByAPattern();
  void aMistakeIsToldBesideTheBox();
  void bookmarkKeepsTheFrames();
};

void AttentionStripTest::framesByAPattern() {
  AttentionPage* page = look();
  auto* heat = m_window->findChild<widgets::TokenHeat*>();
  const size_t tokens = heat->units().size();
  auto* box = find<QLineEdit>("stripPattern");
  QVERIFY(!box->isVisible());
  heat->setFocus();
  QTest::keyClick(heat, Qt::Key_W);
  QVERIFY(box->isVisible() && box->hasFocus());
  QCOMPARE(find<QComboBox>("stripUnits")->currentIndex(), 4);
  QCOMPARE(heat->units().size(), tokens);  // no pattern yet
  QTest::keyClicks(box, QStringLiteral("the \\w+"));
  QTRY_COMPARE(find<QLabel>("stripPatternNote")->text(), QStringLiteral("matches: 4"));
  qsizetype matches = 0;
  for (size_t i = 0; i < heat->units().size(); ++i) matches += heat->units()[i].isMatch ? 1 : 0;
  QCOMPARE(matches, 4);
  QVERIFY(heat->units().size() < tokens);
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::Light, widgets::ThemeMode::Dark}) {
    widgets::ThemeHub::instance().apply(mode);
    picture(m_window.get(), mode == widgets::ThemeMode::Dark ? "pattern-dark" : "pattern");
  }
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  QVERIFY(page->escape());
  QVERIFY(heat->hasFocus());
}

void AttentionStripTest::aMistakeIsToldBesideTheBox() {
  look();
  auto* heat = m_window->findChild<widgets::TokenHeat*>();
  auto* box = find<QLineEdit>("stripPattern");
  auto* note = find<QLabel>("stripPatternNote");
  QTest::keyClick(heat, Qt::Key_W);
  QTest::keyClicks(box, QStringLiteral("cat|dog"));
  QTest::keyClick(box, Qt::Key_Return);
  const size_t good = heat->units().size();
  QTest::keyClicks(box, QStringLiteral("|(the"));
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY2(note->text().contains(QStringLiteral("at character 13")), qPrintable(note->text()));
  QVERIFY(note->isVisible());
  QCOMPARE(note->property("kind").toString(), QStringLiteral("warning"));
  QVERIFY(box->accessibleDescription().contains(QStringLiteral("character 13")));
  QCOMPARE(heat->units().size(), good);
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::Light, widgets::ThemeMode::Dark}) {
    widgets::ThemeHub::instance().apply(mode);
    picture(m_window.get(), mode == widgets::ThemeMode::Dark ? "pattern-bad-dark" : "pattern-bad");
  }
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  QTest::keyClicks(box, QStringLiteral(")"));
  QTRY_VERIFY(note->text().startsWith(QStringLiteral("matches: ")));
  QVERIFY(heat->units().size() <= good);  // as many tokens in as many frames, or fewer
}

void AttentionStripTest::bookmarkKeepsTheFrames() {
  AttentionPage* page = look();
  auto* heat = m_window->findChild<widgets::TokenHeat*>();
  QTest::keyClick(heat, Qt::Key_W);
  QTest::keyClicks(find<QLineEdit>("stripPattern"), QStringLiteral("on \\w+ \\w+"));
  QTest::keyClick(find<QLineEdit>("stripPattern"), Qt::Key_Return);
  const size_t frames = heat->units().size();
  QSignalSpy written(page, &AttentionPage::exported);
  const QString path = m_folder->filePath(QStringLiteral("mark.json"));
  page->exportTo(path);
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience);
  const auto mark = readBookmark(path);
  QVERIFY(mark.has_value());
  QCOMPARE(mark->units, widgets::Granularity::Pattern);
  QCOMPARE(mark->pattern, QStringLiteral("on \\w+ \\w+"));
  find<QComboBox>("stripUnits")->setCurrentIndex(0);
  find<QLineEdit>("stripPattern")->clear();
  QVERIFY(heat->units().size() != frames);
  QSignalSpy spy(page, &AttentionPage::captured);
  page->openBookmark(path);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  QCOMPARE(find<QComboBox>("stripUnits")->currentIndex(), 4);
  QCOMPARE(heat->units().size(), frames);
}

ORTHROS_QT_TEST(AttentionStripTest);

}  // namespace orthros::studio

#include "attention_strip_test.moc"
