// The four regimes on the attention page: which x′ rows are shown and counted, in every view, export and
// bookmark; never other numbers.
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <cmath>
#include <cstring>

#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/bookmark.h"
#include "app/studio/pages/attention/compare_rows.h"
#include "app/studio/pages/attention/head_views.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/grid_map.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

class AttentionRegimeTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void keysChooseTheRowsThatExist();
  void aTokenWithoutOutputCopySaysSo();
  void pinsCountRowsThatExist();
  void theSplitFollowsThePin();
  void theRunBarHasRoom();
  void exportsHaveTheRowsThatExist();
  void bookmarkCarriesTheRegime();
  void aFollowedRunIsDecode();
  void comparisonsKeepToTheRegime();

 private:
  void waitForDrawings() const { QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience); }
  QByteArray exported(AttentionPage* page, const char* name) const;
  void pictures(const QByteArray& name) const;  // light and dark
};

void AttentionRegimeTest::pictures(const QByteArray& name) const {
  picture(m_window.get(), name.constData());
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Dark);
  const QByteArray dark = name + "-dark";
  picture(m_window.get(), dark.constData());
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
}

QByteArray AttentionRegimeTest::exported(AttentionPage* page, const char* name) const {
  QSignalSpy written(page, &AttentionPage::exported);
  const QString path = m_folder->filePath(QLatin1String(name));
  page->exportTo(path);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience); }();
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void AttentionRegimeTest::keysChooseTheRowsThatExist() {
  AttentionPage* page = look();
  page->views()->setView(HeadViews::AllRows);
  waitForDrawings();
  auto* pair = find<widgets::PairView>("pairView");
  auto* heat = m_window->findChild<widgets::TokenHeat*>();
  auto* combo = find<QComboBox>("attentionRegime");
  QCOMPARE(page->regime().regime, Regime::pt);
  const auto whole = pair->data()->output;
  const auto base = pair->data()->base;
  const qint64 last = page->capture()->lastPosition();
  const struct {
    Qt::Key key;
    Regime regime;
    qint64 from;
    const char* name;
  } all[] = {{Qt::Key_2, Regime::sft, last - last / 4, "regime-sft"},
             {Qt::Key_3, Regime::prefill, last, "regime-prefill"},
             {Qt::Key_4, Regime::decode, last - last / 4, "regime-decode"},
             {Qt::Key_1, Regime::pt, 0, "regime-pt"}};
  for (const auto& one : all) {
    QTest::keyClick(pair, one.key);
    waitForDrawings();
    QCOMPARE(page->regime().regime, one.regime);
    QCOMPARE(combo->currentIndex(), static_cast<int>(one.regime));
    QCOMPARE(page->pins().outputFrom, one.from);
    const widgets::PairData& data = *pair->data();
    QCOMPARE(data.outputFrom, one.from);
    QCOMPARE(data.output.rows(), last + 1 - one.from);
    QCOMPARE(data.base.rows(), last + 1);
    // No other numbers.
    for (qint64 t = one.from; t <= last; ++t) {
      for (qint64 key = 0; key <= t; ++key) QCOMPARE(data.at(true, t, key), whole.at(t, key));
    }
    for (qint64 t = 0; t <= last; ++t) {
      for (qint64 column = 0; column < base.columns(); ++column)
        QCOMPARE(data.base.at(t, column), base.at(t, column));
    }
    const auto tip = [heat](qint64 token) {
      for (size_t unit = 0; unit < heat->units().size(); ++unit) {
        if (heat->units()[unit].end > token) return heat->tipOf(unit);
      }
      return QString();
    };
    QVERIFY(tip(last).contains(QStringLiteral("has x′")));
    if (one.from > 0) QVERIFY(tip(0).contains(QStringLiteral("no x′")));
    pictures(one.name);
  }
  // Digits typed into a number stay there.
  auto* window = find<QSpinBox>("attentionWindow");
  window->setFocus();
  window->selectAll();
  QTest::keyClicks(window, QStringLiteral("3"));
  QCOMPARE(window->value(), 3);
  QCOMPARE(page->regime().regime, Regime::pt);
}

