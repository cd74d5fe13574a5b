// What the attention page shows in its views: one truth in hover, CSV and store, scales and sinks, pins,
// keys, measures, comparisons, tokens, odd shapes.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <bit>

#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/compare_rows.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/view_tools.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"

namespace orthros::studio {

class AttentionViewsTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
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

// Check 6: 1,000 random cells: what hover reads, what the CSV says and what the store holds, bit for bit.
void AttentionViewsTest::tooltipCsvAndStoreAreOneTruth() {
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
void AttentionViewsTest::sinkLaneChangesNoExport() {
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

void AttentionViewsTest::severalPinsBecomeOneRow() {
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

void AttentionViewsTest::everyKeyDoesWhatTheOverlaySays() {
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
  QTest::keyClick(plot, Qt::Key_X);
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
  for (const char* keys : {"L", "S", "K", "B", "O", "X", "P", "Shift+P", "Tab", "/", "[", "]",
                           ",", ".", "G", "V", "C", "E", "N", "1",       "2",   "3", "4", "Shift+S"})
    QVERIFY2(shown.contains(QLatin1String(keys)), keys);
}

void AttentionViewsTest::atlasShowsEveryMeasure() {
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

void AttentionViewsTest::transformerStandsBesideTheStreams() {
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

void AttentionViewsTest::twoPromptsAreAlignedByTokens() {
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
void AttentionViewsTest::tokensExportByteForByte() {
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
void AttentionViewsTest::oddShapesAreShown() {
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
void AttentionViewsTest::exportsSayNothingOnStderr() {
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

ORTHROS_QT_TEST(AttentionViewsTest);

}  // namespace orthros::studio

#include "attention_views_test.moc"
