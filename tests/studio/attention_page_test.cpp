// The attention page in the real window on a tiny model: what is read, exported, pinned, compared, kept.
#include "app/studio/pages/attention/attention_page.h"

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSvgRenderer>
#include <bit>

#include "app/studio/export_command.h"
#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/bookmark.h"
#include "app/studio/pages/attention/compare_rows.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/view_tools.h"
#include "engine/experiments/kept_runs.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"

namespace orthros::studio {

namespace {

QImage renderedSvg(const QString& path) {
  QSvgRenderer renderer(path);
  QImage shown(renderer.defaultSize(), QImage::Format_RGB32);
  shown.fill(Qt::white);
  QPainter painter(&shown);
  renderer.render(&painter);
  return shown;
}

void keepPicture(const QImage& image, const char* name, int number) {
  const QString folder = qEnvironmentVariable("ORTHROS_PICTURES");
  if (!folder.isEmpty())
    image.save(QStringLiteral("%1/%2%3.png").arg(folder, QLatin1String(name)).arg(number));
}

}  // namespace

class AttentionPageTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void attentionShowsWhatEachStreamReads();
  void attentionExportsWhatItShows();
  void attentionPinsAQueryInEveryView();
  void capturesAreKeptAndReopened();
  void keptCapturesBecomeFiguresWithoutTheWindow();
  void promptLeadsToAttention();
  void bookmarkGivesTheSamePicture();
  void lowerLevelsAreKeptToo();
  void oneHeadKeptByTheCommandLineOpens();
  void captureThatDoesNotFitIsRefused();
  void tooltipCsvAndStoreAreOneTruth();
  void sinkLaneChangesNoExport();
  void severalPinsBecomeOneRow();
  void everyKeyDoesWhatTheOverlaySays();
  void atlasShowsEveryMeasure();
  void transformerStandsBesideTheStreams();
  void twoPromptsAreAlignedByTokens();
  void tokensExportByteForByte();
  void oddShapesAreShown();
  void exportsSayNothingOnStderr();
};

void AttentionPageTest::attentionShowsWhatEachStreamReads() {
  AttentionPage* page = look();
  const AttentionCapture* capture = page->capture();
  QVERIFY(capture != nullptr && capture->record.has_output);
  QCOMPARE(capture->record.level, CaptureLevel::c3);  // a short text is captured whole
  const qint64 last = capture->lastPosition();
  QVERIFY(last >= 6);
  for (const widgets::RowMeasures& row : measuresAt(*capture, StreamKind::base, last)) {
    QCOMPARE(row.support, 6);  // 4 in the window, 2 sinks
    QCOMPARE(row.beyond, 0.0);
  }
  bool beyond = false;
  for (const widgets::RowMeasures& row : measuresAt(*capture, StreamKind::output, last)) {
    QCOMPARE(row.support, static_cast<qsizetype>(capture->record.num_keys));
    QVERIFY(std::abs(row.sink + row.window + row.beyond - 1) < 1e-5);
    beyond = beyond || row.beyond > 0;
  }
  QVERIFY(beyond);
  QVERIFY2(find<QLabel>("inspectorLamp")->text().contains(QStringLiteral("hold")),
           qPrintable(find<QLabel>("inspectorCheck")->text()));
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  QTest::mouseClick(find<QPushButton>("atlasNext"), Qt::LeftButton);
  QCOMPARE(atlas->rank(), 1);
  QVERIFY(find<QLabel>("inspectorTitle")->text().contains(QString::number(atlas->layer())));
  picture(m_window.get(), "attention");
}