void AttentionRegimeTest::aTokenWithoutOutputCopySaysSo() {
  AttentionPage* page = look();
  const QString predicts = QStringLiteral("predicts");
  page->pinQuery(5);
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(predicts));
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  page->setRegime({Regime::prefill, -1});
  QVERIFY2(find<QLabel>("inspectorSaid")->text().contains(QStringLiteral("no output copy x′")),
           qPrintable(find<QLabel>("inspectorSaid")->text()));
  QVERIFY(!find<QLabel>("inspectorQuery")->text().contains(predicts));
  QVERIFY(find<QLabel>("stripHint")->text().contains(QStringLiteral("no x′")));
  // Ranked by what exists: x alone.
  std::vector<float> values;
  for (const widgets::RowMeasures& row : measuresAt(*page->capture(), StreamKind::base, 5))
    values.push_back(static_cast<float>(row.self));
  find<QComboBox>("atlasMeasure")->setCurrentIndex(static_cast<int>(AtlasMeasure::Self));
  QTest::keyClick(atlas, Qt::Key_N);
  const auto best = static_cast<int>(std::ranges::max_element(values) - values.begin());
  const auto heads = static_cast<int>(page->capture()->record.heads);
  QCOMPARE(atlas->layer() * heads + atlas->head(), best);
  for (int view = 0; view < 5; ++view) {
    page->views()->setView(static_cast<HeadViews::View>(view));
    waitForDrawings();
    pictures("absent-" + QByteArray::number(view));
    if (view == HeadViews::Cache) QVERIFY(!find<widgets::GridMap>("outputReaders")->isVisible());
    if (view == HeadViews::Timeline) {
      auto* beyond = find<widgets::GridMap>("beyondByTime");
      QVERIFY(beyond->readout(0, 5).contains(QStringLiteral("no x′")));
      QVERIFY(!beyond->readout(0, page->capture()->lastPosition()).contains(QStringLiteral("no x′")));
    }
  }
  page->pinQuery(page->capture()->lastPosition());
  QVERIFY(find<QLabel>("inspectorQuery")->text().contains(predicts));
  QVERIFY(!find<QLabel>("inspectorSaid")->text().contains(QStringLiteral("no output copy")));
}

void AttentionRegimeTest::pinsCountRowsThatExist() {
  AttentionPage* page = look();
  const AttentionRecord& record = page->capture()->record;
  page->pinQuery(5);
  page->addPin(12);
  page->addPin(14);
  page->setRegime({Regime::sft, 12});
  QVERIFY(page->pins().isCombined());
  const std::vector<float> row = rowOf(*page->capture(), StreamKind::output, 1, 2, page->pins());
  QCOMPARE(row.size(), size_t{15});
  const auto a = record.row(StreamKind::output, 1, 2, 12);
  const auto b = record.row(StreamKind::output, 1, 2, 14);
  for (size_t key = 0; key < row.size(); ++key) {
    const double wanted = (key < a.size() ? static_cast<double>(a[key]) : 0) + static_cast<double>(b[key]);
    QVERIFY(std::abs(static_cast<double>(row[key]) - wanted / 2) < 1e-6);
  }
  const auto three = record.row(StreamKind::base, 1, 2, 5);
  const std::vector<float> base = rowOf(*page->capture(), StreamKind::base, 1, 2, page->pins());
  QVERIFY(base[5] >= three[5] / 3);
  const auto mean = measuresOf(*page->capture(), StreamKind::output, 1, 2, page->pins());
  QVERIFY(std::abs(mean.sink + mean.window + mean.beyond - 1) < 1e-5);
}

void AttentionRegimeTest::theSplitFollowsThePin() {
  AttentionPage* page = look();
  auto* split = find<QSpinBox>("attentionSplit");
  QVERIFY(!split->isVisible());
  page->pinQuery(7);
  QTest::keyClick(page, Qt::Key_S, Qt::ShiftModifier);
  QCOMPARE(page->regime(), (RegimeChoice{Regime::sft, 7}));
  QVERIFY(split->isVisible());
  QCOMPARE(split->value(), 7);
  QTest::keyClick(page, Qt::Key_4);
  QCOMPARE(page->pins().outputFrom, 7);
  split->setFocus();
  split->selectAll();
  QTest::keyClicks(split, QStringLiteral("11"));
  QTest::keyClick(split, Qt::Key_Return);
  QCOMPARE(page->regime(), (RegimeChoice{Regime::decode, 11}));
  QCOMPARE(page->pins().outputFrom, 11);
  QTest::keyClick(page, Qt::Key_3);
  QVERIFY(!split->isVisible());
}

