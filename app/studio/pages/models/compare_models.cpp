#include "app/studio/pages/models/compare_models.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QTableWidget>

#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

struct Row {
  QString name, a, b;
};

QStringList factsOf(const OpenedModel& model) {
  using namespace widgets;
  const ModelFacts& facts = model.facts;
  return {facts.architectureText,
          facts.family,
          facts.provenance,
          formatCount(facts.parameters),
          formatCount(facts.layers),
          formatCount(facts.hiddenSize),
          QStringLiteral("%1 / %2").arg(facts.heads).arg(facts.kvHeads),
          formatCount(facts.headDim),
          formatCount(facts.vocabulary),
          formatCount(facts.maxPositions),
          facts.dtype,
          model.heldAs,
          model.computeType,
          formatBytes(facts.fileBytes),
          formatBytes(facts.kvBytesPerToken),
          formatCount(static_cast<qint64>(facts.balanceTokens)),
          facts.hasChatTemplate ? CompareModels::tr("yes") : CompareModels::tr("no")};
}

QStringList factNames() {
  return {CompareModels::tr("Architecture"),     CompareModels::tr("Family"),
          CompareModels::tr("Provenance"),       CompareModels::tr("Parameters"),
          CompareModels::tr("Layers"),           CompareModels::tr("Hidden size"),
          CompareModels::tr("Heads / KV heads"), CompareModels::tr("Head size"),
          CompareModels::tr("Vocabulary"),       CompareModels::tr("Trained context"),
          CompareModels::tr("Weights in file"),  CompareModels::tr("Weights held as"),
          CompareModels::tr("Compute type"),     CompareModels::tr("Size on disk"),
          CompareModels::tr("KV per token"),     CompareModels::tr("Balance length T*"),
          CompareModels::tr("Chat template")};
}

}  // namespace

CompareModels::CompareModels(const std::vector<OpenedModel>& models, QWidget* parent)
    : QDialog(parent),
      m_models(models),
      m_a(new QComboBox(this)),
      m_b(new QComboBox(this)),
      m_table(new QTableWidget(this)) {
  setObjectName(QStringLiteral("compareModels"));
  setWindowTitle(tr("Compare two models"));
  resize(760, 640);
  m_a->setObjectName(QStringLiteral("compareA"));
  m_b->setObjectName(QStringLiteral("compareB"));
  m_table->setObjectName(QStringLiteral("compareTable"));
  for (const OpenedModel& model : m_models) {
    m_a->addItem(model.name());
    m_b->addItem(model.name());
  }
  m_b->setCurrentIndex(std::min(1, m_b->count() - 1));
  m_table->setColumnCount(4);
  m_table->setHorizontalHeaderLabels({QString(), tr("Property"), QStringLiteral("A"), QStringLiteral("B")});
  m_table->verticalHeader()->hide();
  m_table->setShowGrid(false);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  m_table->horizontalHeader()->setSectionResizeMode(3, QHeaderView::Stretch);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(20, 16, 20, 16);
  grid->setSpacing(12);
  grid->addWidget(widgets::makeLabel(QStringLiteral("A"), "strong", this), 0, 0);
  grid->addWidget(m_a, 0, 1);
  grid->addWidget(widgets::makeLabel(QStringLiteral("B"), "strong", this), 0, 2);
  grid->addWidget(m_b, 0, 3);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);
  grid->addWidget(m_table, 1, 0, 1, 4);
  connect(m_a, &QComboBox::currentIndexChanged, this, &CompareModels::refresh);
  connect(m_b, &QComboBox::currentIndexChanged, this, &CompareModels::refresh);
  refresh();
}

void CompareModels::refresh() {
  const QStringList names = factNames();
  const QStringList a = factsOf(m_models[static_cast<size_t>(m_a->currentIndex())]);
  const QStringList b = factsOf(m_models[static_cast<size_t>(m_b->currentIndex())]);
  std::vector<Row> rows;
  for (qsizetype i = 0; i < names.size(); ++i) rows.push_back({names[i], a[i], b[i]});
  std::ranges::stable_partition(rows, [](const Row& row) { return row.a != row.b; });
  m_table->setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const Row& row = rows[static_cast<size_t>(i)];
    const bool differs = row.a != row.b;
    const QString texts[] = {differs ? QStringLiteral("≠") : QStringLiteral("="), row.name, row.a, row.b};
    for (int column = 0; column < 4; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(texts[column]);
      item->setForeground(
          widgets::color(differs || column == 1 ? widgets::Role::Text : widgets::Role::Muted));
      m_table->setItem(i, column, item);
    }
  }
}

}  // namespace orthros::studio
