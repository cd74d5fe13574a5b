// The latency page's head, content, keys, export, kept runs, and the action of the empty page.
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableView>
#include <QVBoxLayout>

#include "app/studio/export_dialog.h"
#include "app/studio/kept_runs.h"
#include "app/studio/pages/latency/latency_export.h"
#include "app/studio/pages/latency/latency_form.h"
#include "app/studio/pages/latency/latency_page.h"
#include "app/studio/pages/latency/latency_panels.h"
#include "app/studio/pages/latency/latency_presets.h"
#include "app/studio/pages/latency/latency_table.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "engine/model/latency_256.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"

namespace orthros::studio {
namespace {

QString sampleFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
         QStringLiteral("/orthros/models/latency-256");
}

}  // namespace

QWidget* LatencyPage::makeHead() {
  auto* head = new QWidget(this);
  m_about->setObjectName(QStringLiteral("latencyAbout"));
  m_quantity->setObjectName(QStringLiteral("latencyQuantity"));
  m_quantity->setAccessibleName(tr("What the big plot shows"));
  m_quantity->setToolTip(tr("What the big plot shows; its formula stands in the table's head"));
  const std::tuple<QPushButton*, const char*, QString> toggles[] = {
      {m_log, "latencyLog", tr("Logarithmic axes (L)")},
      {m_model, "latencyModelled", tr("The fitted curves, and beyond what was measured: a model (M)")},
      {m_paper, "latencyPaperToggle", tr("What the paper reports on the same axis, with its protocol (P)")},
      {m_tableButton, "latencyTableToggle", tr("All figures in the layout of the paper's Table 4 (T)")}};
  for (const auto& [button, objectName, tip] : toggles) {
    button->setObjectName(QLatin1String(objectName));
    button->setCheckable(true);
    button->setToolTip(tip);
  }
  m_log->setChecked(m_look.isLog);
  m_resume->setObjectName(QStringLiteral("latencyResume"));
  m_resume->setToolTip(tr("Runs what is missing of this run (R)"));
  m_kept->setObjectName(QStringLiteral("latencyKept"));
  m_kept->setToolTip(tr("Runs that were kept: finished ones open, others go on with Resume"));
  m_keptMenu = new QMenu(m_kept);
  m_kept->setMenu(m_keptMenu);
  m_export->setObjectName(QStringLiteral("latencyExport"));
  m_export->setToolTip(tr("The curves as a picture, or their numbers (E)"));
  auto* menu = new QMenu(m_export);
  const std::pair<const char*, QString> kinds[] = {{"svg", tr("Picture as SVG…")},
                                                   {"pdf", tr("Picture as PDF…")},
                                                   {"png", tr("Picture as PNG…")},
                                                   {"csv", tr("Numbers as CSV…")}};
  for (const auto& [suffix, text] : kinds) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QStringLiteral("latency-export-") + QLatin1String(suffix));
    connect(action, &QAction::triggered, this,
            [this, kind = QString::fromLatin1(suffix)] { chooseExport(kind); });
  }
  auto* plots = menu->addMenu(tr("One plot alone"));
  const std::pair<const char*, QString> names[] = {{"curves", tr("The chosen quantity…")},
                                                   {"speed-up", tr("Speed-up…")},
                                                   {"memory", tr("Memory…")},
                                                   {"roofline", tr("Roofline…")},
                                                   {"parts", tr("Parts of a reply…")}};
  for (const auto& [key, text] : names) {
    QAction* action = plots->addAction(text);
    action->setObjectName(QStringLiteral("latency-export-plot-") + QLatin1String(key));
    connect(action, &QAction::triggered, this,
            [this, plot = QString::fromLatin1(key)] { chooseExport(QStringLiteral("svg"), plot); });
  }
  connect(menu, &QMenu::aboutToShow, plots,
          [this, plots] { plots->actions().constLast()->setVisible(m_view && hasReplies(*m_view)); });
  m_export->setMenu(menu);
  connect(m_keptMenu, &QMenu::aboutToShow, this, &LatencyPage::fillKeptMenu);
  connect(m_resume, &QPushButton::clicked, this, &LatencyPage::resume);
  const auto changed = [this] {
    m_look.quantity = static_cast<TimingQuantity>(m_quantity->currentData().toInt());
    m_look.isLog = m_log->isChecked();
    m_look.hasModel = m_model->isChecked();
    m_look.hasPaper = m_paper->isChecked();
    showFigures();
    refresh();
  };
  connect(m_quantity, &QComboBox::currentIndexChanged, this, changed);
  for (QPushButton* button : {m_log, m_model, m_paper}) connect(button, &QPushButton::toggled, this, changed);
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_about, 1);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_resume, m_quantity, m_log, m_model, m_paper,
                                                         m_tableButton, m_kept, m_export})
    layout->addWidget(widget);
  return head;
}