void AttentionPageTest::attentionExportsWhatItShows() {
  AttentionPage* page = look();
  const AttentionCapture& capture = *page->capture();
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  for (int view = 0; view < 5; ++view) {
    page->views()->setView(static_cast<HeadViews::View>(view));
    for (const char* suffix : {"svg", "pdf", "png"}) {
      const QString path =
          m_folder->filePath(QStringLiteral("view%1.%2").arg(view).arg(QLatin1String(suffix)));
      page->exportTo(path);
      QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("noticeText") != nullptr && QFileInfo(path).size() > 1000,
                                qPrintable(path), kPatience);
    }
  }
  QFile svg(m_folder->filePath(QStringLiteral("view0.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray drawn = svg.readAll();
  QVERIFY(drawn.contains("<svg") && drawn.contains("<title>Layer") && drawn.contains("w 4"));
  QVERIFY(!drawn.contains("<text"));  // outlines: no font is needed to see it
  const QImage shown = renderedSvg(svg.fileName());
  for (int view = 0; view < 4; ++view)
    keepPicture(renderedSvg(m_folder->filePath(QStringLiteral("view%1.svg").arg(view))), "svg", view);
  int dark = 0;  // of the title's letters
  for (int x = 16; x < 200; ++x) {
    for (int y = 16; y < 40; ++y) dark += qGray(shown.pixel(x, y)) < 100 ? 1 : 0;
  }
  QVERIFY2(dark > 100, qPrintable(QString::number(dark)));
  auto* notice = find<widgets::Notice>("attentionNotice");
  QVERIFY(notice->text().contains(QStringLiteral("Written")));
  page->exportTo(m_folder->filePath(QStringLiteral("x.doc")));
  QVERIFY(notice->text().contains(QStringLiteral("ends in")));
  page->exportTo(QStringLiteral("/nowhere/x.svg"));
  QVERIFY(notice->text().contains(QStringLiteral("cannot write")));
  // One truth: the CSV's number is the record's, bit for bit.
  const QString path = m_folder->filePath(QStringLiteral("rows.csv"));
  QSignalSpy written(page, &AttentionPage::exported);
  page->exportTo(path);
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.takeFirst(), QByteArray("stream,query,key,weight"));
  QVERIFY(lines.size() > 100);
  for (const QByteArray& line : lines) {
    const QList<QByteArray> fields = line.split(',');
    const auto stream = fields[0] == "base" ? StreamKind::base : StreamKind::output;
    const auto row = capture.record.row(stream, atlas->layer(), atlas->head(), fields[1].toLongLong());
    QCOMPARE(fields[3].toFloat(), row[fields[2].toULongLong()]);
  }
  const QString array = m_folder->filePath(QStringLiteral("rows.npy"));
  page->exportTo(array);
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 2, kPatience);
  QFile npy(array);
  QVERIFY(npy.open(QIODevice::ReadOnly));
  const QByteArray bytes = npy.readAll();
  QVERIFY(bytes.startsWith("\x93NUMPY"));
  const qint64 keys = capture.record.num_keys;
  QCOMPARE(bytes.size() % 64, 2 * keys * keys * 4 % 64);
}

void AttentionPageTest::attentionPinsAQueryInEveryView() {
  AttentionPage* page = look();
  page->pinQuery(9);
  QCOMPARE(page->query(), 9);
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(QStringLiteral("query 9")));
  page->views()->setView(HeadViews::AllRows);
  QCOMPARE(find<widgets::PairView>("pairView")->pinned(), 9);
  picture(m_window.get(), "pair");
  page->views()->setView(HeadViews::Cache);
  picture(m_window.get(), "cache");
  page->views()->setView(HeadViews::Timeline);
  picture(m_window.get(), "timeline");
  page->views()->setView(HeadViews::Compare);
  QVERIFY(!find<widgets::PairView>("comparePair")->isVisible());
  QTest::mouseClick(find<QPushButton>("compareSetA"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  QVERIFY(find<QLabel>("compareNote")->text().contains(QStringLiteral("same")));
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  atlas->select(atlas->layer(), atlas->head() == 0 ? 1 : 0);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  QVERIFY(find<QLabel>("compareNote")->text().contains(QStringLiteral("Largest")));
  QVERIFY(find<widgets::PairView>("comparePair")->isVisible());
  picture(m_window.get(), "compare");
  QVERIFY(page->escape());  // releases the pin
  QCOMPARE(page->query(), page->capture()->lastPosition());
  QVERIFY(!page->escape());
}

void AttentionPageTest::capturesAreKeptAndReopened() {
  AttentionPage* page = look();
  const auto before = page->capture()->record.row(StreamKind::output, 1, 1, 10);
  const auto base = page->capture()->record.row(StreamKind::base, 1, 1, 10);
  const auto shares = measuresAt(*page->capture(), StreamKind::output, 10);
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const auto rows = readKeptCaptures(m_workspace->settings().runStorePath());
  QVERIFY(rows && rows->size() == 1);
  const auto again = readKeptCapture(m_workspace->settings().runStorePath(), rows->front().uuid);
  QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
  QCOMPARE(again->record.row(StreamKind::output, 1, 1, 10), before);
  QCOMPARE(again->record.row(StreamKind::base, 1, 1, 10), base);
  QCOMPARE(again->tokens, page->capture()->tokens);
  QCOMPARE(again->record.window, page->capture()->record.window);
  QVERIFY(again->holds(StreamKind::output, 1, 1));
  QCOMPARE(measuresAt(*again, StreamKind::output, 10)[3].beyond, shares[3].beyond);
  // The way of the hand: the menu, its entry, the page.
  QMenu* menu = find<QPushButton>("attentionKept")->menu();
  Q_EMIT menu->aboutToShow();
  const QString entry = QStringLiteral("kept-") + rows->front().uuid;
  QTRY_VERIFY_WITH_TIMEOUT(menu->findChild<QAction*>(entry) != nullptr, kPatience);
  QSignalSpy opened(page, &AttentionPage::captured);
  menu->findChild<QAction*>(entry)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(!page->capture()->kept.isEmpty());
  QVERIFY(!find<QPushButton>("attentionKeep")->isEnabled());
}

void AttentionPageTest::promptLeadsToAttention() {
  load();
  run(5);
  auto* page = static_cast<AttentionPage*>(m_window->page(QStringLiteral("attention")));
  QSignalSpy spy(page, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("promptLook"), Qt::LeftButton);
  QCOMPARE(m_window->currentPage(), page);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  QVERIFY(page->capture()->text.startsWith(QStringLiteral("the cat")));
  QVERIFY(page->capture()->text.size() > 7);  // with the answer
}

void AttentionPageTest::keptCapturesBecomeFiguresWithoutTheWindow() {
  AttentionPage* page = look();
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const auto run = [this](const QString& out, const QStringList& more) {
    return runExport(QStringList{QStringLiteral("export"), QStringLiteral("last"), QStringLiteral("--figure"),
                                 QStringLiteral("attention"), QStringLiteral("--data"), m_folder->path(),
                                 QStringLiteral("--out"), out} +
                     more);
  };
  for (const char* view : {"rows", "all", "cache", "timeline"}) {
    const QString path = m_folder->filePath(QLatin1String(view) + QStringLiteral(".svg"));
    QCOMPARE(run(path, {QStringLiteral("--view"), QLatin1String(view)}), QString());
    QVERIFY(QFileInfo(path).size() > 1000);
  }
  const QString csv = m_folder->filePath(QStringLiteral("x.csv"));
  QCOMPARE(run(csv, {QStringLiteral("--layer"), QStringLiteral("0"), QStringLiteral("--head"),
                     QStringLiteral("1")}),
           QString());
  QVERIFY(QFileInfo(csv).size() > 100);
  const QStringList wrong[] = {{QStringLiteral("--layer"), QStringLiteral("99")},
                               {QStringLiteral("--view"), QStringLiteral("nothing")},
                               {QStringLiteral("--theme"), QStringLiteral("blue")}};
  for (const QStringList& options : wrong)
    QVERIFY2(!run(m_folder->filePath(QStringLiteral("y.svg")), options).isEmpty(),
             qPrintable(options.join(u' ')));
  QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("y.svg"))));
  QVERIFY(!runExport({QStringLiteral("export"), QStringLiteral("last")}).isEmpty());
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
}

