// The attention page's strip, keys, export, keeping and reopening.
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/studio/export_dialog.h"
#include "app/studio/kept_runs.h"
#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/attention_form.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/bookmark.h"
#include "app/studio/pages/attention/compare_view.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/live_follow.h"
#include "app/studio/pages/attention/regime_bar.h"
#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/pages/attention/strip_units.h"
#include "app/studio/pages/attention/view_tools.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

QWidget* AttentionPage::makeStrip() {
  auto* strip = new QWidget(this);
  strip->setFixedHeight(138);
  auto* panel = widgets::makePanel(strip);
  auto* scroll = new QScrollArea(panel);
  scroll->setWidget(m_heat);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_heat->setObjectName(QStringLiteral("scrollBody"));
  auto* inside = new QVBoxLayout(panel);
  inside->setContentsMargins(12, 6, 6, 6);
  inside->setSpacing(4);
  inside->addWidget(makeStripBar());
  inside->addWidget(scroll, 1);
  m_stripScroll = scroll;
  panel->setVisible(false);
  m_stripPanel = panel;
  auto* layout = new QHBoxLayout(strip);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  m_form->textEdit()->setParent(strip);
  layout->addWidget(m_form->textEdit(), 292);
  layout->addWidget(panel, 880);
  return strip;
}

QWidget* AttentionPage::makeStripBar() {
  auto* bar = new QWidget(this);
  m_stripHint = new widgets::ElidedLabel("caption", bar);
  m_stripHint->setObjectName(QStringLiteral("stripHint"));
  m_stripUnits = new StripUnits(m_heat, bar);
  auto* next = widgets::makeButton(tr("→ next"), {}, "toggle", bar);
  next->setObjectName(QStringLiteral("stripPredictions"));
  next->setCheckable(true);
  next->setToolTip(tr("After each token that predicts: the likeliest next token and its probability"));
  next->setAccessibleName(tr("Show what each token predicts"));
  connect(next, &QPushButton::toggled, m_heat, &widgets::TokenHeat::showPredictions);
  m_find = new QLineEdit(bar);
  m_find->setObjectName(QStringLiteral("stripFind"));
  m_find->setPlaceholderText(tr("Find a token  /"));
  m_find->setClearButtonEnabled(true);
  m_find->setFixedWidth(150);
  m_find->setAccessibleName(tr("Find a token"));
  connect(m_find, &QLineEdit::returnPressed, this, &AttentionPage::findToken);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 6, 0);
  layout->setSpacing(6);
  layout->addWidget(m_stripHint, 1);
  layout->addWidget(next);
  layout->addWidget(m_stripUnits);
  layout->addWidget(m_find);
  return bar;
}

QAction* AttentionPage::addCaptureKey(const char* name, const QString& text, const char* keys,
                                      std::function<void()> run) {
  return addKey(name, text, keys, [this, run = std::move(run)] {
    if (m_capture) run();
  });
}

void AttentionPage::makeActions() {
  const QString views[] = {tr("Attention: rows of one query"), tr("Attention: all rows of the head"),
                           tr("Attention: KV map"), tr("Attention: timeline"), tr("Attention: compare")};
  const char* const names[] = {"attention-rows", "attention-all", "attention-kv", "attention-time",
                               "attention-compare"};
  const char* const keys[] = {"R", "A", "V", "T", "C"};
  for (int i = 0; i < 5; ++i)
    addCaptureKey(names[i], views[i], keys[i],
                  [this, i] { m_views->setView(static_cast<HeadViews::View>(i)); });
  addKey("attention-follow", tr("Attention: follow a decode live, or stop it"), "F", [this] { follow(); });
  const auto step = [this](int layers, int heads) {
    m_atlas->select(m_atlas->layer() + layers, m_atlas->head() + heads);
  };
  addCaptureKey("attention-layer-up", tr("Attention: layer above"), "[", [step] { step(-1, 0); });
  addCaptureKey("attention-layer-down", tr("Attention: layer below"), "]", [step] { step(1, 0); });
  addCaptureKey("attention-head-back", tr("Attention: head before"), ",", [step] { step(0, -1); });
  addCaptureKey("attention-head-on", tr("Attention: head after"), ".", [step] { step(0, 1); });
  addCaptureKey("attention-next", tr("Attention: next strongest head"), "N",
                [this] { m_atlas->selectNextStrongest(); });
  addCaptureKey("attention-query-back", tr("Attention: pin the token before"), "Alt+Left",
                [this] { pinQuery(m_pins.current - 1); });
  addCaptureKey("attention-query-on", tr("Attention: pin the token after"), "Alt+Right",
                [this] { pinQuery(m_pins.current + 1); });
  addCaptureKey("attention-export", tr("Attention: export the picture as SVG"), "E",
                [this] { chooseExport(QStringLiteral("svg")); });
  addCaptureKey("attention-set-a", tr("Attention: make this head A"), "Shift+C",
                [this] { m_views->compareView()->setA(); });
  makeViewActions();
}

