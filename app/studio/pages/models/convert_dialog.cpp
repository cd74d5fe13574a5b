#include "app/studio/pages/models/convert_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kWidth = 560;
constexpr int kDefaultWindow = 128;
constexpr int kSinksWithoutTraining = 4;

QSpinBox* makeSpin(int low, int high, int value, const QString& name, QWidget* parent) {
  auto* spin = new QSpinBox(parent);
  spin->setRange(low, high);
  spin->setValue(value);
  spin->setSuffix(QStringLiteral(" ") + ConvertDialog::tr("tokens"));
  spin->setObjectName(name);
  spin->setMaximumWidth(160);
  return spin;
}

QLabel* makeText(const QString& text, QWidget* parent) {
  QLabel* label = makeLabel(text, "muted", parent);
  label->setWordWrap(true);
  return label;
}

}  // namespace

ConvertDialog::ConvertDialog(const ModelFacts& facts, const QString& folder, QWidget* parent)
    : QDialog(parent),
      m_facts(facts),
      m_folder(folder),
      m_noTraining(new QRadioButton(tr("Works at once: 4 sink tokens, no training"), this)),
      m_paper(new QRadioButton(tr("As in the paper: 0 sink tokens, needs training"), this)),
      m_window(makeSpin(1, 1'000'000, kDefaultWindow, QStringLiteral("convertWindow"), this)),
      m_sinks(makeSpin(0, 4096, kSinksWithoutTraining, QStringLiteral("convertSinks"), this)),
      m_destination(new QLineEdit(this)),
      m_cost(makeText({}, this)),
      m_problem(makeLabel({}, "caption", this)),
      m_convert(widgets::makeButton(tr("Convert"), QStringLiteral("convert"), "primary", this)) {
  setObjectName(QStringLiteral("convertDialog"));
  setWindowTitle(tr("Convert %1 to Orthros").arg(facts.name));
  m_noTraining->setObjectName(QStringLiteral("convertNoTraining"));
  m_paper->setObjectName(QStringLiteral("convertPaper"));
  m_destination->setObjectName(QStringLiteral("convertDestination"));
  m_convert->setObjectName(QStringLiteral("convertStart"));
  m_problem->setObjectName(QStringLiteral("convertProblem"));
  m_noTraining->setChecked(true);
  m_window->setToolTip(tr("Keys that a base row x reads, its own included: it sees [t − w + 1, t]"));
  m_sinks->setToolTip(tr("First keys that stay visible besides the window; models put much weight there"));

  auto* browse =
      widgets::makeToolButton(QStringLiteral("folder"), tr("Choose the folder to write into"), this);
  auto* place = new QHBoxLayout;
  place->addWidget(m_destination, 1);
  place->addWidget(browse);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(16);
  form->setVerticalSpacing(12);
  form->setLabelAlignment(Qt::AlignLeft);
  form->addRow(tr("Window"), m_window);
  form->addRow(tr("Sinks"), m_sinks);
  form->addRow(tr("Write to"), place);
  auto* panel = widgets::makePanel(this);
  auto* about = new QVBoxLayout(panel);
  about->setContentsMargins(16, 12, 16, 12);
  about->setSpacing(6);
  about->addWidget(makeLabel(tr("What is exact"), "strong", panel));
  about->addWidget(makeText(
      tr("Every weight is kept as it is. Up to window + sinks tokens the result is the same function as "
         "the source. Beyond, the base stream forgets; the output stream still reads every key."),
      panel));
  about->addSpacing(6);
  about->addWidget(makeLabel(tr("What it costs"), "strong", panel));
  about->addWidget(m_cost);
  auto* cancel = widgets::makeButton(tr("Cancel"), {}, "plain", this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_problem, 1);
  buttons->addWidget(cancel);
  buttons->addWidget(m_convert);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 24, 24, 16);
  layout->setSpacing(12);
  layout->addWidget(makeLabel(tr("Convert to Orthros"), "title", this));
  layout->addWidget(m_noTraining);
  layout->addWidget(m_paper);
  layout->addLayout(form);
  layout->addWidget(panel);
  layout->addStretch(1);
  layout->addLayout(buttons);
  setFixedWidth(kWidth);

  connect(m_noTraining, &QRadioButton::clicked, this, [this] { m_sinks->setValue(kSinksWithoutTraining); });
  connect(m_paper, &QRadioButton::clicked, this, [this] { m_sinks->setValue(0); });
  connect(m_window, &QSpinBox::valueChanged, this, &ConvertDialog::refresh);
  connect(m_sinks, &QSpinBox::valueChanged, this, &ConvertDialog::refresh);
  connect(m_destination, &QLineEdit::textEdited, this, [this] {
    m_ownDestination = true;
    refresh();
  });
  connect(browse, &QToolButton::clicked, this, &ConvertDialog::chooseDestination);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_convert, &QPushButton::clicked, this, &QDialog::accept);
  refresh();
}

ConvertOptions ConvertDialog::options() const {
  ConvertOptions options;
  options.to = Architecture::orthros;
  options.window = WindowSpec{m_window->value(), m_sinks->value()};
  return options;
}

QString ConvertDialog::destination() const {
  return m_destination->text();
}

void ConvertDialog::chooseDestination() {
  const QString parent = QFileDialog::getExistingDirectory(this, tr("Folder to write into"), m_folder);
  if (parent.isEmpty()) return;
  m_folder = parent;
  m_ownDestination = false;
  refresh();
}

// Wrapped text has a height only once its width and its font, which the style sheet sets, are known.
void ConvertDialog::fitHeight() {
  for (QLabel* label : findChildren<QLabel*>()) label->ensurePolished();
  m_cost->parentWidget()->layout()->invalidate();
  layout()->invalidate();
  setFixedHeight(layout()->totalHeightForWidth(kWidth));
}

void ConvertDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  QMetaObject::invokeMethod(this, &ConvertDialog::fitHeight, Qt::QueuedConnection);
}

void ConvertDialog::refresh() {
  if (!m_ownDestination) {
    m_destination->setText(QDir(m_folder).filePath(
        QStringLiteral("%1-orthros-w%2-s%3").arg(m_facts.name).arg(m_window->value()).arg(m_sinks->value())));
  }
  // Quantised sources are written as float32: their values are not all in bfloat16.
  const qint64 bytes = m_facts.parameters * (m_facts.dtype == u"bfloat16" ? 2 : 4);
  m_cost->setText(
      tr("About %1 on disk and one pass over the file. In each step one more row of queries is computed: the "
         "output stream's. A prompt of T tokens then costs T · (w + s) base scores and T output scores "
         "a head, instead of T² / 2.%2")
          .arg(widgets::formatBytes(bytes),
               m_sinks->value() == 0 ? tr(" Without sinks a model that was not trained for it loses "
                                          "much beyond the window.")
                                     : QString()));
  fitHeight();
  const bool exists = QFileInfo::exists(destination());
  const bool valid = !destination().trimmed().isEmpty() && !exists;
  m_problem->setText(exists ? tr("⚠ That folder is there already: choose another name.") : QString());
  m_convert->setEnabled(valid);
}

}  // namespace orthros::studio
