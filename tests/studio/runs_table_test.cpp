// The table behind the Runs page: rows are merged without a reset, filtered and sorted; arms have short
// names.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "app/studio/pages/runs/run_row.h"
#include "app/studio/pages/runs/run_table_model.h"
#include "tests/support/qt_test.h"

namespace orthros::studio {
namespace {

QStringList words(std::initializer_list<const char*> texts) {
  QStringList list;
  for (const char* text : texts) list.append(QString::fromLatin1(text));
  return list;
}

RunRow rowNamed(const char* name, int day, const char* kind = "niah", const char* status = "done") {
  RunRow row;
  row.id = day;
  row.uuid = QStringLiteral("%1-uuid").arg(QLatin1String(name));
  row.name = QString::fromLatin1(name);
  row.kind = QLatin1String(kind);
  row.status = QLatin1String(status);
  row.created = QDateTime(QDate(2026, 1, day), QTime(12, 0));
  return row;
}

QStringList namesOf(const QAbstractItemModel& model) {
  QStringList names;
  for (int row = 0; row < model.rowCount(); ++row)
    names.append(model.index(row, RunTableModel::Name).data().toString());
  return names;
}

}  // namespace

class RunsTableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void listsAreMerged();
  void filtersAndSorts();
  void armsHaveShortNames();
};

void RunsTableTest::listsAreMerged() {
  RunTableModel model;
  RunFilter filter;
  filter.setSourceModel(&model);
  const QAbstractItemModelTester modelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester filterTester(&filter,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
  filter.sort(RunTableModel::When, Qt::DescendingOrder);
  model.setRows({rowNamed("d", 4), rowNamed("b", 2)});
  const QPersistentModelIndex kept = filter.index(1, 0);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  QList<RunRow> rows{rowNamed("f", 6), rowNamed("e", 5), rowNamed("d", 4),
                     rowNamed("c", 3), rowNamed("b", 2), rowNamed("a", 1)};
  model.setRows(rows);
  QCOMPARE(namesOf(model), words({"f", "e", "d", "c", "b", "a"}));
  QCOMPARE(kept.data(RunTableModel::UuidRole).toString(), QStringLiteral("b-uuid"));
  QCOMPARE(changed.size(), 0);
  rows[4].tags = QStringLiteral("mine");
  model.setRows(rows);
  QCOMPARE(changed.size(), 1);
  QCOMPARE(changed[0][0].toModelIndex().row(), 4);
  std::swap(rows[0], rows[2]);
  model.setRows(rows);
  QCOMPARE(namesOf(model), words({"d", "e", "f", "c", "b", "a"}));
  std::swap(rows[0], rows[2]);
  model.setRows({rows[1], rows[4]});
  QCOMPARE(namesOf(filter), words({"e", "b"}));
  QCOMPARE(model.tags(), words({"mine"}));
  model.setRows({});
  QVERIFY(!kept.isValid());
  QCOMPARE(reset.size(), 0);  // a reset would lose the selection
}

void RunsTableTest::filtersAndSorts() {
  RunTableModel model;
  RunFilter filter;
  filter.setSourceModel(&model);
  QList<RunRow> rows{rowNamed("Needle", 3), rowNamed("sweep", 2, "latency", "cancelled"),
                     rowNamed("answer", 1, "prompt")};
  rows[0].tags = QStringLiteral("paper, w128");
  rows[0].figureValue = 0.5;
  rows[0].models = QStringLiteral("needle-orthros: Orthros w=32 s=0");
  rows[1].figureValue = 80;
  rows[1].starred = true;
  rows[2].figureValue = 9;
  model.setRows(rows);
  filter.sort(RunTableModel::Figure, Qt::DescendingOrder);  // by number, not by text
  QCOMPARE(namesOf(filter), words({"sweep", "answer", "Needle"}));
  filter.sort(RunTableModel::Name, Qt::AscendingOrder);  // whatever the case
  QCOMPARE(namesOf(filter), words({"answer", "Needle", "sweep"}));
  QVERIFY(!filter.isFiltering());
  filter.setKind(QStringLiteral("latency"));
  QCOMPARE(namesOf(filter), words({"sweep"}));
  filter.setKind({});
  filter.setStatus(QStringLiteral("unfinished"));
  QCOMPARE(namesOf(filter), words({"sweep"}));
  filter.setStatus(QStringLiteral("done"));
  QCOMPARE(namesOf(filter), words({"answer", "Needle"}));
  filter.setStatus({});
  filter.setTag(QStringLiteral("w128"));
  QCOMPARE(namesOf(filter), words({"Needle"}));
  filter.setTag(QStringLiteral("w12"));
  QCOMPARE(filter.rowCount(), 0);
  filter.setTag({});
  filter.setText(QStringLiteral("ORTHROS paper"));
  QCOMPARE(namesOf(filter), words({"Needle"}));
  filter.setText(QStringLiteral("orthros sweep"));
  QCOMPARE(filter.rowCount(), 0);
  filter.setText(QStringLiteral("answer-uu"));
  QCOMPARE(namesOf(filter), words({"answer"}));
  filter.setText({});
  filter.setStarred(true);
  QCOMPARE(namesOf(filter), words({"sweep"}));
}

void RunsTableTest::armsHaveShortNames() {
  using Short = std::pair<QString, QStringList>;
  QCOMPARE(shortArms(words({"m, Transformer", "m, SWA w=4 s=0"})),
           (Short{QStringLiteral("m"), words({"Transformer", "SWA w=4 s=0"})}));
  QCOMPARE(shortArms(words({"a, Transformer", "b, Orthros w=4 s=0"})), (Short{{}, words({"a", "b"})}));
  QCOMPARE(shortArms(words({"a, X", "a, Y", "b, X"})), (Short{{}, words({"a, X", "a, Y", "b, X"})}));
  QCOMPARE(shortArms(words({"lesson"})), (Short{{}, words({"lesson"})}));
  QCOMPARE(shortArms({}), (Short{{}, {}}));
}

ORTHROS_QT_TEST(RunsTableTest);

}  // namespace orthros::studio

#include "runs_table_test.moc"
