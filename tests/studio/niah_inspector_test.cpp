// Behind the maps of the NIAH page: the trials of a cell and their way to the attention explorer, measures
// and axes, figures, arms of one name.
#include "app/studio/pages/niah/niah_inspector.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include "app/studio/export_command.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/niah/niah_views.h"
#include "engine/base/sha256.h"
#include "tests/studio/niah_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"

namespace orthros::studio {

class NiahInspectorTest : public NiahFixture {
  Q_OBJECT
 private Q_SLOTS:
  void aCellOpensItsTrials();
  void theAttentionExplorerReadsTheSameIdsAsTheArm();
  void withoutTheModelThePromptIsNamedByItsIds();
  void measuresStandBelowWhatWasFound();
  void aRunWithItselfDiffersNowhere();
  void figuresArePrintedInLightColours();
  void theCommandDrawsTheSameFigure();
  void armsOfOneNameAreToldApart();

 private:
  void runNeedleModel();
  void lookAtCell(const char* map, widgets::NeedleIndex cell);
};

void NiahInspectorTest::runNeedleModel() {
  const quint64 id = open(sample("needle-orthros"));
  ask("256", "0, 50", 3, false);
  page()->form()->setArms(
      {{id, {}, {}, {}}, {id, Architecture::swa, {}, {}}, {id, Architecture::transformer, {}, {}}});
  runToItsEnd();
}

void NiahInspectorTest::lookAtCell(const char* name, widgets::NeedleIndex cell) {
  auto* map = find<widgets::NeedleMap>(name);
  QSignalSpy shown(page()->inspector(), &NiahInspector::shown);
  QTest::mouseClick(map, Qt::LeftButton, {}, map->cellRect(cell).center().toPoint());
  [&] { QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), kPatience); }();
}

void NiahInspectorTest::aCellOpensItsTrials() {
  runNeedleModel();
  auto* inspector = page()->inspector();
  QVERIFY(inspector->isHidden());
  lookAtCell("niahMap0", {0, 1});
  QVERIFY(inspector->isVisible());
  QCOMPARE(find<QLabel>("niahInspectorTitle")->text(), QStringLiteral("256 tokens, depth 50.00 %"));
  QCOMPARE(inspector->trials().size(), 3U);
  auto* table = find<QTableWidget>("niahTrialTable");
  QCOMPARE(table->rowCount(), 3);
  for (int row = 0; row < 3; ++row) {
    const NiahTrial& trial = inspector->trials()[static_cast<size_t>(row)];
    QVERIFY(trial.isHit() && trial.answer.contains(trial.expected));
    QVERIFY(trial.mass > trial.uniform && trial.headMass >= trial.mass);
    QCOMPARE(table->item(row, 0)->text(), QStringLiteral("✓"));
  }
  const NiahTrial first = inspector->trials().front();
  const QString facts = find<QLabel>("niahTrialFacts")->text();
  for (const QString& part :
       {QString(QStringLiteral("expected ") + first.expected), QStringLiteral("value_match/1"),
        QStringLiteral("ended by itself"), QStringLiteral("nats an id"),
        QStringLiteral("attention on the needle"), QStringLiteral("most in layer")})
    QVERIFY2(facts.contains(part), qPrintable(facts));
  auto* text = find<QPlainTextEdit>("niahTrialPrompt");
  const QString prompt = text->toPlainText();
  QVERIFY2(prompt.contains(first.expected) && prompt.count(QStringLiteral("The magic number of")) >= 2,
           qPrintable(prompt));
  QCOMPARE(text->extraSelections().size(), 1);
  QVERIFY(text->extraSelections()[0].cursor.selectedText().contains(first.expected));
  picture(m_window.get(), "niah-inspector");
  // The other arm, on the same prompts: it cannot see that far.
  QSignalSpy shown(inspector, &NiahInspector::shown);
  find<QComboBox>("niahInspectorArm")->setCurrentIndex(1);
  QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), kPatience);
  QCOMPARE(inspector->trials().size(), 3U);
  for (const NiahTrial& trial : inspector->trials()) QVERIFY(!trial.isHit());
  QCOMPARE(inspector->trials().front().expected, first.expected);
  QVERIFY(page()->escape());
  QVERIFY(inspector->isHidden());
}

