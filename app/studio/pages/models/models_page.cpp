#include "app/studio/pages/models/models_page.h"

#include <QHBoxLayout>
#include <QListView>
#include <QPainter>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/models/compare_models.h"
#include "app/studio/pages/models/convert_dialog.h"
#include "app/studio/pages/models/model_card.h"
#include "app/studio/pages/models/model_list.h"
#include "app/studio/pages/models/next_steps.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kRowHeight = 48, kRowsAtLeast = 3;
constexpr int kRoomForSide = 900;  // below that the cards need all of it

// Name and size above, the note below.
class ListedModel : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, kRowHeight}; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    using widgets::Role;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & (QStyle::State_MouseOver | QStyle::State_Selected)) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(
          widgets::color(option.state & QStyle::State_Selected ? Role::AccentSoft : Role::Raised));
      painter->drawRoundedRect(option.rect, 4, 4);
    }
    const QRect text = option.rect.adjusted(8, 6, -8, -6);
    QFont caption = option.font;
    caption.setPixelSize(11);
    const QFontMetrics small(caption);
    const QString bytes = widgets::formatBytes(index.data(ModelList::BytesRole).toLongLong());
    painter->setPen(widgets::color(Role::Text));
    painter->drawText(text, Qt::AlignTop | Qt::AlignLeft,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle,
                                                    text.width() - small.horizontalAdvance(bytes) - 12));
    painter->setFont(caption);
    painter->setPen(widgets::color(Role::Muted));
    painter->drawText(text, Qt::AlignTop | Qt::AlignRight, bytes);
    // The end of a path tells more than its beginning; a sentence is read from its beginning.
    const QString note = index.data(ModelList::NoteRole).toString();
    painter->drawText(
        text, Qt::AlignBottom | Qt::AlignLeft,
        small.elidedText(note, note.contains(u'/') ? Qt::ElideLeft : Qt::ElideRight, text.width()));
    painter->restore();
  }
};

}  // namespace

ModelsPage::ModelsPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_notice(new widgets::Notice(this)),
      m_samples(new ModelList(this)),
      m_recent(new ModelList(this)) {
  m_notice->setObjectName(QStringLiteral("modelsNotice"));
  m_empty = makeEmpty();
  m_body = new QWidget(this);
  m_body->setObjectName(QStringLiteral("scrollBody"));
  m_cardColumn = new QVBoxLayout(m_body);
  m_cardColumn->setContentsMargins(0, 0, 0, 0);
  m_cardColumn->setSpacing(12);
  m_cardColumn->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(m_body);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  auto* folder = widgets::makeButton(tr("Open folder…"), QStringLiteral("folder"), "plain", this);
  auto* file = widgets::makeButton(tr("Open .gguf…"), QStringLiteral("plus"), "plain", this);
  folder->setObjectName(QStringLiteral("openFolder"));
  file->setObjectName(QStringLiteral("openFile"));
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(makeLabel(tr("Models"), "title", this), 1);
  m_compare = widgets::makeButton(tr("Compare…"), QStringLiteral("layers"), "plain", this);
  m_compare->setObjectName(QStringLiteral("modelsCompare"));
  m_compare->setToolTip(tr("Two open models' configurations side by side"));
  connect(m_compare, &QPushButton::clicked, this, &ModelsPage::compare);
  head->addWidget(m_compare);
  head->addWidget(folder);
  head->addWidget(file);
  auto* column = new QVBoxLayout;
  column->setSpacing(12);
  column->addLayout(head);
  column->addWidget(m_notice);
  column->addWidget(m_empty, 1);
  column->addWidget(scroll, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(24, 20, 24, 20);
  row->setSpacing(12);
  row->addLayout(column, 1);
  m_side = makeSide();
  row->addWidget(m_side);

  connect(folder, &QPushButton::clicked, this, &ModelsPage::openFolderRequested);
  connect(file, &QPushButton::clicked, this, &ModelsPage::openFileRequested);
  connect(&workspace.library(), &ModelLibrary::changed, this, &ModelsPage::refresh);
  connect(&workspace, &Workspace::currentModelChanged, this, &ModelsPage::refresh);
  connect(&workspace.settings(), &Settings::recentModelsChanged, this, &ModelsPage::refreshRecent);
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, &ModelsPage::refresh);
  connect(&workspace.library(), &ModelLibrary::convertFailed, this,
          [this](const QString& problem) { m_notice->show(widgets::Notice::Kind::Bad, problem); });
  connect(&workspace.library(), &ModelLibrary::converted, this,
          [this](const QString& path, const QStringList& notes) {
            m_notice->show(widgets::Notice::Kind::Good,
                           (QStringList{tr("Converted: %1").arg(path)} + notes).join(u'\n'));
          });
  refreshRecent();
  refresh();
}

void ModelsPage::setNextSteps(const QList<Page*>& pages) {
  auto* steps = new NextSteps(pages, m_body);
  m_cardColumn->insertWidget(m_cardColumn->count() - 1, steps);
  connect(steps, &NextSteps::pageRequested, this, &ModelsPage::pageRequested);
}

