#include "app/studio/pages/runs/sql_pane.h"

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/plain_text.h"

namespace orthros::studio {
namespace {

constexpr int kWidestColumn = 360;
constexpr qsizetype kLongestCell = 400;  // characters: JSON and blobs are long

QString csvField(const std::string& value) {
  QString text = toQt(value);
  if (!text.contains(u'"') && !text.contains(u',') && !text.contains(u'\n') && !text.contains(u'\r'))
    return text;
  return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

bool isNumber(const std::string& text) {
  bool number = text.empty();
  if (!number) toQt(text).toDouble(&number);
  return number;
}

}  // namespace

void SqlTableModel::setTable(store::Table table) {
  beginResetModel();
  m_table = std::move(table);
  m_isNumber.assign(m_table.columns.size(), !m_table.rows.empty());
  for (const auto& row : m_table.rows) {
    for (size_t i = 0; i < row.size(); ++i) m_isNumber[i] = m_isNumber[i] && isNumber(row[i]);
  }
  endResetModel();
}

QString SqlTableModel::csv() const {
  QString text;
  const auto add = [&text](const std::vector<std::string>& values) {
    QStringList fields;
    for (const std::string& value : values) fields.append(csvField(value));
    text += fields.join(u',') + QStringLiteral("\r\n");
  };
  add(m_table.columns);
  for (const auto& row : m_table.rows) add(row);
  return text;
}

int SqlTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int SqlTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant SqlTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<size_t>(index.column());
  const std::string& value = m_table.rows[static_cast<size_t>(index.row())][column];
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
    const QString text = toQt(std::string_view(value).substr(0, 4 * kLongestCell)).left(kLongestCell);
    return text.toUtf8().size() < std::ssize(value) ? text + QChar(0x2026) : text;
  }
  if (role == Qt::TextAlignmentRole)
    return int((m_isNumber[column] ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::FontRole && m_isNumber[column]) return widgets::monoFont(12);
  return {};
}

QVariant SqlTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
    return int((m_isNumber[static_cast<size_t>(section)] ? Qt::AlignRight : Qt::AlignLeft) |
               Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return toQt(m_table.columns[static_cast<size_t>(section)]);
}

SqlPane::SqlPane(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      m_workspace(workspace),
      m_examples(new QComboBox(this)),
      m_text(new widgets::PlainText(this)),
      m_run(widgets::makeButton(tr("Run query"), QStringLiteral("play"), "primary", this)),
      m_copy(widgets::makeButton(tr("Copy as CSV"), QStringLiteral("copy"), "plain", this)),
      m_count(widgets::makeLabel({}, "muted", this)),
      m_notice(new widgets::Notice(this)),
      m_view(new QTableView(this)),
      m_model(new SqlTableModel(this)) {
  setObjectName(QStringLiteral("sqlPane"));
  m_notice->setObjectName(QStringLiteral("sqlNotice"));
  m_count->setObjectName(QStringLiteral("sqlCount"));
  m_text->setObjectName(QStringLiteral("sqlText"));
  m_text->setFont(widgets::monoFont(13));
  m_text->setAccessibleName(tr("Question in SQL"));
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setTabChangesFocus(true);
  m_view->setObjectName(QStringLiteral("sqlTable"));
  m_view->setAccessibleName(tr("Answer"));
  m_view->setModel(m_model);
  m_view->setWordWrap(false);
  m_view->setAlternatingRowColors(false);
  m_view->verticalHeader()->setDefaultSectionSize(26);
  m_view->verticalHeader()->hide();
  m_view->horizontalHeader()->setHighlightSections(false);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_text);
  splitter->addWidget(m_view);
  splitter->setSizes({140, 400});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(makeTop());
  layout->addWidget(m_notice);
  layout->addWidget(splitter, 1);
  connect(m_run, &QPushButton::clicked, this, [this] { isRunning() ? stop() : run(); });
  connect(m_copy, &QPushButton::clicked, this, &SqlPane::copyCsv);
  connect(m_text, &QPlainTextEdit::textChanged, this, &SqlPane::refresh);
  m_count->setText(tr("Reads only; shows at most %1 rows").arg(widgets::formatCount(kMostRows)));
  setSql(sqlExamples().front().sql);
}

QWidget* SqlPane::makeTop() {
  auto* top = new QWidget(this);
  m_examples->setObjectName(QStringLiteral("sqlExamples"));
  m_examples->setAccessibleName(tr("Examples"));
  m_examples->setToolTip(tr("Questions to begin with: choosing one puts it into the field"));
  m_examples->setMaximumWidth(320);
  for (const SqlExample& example : sqlExamples()) m_examples->addItem(example.title, example.sql);
  connect(m_examples, &QComboBox::activated, this, [this](int index) {
    setSql(m_examples->itemData(index).toString());
    if (!isRunning()) run();
  });
  m_run->setObjectName(QStringLiteral("sqlRun"));
  m_run->setToolTip(tr("Asks the run store (Ctrl+Return). The connection only reads."));
  m_copy->setObjectName(QStringLiteral("sqlCopy"));
  m_copy->setToolTip(tr("The whole answer, with its headers"));
  auto* layout = new QHBoxLayout(top);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(widgets::makeLabel(tr("Example"), "muted", top));
  layout->addWidget(m_examples);
  layout->addWidget(m_run);
  layout->addWidget(m_count, 1);
  layout->addWidget(m_copy);
  return top;
}

void SqlPane::setSql(const QString& sql) {
  m_text->setPlainText(sql);
}

void SqlPane::run() {
  if (isRunning()) return;
  m_notice->hide();
  const std::string sql = toStd(m_text->toPlainText());
  QElapsedTimer clock;
  clock.start();
  m_job = m_workspace.files().start<store::Table>(
      tr("Question to the run store"),
      [path = m_workspace.settings().runStorePath(), sql](JobContext& context) -> Result<store::Table> {
        ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(path)));
        // One more than is shown tells that there are more.
        return reader->query(sql, kMostRows + 1, context.stop());
      },
      this,
      [this, clock](Result<store::Table>& table) {
        showAnswer(table, static_cast<double>(clock.nsecsElapsed()) / 1e6);
        m_job = nullptr;
        refresh();
        Q_EMIT finished();
      });
  m_count->setText(tr("Running…"));
  refresh();
}