QWidget* LatencyPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("latencyEmpty"));
  auto* text = widgets::makeLabel({}, "muted", empty);
  text->setObjectName(QStringLiteral("latencyEmptyText"));
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setFixedWidth(500);
  m_sample = widgets::makeButton({}, QStringLiteral("latency"), "primary", empty);
  m_sample->setObjectName(QStringLiteral("latencyEmptyRun"));
  connect(m_sample, &QPushButton::clicked, this, &LatencyPage::runSample);
  const auto refreshText = [this, text] {
    const bool here = !sampleModel(QStringLiteral("latency-256")).isEmpty();
    const QString what = tr(
        "Every arm reads the same prompts in turns, A B B A, at growing lengths. A Transformer's prefill "
        "grows with "
        "the square of the length, Orthros' with the length: the plot shows from where on, and by how much.");
    const QString how =
        tr("latency-256 is a model to time and not to read: random weights, and a shape whose "
           "attention weighs as much at 4 096 tokens as an 8B model's at 47 000.");
    text->setText(what + QStringLiteral("\n\n") + how);
    m_sample->setText(here ? tr("Sweep latency-256 up to 8K tokens")
                           : tr("Make latency-256 (17 MB) and sweep it"));
    m_sample->setEnabled(!isRunning());
  };
  connect(m_form, &LatencyForm::changed, text, refreshText);
  connect(&m_workspace.engine(), &JobRunner::jobsChanged, text, refreshText);
  refreshText();
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(widgets::makeLabel(tr("Nothing timed yet"), "section", empty), 0, Qt::AlignHCenter);
  auto* middle = new QHBoxLayout;  // no alignment: it would cut what wraps
  middle->addStretch(1);
  middle->addWidget(text);
  middle->addStretch(1);
  layout->addLayout(middle);
  layout->addWidget(m_sample, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return empty;
}

