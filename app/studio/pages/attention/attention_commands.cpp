// The attention page's strip, keys, export, keeping and reopening.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/attention_form.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/bookmark.h"
#include "app/studio/pages/attention/compare_view.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/row_inspector.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"
#include "widgets/format.h"
#include "widgets/head_atlas.h"
#include "widgets/pair_view.h"
#include "widgets/token_heat.h"

namespace orthros::studio {

QWidget* AttentionPage::makeStrip() {
  auto* strip = new QWidget(this);
  strip->setFixedHeight(126);
  auto* panel = widgets::makePanel(strip);
  auto* scroll = new QScrollArea(panel);
  scroll->setWidget(m_heat);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_heat->setObjectName(QStringLiteral("scrollBody"));
  auto* inside = new QVBoxLayout(panel);
  inside->setContentsMargins(12, 6, 6, 6);
  inside->setSpacing(4);
  inside->addWidget(
      widgets::makeLabel(tr("Which tokens the pinned one reads: x′ as tint, x as underline. Click a "
                            "token to pin it."),
                         "caption", panel));
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
  const char* const keys[] = {"1", "2", "3", "4", "5"};
  for (int i = 0; i < 5; ++i)
    addCaptureKey(names[i], views[i], keys[i],
                  [this, i] { m_views->setView(static_cast<HeadViews::View>(i)); });
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
                [this] { pinQuery(m_position - 1); });
  addCaptureKey("attention-query-on", tr("Attention: pin the token after"), "Alt+Right",
                [this] { pinQuery(m_position + 1); });
  addCaptureKey("attention-export", tr("Attention: export the picture as SVG"), "E",
                [this] { chooseExport(QStringLiteral("svg")); });
  addCaptureKey("attention-set-a", tr("Attention: make this head A"), "C",
                [this] { m_views->compareView()->setA(); });
  auto* log = new QCheckBox(tr("log"), m_views);
  log->setObjectName(QStringLiteral("attentionLog"));
  log->setChecked(true);
  log->setToolTip(tr("Weights from 2^-16 to 1, or from 0 to the heaviest (L)"));
  connect(log, &QCheckBox::toggled, m_views, &HeadViews::setLogScale);
  m_views->bar()->addWidget(log);
  addCaptureKey("attention-log", tr("Attention: logarithmic or linear weights"), "L",
                [log] { log->toggle(); });
}

void AttentionPage::exportTo(const QString& path) {
  if (!m_capture) return;
  const int layer = m_atlas->layer();
  const int head = m_atlas->head();
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix == u"csv" || suffix == u"npy") {  // may be many megabytes
    const auto work = [capture = m_capture, layer, head, path](JobContext&) {
      return writeValues(*capture, layer, head, path);
    };
    m_workspace.files().start<void>(tr("Write values"), work, this, [this, path](Result<void>& written) {
      sayExported(path, written ? QString() : toQt(written.error()));
    });
    return;
  }
  const QString title = tr("Layer %1, head %2: %3").arg(layer).arg(head).arg(m_views->viewName());
  sayExported(path, suffix == u"json" ? writeBookmark(path, bookmark())
                                      : widgets::exportPicture(m_views->currentView(), path,
                                                               {title, captionOf(*m_capture)}));
}

void AttentionPage::sayExported(const QString& path, const QString& problem) {
  m_notice->show(problem.isEmpty() ? widgets::Notice::Kind::Good : widgets::Notice::Kind::Bad,
                 problem.isEmpty() ? tr("Written: %1").arg(QDir::toNativeSeparators(path)) : problem);
  Q_EMIT exported();
}

void AttentionPage::chooseExport(const QString& suffix) {
  const QStringList kinds{tr("SVG picture (*.svg)"), tr("PDF (*.pdf)"),         tr("PNG picture (*.png)"),
                          tr("CSV (*.csv)"),         tr("NumPy array (*.npy)"), tr("Bookmark (*.json)")};
  QString chosen;
  for (const QString& kind : kinds) {
    if (kind.contains(u'.' + suffix)) chosen = kind;
  }
  const QString name =
      QStringLiteral("attention-layer%1-head%2.%3").arg(m_atlas->layer()).arg(m_atlas->head()).arg(suffix);
  QString path = QFileDialog::getSaveFileName(this, tr("Export"),
                                              QDir(m_workspace.settings().exportFolder()).filePath(name),
                                              kinds.join(QStringLiteral(";;")), &chosen);
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += u'.' + suffix;
  m_workspace.settings().setExportFolder(QFileInfo(path).absolutePath());
  exportTo(path);
}

Bookmark AttentionPage::bookmark() const {
  Bookmark mark;
  mark.text = m_capture->text;
  mark.window = m_capture->record.window;
  mark.level = m_capture->record.level;
  mark.layer = m_atlas->layer();
  mark.head = m_atlas->head();
  mark.query = m_position;
  mark.view = m_views->view();
  mark.measure = m_measure->currentIndex();
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
  connect(
      this, &AttentionPage::captured, this,
      [this, mark = *mark] {
        if (!m_capture || m_capture->text != mark.text) return;
        m_atlas->select(mark.layer, mark.head);
        m_views->setView(static_cast<HeadViews::View>(std::clamp(mark.view, 0, 4)));
        pinQuery(mark.query);
      },
      Qt::SingleShotConnection);
  look();
}

void AttentionPage::keep() {
  const OpenedModel* model = m_workspace.currentModel();
  if (!m_capture || model == nullptr || !model->model) return;
  m_keep->setEnabled(false);
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
  m_workspace.files().start<QList<KeptCapture>>(
      tr("Read kept captures"),
      [path = m_workspace.settings().runStorePath()](JobContext&) { return readKeptCaptures(path); }, this,
      [this](Result<QList<KeptCapture>>& rows) {
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
        for (const KeptCapture& row : *rows) {
          QAction* action = m_keptMenu->addAction(tr("%1   %2   %3").arg(row.created, row.arm, row.name));
          action->setObjectName(QStringLiteral("kept-") + row.uuid);
          connect(action, &QAction::triggered, this, [this, uuid = row.uuid] { openKept(uuid); });
        }
      },
      /*quiet=*/true);
}

void AttentionPage::openKept(const QString& uuid) {
  m_notice->hide();
  m_workspace.files().start<AttentionCapture>(
      tr("Reopen the capture"),
      [path = m_workspace.settings().runStorePath(), uuid](JobContext&) {
        return readKeptCapture(path, uuid);
      },
      this,
      [this](Result<AttentionCapture>& capture) {
        if (!capture) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(capture.error()));
          return;
        }
        const QString when = capture->kept;
        if (!capture->text.isEmpty()) m_form->setText(capture->text);
        m_form->setWindow(capture->record.window);
        setCapture(std::move(*capture));
        m_notice->show(widgets::Notice::Kind::Info,
                       tr("Kept on %1; shown from the store, without the model.").arg(when));
        Q_EMIT captured();
      });
}

}  // namespace orthros::studio