void AttentionPageTest::bookmarkGivesTheSamePicture() {
  AttentionPage* page = look();
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  atlas->select(1, 2);
  page->views()->setView(HeadViews::AllRows);
  page->views()->tools()->setStyle({widgets::ScaleMode::RowMax, true, true});
  page->pinQuery(4);
  page->addPin(7);
  const QString path = m_folder->filePath(QStringLiteral("mark.json"));
  page->exportTo(path);
  const auto mark = readBookmark(path);
  QVERIFY(mark.has_value());
  find<widgets::Notice>("attentionNotice")->hide();  // the picture has the room it will have again
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);  // the rows are drawn by a job
  const QImage before = find<widgets::PairView>("pairView")->grab().toImage();
  atlas->select(0, 0);
  page->views()->setView(HeadViews::Rows);
  page->setText(QStringLiteral("something else"));
  page->views()->tools()->setStyle({});
  page->pinQuery(2);
  QSignalSpy spy(page, &AttentionPage::captured);
  page->openBookmark(path);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  QCOMPARE(page->query(), 7);
  QCOMPARE(page->pins().positions, (std::vector<qint64>{4, 7}));
  QCOMPARE(page->views()->tools()->style(), (widgets::WeightStyle{widgets::ScaleMode::RowMax, true, true}));
  QCOMPARE(atlas->layer(), 1);
  QCOMPARE(page->views()->view(), HeadViews::AllRows);
  QCOMPARE(find<widgets::PairView>("pairView")->grab().toImage(), before);
  QFile broken(m_folder->filePath(QStringLiteral("broken.json")));
  QVERIFY(broken.open(QIODevice::WriteOnly));
  broken.write("{\"format\": \"something\"}");
  broken.close();
  QVERIFY(!readBookmark(broken.fileName()));
  QVERIFY(!readBookmark(QStringLiteral("/nowhere.json")));
}

