#include "app/studio/pages/runs/run_comparison.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

QString letterOf(qsizetype run) {
  return QString(QChar(static_cast<char16_t>(u'A' + run)));
}

QTableWidget* makeTable(const char* name, const QString& accessible, QWidget* parent) {
  auto* table = new QTableWidget(parent);
  table->setTextElideMode(Qt::ElideMiddle);  // what differs is often at the end
  table->setObjectName(QString::fromLatin1(name));
  table->setAccessibleName(accessible);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(24);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  return table;
}

void fill(QTableWidget* table, const QStringList& headers, const QList<QStringList>& rows) {
  table->clear();
  table->setColumnCount(static_cast<int>(headers.size()));
  table->setRowCount(static_cast<int>(rows.size()));
  table->setHorizontalHeaderLabels(headers);
  for (int r = 0; r < table->rowCount(); ++r) {
    for (int c = 0; c < table->columnCount(); ++c) {
      auto* item = new QTableWidgetItem(rows[r].value(c));
      item->setToolTip(rows[r].value(c));
      table->setItem(r, c, item);
    }
  }
  for (int c = 0; c < table->columnCount(); ++c)
    table->horizontalHeader()->setSectionResizeMode(c, QHeaderView::Stretch);
}

QString csvOf(const QTableWidget* table) {
  QString text;
  const auto field = [](QString value) { return u'"' + value.replace(u'"', QStringLiteral("\"\"")) + u'"'; };
  QStringList line;
  for (int c = 0; c < table->columnCount(); ++c) line.append(field(table->horizontalHeaderItem(c)->text()));
  text += line.join(u',') + QStringLiteral("\r\n");
  for (int r = 0; r < table->rowCount(); ++r) {
    line.clear();
    for (int c = 0; c < table->columnCount(); ++c) line.append(field(table->item(r, c)->text()));
    text += line.join(u',') + QStringLiteral("\r\n");
  }
  return text;
}

}  // namespace

RunComparison::RunComparison(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      m_workspace(workspace),
      m_legend(widgets::makeLabel({}, "muted", this)),
      m_same(widgets::makeLabel(tr("Spec, models and environment are the same."), "muted", this)),
      m_differences(makeTable("runDifferences", tr("What differs"), this)),
      m_figures(makeTable("runFigures", tr("Figures"), this)),
      m_notice(new widgets::Notice(this)) {
  setObjectName(QStringLiteral("runComparison"));
  m_legend->setObjectName(QStringLiteral("runLegend"));
  m_legend->setWordWrap(true);
  m_same->setObjectName(QStringLiteral("runSame"));
  m_same->setWordWrap(true);
  m_same->hide();
  auto* copy = widgets::makeButton(tr("Copy as CSV"), QStringLiteral("copy"), "plain", this);
  copy->setObjectName(QStringLiteral("comparisonCopy"));
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(csv()); });
  auto* foot = new QHBoxLayout;
  foot->addStretch(1);
  foot->addWidget(copy);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_legend);
  layout->addWidget(m_notice);
  layout->addWidget(widgets::makeLabel(tr("What differs"), "strong", this));
  layout->addWidget(m_same);
  layout->addWidget(m_differences, 3);
  layout->addWidget(widgets::makeLabel(tr("Figures"), "strong", this));
  layout->addWidget(m_figures, 2);
  layout->addLayout(foot);
}

void RunComparison::setRuns(const QList<RunRow>& rows) {
  if (rows == m_rows) return;
  QStringList before, now;
  for (const RunRow& row : m_rows) before.append(row.uuid + row.status);
  for (const RunRow& row : rows) now.append(row.uuid + row.status);
  m_rows = rows;
  QStringList lines;
  for (qsizetype i = 0; i < rows.size(); ++i)
    lines.append(
        QStringLiteral("%1   %2   %3")
            .arg(letterOf(i), rows[i].name, rows[i].created.toString(QStringLiteral("yyyy-MM-dd hh:mm"))));
  m_legend->setText(lines.join(u'\n'));
  showFigures();
  if (before != now && rows.size() > 1) readDifferences();  // a run's spec never changes while it runs
}

void RunComparison::showFigures() {
  QStringList headers{tr("Figure")};
  for (qsizetype i = 0; i < m_rows.size(); ++i) headers.append(letterOf(i));
  QStringList state{tr("State")}, results{tr("Kept")}, took{tr("Took")}, meaning{tr("Unit")};
  qsizetype arms = 0;
  for (const RunRow& row : m_rows) {
    state.append(statusText(row.status));
    results.append(resultsText(row));
    took.append(row.seconds > 0 ? widgets::formatSeconds(row.seconds) : QStringLiteral("–"));
    meaning.append(row.armFigures.isEmpty() ? QStringLiteral("–") : row.unit);
    arms = std::max(arms, row.arms.size());
  }
  QList<QStringList> lines;
  for (qsizetype arm = 0; arm < arms; ++arm) {
    QStringList line{tr("Arm %1").arg(arm + 1)};
    for (const RunRow& row : m_rows) {
      line.append(arm < row.armFigures.size()
                      ? QStringLiteral("%1   %2").arg(row.armFigures[arm], row.arms.value(arm))
                      : QStringLiteral("–"));
    }
    lines.append(line);
  }
  lines.append({state, results, took, meaning});
  fill(m_figures, headers, lines);
}

void RunComparison::readDifferences() {
  std::vector<std::string> uuids;
  for (const RunRow& row : m_rows) uuids.push_back(toStd(row.uuid));
  m_workspace.files().start<std::vector<store::Difference>>(
      tr("Compare runs"),
      [path = m_workspace.settings().runStorePath(), uuids](JobContext&) {
        return store::compare_experiments(toStd(path), uuids);
      },
      this,
      [this, uuids](Result<std::vector<store::Difference>>& differences) {
        std::vector<std::string> now;
        for (const RunRow& row : m_rows) now.push_back(toStd(row.uuid));
        if (now != uuids) return;  // others are compared by now
        m_notice->hide();
        if (differences) {
          showDifferences(*differences);
        } else {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(differences.error()));
        }
        Q_EMIT shown();
      },
      /*quiet=*/true);
}

void RunComparison::showDifferences(const std::vector<store::Difference>& differences) {
  QStringList headers{tr("Key")};
  for (qsizetype i = 0; i < m_rows.size(); ++i) headers.append(letterOf(i));
  QList<QStringList> lines;
  for (const store::Difference& difference : differences) {
    QStringList line{toQt(difference.key)};
    for (const std::string& value : difference.values) line.append(toQt(value));
    lines.append(line);
  }
  fill(m_differences, headers, lines);
  m_same->setVisible(lines.isEmpty());
  m_differences->setVisible(!lines.isEmpty());
}

QString RunComparison::csv() const {
  return csvOf(m_differences) + QStringLiteral("\r\n") + csvOf(m_figures);
}

}  // namespace orthros::studio
