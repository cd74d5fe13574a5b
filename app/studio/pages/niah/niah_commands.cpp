// The NIAH page's head, empty state, keys, export and kept runs.
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/studio/export_dialog.h"
#include "app/studio/kept_runs.h"
#include "app/studio/pages/niah/niah_export.h"
#include "app/studio/pages/niah/niah_figure.h"
#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "widgets/controls.h"

namespace orthros::studio {

QMenu* NiahPage::makeViewMenu() {
  auto* menu = new QMenu(m_viewButton);
  const auto add = [this, menu](const char* name, const QString& text, bool widgets::NeedleStyle::*what) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QString::fromLatin1(name));
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this, what](bool on) {
      widgets::NeedleStyle style = m_style;
      style.*what = on;
      setStyle(style);
    });
  };
  add("niah-to-scale", tr("Lengths and depths to scale"), &widgets::NeedleStyle::trueToScale);
  add("niah-from-end", tr("Tokens from the end, with window and reach"), &widgets::NeedleStyle::fromEnd);
  menu->addSeparator();
  add("niah-familiar", tr("Pink, amber, green"), &widgets::NeedleStyle::familiar);
  return menu;
}

QWidget* NiahPage::makeHead() {
  auto* head = new QWidget(this);
  m_about->setObjectName(QStringLiteral("niahAbout"));
  m_about->setWordWrap(true);
  m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_measure->setObjectName(QStringLiteral("niahMeasure"));
  m_measure->setAccessibleName(tr("What the maps show"));
  m_measure->setToolTip(tr("What was found, alone or above what the model attended to or held likely"));
  m_measure->addItems({tr("found"), tr("found + attention"), tr("found + log-probability")});
  connect(m_measure, &QComboBox::currentIndexChanged, this, [this](int index) {
    widgets::NeedleStyle style = m_style;
    style.measure = static_cast<widgets::NeedleMeasure>(index);
    setStyle(style);
  });
  m_viewButton->setObjectName(QStringLiteral("niahAxes"));
  m_viewButton->setToolTip(tr("How axes and colours are drawn"));
  m_viewButton->setMenu(makeViewMenu());
  m_difference->setObjectName(QStringLiteral("niahDifference"));
  m_difference->setCheckable(true);
  m_difference->setToolTip(tr("One arm minus another, on the prompts that both have read (D)"));
  m_pair->setObjectName(QStringLiteral("niahPair"));
  m_pair->setAccessibleName(tr("Which arms are compared"));
  m_resume->setObjectName(QStringLiteral("niahResume"));
  m_resume->setToolTip(tr("Runs what is missing of this run (R)"));
  m_kept->setObjectName(QStringLiteral("niahKept"));
  m_kept->setToolTip(tr("Runs that were kept: finished ones open, others go on with Resume"));
  m_keptMenu = new QMenu(m_kept);
  m_kept->setMenu(m_keptMenu);
  m_export->setObjectName(QStringLiteral("niahExport"));
  m_export->setToolTip(tr("The maps as a picture, or their numbers (E)"));
  auto* menu = new QMenu(m_export);
  const std::pair<const char*, QString> kinds[] = {{"svg", tr("Picture as SVG…")},
                                                   {"pdf", tr("Picture as PDF…")},
                                                   {"png", tr("Picture as PNG…")},
                                                   {"csv", tr("Numbers as CSV…")}};
  for (const auto& [suffix, text] : kinds) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QStringLiteral("niah-export-") + QLatin1String(suffix));
    connect(action, &QAction::triggered, this,
            [this, kind = QString::fromLatin1(suffix)] { chooseExport(kind); });
  }
  m_export->setMenu(menu);
  connect(m_keptMenu, &QMenu::aboutToShow, this, &NiahPage::fillKeptMenu);
  connect(m_resume, &QPushButton::clicked, this, &NiahPage::resume);
  connect(m_difference, &QPushButton::toggled, this, [this] {
    showMaps();
    refresh();
  });
  connect(m_pair, &QComboBox::currentIndexChanged, this, &NiahPage::showMaps);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_measure, m_viewButton, m_difference, m_pair})
    row->addWidget(widget);
  row->addStretch(1);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_resume, m_kept, m_export}) row->addWidget(widget);
  m_pair->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_pair->setMinimumWidth(90);
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_about);
  layout->addLayout(row);
  return head;
}