void SqlPane::stop() {
  if (m_job != nullptr) m_job->stop();
}

void SqlPane::showAnswer(Result<store::Table>& table, double ms) {
  if (!table) {
    m_count->clear();
    if (table.error().code == ErrorCode::cancelled) {
      m_notice->show(widgets::Notice::Kind::Info, tr("Stopped. Nothing was changed."));
    } else if (table.error().code == ErrorCode::not_found) {
      m_notice->show(widgets::Notice::Kind::Info,
                     tr("There is no run store yet: the first run that is kept makes it."));
    } else {
      m_notice->show(widgets::Notice::Kind::Bad, toQt(table.error()));
    }
    return;
  }
  const bool more = std::ssize(table->rows) > kMostRows;
  if (more) table->rows.resize(kMostRows);
  const QString rows = widgets::formatCount(std::ssize(table->rows));
  m_count->setText(more ? tr("The first %1 rows (the limit), %2").arg(rows, widgets::formatMilliseconds(ms))
                        : tr("%1 rows, %2").arg(rows, widgets::formatMilliseconds(ms)));
  m_model->setTable(std::move(*table));
  m_view->resizeColumnsToContents();
  for (int i = 0; i < m_model->columnCount(); ++i)
    m_view->setColumnWidth(i, std::min(m_view->columnWidth(i) + 12, kWidestColumn));
}

void SqlPane::copyCsv() const {
  QGuiApplication::clipboard()->setText(m_model->csv());
}

void SqlPane::refresh() {
  const bool running = isRunning();
  m_run->setText(running ? tr("Stop") : tr("Run query"));
  m_run->setEnabled(running || !m_text->toPlainText().trimmed().isEmpty());
  m_copy->setEnabled(!running && m_model->columnCount() > 0);
}

}  // namespace orthros::studio