void AttentionPage::makeViewActions() {
  ViewTools* tools = m_views->tools();
  addCaptureKey("attention-scale", tr("Attention: next scale of the weights"), "L",
                [tools] { tools->nextScale(); });
  addCaptureKey("attention-sums", tr("Attention: heaviest or sum of a bin"), "S",
                [tools] { tools->toggleSums(); });
  addCaptureKey("attention-lane", tr("Attention: sink lane"), "K", [tools] { tools->toggleLane(); });
  const std::tuple<const char*, QString, const char*, ViewTools::Streams> streams[] = {
      {"attention-base", tr("Attention: base stream x alone"), "B", ViewTools::Streams::Base},
      {"attention-output", tr("Attention: output stream x′ alone"), "O", ViewTools::Streams::Output},
      {"attention-both", tr("Attention: both streams"), "X", ViewTools::Streams::Both}};
  for (const auto& [name, text, keys, which] : streams)
    addCaptureKey(name, text, keys, [tools, which = which] { tools->setStreams(which); });
  const Regime regimes[] = {Regime::pt, Regime::sft, Regime::prefill, Regime::decode};
  const char* const digits[] = {"1", "2", "3", "4"};
  for (int i = 0; i < 4; ++i) {
    const QByteArray name = QByteArrayLiteral("attention-regime-") + digits[i];
    addCaptureKey(name.constData(), tr("Attention: regime %1").arg(regimeName(regimes[i])), digits[i],
                  [this, regime = regimes[i]] {
                    setRegime({regime, m_regime.split});
                  });
  }
  addCaptureKey("attention-split", tr("Attention: the answer begins after the pinned token"), "Shift+S",
                [this] { splitAt(m_pins.current); });
  addCaptureKey("attention-query", tr("Attention: keys or query vectors in the inspector"), "Q", [this] {
    m_inspector->setSide(m_inspector->side() == RowInspector::Keys ? RowInspector::Query
                                                                   : RowInspector::Keys);
  });
  addCaptureKey("attention-atlas", tr("Attention: to the head atlas"), "G", [this] { m_atlas->setFocus(); });
  addCaptureKey("attention-pin", tr("Attention: pin the query under the cursor"), "P",
                [this] { pinQuery(cursorQuery()); });
  addCaptureKey("attention-pin-add", tr("Attention: add that query to the pins"), "Shift+P",
                [this] { addPin(cursorQuery()); });
  addCaptureKey("attention-pattern", tr("Attention: frames of the strip by a pattern"), "W",
                [this] { m_stripUnits->editPattern(); });
  addCaptureKey("attention-find", tr("Attention: find a token"), "/", [this] {
    m_find->setFocus();
    m_find->selectAll();
  });
  // Tab goes from pin to pin in the views alone, and only while there are several; elsewhere it moves the
  // focus.
  auto* next = new QAction(tr("Attention: next pin"), this);
  next->setObjectName(QStringLiteral("attention-pin-next"));
  next->setShortcut(QKeySequence(Qt::Key_Tab));
  next->setShortcutContext(Qt::WidgetShortcut);
  connect(next, &QAction::triggered, this, [this] {
    if (m_pins.positions.size() < 2) {
      focusNextPrevChild(true);
      return;
    }
    m_pins.next();
    showPins();
  });
  for (QWidget* view : {static_cast<QWidget*>(m_heat), static_cast<QWidget*>(m_views->pairView()),
                        static_cast<QWidget*>(m_views->plot())})
    view->addAction(next);
  addAction(next);  // in the overlay
  connect(tools, &ViewTools::combineChosen, this, [this](Combine combine) {
    m_pins.combine = combine;
    showPins();
  });
}