void NiahInspectorTest::theAttentionExplorerReadsTheSameIdsAsTheArm() {
  runNeedleModel();
  auto* attention = static_cast<AttentionPage*>(m_window->page(QStringLiteral("attention")));
  const struct {
    const char* map;
    bool output;
    int64_t window;
    const char* caption;
  } arms[] = {{"niahMap0", true, 32, "Orthros, w 32"},
              {"niahMap1", false, 32, "SWA, w 32"},
              {"niahMap2", false, 0, "Transformer"}};
  for (const auto& arm : arms) {
    m_window->showPage(QStringLiteral("niah"));
    lookAtCell(arm.map, {0, 0});
    QVERIFY(find<QPushButton>("niahExplore")->isEnabled());
    const NiahTrial trial = page()->inspector()->trials().front();
    QSignalSpy captured(attention, &AttentionPage::captured);
    QTest::mouseClick(find<QPushButton>("niahExplore"), Qt::LeftButton);
    QCOMPARE(m_window->currentPage(), attention);
    QTRY_COMPARE_WITH_TIMEOUT(captured.size(), 1, kPatience);
    const AttentionCapture* capture = attention->capture();
    QVERIFY(capture != nullptr);
    const auto prompt = readNiahPrompt(m_workspace->settings().runStorePath(), trial.prompt, nullptr);
    QVERIFY(prompt.has_value());
    QCOMPARE(capture->ids, prompt->ids);
    QCOMPARE(capture->ids.size(), 256U);
    QCOMPARE(attention->query(), 255);  // the row that answers
    QCOMPARE(capture->record.has_output, arm.output);
    QCOMPARE(capture->record.window.window, arm.window);
    QVERIFY(captionOf(*capture, {}).contains(QStringLiteral("read as ") + QLatin1String(arm.caption)));
    // What the explorer shows of the needle is what the run measured.
    const std::vector<float> row =
        capture->record.row(arm.output ? StreamKind::output : StreamKind::base, trial.layer, trial.head, 255);
    double mass = 0;
    for (qint64 key = std::max<qint64>(prompt->begin, 4); key < prompt->end; ++key)
      mass += row[static_cast<size_t>(key)];
    QVERIFY2(std::abs(mass - trial.headMass) < 0.02, qPrintable(QString::number(mass)));
  }
  // A changed text is asked for itself.
  QSignalSpy captured(attention, &AttentionPage::captured);
  attention->setText(QStringLiteral("The magic number of David is 48213."));
  attention->primaryAction();
  QTRY_COMPARE_WITH_TIMEOUT(captured.size(), 1, kPatience);
  QVERIFY(attention->capture()->ids.size() < 64 && attention->capture()->record.has_output);
}

void NiahInspectorTest::withoutTheModelThePromptIsNamedByItsIds() {
  runNeedleModel();
  m_workspace->library().close(m_workspace->library().models().front().id);
  lookAtCell("niahMap0", {0, 0});
  QTRY_VERIFY_WITH_TIMEOUT(!find<QPlainTextEdit>("niahTrialPrompt")->toPlainText().isEmpty(), kPatience);
  QVERIFY(find<QPlainTextEdit>("niahTrialPrompt")->toPlainText().contains(QStringLiteral("of 256")));
  QVERIFY(!find<QPushButton>("niahExplore")->isEnabled());
}

