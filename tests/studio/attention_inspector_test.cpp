// The row inspector: queries before and after scale-offset, the keys that hold 70 % of a row, all 32 heaviest
// keys; and what of it a kept capture still shows.
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>

#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/query_panel.h"
#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/pages/attention/top_keys.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/attention_measures.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/query_bars.h"
#include "widgets/theme.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

class AttentionInspectorTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void queriesAreTheCapturedOnes();
  void queriesAreExportedInFull();
  void withoutScaleOffsetItSaysSo();
  void lowerLevelsSayWhatToTake();
  void keptCapturesHoldQueriesAndPredictions();
  void recordedStepsHoldQueries();
  void fewKeysHoldSeventyPercent();
  void aDigestSaysThatItIsOne();
  void allHeaviestKeysAreReached();

 private:
  /// The lesson's model: two layers with scale-offset, a window of 4.
  AttentionPage* lookWithScaleOffset();
  AttentionSpec lessonSpec();
};

namespace {

constexpr const char* kText = "Ann red and Ben blue and Cid green and Ann blue and Ben red";

}  // namespace

AttentionPage* AttentionInspectorTest::lookWithScaleOffset() {
  load("../../sample_models/lesson");
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setText(QString::fromLatin1(kText));
  find<QSpinBox>("attentionWindow")->setValue(4);
  find<QSpinBox>("attentionSinks")->setValue(0);
  QSignalSpy spy(page, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("attentionLook"), Qt::LeftButton);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience); }();
  [&] { QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience); }();
  return page;
}

AttentionSpec AttentionInspectorTest::lessonSpec() {
  load("../../sample_models/lesson");
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  spec.text = kText;
  spec.window = {4, 0};
  spec.layer = 1;
  return spec;
}

void AttentionInspectorTest::queriesAreTheCapturedOnes() {
  AttentionPage* page = lookWithScaleOffset();
  const AttentionRecord& record = page->capture()->record;
  QCOMPARE(record.level, CaptureLevel::c3);
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  auto* bars = find<widgets::QueryBars>("queryBars");
  QTest::keyClick(page, Qt::Key_Q);
  QVERIFY(find<QPushButton>("inspectorQueries")->isChecked());
  QTRY_VERIFY(bars->isVisible());
  picture(m_window.get(), "inspector-query");
  const std::tuple<int, int, qint64> places[] = {{0, 0, 3}, {1, 2, 7}, {1, 3, record.num_keys - 1}};
  for (const auto& [layer, head, position] : places) {
    atlas->select(layer, head);
    page->pinQuery(position);
    QCOMPARE(bars->lanes().size(), size_t{2});
    for (const widgets::QueryLane& lane : bars->lanes()) {
      const QueryRow own =
          record.query(lane.isOutput ? StreamKind::output : StreamKind::base, layer, head, position);
      QVERIFY(!own.empty());
      QVERIFY(std::ranges::equal(lane.before, own.projected));
      QVERIFY(std::ranges::equal(lane.after, own.scaled));
    }
    QVERIFY(bars->lanes()[0].isOutput && !bars->lanes()[1].isOutput);
    QVERIFY(bars->lanes()[0].after != bars->lanes()[1].after);  // each stream has its own pair
  }
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Dark);
  picture(m_window.get(), "inspector-query-dark");
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  QTest::mouseClick(find<QPushButton>("queryCopy"), Qt::LeftButton);
  QCOMPARE(QGuiApplication::clipboard()->text(), bars->table());
  QTest::mouseClick(find<QPushButton>("inspectorKeys"), Qt::LeftButton);
  QVERIFY(!bars->isVisible());
  picture(m_window.get(), "inspector-keys");
}