// At 1280 x 800, with the split shown.
void AttentionRegimeTest::theRunBarHasRoom() {
  AttentionPage* page = look();
  m_window->resize(1280, 800);
  page->setRegime({Regime::sft, 9});
  QCoreApplication::processEvents();
  QList<QRect> places;
  for (const char* name : {"attentionWindow", "attentionSinks", "attentionLevel", "attentionLook",
                           "attentionFollow", "attentionNewTokens", "attentionRegime", "attentionSplit",
                           "attentionKeep", "attentionKept", "attentionExport"}) {
    const auto* one = find<QWidget>(name);
    const QRect place(one->mapTo(m_window.get(), QPoint(0, 0)), one->size());
    QVERIFY2(m_window->rect().contains(place), name);
    for (const QRect& other : places) QVERIFY2(!place.intersects(other), name);
    places.append(place);
  }
  picture(m_window.get(), "run-bar");
}

void AttentionRegimeTest::exportsHaveTheRowsThatExist() {
  AttentionPage* page = look();
  const QByteArray all = exported(page, "all.csv");
  const QByteArray allNumbers = exported(page, "all.npy");
  page->setRegime({Regime::sft, 9});
  const QByteArray part = exported(page, "part.csv");
  QByteArray wanted;
  for (const QByteArray& line : all.split('\n')) {
    const QList<QByteArray> cells = line.split(',');
    const bool isAbsent = cells.size() == 4 && cells[0] == "output" && cells[1].toInt() < 9;
    if (!isAbsent && !line.isEmpty()) wanted += line + '\n';
  }
  QVERIFY(wanted.size() < all.size());
  QCOMPARE(part, wanted);
  const QByteArray numbers = exported(page, "part.npy");
  QCOMPARE(numbers.size(), allNumbers.size());
  const qint64 keys = page->capture()->record.num_keys;
  const qsizetype begin = numbers.size() - 2 * keys * keys * qsizetype{sizeof(float)};
  for (qint64 i = 0; i < 2 * keys * keys; ++i) {
    float was = 0;
    float is = 0;
    std::memcpy(&was, allNumbers.constData() + begin + i * 4, 4);
    std::memcpy(&is, numbers.constData() + begin + i * 4, 4);
    const bool isAbsent = i >= keys * keys && (i - keys * keys) / keys < 9;
    QCOMPARE(std::isnan(is), isAbsent);
    if (!isAbsent) QCOMPARE(is, was);
  }
  const QString caption = captionOf(*page->capture(), regimeText(*page->capture(), page->regime()));
  QVERIFY2(caption.contains(QStringLiteral("SFT: x′ from token 9")), qPrintable(caption));
  QVERIFY(
      captionOf(*page->capture(), regimeText(*page->capture(), {})).contains(QStringLiteral("pre-training")));
}

