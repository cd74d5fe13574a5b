// Chips: flow, keys, alternatives, copy.
#include "widgets/token_chips.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/alternatives_popup.h"

namespace orthros::widgets {

class TokenChipsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void wrapsInsideTheView();
  void newLineBreaksTheLine();
  void arrowsWalkAndEscapeLetsGo();
  void clickOnAnAlternativeBranches();
  void copyGivesTheBytes();
  void longTokenIsNotWiderThanTheView();

 private:
  TokenChip chip(const QByteArray& bytes, qint64 id = 1) const;
  TokenChips* m_view = nullptr;
};

TokenChip TokenChipsTest::chip(const QByteArray& bytes, qint64 id) const {
  TokenChip chip;
  chip.id = id;
  chip.bytes = bytes;
  chip.probability = 0.5;
  chip.alternatives = {{id, bytes, 0.5}, {id + 100, "other", 0.25}};
  return chip;
}

void TokenChipsTest::init() {
  m_view = new TokenChips;
  m_view->resize(300, 400);
  m_view->show();
}

void TokenChipsTest::cleanup() {
  delete m_view;
}

void TokenChipsTest::wrapsInsideTheView() {
  for (int i = 0; i < 60; ++i) m_view->addChip(chip(" word", i));
  const int right = m_view->viewport()->width();
  bool several = false;
  for (int i = 0; i < 60; ++i) {
    QVERIFY(m_view->chipRect(i).right() <= right);
    several = several || m_view->chipRect(i).top() > m_view->chipRect(0).top();
    for (int j = 0; j < i; ++j) QVERIFY(!m_view->chipRect(i).intersects(m_view->chipRect(j)));
  }
  QVERIFY(several);
}

void TokenChipsTest::newLineBreaksTheLine() {
  m_view->addChip(chip("a\n"));
  m_view->addChip(chip("b"));
  QVERIFY(m_view->chipRect(1).top() > m_view->chipRect(0).bottom());
  QCOMPARE(m_view->chipRect(1).left(), m_view->chipRect(0).left());
}

void TokenChipsTest::arrowsWalkAndEscapeLetsGo() {
  for (int i = 0; i < 3; ++i) m_view->addChip(chip("x", i));
  QTest::keyClick(m_view, Qt::Key_Right);
  QTest::keyClick(m_view, Qt::Key_Right);
  QCOMPARE(m_view->current(), 1);
  auto* popup = m_view->findChild<AlternativesPopup*>();
  QVERIFY(popup != nullptr && popup->isVisible());
  QTest::keyClick(m_view, Qt::Key_Escape);
  QCOMPARE(m_view->current(), -1);
  QVERIFY(!popup->isVisible());
}

void TokenChipsTest::clickOnAnAlternativeBranches() {
  m_view->addChip(chip("x", 7));
  QSignalSpy spy(m_view, &TokenChips::branchRequested);
  QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->chipRect(0).center());
  auto* popup = m_view->findChild<AlternativesPopup*>();
  QVERIFY(popup != nullptr && popup->isVisible());
  QTest::mouseClick(popup, Qt::LeftButton, {}, QPoint(40, popup->height() - 20));
  QCOMPARE(spy.size(), 1);
  QCOMPARE(spy[0][0].toInt(), 0);
  QCOMPARE(spy[0][1].toLongLong(), 107);
}

void TokenChipsTest::copyGivesTheBytes() {
  m_view->addTurn(QStringLiteral("question"));
  m_view->addChip(chip(" a"));
  m_view->addChip(chip("\nb"));
  QTest::keySequence(m_view, QKeySequence(QKeySequence::Copy));
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral(" a\nb"));
}

void TokenChipsTest::longTokenIsNotWiderThanTheView() {
  m_view->addChip(chip(QByteArray(200, 'w')));
  QVERIFY(m_view->chipRect(0).right() <= m_view->viewport()->width());
}

ORTHROS_QT_TEST(TokenChipsTest);

}  // namespace orthros::widgets

#include "token_chips_test.moc"
