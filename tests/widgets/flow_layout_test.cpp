// What has no room in a row begins the next; what is hidden takes none.
#include "widgets/flow_layout.h"

#include <QTest>
#include <QWidget>

#include "tests/support/qt_test.h"

namespace orthros::widgets {

class FlowLayoutTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rowsBreakWhereTheRoomEnds();
};

void FlowLayoutTest::rowsBreakWhereTheRoomEnds() {
  QWidget parent;
  auto* layout = new FlowLayout(&parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(10);
  QList<QWidget*> boxes;
  for (const int high : {20, 40, 20}) {
    boxes.append(new QWidget(&parent));
    boxes.last()->setFixedSize(60, high);
    layout->addWidget(boxes.last());
  }
  QCOMPARE(layout->heightForWidth(200), 40);
  QCOMPARE(layout->heightForWidth(199), 70);  // two and one
  QCOMPARE(layout->heightForWidth(60), 100);  // one below the other
  parent.resize(199, 100);
  parent.show();
  QCOMPARE(boxes[0]->geometry(), QRect(0, 10, 60, 20));  // in the middle of its row
  QCOMPARE(boxes[1]->geometry(), QRect(70, 0, 60, 40));
  QCOMPARE(boxes[2]->geometry(), QRect(0, 50, 60, 20));
  boxes[1]->hide();
  QCOMPARE(layout->heightForWidth(199), 20);
}

ORTHROS_QT_TEST(FlowLayoutTest);

}  // namespace orthros::widgets

#include "flow_layout_test.moc"
