#include "app/studio/pages/lessons/your_model_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/row_plot.h"
#include "widgets/theme.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

constexpr int kText = 15;  // px
constexpr QSize kPlot(640, 300);

widgets::RowView rowsOf(const Model& model, const NeedleReading& reading) {
  widgets::RowView view;
  view.base = reading.base;
  view.output = reading.output;
  view.parts = {reading.sinks, reading.window};
  for (const TokenId id : reading.ids) {
    const Result<std::string> piece = model.files().tokenizer->piece(id);
    view.tokens.append(widgets::visibleToken(QByteArray::fromStdString(piece ? *piece : std::string())));
  }
  view.named = {reading.needle_begin, reading.needle_end, YourModelView::tr("needle")};
  return view;
}

}  // namespace

YourModelView::YourModelView(const std::shared_ptr<const Model>& model, const QString& name,
                             NeedleReading reading, double zoom, QWidget* parent)
    : QDialog(parent), m_plot(new widgets::RowPlot(this)) {
  setObjectName(QStringLiteral("yourModel"));
  setWindowTitle(tr("The same on %1").arg(name));
  setAttribute(Qt::WA_DeleteOnClose);
  const auto line = [&](const QString& text, const char* object) {
    auto* label = widgets::makeLabel(text, "", this);
    label->setObjectName(QLatin1String(object));
    label->setFont(widgets::fontOf(*label, qRound(kText * zoom)));
    label->setWordWrap(true);
    return label;
  };
  auto* title = line(tr("%1 as Orthros, w = %2, reads %3 tokens; the needle lies far outside the window.")
                         .arg(name)
                         .arg(reading.window)
                         .arg(reading.tokens),
                     "yourModelText");
  auto* output =
      line(tr("x′ of the last token reads all %1 keys. Of its weight in layer %2, head %3, %4 lies on "
              "the needle (keys %5 to %6; all counted from 0, as in the explorer).")
               .arg(reading.tokens)
               .arg(reading.layer)
               .arg(reading.head)
               .arg(widgets::formatPercent(reading.output_weight))
               .arg(reading.needle_begin)
               .arg(reading.needle_end - 1),
           "yourModelOutput");
  auto* base = line(tr("x reads %1 keys; of the weight of any of its heads at most %2 lies on the needle.")
                        .arg(reading.base_support)
                        .arg(widgets::formatPercent(reading.base_weight)),
                    "yourModelBase");
  m_plot->setObjectName(QStringLiteral("yourModelPlot"));
  m_plot->setAccessibleName(tr("Both rows of layer %1, head %2").arg(reading.layer).arg(reading.head));
  m_plot->setMinimumSize(kPlot);
  m_plot->setView(rowsOf(*model, reading));
  auto* readout =
      widgets::makeLabel(tr("Point at a bar, or walk along the keys with the arrow keys."), "caption", this);
  readout->setObjectName(QStringLiteral("yourModelReadout"));
  connect(m_plot, &widgets::RowPlot::keyHovered, readout, [this, readout](qsizetype key) {
    if (key >= 0) readout->setText(m_plot->readout(key));
  });
  auto* explore = widgets::makeButton(tr("All heads"), QStringLiteral("attention"), "plain", this);
  explore->setObjectName(QStringLiteral("yourModelExplore"));
  explore->setToolTip(tr("This text in the attention explorer, at this head"));
  auto* close = widgets::makeButton(tr("Close"), {}, "primary", this);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  connect(explore, &QPushButton::clicked, this, [this, model, reading] {
    AttentionRequest request{model,
                             reading.config,
                             reading.ids,
                             {},
                             static_cast<int>(reading.layer),
                             static_cast<int>(reading.head)};
    if (const auto text = model->files().tokenizer->decode(reading.ids)) request.text = toQt(*text);
    Q_EMIT attentionRequested(request);
    accept();
  });
  auto* foot = new QHBoxLayout;
  foot->addWidget(readout, 1);
  foot->addWidget(explore);
  foot->addWidget(close);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 16, 20, 16);
  layout->setSpacing(8);
  for (QLabel* label : {title, output, base}) layout->addWidget(label);
  layout->addWidget(m_plot, 1);
  layout->addLayout(foot);
  m_plot->setFocus();
}

}  // namespace orthros::studio