QWidget* LatencyPage::makeContent() {
  auto* content = widgets::makePanel(this);
  m_panels = new LatencyPanels;
  m_panels->setObjectName(QStringLiteral("latencyFigure"));
  auto* body = new QWidget;
  body->setObjectName(QStringLiteral("scrollBody"));
  auto* inside = new QVBoxLayout(body);
  inside->setContentsMargins(12, 10, 12, 10);
  inside->addWidget(m_panels);
  auto* scroll = new QScrollArea(content);
  scroll->setObjectName(QStringLiteral("latencyScroll"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(body);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->addWidget(scroll);
  m_tableView = new QTableView;
  m_tableView->setObjectName(QStringLiteral("latencyTable"));
  m_tableView->setAccessibleName(tr("All figures of the run"));
  m_tableView->setModel(m_table);
  m_tableView->verticalHeader()->hide();
  m_tableView->verticalHeader()->setDefaultSectionSize(26);
  m_tableView->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_tableView->horizontalHeader()->setHighlightSections(false);
  m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_tableView->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tableView->setShowGrid(false);
  m_tableView->setIconSize({10, 10});
  auto* pages = new QWidget(this);
  auto* stacked = new QVBoxLayout(pages);
  stacked->setContentsMargins(0, 0, 0, 0);
  stacked->addWidget(content);
  stacked->addWidget(m_tableView);
  m_tableView->hide();
  connect(m_tableButton, &QPushButton::toggled, content, [this, content](bool table) {
    content->setHidden(table);
    m_tableView->setVisible(table);
  });
  return pages;
}

void LatencyPage::makeActions() {
  const auto toggle = [this](QPushButton* button) {
    if (m_view && button->isEnabled()) button->toggle();
  };
  addKey("latency-log", tr("Latency: logarithmic axes"), "L", [this, toggle] { toggle(m_log); });
  addKey("latency-model", tr("Latency: fitted curves"), "M", [this, toggle] { toggle(m_model); });
  addKey("latency-paper", tr("Latency: what the paper reports"), "P", [this, toggle] { toggle(m_paper); });
  addKey("latency-table", tr("Latency: table of all figures"), "T",
         [this, toggle] { toggle(m_tableButton); });
  addKey("latency-pause", tr("Latency: pause or go on"), "Ctrl+P", [this] { m_run->setPaused(!isPaused()); });
  addKey("latency-resume", tr("Latency: resume the run that is shown"), "R", [this] { resume(); });
  addKey("latency-export", tr("Latency: export the curves as SVG"), "E", [this] {
    if (m_view) chooseExport(QStringLiteral("svg"));
  });
  addKey("latency-export-numbers", tr("Latency: export the numbers as CSV"), "", [this] {
    if (m_view) chooseExport(QStringLiteral("csv"));
  });
  addKey("latency-smoke", tr("Latency: preset Smoke"), "",
         [this] { m_form->setPreset(QStringLiteral("smoke")); });
  addKey("latency-quick", tr("Latency: preset Quick"), "",
         [this] { m_form->setPreset(QStringLiteral("quick")); });
  addKey("latency-sample", tr("Latency: sweep latency-256"), "", [this] { runSample(); });
}

// Makes the model where it is not there, opens it, and sweeps it as Transformer and as Orthros.
void LatencyPage::runSample() {
  if (isRunning()) return;
  const QString folder = sampleFolder();
  m_workspace.files().start<void>(
      tr("Make latency-256"),
      [folder](JobContext& context) -> Result<void> {
        if (QFileInfo::exists(folder)) return {};
        return write_latency_256(toStd(folder), context.stop(), context.sink());
      },
      this,
      [this, folder](Result<void>& made) {
        if (!made) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(made.error()));
          return;
        }
        const quint64 id = m_workspace.library().open(folder);
        const auto sweep = [this, id] {
          m_form->setArms(
              {{{id, Architecture::transformer, {}, {}}, {}}, {{id, Architecture::orthros, 128, 0}, {}}});
          m_form->setMode(LatencyMode::prefill);
          m_form->setPreset(QStringLiteral("quick"));
          run();
        };
        const OpenedModel* model = m_workspace.library().find(id);
        if (model != nullptr && model->state == OpenedModel::State::Ready) {
          sweep();
          return;
        }
        auto* waiting = new QObject(this);
        connect(&m_workspace.library(), &ModelLibrary::modelReady, waiting,
                [waiting, id, sweep](quint64 ready) {
                  if (ready != id) return;
                  waiting->deleteLater();
                  sweep();
                });
        connect(
            &m_workspace.library(), &ModelLibrary::modelFailed, waiting, [this, waiting, id](quint64 failed) {
              if (failed != id) return;
              waiting->deleteLater();
              const OpenedModel* refused = m_workspace.library().find(id);
              m_notice->show(widgets::Notice::Kind::Bad, refused == nullptr ? QString() : refused->problem);
            });
      });
}

void LatencyPage::fillKeptMenu() {
  fillKeptRuns(m_workspace, m_keptMenu, store::ExperimentKind::latency, QStringLiteral("latency-kept"),
               [this](const QString& uuid) { open(uuid); });
}

void LatencyPage::exportTo(const QString& path, const QString& plot) {
  if (!m_view) return;
  if (QFileInfo(path).suffix().toLower() == u"csv") {
    const auto work = [view = *m_view, path](JobContext&) { return writeLatencyValues(view, path); };
    m_workspace.files().start<void>(tr("Write numbers"), work, this, [this, path](Result<void>& written) {
      sayExported(path, written ? QString() : toQt(written.error()));
    });
    return;
  }
  if (!plot.isEmpty()) {
    const Result<void> written = writeLatencyFigure(*m_view, m_look, plot, path);
    sayExported(path, written ? QString() : toQt(written.error()));
    return;
  }
  sayExported(path, widgets::exportPicture(m_panels, path, {m_view->name, captionOf(*m_view)}));
}

void LatencyPage::sayExported(const QString& path, const QString& problem) {
  sayWritten(*m_notice, path, problem);
  Q_EMIT exported();
}

void LatencyPage::chooseExport(const QString& suffix, const QString& plot) {
  const QString name = (plot.isEmpty() ? QStringLiteral("latency") : plot) + u'-' + m_view->uuid.left(8);
  const QString path = askExportPath(
      this, m_workspace.settings(), name, suffix,
      {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png"), QStringLiteral("csv")});
  if (!path.isEmpty()) exportTo(path, plot);
}

}  // namespace orthros::studio