void AttentionPage::exportTo(const QString& path) {
  if (!m_capture) return;
  const int layer = m_atlas->layer();
  const int head = m_atlas->head();
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix == u"csv" || suffix == u"npy") {  // may be many megabytes
    const auto work = [capture = m_capture, layer, head, path, from = m_pins.outputFrom](JobContext&) {
      const QString kind = QFileInfo(path).completeSuffix().toLower();
      if (kind.endsWith(u"tokens.csv")) return writeTokens(*capture, path);
      if (kind.endsWith(u"query.csv") || kind.endsWith(u"query.npy"))
        return writeQueries(*capture, layer, head, path, from);
      return writeValues(*capture, layer, head, path, from);
    };
    m_workspace.files().start<void>(tr("Write values"), work, this, [this, path](Result<void>& written) {
      sayExported(path, written ? QString() : toQt(written.error()));
    });
    return;
  }
  if (suffix == u"json") {
    sayExported(path, writeBookmark(path, bookmark()));
    return;
  }
  whenDrawn([this, path, layer, head] {
    const QString title = tr("Layer %1, head %2: %3").arg(layer).arg(head).arg(m_views->viewName());
    const QString caption = captionOf(*m_capture, regimeText(*m_capture, m_regime)) + QStringLiteral("   ") +
                            m_views->styleText();
    sayExported(path, widgets::exportPicture(m_views->currentView(), path, {title, caption}));
  });
}

void AttentionPage::sayExported(const QString& path, const QString& problem) {
  sayWritten(*m_notice, path, problem);
  Q_EMIT exported();
}

void AttentionPage::chooseExport(const QString& suffix) {
  const QString path = askExportPath(
      this, m_workspace.settings(),
      QStringLiteral("attention-layer%1-head%2").arg(m_atlas->layer()).arg(m_atlas->head()), suffix,
      {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png"), QStringLiteral("csv"),
       QStringLiteral("npy"), QStringLiteral("json")});
  if (!path.isEmpty()) exportTo(path);
}

Bookmark AttentionPage::bookmark() const {
  Bookmark mark;
  mark.text = m_capture->text;
  mark.window = m_capture->record.window;
  mark.level = m_capture->record.level;
  mark.layer = m_atlas->layer();
  mark.head = m_atlas->head();
  mark.query = m_pins.current;
  mark.view = m_views->view();
  mark.measure = m_measure->currentIndex();
  mark.order = m_order->currentIndex();
  mark.style = m_views->tools()->style();
  mark.streams = static_cast<int>(m_views->tools()->streams());
  mark.regime.regime = m_regime.regime;
  if (m_regime.regime == Regime::sft || m_regime.regime == Regime::decode)
    mark.regime.split = splitOf(*m_capture, m_regime);
  mark.units = m_stripUnits->granularity();
  mark.pattern = m_stripUnits->pattern();
  mark.pins = m_pins.positions;
  mark.combine = static_cast<int>(m_pins.combine);
  return mark;
}

void AttentionPage::openBookmark(const QString& path) {
  const Result<Bookmark> mark = readBookmark(path);
  if (!mark) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(mark.error()));
    return;
  }
  m_form->setText(mark->text);
  m_form->setWindow(mark->window);
  m_form->setLevel(mark->level);
  m_measure->setCurrentIndex(std::clamp(mark->measure, 0, m_measure->count() - 1));
  m_order->setCurrentIndex(std::clamp(mark->order, 0, m_order->count() - 1));
  m_stripUnits->setUnits(mark->units, mark->pattern);
  m_views->tools()->setStyle(mark->style);
  m_views->tools()->setStreams(static_cast<ViewTools::Streams>(std::clamp(mark->streams, 0, 2)));
  connect(
      this, &AttentionPage::captured, this,
      [this, mark = *mark] {
        if (!m_capture || m_capture->text != mark.text) return;
        setRegime(mark.regime);
        m_atlas->select(mark.layer, mark.head);
        m_views->setView(static_cast<HeadViews::View>(std::clamp(mark.view, 0, 4)));
        pinQuery(mark.query);
        for (const qint64 pin : mark.pins) addPin(pin);
        if (mark.pins.size() > 1) {
          m_pins.current = mark.query;
          m_pins.combine = static_cast<Combine>(std::clamp(mark.combine, 0, 3));
          showPins();
        }
      },
      Qt::SingleShotConnection);
  look();
}