QWidget* NiahPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("niahEmpty"));
  auto* text = widgets::makeLabel(
      tr("A number is hidden in a long text, at every depth and length of a grid, and every arm is asked for "
         "it on the very same prompts. The map shows where it is found. A sliding window alone finds what it "
         "can still see; an Orthros model's output stream reads everything."),
      "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setFixedWidth(480);
  const bool shipped = !sampleModel(QStringLiteral("needle-orthros")).isEmpty();
  auto* samples = widgets::makeButton(tr("Run the needle models"), QStringLiteral("niah"), "primary", empty);
  samples->setObjectName(QStringLiteral("niahEmptySamples"));
  samples->setToolTip(tr(
      "Opens the three small models that came with the program, a Transformer, one with a window alone and "
      "Orthros, and runs the quick preset on them: a few minutes"));
  samples->setVisible(shipped);
  connect(samples, &QPushButton::clicked, this, &NiahPage::runSamples);
  auto* go =
      widgets::makeButton(tr("Run this grid"), QStringLiteral("play"), shipped ? "plain" : "primary", empty);
  go->setObjectName(QStringLiteral("niahEmptyRun"));
  connect(go, &QPushButton::clicked, this, &NiahPage::run);
  const auto enable = [this, go, samples] {
    go->setEnabled(!isRunning() && m_form->canRun());
    samples->setEnabled(!isRunning() && m_samples.isEmpty());
  };
  connect(m_form, &NiahForm::changed, go, enable);
  connect(&m_workspace.engine(), &JobRunner::jobsChanged, go, enable);
  enable();
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch(1);
  buttons->addWidget(samples);
  buttons->addWidget(go);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(widgets::makeLabel(tr("No map yet"), "section", empty), 0, Qt::AlignHCenter);
  auto* middle = new QHBoxLayout;  // no alignment: it would cut what wraps
  middle->addStretch(1);
  middle->addWidget(text);
  middle->addStretch(1);
  layout->addLayout(middle);
  layout->addLayout(buttons);
  layout->addStretch(2);
  return empty;
}

void NiahPage::makeActions() {
  addKey("niah-difference", tr("NIAH: difference of two arms"), "D", [this] {
    if (m_view && m_view->map.arms.size() > 1) m_difference->toggle();
  });
  addKey("niah-pause", tr("NIAH: pause, or go on"), "P", [this] { setPaused(!isPaused()); });
  addKey("niah-measure", tr("NIAH: found, attention, log-probability in turn"), "M", [this] {
    if (m_view) m_measure->setCurrentIndex((m_measure->currentIndex() + 1) % m_measure->count());
  });
  addKey("niah-samples", tr("NIAH: run the needle models that came with the program"), "",
         [this] { runSamples(); });
  addKey("niah-fold", tr("NIAH: fold the set-up away, or show it"), "F",
         [this] { m_form->setFolded(!m_form->isFolded()); });
  addKey("niah-resume", tr("NIAH: resume the run that is shown"), "R", [this] { resume(); });
  addKey("niah-export", tr("NIAH: export the maps as SVG"), "E", [this] {
    if (m_view) chooseExport(QStringLiteral("svg"));
  });
  addKey("niah-export-numbers", tr("NIAH: export the numbers as CSV"), "", [this] {
    if (m_view) chooseExport(QStringLiteral("csv"));
  });
  addKey("niah-smoke", tr("NIAH: preset Smoke"), "", [this] { m_form->setPreset(QStringLiteral("smoke")); });
  addKey("niah-quick", tr("NIAH: preset Quick"), "", [this] { m_form->setPreset(QStringLiteral("quick")); });
}

void NiahPage::fillKeptMenu() {
  fillKeptRuns(m_workspace, m_keptMenu, store::ExperimentKind::niah, QStringLiteral("niah-kept"),
               [this](const QString& uuid) { open(uuid); });
}

NiahFigure NiahPage::figure() const {
  return {m_style, m_difference->isChecked() ? m_pair->currentIndex() : -1};
}

void NiahPage::exportTo(const QString& path) {
  if (!m_view) return;
  if (QFileInfo(path).suffix().toLower() == u"csv") {
    const auto work = [view = *m_view, path](JobContext&) { return writeNiahValues(view, path); };
    m_workspace.files().start<void>(tr("Write numbers"), work, this, [this, path](Result<void>& written) {
      sayExported(path, written ? QString() : toQt(written.error()));
    });
    return;
  }
  const Result<void> written = writeNiahFigure(*m_view, figure(), path, /*inTheme=*/false);
  sayExported(path, written ? QString() : toQt(written.error()));
}

void NiahPage::sayExported(const QString& path, const QString& problem) {
  sayWritten(*m_notice, path, problem);
  Q_EMIT exported();
}

void NiahPage::chooseExport(const QString& suffix) {
  const QString path = askExportPath(
      this, m_workspace.settings(), QStringLiteral("niah-") + m_view->uuid.left(8), suffix,
      {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png"), QStringLiteral("csv")});
  if (!path.isEmpty()) exportTo(path);
}

}  // namespace orthros::studio