void ModelsPage::compare() {
  std::vector<OpenedModel> models;
  for (const OpenedModel& model : m_workspace.library().models()) {
    if (model.hasFacts()) models.push_back(model);
  }
  for (OpenedModel& model : models) model.model.reset();  // facts alone: a closed model must not be held
  if (models.size() < 2) return;
  auto* dialog = new CompareModels(models, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

QListView* ModelsPage::makeList(const char* name, const QString& title, ModelList* models) {
  auto* view = new QListView(this);
  view->setObjectName(QString::fromLatin1(name));
  view->setModel(models);
  view->setItemDelegate(new ListedModel(view));
  view->setMouseTracking(true);
  view->setStyleSheet(QStringLiteral("QListView { border: none; }"));
  view->setAccessibleName(title);
  view->setCursor(Qt::PointingHandCursor);
  // Enter and click alike; `activated` alone would need a double click on some desktops.
  const auto open = [this](const QModelIndex& index) {
    m_workspace.library().open(index.data(ModelList::PathRole).toString());
  };
  connect(view, &QListView::activated, this, open);
  connect(view, &QListView::clicked, this, open);
  return view;
}

QWidget* ModelsPage::makeSide() {
  auto* side = widgets::makePanel(this);
  side->setFixedWidth(300);
  m_samples->setSamples(sampleModels());
  auto* hint = makeLabel(tr("Or drop a folder or a .gguf file anywhere."), "caption", side);
  hint->setWordWrap(true);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(12, 16, 12, 12);
  layout->setSpacing(8);
  const auto addSection = [&](const QString& text, QListView* view, int stretch) {
    auto* title = makeLabel(text, "section", side);
    title->setContentsMargins(8, 0, 0, 0);
    layout->addWidget(title);
    layout->addWidget(view, stretch);
  };
  if (const int count = m_samples->rowCount(); count > 0) {
    QListView* samples = makeList("sampleModels", tr("Sample models"), m_samples);
    samples->setMinimumHeight(std::min(count, kRowsAtLeast) * kRowHeight);
    samples->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    samples->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addSection(tr("Samples"), samples, 0);
  }
  m_recentView = makeList("recentModels", tr("Recent models"), m_recent);
  m_recentView->setMinimumHeight(kRowHeight);
  addSection(tr("Recent"), m_recentView, 1);
  hint->setContentsMargins(8, 0, 0, 0);
  layout->addWidget(hint);
  return side;
}

QWidget* ModelsPage::makeEmpty() {
  auto* empty = widgets::makePanel(this);
  empty->setObjectName(QStringLiteral("modelsEmpty"));
  const QString sample = sampleModel(QStringLiteral("smollm2"));
  auto* text = makeLabel(
      tr("A model is a Hugging Face folder (config.json and .safetensors) or one .gguf file: Llama, "
         "Qwen3 or Mistral style, or Orthros. Open one, and run the same weights as Transformer, "
         "sliding-window and Orthros model."),
      "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setFixedWidth(460);
  auto* open = widgets::makeButton(
      sample.isEmpty() ? tr("Open a model folder…") : tr("Open the sample model (SmolLM2-135M)"),
      QStringLiteral("models"), "primary", empty);
  open->setObjectName(QStringLiteral("openSample"));
  auto* layout = new QVBoxLayout(empty);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(makeLabel(tr("No model is open"), "section", empty), 0, Qt::AlignHCenter);
  layout->addWidget(text, 0, Qt::AlignHCenter);
  layout->addWidget(open, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  connect(open, &QPushButton::clicked, this, [this, sample] {
    if (sample.isEmpty()) {
      Q_EMIT openFolderRequested();
    } else {
      m_workspace.library().open(sample);
    }
  });
  return empty;
}

ModelCard* ModelsPage::cardOf(quint64 id) {
  for (ModelCard* card : m_cards) {
    if (card->id() == id) return card;
  }
  auto* card = new ModelCard(id, m_body);
  m_cards.append(card);
  m_cardColumn->insertWidget(0, card);  // newest first
  connect(card, &ModelCard::promptRequested, this, [this](quint64 which) {
    m_workspace.setCurrentModel(which);
    Q_EMIT promptRequested();
  });
  connect(card, &ModelCard::closeRequested, &m_workspace.library(), &ModelLibrary::close,
          Qt::QueuedConnection);
  connect(card, &ModelCard::convertRequested, this, &ModelsPage::convert);
  connect(
      card, &ModelCard::retryRequested, this,
      [this](quint64 which) {
        if (const OpenedModel* model = m_workspace.library().find(which))
          m_workspace.library().open(QString(model->path));
      },
      Qt::QueuedConnection);
  return card;
}

void ModelsPage::refresh() {
  m_compare->setVisible(std::ranges::count_if(m_workspace.library().models(), &OpenedModel::hasFacts) > 1);
  const auto& models = m_workspace.library().models();
  for (qsizetype i = m_cards.size() - 1; i >= 0; --i) {
    if (m_workspace.library().find(m_cards[i]->id()) == nullptr) {
      m_cards[i]->hide();
      m_cards.takeAt(i)->deleteLater();
    }
  }
  const OpenedModel* current = m_workspace.currentModel();
  for (const OpenedModel& model : models)
    cardOf(model.id)->setModel(model, current != nullptr && current->id == model.id);
  m_empty->setVisible(models.empty());
  m_body->parentWidget()->parentWidget()->setVisible(!models.empty());
}

void ModelsPage::refreshRecent() {
  m_recent->setPaths(m_workspace.settings().recentModels());
}

void ModelsPage::convert(quint64 id) {
  const OpenedModel* model = m_workspace.library().find(id);
  if (model == nullptr) return;
  auto* dialog =
      new ConvertDialog(model->facts, m_workspace.settings().dataFolder() + QStringLiteral("/models"), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, id, dialog] {
    m_workspace.library().convert(id, dialog->options(), dialog->destination());
  });
  dialog->open();
}

void ModelsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  m_side->setVisible(width() >= kRoomForSide);  // the chip in the title bar opens samples as well
}

void ModelsPage::prepareForPicture() {
  QTimer::singleShot(0, this, &Page::readyForPicture);
}

}  // namespace orthros::studio