void AttentionPageTest::lowerLevelsAreKeptToo() {
  load();
  const auto model = m_workspace->currentModel()->model;
  AttentionSpec spec;
  spec.model = model;
  spec.text = "the cat sat on the mat and the dog sat on the cat";
  spec.window = {4, 2};
  spec.layer = 1;
  for (const CaptureLevel level : {CaptureLevel::c0, CaptureLevel::c1, CaptureLevel::c2}) {
    spec.level = level;
    const auto capture = captureAttention(spec, {}, {});
    QVERIFY(capture.has_value());
    const auto store = m_workspace->runStore(m_workspace->settings().runStorePath());
    QVERIFY(store && keepCapture(**store, *capture, model, {}, {}));
    const auto again = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
    QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
    QCOMPARE(again->record.level, level);
    const qint64 last = capture->lastPosition();
    QCOMPARE(again->record.row(StreamKind::output, 1, 0, last),
             capture->record.row(StreamKind::output, 1, 0, last));
    QCOMPARE(again->hasRow(1, 5), level == CaptureLevel::c2);
    const auto before = measuresAt(*capture, StreamKind::output, 5);
    const auto after = measuresAt(*again, StreamKind::output, 5);
    for (size_t i = 0; i < before.size(); ++i) {
      QCOMPARE(std::isnan(after[i].beyond), level == CaptureLevel::c1);
      if (level != CaptureLevel::c1) QVERIFY(std::abs(before[i].beyond - after[i].beyond) < 1e-6);
    }
    auto* page = static_cast<AttentionPage*>(m_window->page(QStringLiteral("attention")));
    page->setCapture(*again);  // every view stands what is not there
    for (int view = 0; view < 5; ++view) {
      page->views()->setView(static_cast<HeadViews::View>(view));
      m_window->grab();
    }
    page->pinQuery(5);
  }
}

void AttentionPageTest::oneHeadKeptByTheCommandLineOpens() {
  load();
  const auto model = m_workspace->currentModel()->model;
  const auto config = with_architecture(model->config(), Architecture::orthros, {4, 2});
  QVERIFY(config.has_value());
  KeptAttention kept;
  kept.name = "one head";
  for (int64_t i = 0; i < 12; ++i) {
    kept.request.ids.push_back(i % 5 + 1);
    kept.request.rows.push_back(i);
  }
  kept.request.layer = 1;
  kept.request.head = 2;
  const auto rows = attention_rows(model, *config, kept.request);
  QVERIFY(rows.has_value());
  kept.rows = *rows;
  const auto arm = arm_of(model, *config);
  const auto store = m_workspace->runStore(m_workspace->settings().runStorePath());
  QVERIFY(arm && store && keep_attention(**store, *arm, kept));
  const auto capture = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
  QVERIFY2(capture.has_value(), capture ? "" : capture.error().line().c_str());
  QCOMPARE(capture->record.layers, config->num_hidden_layers);
  QCOMPARE(capture->record.window, (WindowSpec{4, 2}));
  const auto row = capture->record.row(StreamKind::output, 1, 2, 11);
  QCOMPARE(row, std::vector<float>(rows->weights.end() - 12, rows->weights.end()));
  QVERIFY(capture->record.row(StreamKind::output, 1, 1, 11).empty());
  QVERIFY(capture->record.row(StreamKind::base, 1, 2, 11).empty());
  QVERIFY(std::isnan(measuresAt(*capture, StreamKind::output, 11)[0].beyond));
  auto* page = static_cast<AttentionPage*>(m_window->page(QStringLiteral("attention")));
  m_window->showPage(QStringLiteral("attention"));
  page->setCapture(*capture);
  find<widgets::HeadAtlas>("headAtlas")->select(1, 2);
  QVERIFY(find<QLabel>("inspectorLamp")->text().contains(QStringLiteral("12 rows")));  // x was not kept
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  QVERIFY(find<widgets::PairView>("pairView")->data()->base.isEmpty());
  picture(m_window.get(), "one-head");
}