void AttentionPage::keep() {
  const OpenedModel* model = m_workspace.currentModel();
  if (!m_capture) return;
  m_keep->setEnabled(false);
  if (m_capture->isDecode()) {
    m_isLiveKept = true;
    m_live->keep(m_capture, m_liveModel);
    return;
  }
  if (model == nullptr || !model->model) return;
  const auto work = [capture = m_capture, model = model->model, path = m_workspace.settings().runStorePath(),
                     &workspace = m_workspace](JobContext& context) -> Result<void> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    return keepCapture(*store, *capture, model, context.stop(), context.sink());
  };
  m_workspace.engine().start<void>(tr("Keep the capture"), work, this, [this](Result<void>& result) {
    if (result) {
      m_notice->show(widgets::Notice::Kind::Good, tr("Kept. It opens again under Kept, without the model."));
      m_workspace.announceRun();
    } else if (result.error().code != ErrorCode::cancelled) {
      m_notice->show(widgets::Notice::Kind::Bad, toQt(result.error()));
    }
    refresh();
    Q_EMIT kept();
  });
}

void AttentionPage::fillKeptMenu() {
  m_keptMenu->clear();
  m_keptMenu->addAction(tr("Reading…"))->setEnabled(false);
  m_workspace.files().start<QList<ListedRun>>(
      tr("Read kept captures"),
      [path = m_workspace.settings().runStorePath()](JobContext&) {
        return readKeptRuns(path, store::ExperimentKind::attention);
      },
      this,
      [this](Result<QList<ListedRun>>& rows) {
        m_keptMenu->clear();
        QAction* open = m_keptMenu->addAction(tr("Open a bookmark…"));
        connect(open, &QAction::triggered, this, [this] {
          const QString path = QFileDialog::getOpenFileName(
              this, tr("Open a bookmark"), m_workspace.settings().exportFolder(), tr("Bookmark (*.json)"));
          if (!path.isEmpty()) openBookmark(path);
        });
        m_keptMenu->addSeparator();
        if (!rows || rows->isEmpty()) {
          m_keptMenu->addAction(rows ? tr("Nothing kept yet") : toQt(rows.error()))->setEnabled(false);
          return;
        }
        for (const ListedRun& row : *rows) {
          QAction* action = m_keptMenu->addAction(tr("%1   %2   %3").arg(row.created, row.arms, row.name));
          action->setObjectName(QStringLiteral("kept-") + row.uuid);
          connect(action, &QAction::triggered, this, [this, uuid = row.uuid] { openKept(uuid); });
        }
      },
      /*quiet=*/true);
}

void AttentionPage::useRun(const QString& uuid, RunUse use) {
  // A kept capture fills the form as it opens.
  openKept(uuid, [this, use] {
    if (use == RunUse::Again) look();
  });
}

void AttentionPage::openKept(const QString& uuid, std::function<void()> then) {
  m_notice->hide();
  m_workspace.files().start<AttentionCapture>(
      tr("Reopen the capture"),
      [path = m_workspace.settings().runStorePath(), uuid](JobContext&) {
        return readKeptCapture(path, uuid);
      },
      this,
      [this, then = std::move(then)](Result<AttentionCapture>& capture) {
        if (!capture) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(capture.error()));
          return;
        }
        const QString when = capture->kept;
        if (!capture->text.isEmpty()) m_form->setText(capture->text);
        m_form->setWindow(capture->record.window);
        m_liveModel = nullptr;
        setCapture(std::move(*capture));
        m_notice->show(widgets::Notice::Kind::Info,
                       tr("Kept on %1; shown from the store, without the model.").arg(when));
        Q_EMIT captured();
        if (then) then();
      });
}

}  // namespace orthros::studio