void NiahInspectorTest::measuresStandBelowWhatWasFound() {
  runNeedleModel();
  auto* measure = find<widgets::NeedleMap>("niahMeasure0");
  QVERIFY(!measure->isVisible());
  find<QComboBox>("niahMeasure")->setCurrentIndex(1);
  QVERIFY(measure->isVisible() && find<widgets::NeedleMap>("niahMap0")->isVisible());
  const widgets::NeedleCell& cell = measure->data().cells[1];
  QCOMPARE(measure->cellText(cell), QString::number(cell.mass, 'g', 2));
  QCOMPARE(find<widgets::NeedleMap>("niahMap0")->cellText(cell), QStringLiteral("3/3"));
  find<QComboBox>("niahMeasure")->setCurrentIndex(2);
  QVERIFY(cell.logProbability < 0 && cell.logProbability > -1);
  QVERIFY(find<widgets::NeedleMap>("niahMeasure1")->data().cells[1].logProbability < -1);
  find<QAction>("niah-from-end")->setChecked(true);
  find<QAction>("niah-to-scale")->setChecked(true);
  const widgets::NeedleMapData& data = measure->data();
  QCOMPARE(data.window, 32);
  QCOMPARE(data.reach, 3 * 31 + 1);
  QVERIFY(data.fromEnd(0, 0) > data.fromEnd(0, 1) && data.fromEnd(0, 0) < 256);
  picture(m_window.get(), "niah-measures");
}

// Acceptance check 19.
void NiahInspectorTest::aRunWithItselfDiffersNowhere() {
  const quint64 id = open(sample("needle-orthros"));
  ask("256", "0, 50", 5, false);
  page()->form()->setArms({{id, {}, {}, {}}, {id, {}, {}, {}}});
  runToItsEnd();
  const QStringList labels = shortLabels(*page()->view());
  QVERIFY(labels[0] != labels[1]);
  QTest::mouseClick(find<QPushButton>("niahDifference"), Qt::LeftButton);
  auto* delta = find<widgets::NeedleMap>("niahDelta");
  QCOMPARE(delta->data().cells.size(), 2U);
  for (const widgets::NeedleCell& cell : delta->data().cells) {
    QCOMPARE(cell.value, 0.0);
    QCOMPARE(delta->cellColor(cell), widgets::theme().ramp(widgets::Ramp::Difference, 0.5));
  }
  QVERIFY(deltaNote(*page()->view(), 0).contains(QStringLiteral("McNemar p = 1.000")));
  // All found: the colour of 1, not of the middle of what there is.
  auto* map = find<widgets::NeedleMap>("niahMap0");
  for (const widgets::NeedleCell& cell : map->data().cells) {
    QCOMPARE(cell.hits, 5);
    QCOMPARE(map->cellColor(cell), widgets::theme().ramp(widgets::Ramp::Accuracy, 1));
  }
}

void NiahInspectorTest::figuresArePrintedInLightColours() {
  runNeedleModel();
  const auto drawn = [this](const char* name) {
    const QString path = m_folder->filePath(QLatin1String(name));
    page()->exportTo(path);
    return QImage(path);
  };
  const QImage light = drawn("light.png");
  QVERIFY2(!light.isNull(), qPrintable(find<widgets::Notice>("niahNotice")->text()));
  QCOMPARE(light.dotsPerMeterX(), 11811);  // 300 dpi
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Dark);
  const QImage dark = drawn("dark.png");
  const bool stillDark = widgets::theme().isDark();
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  QVERIFY(stillDark);
  QCOMPARE(dark, light);
}