void AttentionRegimeTest::bookmarkCarriesTheRegime() {
  AttentionPage* page = look();
  page->views()->setView(HeadViews::AllRows);
  page->setRegime({Regime::sft, 8});
  page->pinQuery(12);
  const QByteArray json = exported(page, "mark.json");
  const QString path = m_folder->filePath(QStringLiteral("mark.json"));
  const auto mark = readBookmark(path);
  QVERIFY(mark.has_value());
  QCOMPARE(mark->regime, (RegimeChoice{Regime::sft, 8}));
  find<widgets::Notice>("attentionNotice")->hide();
  waitForDrawings();
  const QImage before = find<widgets::PairView>("pairView")->grab().toImage();
  page->setRegime({Regime::pt, -1});
  waitForDrawings();
  QVERIFY(find<widgets::PairView>("pairView")->grab().toImage() != before);
  QSignalSpy spy(page, &AttentionPage::captured);
  page->openBookmark(path);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  waitForDrawings();
  QCOMPARE(page->regime(), (RegimeChoice{Regime::sft, 8}));
  QCOMPARE(find<widgets::PairView>("pairView")->grab().toImage(), before);
  // One from before there were regimes means pre-training; one that no regime has is refused.
  const auto rewritten = [&](const char* name, const QJsonValue& regime) {
    QJsonObject object = QJsonDocument::fromJson(json).object();
    object.remove(QStringLiteral("split"));
    if (regime.isUndefined()) {
      object.remove(QStringLiteral("regime"));
    } else {
      object[QStringLiteral("regime")] = regime;
    }
    QFile file(m_folder->filePath(QLatin1String(name)));
    [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
    file.write(QJsonDocument(object).toJson());
    return file.fileName();
  };
  const QString old = rewritten("old.json", QJsonValue::Undefined);
  QCOMPARE(readBookmark(old)->regime, RegimeChoice());
  QVERIFY(!readBookmark(rewritten("bad.json", QStringLiteral("tuning"))));
  QSignalSpy again(page, &AttentionPage::captured);
  page->openBookmark(old);
  QTRY_COMPARE_WITH_TIMEOUT(again.size(), 1, kPatience);
  QCOMPARE(page->regime().regime, Regime::pt);
}

void AttentionRegimeTest::aFollowedRunIsDecode() {
  AttentionPage* page = look();
  find<QSpinBox>("attentionNewTokens")->setValue(6);
  QSignalSpy ended(page, &AttentionPage::followEnded);
  QTest::keyClick(page, Qt::Key_F);
  QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kPatience);
  const AttentionRecord& record = page->capture()->record;
  QCOMPARE(page->regime().regime, Regime::decode);
  QCOMPARE(page->pins().outputFrom, record.steps.front()->position);
  QVERIFY(!find<QSpinBox>("attentionSplit")->isVisible());  // the run has its own
  page->views()->setView(HeadViews::AllRows);
  waitForDrawings();
  auto* pair = find<widgets::PairView>("pairView");
  QCOMPARE(pair->data()->output.rows(), std::ssize(record.steps));
  QVERIFY(pair->readout(2, 1).contains(QStringLiteral("not captured   no x′")));
  picture(m_window.get(), "regime-followed");
  QTest::keyClick(pair, Qt::Key_3);
  waitForDrawings();
  QCOMPARE(pair->data()->output.rows(), 1);
  QCOMPARE(pair->data()->base.rows(), std::ssize(record.steps));
  const auto row = record.row(StreamKind::output, find<widgets::HeadAtlas>("headAtlas")->layer(),
                              find<widgets::HeadAtlas>("headAtlas")->head(), page->capture()->lastPosition());
  for (size_t key = 0; key < row.size(); ++key)
    QCOMPARE(pair->data()->output.at(0, static_cast<qsizetype>(key)), row[key]);
  QTest::keyClick(pair, Qt::Key_1);
  waitForDrawings();
  QVERIFY(!pair->readout(2, 1).contains(QStringLiteral("no x′")));  // only not captured
  QTest::keyClick(pair, Qt::Key_4);
  // What is read at once again has a row at every token again.
  QSignalSpy captured(page, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("attentionLook"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(captured.size(), 1, kPatience);
  QCOMPARE(page->regime().regime, Regime::pt);
}

void AttentionRegimeTest::comparisonsKeepToTheRegime() {
  load();
  AttentionSpec spec;
  spec.model = m_workspace->currentModel()->model;
  spec.window = {4, 2};
  spec.level = CaptureLevel::c3;
  spec.ids = {5, 6, 7, 8, 9, 10, 11};
  const auto a = std::make_shared<const AttentionCapture>(*captureAttention(spec, {}, {}));
  spec.ids = {5, 6, 40, 41, 7, 8, 9, 10, 11};
  const auto b = std::make_shared<const AttentionCapture>(*captureAttention(spec, {}, {}));
  const auto whole = compareRows({a, 1, 0}, {b, 1, 0}).data;
  // Token 4 of A is token 6 of B: the later of the two splits counts.
  const auto part = compareRows({a, 1, 0, 3}, {b, 1, 0, 6}).data;
  QCOMPARE(part->outputFrom, 4);
  QCOMPARE(part->output.rows(), 3);
  QCOMPARE(part->base.rows(), whole->base.rows());
  for (qint64 r = 4; r < 7; ++r) {
    for (qint64 k = 0; k <= r; ++k) QCOMPARE(part->at(true, r, k), whole->output.at(r, k));
  }
  const auto same = compareRows({a, 1, 0, 5}, {a, 0, 1, 5}).data;
  QCOMPARE(same->outputFrom, 5);
  QCOMPARE(same->output.rows(), 2);
  const auto all = compareRows({a, 1, 0}, {a, 0, 1}).data;
  for (qint64 k = 0; k <= 6; ++k) QCOMPARE(same->at(true, 6, k), all->output.at(6, k));
}

ORTHROS_QT_TEST(AttentionRegimeTest);

}  // namespace orthros::studio

#include "attention_regime_test.moc"