void AttentionPageTest::captureThatDoesNotFitIsRefused() {
  load();
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  spec.window = {4, 2};
  spec.ids.assign(60, 3);
  spec.level = CaptureLevel::c3;
  const auto estimate = estimateCapture(spec);
  QVERIFY(estimate.has_value());
  QCOMPARE(estimate->tokens, 60);
  const auto capture = captureAttention(spec, {}, {});
  QVERIFY(capture.has_value());
  QCOMPARE(capture->record.bytes(), estimate->bytes[3]);  // what was said before
  spec.ids.assign(20'000, 3);
  const auto refused = captureAttention(spec, {}, {});
  QVERIFY(!refused);
  QCOMPARE(refused.error().code, ErrorCode::out_of_memory);
  spec.level.reset();  // as much as is quick: the last token
  const auto more = estimateCapture(spec);
  QVERIFY(more && more->bytes[1] < kCaptureBudget);
}

// Check 6: 1,000 random cells: what hover reads, what the CSV says and what the store holds, bit for bit.
void AttentionPageTest::tooltipCsvAndStoreAreOneTruth() {
  AttentionPage* page = look();
  QSignalSpy kept(page, &AttentionPage::kept);
  QTest::mouseClick(find<QPushButton>("attentionKeep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, kPatience);
  const auto store = readKeptCapture(m_workspace->settings().runStorePath(), QStringLiteral("last"));
  QVERIFY(store.has_value());
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  page->views()->setView(HeadViews::AllRows);
  auto* pair = find<widgets::PairView>("pairView");
  auto* random = QRandomGenerator::global();
  const int keys = static_cast<int>(page->capture()->record.num_keys);
  for (int head = 0; head < 4; ++head) {
    atlas->select(head % 2, head);
    QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
    const QString path = m_folder->filePath(QStringLiteral("truth%1.csv").arg(head));
    QVERIFY(writeValues(*page->capture(), head % 2, head, path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QHash<QByteArray, float> csv;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const qsizetype comma = line.lastIndexOf(',');
      if (comma > 0) csv.insert(line.left(comma), line.mid(comma + 1).toFloat());
    }
    for (int i = 0; i < 250; ++i) {
      const int query = random->bounded(keys);
      const int key = random->bounded(query + 1);
      const QByteArray cell = ',' + QByteArray::number(query) + ',' + QByteArray::number(key);
      const auto output =
          store->record.row(StreamKind::output, head % 2, head, query)[static_cast<size_t>(key)];
      const auto base = store->record.row(StreamKind::base, head % 2, head, query)[static_cast<size_t>(key)];
      QCOMPARE(std::bit_cast<quint32>(csv.value("output" + cell)), std::bit_cast<quint32>(output));
      QCOMPARE(std::bit_cast<quint32>(csv.value("base" + cell)), std::bit_cast<quint32>(base));
      // Hover prints four digits of the same float.
      const qint64 column = pair->data()->bandColumn(query, key);
      QCOMPARE(std::bit_cast<quint32>(pair->data()->output.at(pair->data()->rowOf(query), key)),
               std::bit_cast<quint32>(output));
      if (column >= 0)
        QCOMPARE(std::bit_cast<quint32>(pair->data()->base.at(pair->data()->rowOf(query), column)),
                 std::bit_cast<quint32>(base));
      const QString text = pair->readout(query, key);
      QVERIFY2(text.endsWith(QStringLiteral("x′ ") + widgets::formatNumber(static_cast<double>(output))),
               qPrintable(text));
      QVERIFY2(text.contains(QStringLiteral("x ") + (column < 0
                                                         ? QStringLiteral("unseen")
                                                         : widgets::formatNumber(static_cast<double>(base)))),
               qPrintable(text));
    }
  }
}

// Check 8: exported numbers are the same with the sink lane on and off; picture and banner are not.
void AttentionPageTest::sinkLaneChangesNoExport() {
  AttentionPage* page = look();
  page->views()->setView(HeadViews::AllRows);
  page->views()->tools()->setStyle({widgets::ScaleMode::Linear, false, false});
  const auto exported = [&](const char* name) {
    QSignalSpy written(page, &AttentionPage::exported);
    const QString path = m_folder->filePath(QLatin1String(name));
    page->exportTo(path);
    [&] { QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience); }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray csv = exported("off.csv");
  const QByteArray npy = exported("off.npy");
  auto* pair = find<widgets::PairView>("pairView");
  find<widgets::Notice>("attentionNotice")->hide();
  QCoreApplication::processEvents();
  const QImage off = pair->grab().toImage();
  QVERIFY(pair->laneBanner().isEmpty());
  QTest::mouseClick(find<QPushButton>("sinkLane"), Qt::LeftButton);
  QVERIFY(pair->laneBanner().contains(QStringLiteral("key 0")));
  picture(m_window.get(), "sink-lane");
  page->views()->setView(HeadViews::Rows);
  picture(m_window.get(), "sink-lane-rows");
  page->views()->setView(HeadViews::AllRows);
  QVERIFY(page->views()->styleText().contains(QStringLiteral("sink lane: key 0")));
  QVERIFY(pair->grab().toImage() != off);
  QVERIFY(csv.size() > 1000 && npy.size() > 1000);
  QCOMPARE(exported("on.csv"), csv);
  QCOMPARE(exported("on.npy"), npy);
}

void AttentionPageTest::severalPinsBecomeOneRow() {
  AttentionPage* page = look();
  page->pinQuery(5);
  page->addPin(9);
  page->addPin(12);
  QCOMPARE(page->pins().positions, (std::vector<qint64>{5, 9, 12}));
  auto* combine = find<QComboBox>("combinePins");
  QVERIFY(!combine->isHidden());
  QCOMPARE(combine->currentIndex(), static_cast<int>(Combine::Mean));
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(QStringLiteral("mean of 3 queries")));
  // The combined rows are those of the record, key by key.
  const AttentionRecord& record = page->capture()->record;
  Pins pins = page->pins();
  for (const Combine how : {Combine::Mean, Combine::Max, Combine::Sum}) {
    pins.combine = how;
    const std::vector<float> row = rowOf(*page->capture(), StreamKind::output, 1, 2, pins);
    QCOMPARE(row.size(), size_t{13});
    for (size_t key = 0; key < row.size(); ++key) {
      double sum = 0;
      float most = 0;
      for (const qint64 query : {5, 9, 12}) {
        const auto one = record.row(StreamKind::output, 1, 2, query);
        const float weight = key < one.size() ? one[key] : 0.0F;
        sum += static_cast<double>(weight);
        most = std::max(most, weight);
      }
      const double wanted = how == Combine::Mean  ? sum / 3
                            : how == Combine::Sum ? sum
                                                  : static_cast<double>(most);
      QVERIFY(std::abs(static_cast<double>(row[key]) - wanted) < 1e-6);
    }
  }
  picture(m_window.get(), "pins");
  auto* heat = m_window->findChild<widgets::TokenHeat*>();
  heat->setFocus();
  QTest::keyClick(heat, Qt::Key_Tab);
  QCOMPARE(page->query(), 5);  // after the last comes the first
  QTest::keyClick(heat, Qt::Key_Tab);
  QCOMPARE(page->query(), 9);
  QCOMPARE(page->pins().positions.size(), size_t{3});
  QTest::mouseClick(heat, Qt::LeftButton, Qt::ShiftModifier, heat->boxOf(2).center().toPoint());
  QCOMPARE(page->pins().positions.size(), size_t{4});
  QVERIFY(page->escape());
  QCOMPARE(page->pins().positions, (std::vector<qint64>{page->capture()->lastPosition()}));
  QVERIFY(combine->isHidden());
  QVERIFY(!page->escape());
  // With one pin, Tab moves the focus as everywhere.
  heat->setFocus();
  QTest::keyClick(heat, Qt::Key_Tab);
  QVERIFY(!heat->hasFocus());
}

void AttentionPageTest::everyKeyDoesWhatTheOverlaySays() {
  AttentionPage* page = look();
  ViewTools* tools = page->views()->tools();
  auto* plot = page->views()->plot();
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_L);
  QCOMPARE(tools->style().mode, widgets::ScaleMode::Lift);
  for (int i = 1; i < widgets::kScaleModes; ++i) QTest::keyClick(plot, Qt::Key_L);
  QCOMPARE(tools->style().mode, widgets::ScaleMode::Log);
  QTest::keyClick(plot, Qt::Key_S);
  QTest::keyClick(plot, Qt::Key_K);
  QVERIFY(tools->style().sums && tools->style().lane);
  QTest::keyClick(plot, Qt::Key_B);
  QCOMPARE(tools->streams(), ViewTools::Streams::Base);
  QVERIFY(!find<QPushButton>("showOutput")->isChecked());
  QTest::keyClick(plot, Qt::Key_O);
  QCOMPARE(tools->streams(), ViewTools::Streams::Output);
  QTest::keyClick(plot, Qt::Key_2);
  QCOMPARE(tools->streams(), ViewTools::Streams::Both);
  const std::pair<Qt::Key, HeadViews::View> views[] = {{Qt::Key_V, HeadViews::Cache},
                                                       {Qt::Key_T, HeadViews::Timeline},
                                                       {Qt::Key_C, HeadViews::Compare},
                                                       {Qt::Key_A, HeadViews::AllRows}};
  for (const auto& [key, view] : views) {
    QTest::keyClick(m_window->focusWidget() != nullptr ? m_window->focusWidget() : page, key);
    QCOMPARE(page->views()->view(), view);
  }
  auto* pair = find<widgets::PairView>("pairView");
  pair->setFocus();
  page->pinQuery(10);
  pair->setMarked(-1, -1);
  QTest::keyClick(pair, Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(pair->cursorPosition(), 0);
  QTest::keyClick(pair, Qt::Key_Down);
  QTest::keyClick(pair, Qt::Key_Down);
  QTest::keyClick(pair, Qt::Key_P);
  QCOMPARE(page->query(), 2);
  QTest::keyClick(pair, Qt::Key_Down, Qt::ControlModifier);  // one paragraph: to its end
  QCOMPARE(pair->cursorPosition(), page->capture()->lastPosition());
  QTest::keyClick(pair, Qt::Key_P, Qt::ShiftModifier);
  QCOMPARE(page->pins().positions.size(), size_t{2});
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  atlas->select(0, 0);
  QTest::keyClick(pair, Qt::Key_BracketRight);
  QTest::keyClick(pair, Qt::Key_Period);
  QCOMPARE(atlas->layer(), 1);
  QCOMPARE(atlas->head(), 1);
  QTest::keyClick(pair, Qt::Key_BracketLeft);
  QTest::keyClick(pair, Qt::Key_Comma);
  QCOMPARE(atlas->layer() + atlas->head(), 0);
  QTest::keyClick(pair, Qt::Key_G);
  QVERIFY(atlas->hasFocus());
  QTest::keyClick(atlas, Qt::Key_Slash);
  auto* box = find<QLineEdit>("stripFind");
  QVERIFY(box->hasFocus());
  QTest::keyClicks(box, QStringLiteral("l"));  // a letter goes into the box, not to a command
  QCOMPARE(tools->style().mode, widgets::ScaleMode::Log);
  box->setText(page->capture()->tokens[4].mid(page->capture()->tokens[4].startsWith(u'·') ? 1 : 0).left(1));
  const qint64 from = page->query();
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY(page->query() != from || page->capture()->tokens[from].contains(box->text()));
  QVERIFY(page->escape());
  QVERIFY(!box->hasFocus());
  // The overlay lists them all.
  QStringList shown;
  for (const QAction* action : page->actions()) shown.append(action->shortcut().toString());
  for (const char* keys : {"L", "S", "K", "B", "O", "2", "P", "Shift+P", "Tab", "/", "[", "]", ",", ".", "G",
                           "V", "C", "E", "N"})
    QVERIFY2(shown.contains(QLatin1String(keys)), keys);
}

void AttentionPageTest::atlasShowsEveryMeasure() {
  AttentionPage* page = look();
  auto* measure = find<QComboBox>("atlasMeasure");
  QCOMPARE(measure->count(), kAtlasMeasures);
  QSet<QString> formulas;
  for (int i = 0; i < measure->count(); ++i) {
    measure->setCurrentIndex(i);
    formulas.insert(measure->toolTip());
    QVERIFY(find<widgets::HeadAtlas>("headAtlas")->rank() >= 1);
  }
  QCOMPARE(formulas.size(), measure->count());
  QVERIFY(find<QLabel>("inspectorLabel")->text().startsWith(QStringLiteral("label: ")));
  for (int order = 0; order < 3; ++order) {
    find<QComboBox>("atlasOrder")->setCurrentIndex(order);
    m_window->grab();
  }
  picture(m_window.get(), "labels");
  // What the model predicts after the last token is on the page.
  QCOMPARE(page->capture()->predictions.size(), page->capture()->ids.size());
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(QStringLiteral("predicts")));
}

void AttentionPageTest::transformerStandsBesideTheStreams() {
  AttentionPage* page = look();
  page->views()->setView(HeadViews::Compare);
  QSignalSpy compared(page, &AttentionPage::compared);
  QTest::mouseClick(find<QPushButton>("compareTransformer"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 1, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  auto* pair = find<widgets::PairView>("comparePair");
  QVERIFY(pair->isVisible());
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  spec.ids = page->capture()->ids;
  spec.architecture = Architecture::transformer;
  spec.level = CaptureLevel::c3;
  const auto plain = captureAttention(spec, {}, {});
  QVERIFY(plain && !plain->record.has_output && plain->record.window.is_full());
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  for (const int layer : {0, 1}) {
    atlas->select(layer, 1);
    QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
    for (const qint64 query : {3, 14}) {
      const auto x = page->capture()->record.row(StreamKind::output, layer, 1, query);
      const auto t = plain->record.row(StreamKind::base, layer, 1, query);
      for (qint64 key = 0; key <= query; ++key)
        QCOMPARE(pair->data()->output.at(query, key),
                 x[static_cast<size_t>(key)] - t[static_cast<size_t>(key)]);
    }
  }
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  QVERIFY(find<QLabel>("compareNote")->text().contains(QStringLiteral("Largest")));
  picture(m_window.get(), "transformer");
}

void AttentionPageTest::twoPromptsAreAlignedByTokens() {
  load();
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  spec.window = {4, 2};
  spec.level = CaptureLevel::c3;
  spec.ids = {5, 6, 7, 8, 9, 10, 11};
  const auto a = std::make_shared<const AttentionCapture>(*captureAttention(spec, {}, {}));
  spec.ids = {5, 6, 40, 41, 7, 8, 9, 10, 11};
  const auto b = std::make_shared<const AttentionCapture>(*captureAttention(spec, {}, {}));
  const Comparison comparison = compareRows({a, 1, 0}, {b, 1, 0});
  QVERIFY(comparison.data != nullptr);
  QCOMPARE(comparison.aligned, 7);
  QVERIFY(comparison.isAligned());
  const auto& output = comparison.data->output;
  for (qint64 r = 0; r < 7; ++r) {
    const auto rowA = a->record.row(StreamKind::output, 1, 0, r);
    const auto rowB = b->record.row(StreamKind::output, 1, 0, r < 2 ? r : r + 2);
    for (qint64 k = 0; k <= r; ++k)
      QCOMPARE(output.at(r, k), rowA[static_cast<size_t>(k)] - rowB[static_cast<size_t>(k < 2 ? k : k + 2)]);
  }
  QCOMPARE(comparison.leftA < 1e-6, true);  // A has no other token
  QVERIFY(comparison.leftB > 0);
  // No token in common: nothing is drawn.
  spec.ids = {20, 21, 22};
  const auto c = std::make_shared<const AttentionCapture>(*captureAttention(spec, {}, {}));
  QVERIFY(!compareRows({a, 0, 0}, {c, 0, 0}).data);
}

// Check 11, export: every byte of every token comes back.
void AttentionPageTest::tokensExportByteForByte() {
  AttentionCapture capture;
  capture.pieces = {"  two", "\t", "\n\n", "\xe4", "\xbd\xa0", "<b>\"&", QByteArray(200, 'x'), "مرحبا"};
  for (qsizetype i = 0; i < capture.pieces.size(); ++i) capture.ids.push_back(100 + i);
  const QString path = m_folder->filePath(QStringLiteral("x.tokens.csv"));
  QVERIFY(writeTokens(capture, path));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray all = file.readAll();
  QByteArray bytes;
  for (qsizetype i = 0; i < capture.pieces.size(); ++i) {
    const QByteArray begin = "\r\n" + QByteArray::number(i) + ',' + QByteArray::number(100 + i) + ',';
    const qsizetype at = all.indexOf(begin);
    QVERIFY2(at > 0, begin.constData());
    const qsizetype from = at + begin.size();
    bytes += QByteArray::fromHex(all.mid(from, all.indexOf(',', from) - from));
  }
  QCOMPARE(bytes, capture.pieces.join());
  QVERIFY(all.contains("\"<b>\"\"&\""));
}

// Check 12: one token, fewer than the window, one output row, in every view, scale and style.
void AttentionPageTest::oddShapesAreShown() {
  load();
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  for (const int tokens : {1, 2, 3, 9}) {
    for (const CaptureLevel level : {CaptureLevel::c3, CaptureLevel::c1, CaptureLevel::c0}) {
      AttentionSpec spec;
      spec.model = m_workspace->currentModel()->model;
      spec.ids.assign(static_cast<size_t>(tokens), 7);
      spec.window = {4, 2};
      spec.level = level;
      auto capture = captureAttention(spec, {}, {});
      QVERIFY2(capture.has_value(), capture ? "" : capture.error().line().c_str());
      page->setCapture(std::move(*capture));
      for (int view = 0; view < 5; ++view) {
        page->views()->setView(static_cast<HeadViews::View>(view));
        for (int mode = 0; mode < widgets::kScaleModes; ++mode) {
          page->views()->tools()->setStyle(
              {static_cast<widgets::ScaleMode>(mode), mode % 2 == 0, mode % 3 == 0});
          m_window->grab();
        }
      }
      page->addPin(0);
      m_window->grab();
      const int row =
          static_cast<int>(measureAt(*page->capture(), StreamKind::output, 0, 0, tokens - 1).support);
      QCOMPARE(row, level == CaptureLevel::c0 ? 0 : tokens);
    }
  }
}

// Qt says "no metric information" where a paint device does not answer.
void AttentionPageTest::exportsSayNothingOnStderr() {
  AttentionPage* page = look();
  static QStringList said;
  said.clear();
  const auto before = qInstallMessageHandler(
      [](QtMsgType, const QMessageLogContext&, const QString& text) { said.append(text); });
  for (int view = 0; view < 5; ++view) {
    page->views()->setView(static_cast<HeadViews::View>(view));
    page->exportTo(m_folder->filePath(QStringLiteral("quiet%1.svg").arg(view)));
    QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience);
  }
  qInstallMessageHandler(before);
  QVERIFY2(said.isEmpty(), qPrintable(said.join(u'\n')));
}

ORTHROS_QT_TEST(AttentionPageTest);

}  // namespace orthros::studio

#include "attention_page_test.moc"
