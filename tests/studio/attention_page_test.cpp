// The attention page in the real window on a tiny model: what is read, exported, pinned, compared, kept.
#include "app/studio/pages/attention/attention_page.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>

#include "app/studio/export_command.h"
#include "app/studio/kept_runs.h"
#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/bookmark.h"
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
  const auto rows = readKeptRuns(m_workspace->settings().runStorePath(), store::ExperimentKind::attention);
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

ORTHROS_QT_TEST(AttentionPageTest);

}  // namespace orthros::studio

#include "attention_page_test.moc"