void AttentionInspectorTest::queriesAreExportedInFull() {
  AttentionPage* page = lookWithScaleOffset();
  const AttentionRecord& record = page->capture()->record;
  find<widgets::HeadAtlas>("headAtlas")->select(1, 2);
  const auto exported = [&](const char* name) {
    QSignalSpy written(page, &AttentionPage::exported);
    const QString path = m_folder->filePath(QLatin1String(name));
    page->exportTo(path);
    [&] { QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience); }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QList<QByteArray> lines = exported("a.query.csv").trimmed().split('\n');
  QCOMPARE(lines.front(), QByteArray("stream,query,dimension,before,after"));
  QCOMPARE(lines.size(), 1 + 2 * record.num_keys * record.head_dim);
  for (const QByteArray& line : lines.mid(1)) {
    const QList<QByteArray> cells = line.split(',');
    const QueryRow own = record.query(cells[0] == "output" ? StreamKind::output : StreamKind::base, 1, 2,
                                      cells[1].toLongLong());
    const auto i = static_cast<size_t>(cells[2].toLongLong());
    QCOMPARE(cells[3].toFloat(), own.projected[i]);
    QCOMPARE(cells[4].toFloat(), own.scaled[i]);
  }
  const QByteArray npy = exported("a.query.npy");
  const QByteArray shape = "(2, " + QByteArray::number(qlonglong{record.num_keys}) + ", 2, " +
                           QByteArray::number(qlonglong{record.head_dim}) + ")";
  QVERIFY2(npy.left(128).contains(shape), npy.left(128).constData());
  const qsizetype floats = 2 * record.num_keys * 2 * record.head_dim;
  std::vector<float> values(static_cast<size_t>(floats));
  std::memcpy(values.data(), npy.right(floats * 4).constData(), static_cast<size_t>(floats) * 4);
  const QueryRow last = record.query(StreamKind::output, 1, 2, record.num_keys - 1);
  QVERIFY(std::equal(last.scaled.begin(), last.scaled.end(), values.end() - record.head_dim));
  QVERIFY(std::equal(last.projected.begin(), last.projected.end(), values.end() - 2 * record.head_dim));
}

void AttentionInspectorTest::withoutScaleOffsetItSaysSo() {
  AttentionPage* page = look();
  QTest::keyClick(page, Qt::Key_Q);
  QVERIFY(!find<widgets::QueryBars>("queryBars")->isVisible());
  QVERIFY2(find<QLabel>("querySaid")->text().contains(QStringLiteral("no scale-offset")),
           qPrintable(find<QLabel>("querySaid")->text()));
  picture(m_window.get(), "inspector-query-none");
  const auto written =
      writeQueries(*page->capture(), 0, 0, m_folder->filePath(QStringLiteral("no.query.csv")));
  QVERIFY(!written);
  QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("no.query.csv"))));
}

void AttentionInspectorTest::lowerLevelsSayWhatToTake() {
  AttentionSpec spec = lessonSpec();
  Pins pins;
  for (const CaptureLevel level : {CaptureLevel::c0, CaptureLevel::c1, CaptureLevel::c2}) {
    spec.level = level;
    const auto capture = captureAttention(spec, {}, {});
    QVERIFY(capture.has_value());
    QueryPanel panel;
    panel.resize(280, 300);
    auto* said = panel.findChild<QLabel*>(QStringLiteral("querySaid"));
    auto* bars = panel.findChild<widgets::QueryBars*>(QStringLiteral("queryBars"));
    Pins pins;
    pins.set(capture->lastPosition());
    panel.setRow(*capture, 0, 1, pins);
    QVERIFY(bars->isHidden());
    QVERIFY2(said->text().contains(QStringLiteral("C3")), qPrintable(said->text()));
    panel.setRow(*capture, 1, 1, pins);
    QCOMPARE(bars->isHidden(), level != CaptureLevel::c2);
  }
}