void NiahInspectorTest::theCommandDrawsTheSameFigure() {
  runNeedleModel();
  const QString uuid = page()->view()->uuid;
  const auto exported = [&](const QString& name, const QStringList& more) {
    return runExport(QStringList{QStringLiteral("export"), uuid, QStringLiteral("--figure"),
                                 QStringLiteral("niah"), QStringLiteral("--data"), m_folder->path(),
                                 QStringLiteral("--out"), m_folder->filePath(name)} +
                     more);
  };
  QCOMPARE(exported(QStringLiteral("command.png"), {}), QString());
  page()->exportTo(m_folder->filePath(QStringLiteral("page.png")));
  QCOMPARE(QImage(m_folder->filePath(QStringLiteral("command.png"))),
           QImage(m_folder->filePath(QStringLiteral("page.png"))));
  QCOMPARE(exported(QStringLiteral("whole.svg"),
                    {QStringLiteral("--pair"), QStringLiteral("1-2"), QStringLiteral("--measure"),
                     QStringLiteral("attention"), QStringLiteral("--from-end"), QStringLiteral("--to-scale"),
                     QStringLiteral("--familiar")}),
           QString());
  QFile svg(m_folder->filePath(QStringLiteral("whole.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray text = svg.readAll();
  QVERIFY(!text.contains("<text") && text.contains(page()->view()->specHash.toUtf8()));
  QVERIFY(text.contains("build "));
  QCOMPARE(exported(QStringLiteral("numbers.csv"), {}), QString());
  QFile csv(m_folder->filePath(QStringLiteral("numbers.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QVERIFY(csv.readAll().contains(page()->view()->specHash.toUtf8()));
  QVERIFY(exported(QStringLiteral("x.png"), {QStringLiteral("--pair"), QStringLiteral("2-9")})
              .contains(QStringLiteral("3 arms")));
  QVERIFY(exported(QStringLiteral("x.png"), {QStringLiteral("--measure"), QStringLiteral("luck")})
              .contains(QStringLiteral("one of found")));
  QVERIFY(runExport({QStringLiteral("export"), uuid, QStringLiteral("--figure"), QStringLiteral("pie"),
                     QStringLiteral("--out"), QStringLiteral("x.svg")})
              .contains(QStringLiteral("niah")));
}

void NiahInspectorTest::armsOfOneNameAreToldApart() {
  // The same weights but for one byte.
  QList<NiahArmChoice> arms;
  for (const char* name : {"a", "b"}) {
    const QDir target(m_folder->filePath(QLatin1String(name)));
    QVERIFY(target.mkpath(QStringLiteral("model")));
    for (const QFileInfo& file : QDir(sample("needle-orthros")).entryInfoList(QDir::Files))
      QVERIFY(QFile::copy(file.filePath(), target.filePath(QStringLiteral("model/") + file.fileName())));
    QFile weights(target.filePath(QStringLiteral("model/model.safetensors")));
    QVERIFY(weights.setPermissions(weights.permissions() | QFile::WriteOwner));
    QVERIFY(weights.open(QIODevice::ReadWrite) && weights.seek(weights.size() - 2));
    QCOMPARE(weights.write(name, 1), 1);
    weights.close();
    arms.append({open(target.filePath(QStringLiteral("model"))), {}, {}, {}});
  }
  ask("128", "50 %", 60, false);
  page()->form()->setArms(arms);
  QVERIFY(find<QPushButton>("niahArm0")->text().startsWith(QStringLiteral("a/model, ")));
  QVERIFY(find<QPushButton>("niahArm1")->text().startsWith(QStringLiteral("b/model, ")));
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 0, kPatience);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  const NiahView* view = page()->view();
  QVERIFY2(!view->isDone, "it ran faster than it could be stopped");
  const QString first = toQt(view->map.arms[0].label);
  QVERIFY2(first.startsWith(QStringLiteral("model #")), qPrintable(first));
  QVERIFY(view->map.arms[0].label != view->map.arms[1].label);
  // Which of the two is which says the hash of their weights: both are found again.
  QTest::mouseClick(find<QPushButton>("niahResume"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kPatience);
  QVERIFY2(page()->view()->isDone, qPrintable(find<widgets::Notice>("niahNotice")->text()));
}

ORTHROS_QT_TEST(NiahInspectorTest);

}  // namespace orthros::studio

#include "niah_inspector_test.moc"