void AttentionInspectorTest::keptCapturesHoldQueriesAndPredictions() {
  AttentionPage* page = lookWithScaleOffset();
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const AttentionCapture before = *page->capture();
  QCOMPARE(std::ssize(before.predictions), before.record.num_keys);
  QSignalSpy opened(page, &AttentionPage::captured);
  page->useRun(QStringLiteral("last"), RunUse::Show);
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  const AttentionCapture& again = *page->capture();
  QVERIFY(!again.kept.isEmpty());
  QCOMPARE(again.predictions.size(), before.predictions.size());
  for (size_t i = 0; i < before.predictions.size(); ++i) {
    QCOMPARE(again.predictions[i].text, before.predictions[i].text);
    QCOMPARE(again.predictions[i].probability, before.predictions[i].probability);
  }
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t layer = 0; layer < 2; ++layer) {
      for (int64_t position = 0; position < before.record.num_keys; ++position) {
        const QueryRow one = before.record.query(stream, layer, 3, position);
        const QueryRow two = again.record.query(stream, layer, 3, position);
        QVERIFY(!two.empty());
        QVERIFY(std::ranges::equal(one.projected, two.projected));
        QVERIFY(std::ranges::equal(one.scaled, two.scaled));
      }
    }
  }
  // The strip shows what each token predicts again.
  auto* heat = page->findChild<widgets::TokenHeat*>();
  QVERIFY2(heat->tipOf(3).contains(QStringLiteral("then predicts")), qPrintable(heat->tipOf(3)));
  QTest::mouseClick(find<QPushButton>("stripPredictions"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  picture(m_window.get(), "inspector-kept-predictions");
}

void AttentionInspectorTest::recordedStepsHoldQueries() {
  load("../../sample_models/lesson");
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setText(QString::fromLatin1(kText));
  find<QSpinBox>("attentionNewTokens")->setValue(5);
  auto* level = find<QComboBox>("attentionLevel");
  level->setCurrentIndex(level->count() - 1);  // C3
  QSignalSpy ended(page, &AttentionPage::followEnded);
  page->follow();
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const AttentionRecord& record = page->capture()->record;
  QCOMPARE(record.level, CaptureLevel::c3);
  const auto again = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
  QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
  QCOMPARE(again->record.query_positions(1), record.query_positions(1));
  QCOMPARE(record.query_positions(1).size(), record.steps.size());
  for (const int64_t position : record.query_positions(1)) {
    const QueryRow one = record.query(StreamKind::output, 1, 2, position);
    QVERIFY(!one.empty());
    QVERIFY(std::ranges::equal(one.scaled, again->record.query(StreamKind::output, 1, 2, position).scaled));
    QVERIFY(
        std::ranges::equal(one.projected, again->record.query(StreamKind::output, 1, 2, position).projected));
  }
}

void AttentionInspectorTest::fewKeysHoldSeventyPercent() {
  AttentionPage* page = look();
  find<widgets::HeadAtlas>("headAtlas")->select(1, 1);
  auto* heat = page->findChild<widgets::TokenHeat*>();
  auto* main = find<QLabel>("inspectorMain");
  for (const qint64 position : {qint64{0}, qint64{9}, page->capture()->lastPosition()}) {
    page->pinQuery(position);
    const QStringList lines = main->text().split(u'\n');
    QCOMPARE(lines.size(), 2);
    for (const StreamKind stream : {StreamKind::output, StreamKind::base}) {
      const std::vector<float> row = page->capture()->record.row(stream, 1, 1, position);
      std::vector<float> sorted = row;
      std::ranges::sort(sorted, std::greater());
      double sum = 0, mass = 0;
      for (const float weight : row) sum += static_cast<double>(weight);
      size_t count = 0;
      while (mass < 0.7 * sum) mass += static_cast<double>(sorted[count++]);
      const auto others =
          std::ranges::count_if(row, [](float w) { return w > 0; }) - static_cast<qint64>(count);
      const auto keys = [](qint64 n) {
        return n == 1 ? QStringLiteral("1 key") : QStringLiteral("%1 keys").arg(n);
      };
      const QString& line = lines[stream == StreamKind::output ? 0 : 1];
      QCOMPARE(line, QStringLiteral("%1: %2 reach 70 %, rest %3 on %4")
                         .arg(stream == StreamKind::output ? QStringLiteral("x′") : QStringLiteral("x"),
                              keys(static_cast<qint64>(count)),
                              widgets::formatPercent(std::max(0.0, 1 - mass / sum)), keys(others)));
      if (stream == StreamKind::output) QCOMPARE(heat->mainKeys().size(), count);
    }
  }
}

// Of a long row of a recorded step the 64 heaviest keys and bins are kept.
void AttentionInspectorTest::aDigestSaysThatItIsOne() {
  constexpr int64_t kKeys = 2000;
  std::vector<float> row(kKeys, 1.0F / kKeys);
  auto step = std::make_shared<DecodeStep>();
  step->position = kKeys - 1;
  step->layers = step->heads = 1;
  step->sinks_and_window = {4, 0};
  step->output.window = WindowSpec::full();
  step->output.scalars.resize(1);
  step->output.digest_layers = {0};
  step->output.digests.resize(1);
  std::vector<int32_t> scratch;
  kernels::digest_row(row.data(), kKeys, step->output.digests[0], scratch);
  step->base.window = {4, 0};
  step->base.scalars.resize(1);
  step->base.exact_layers = {0};
  step->base.exact = {0.1F, 0.1F, 0.5F, 0.3F};
  AttentionCapture capture;
  capture.record.layers = capture.record.heads = 1;
  capture.record.num_keys = kKeys;
  capture.record.window = {4, 0};
  capture.record.has_output = true;
  capture.record.rows.resize(1);
  capture.record.base_errors.resize(1);
  capture.record.output_errors.resize(1);
  capture.record.steps = {step};
  capture.ids.assign(kKeys, 0);
  for (int64_t i = 0; i < kKeys; ++i) capture.tokens.append(QStringLiteral("t"));
  RowInspector inspector;
  Pins pins;
  pins.set(kKeys - 1);
  inspector.setRow(capture, 0, 0, pins);
  QCOMPARE(
      inspector.findChild<QLabel*>(QStringLiteral("inspectorMain"))->text(),
      QStringLiteral(
          "x′: 64 keys reach %1, rest %2 in the kept bins\nx: 2 keys reach 70 %, rest %3 on 2 keys")
          .arg(widgets::formatPercent(0.032), widgets::formatPercent(0.968), widgets::formatPercent(0.2)));
}

void AttentionInspectorTest::allHeaviestKeysAreReached() {
  load();
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  for (int64_t i = 0; i < 60; ++i) spec.ids.push_back(i % 20 + 1);
  spec.window = {8, 2};
  const auto capture = captureAttention(spec, {}, {});
  QVERIFY(capture.has_value());
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setCapture(*capture);
  auto* top = find<TopKeys>("topKeys");
  QTRY_VERIFY(top->viewport()->height() > 60);
  QCOMPARE(top->rows().size(), size_t{32});
  const QPoint bottom(60, top->viewport()->height() - 2);
  QVERIFY(top->rowAt(bottom) < 31);  // there is more than fits
  QCOMPARE(top->rowAt(QPoint(60, 5)), -1);
  top->setFocus();
  for (int i = 0; i < 40; ++i) QTest::keyClick(top, Qt::Key_Down);
  QCOMPARE(top->verticalScrollBar()->value(), top->verticalScrollBar()->maximum());
  QCOMPARE(top->rowAt(bottom), 31);
  QVERIFY(top->accessibleDescription().split(u'\n').size() == 32);
  for (size_t i = 1; i < 32; ++i) QVERIFY(top->rows()[i - 1].output >= top->rows()[i].output);
}

ORTHROS_QT_TEST(AttentionInspectorTest);

}  // namespace orthros::studio

#include "attention_inspector_test.moc"
