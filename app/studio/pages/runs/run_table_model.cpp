#include "app/studio/pages/runs/run_table_model.h"

#include <QLocale>
#include <QSet>
#include <algorithm>

#include "widgets/format.h"

namespace orthros::studio {
namespace {

bool isNumber(int column) {
  using enum RunTableModel::Column;
  return column == Duration || column == Results || column == Figure;
}

QString tipLines(QStringList lines) {
  lines.removeAll(QString());
  return lines.join(u'\n');
}

}  // namespace

void RunTableModel::setRows(const QList<RunRow>& rows) {
  QSet<QString> wanted;
  for (const RunRow& row : rows) wanted.insert(row.uuid);
  for (qsizetype i = m_rows.size() - 1; i >= 0; --i) {
    if (wanted.contains(m_rows[i].uuid)) continue;
    beginRemoveRows({}, static_cast<int>(i), static_cast<int>(i));
    m_rows.removeAt(i);
    endRemoveRows();
  }
  QSet<QString> there;
  for (const RunRow& row : std::as_const(m_rows)) there.insert(row.uuid);
  for (qsizetype i = 0; i < rows.size(); ++i) {
    if (there.contains(rows[i].uuid)) {
      // Both lists are newest first; but of runs of one moment one that was deleted and came back moves up.
      if (m_rows[i].uuid != rows[i].uuid) {
        const auto from = std::ranges::find(m_rows, rows[i].uuid, &RunRow::uuid) - m_rows.begin();
        beginMoveRows({}, static_cast<int>(from), static_cast<int>(from), {}, static_cast<int>(i));
        m_rows.move(from, i);
        endMoveRows();
      }
      if (m_rows[i] == rows[i]) continue;
      m_rows[i] = rows[i];
      Q_EMIT dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), ColumnCount - 1));
      continue;
    }
    qsizetype end = i;
    while (end < rows.size() && !there.contains(rows[end].uuid)) ++end;
    beginInsertRows({}, static_cast<int>(i), static_cast<int>(end - 1));
    for (qsizetype k = i; k < end; ++k) m_rows.insert(k, rows[k]);
    endInsertRows();
    i = end - 1;
  }
}

const RunRow* RunTableModel::find(const QString& uuid) const {
  const auto found = std::ranges::find(m_rows, uuid, &RunRow::uuid);
  return found == m_rows.end() ? nullptr : &*found;
}

QStringList RunTableModel::tags() const {
  QSet<QString> all;
  for (const RunRow& row : m_rows) {
    for (const QString& tag : splitTags(row.tags)) all.insert(tag);
  }
  QStringList sorted = all.values();
  sorted.sort(Qt::CaseInsensitive);
  return sorted;
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RunRow& row = m_rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
      return tip(row, index.column());
    case Qt::AccessibleTextRole:
      return index.column() == Star ? (row.starred ? tr("starred") : tr("not starred"))
                                    : text(row, index.column());
    case Qt::TextAlignmentRole:
      return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
      return sortKey(row, index.column());
    case RowRole:
      return QVariant::fromValue(row);
    case UuidRole:
      return row.uuid;
    default:
      return {};
  }
}

QString RunTableModel::text(const RunRow& row, int column) const {
  switch (column) {
    case Kind:
      return kindText(row.kind);
    case Name:
      return row.name;
    case Status:
      return statusText(row.status);
    case When:
      return row.created.toString(QStringLiteral("yyyy-MM-dd hh:mm"));
    case Duration:
      return row.seconds > 0 ? widgets::formatSeconds(row.seconds) : QString();
    case Results:
      return row.results > 0 ? widgets::formatCount(row.results) : QString();
    case Figure:
      return row.figure;
    default:
      return {};
  }
}

QString RunTableModel::tip(const RunRow& row, int column) const {
  switch (column) {
    case Star:
      return row.starred ? tr("Starred: click to take the star away") : tr("Click to star");
    case Name:
      return tipLines({row.name, row.models, row.tags, row.note});
    case Status:
      if (!row.problem.isEmpty()) return row.problem;
      return row.cells > 0 ? tr("%1 of %2 cells done").arg(row.cellsDone).arg(row.cells) : QString();
    case When:
      return QLocale().toString(row.created, QLocale::LongFormat);
    case Results:
      return resultsText(row);
    case Figure:
    case Curve: {
      QStringList lines{row.meaning};
      for (qsizetype i = 0; i < row.armFigures.size(); ++i)
        lines.append(QStringLiteral("%1: %2").arg(row.arms.value(i), row.armFigures[i]));
      return row.armFigures.isEmpty() ? QString() : lines.join(u'\n');
    }
    default:
      return {};
  }
}

QVariant RunTableModel::sortKey(const RunRow& row, int column) const {
  switch (column) {
    case Star:
      return row.starred ? 1 : 0;
    case When:
      return row.created;
    case Duration:
      return row.seconds;
    case Results:
      return row.results;
    case Figure:
    case Curve:
      return row.figureValue;
    default:
      return text(row, column);
  }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const QString titles[ColumnCount] = {QString(),  tr("Kind"), tr("Run"),    tr("State"), tr("Begun"),
                                       tr("Took"), tr("n"),    tr("Figure"), tr("Curve")};
  const QString tips[ColumnCount] = {tr("Star"),
                                     tr("What was run"),
                                     tr("Name, and the models it was run on"),
                                     tr("How far it is"),
                                     tr("When it was begun, local time"),
                                     tr("Time at work, pauses left out"),
                                     tr("Trials, samples, tokens or steps that are kept"),
                                     tr("The run's main figure, one value an arm"),
                                     tr("Needles: share found by length. Latency: time by length, both "
                                        "logarithmic. Training: loss by step")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return tips[section];
  if (role == Qt::TextAlignmentRole)
    return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

RunFilter::RunFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(RunTableModel::SortRole);
  setSortCaseSensitivity(Qt::CaseInsensitive);
  setDynamicSortFilter(true);
}

void RunFilter::setKind(const QString& kind) {
  m_kind = kind;
  invalidateFilter();
}

void RunFilter::setStatus(const QString& status) {
  m_status = status;
  invalidateFilter();
}

void RunFilter::setTag(const QString& tag) {
  m_tag = tag;
  invalidateFilter();
}

void RunFilter::setStarred(bool starred) {
  m_starred = starred;
  invalidateFilter();
}

void RunFilter::setText(const QString& text) {
  m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool RunFilter::isFiltering() const {
  return m_starred || !m_kind.isEmpty() || !m_status.isEmpty() || !m_tag.isEmpty() || !m_words.isEmpty();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const RunRow& run = static_cast<const RunTableModel*>(sourceModel())->rows()[row];
  if (m_starred && !run.starred) return false;
  if (!m_kind.isEmpty() && run.kind != m_kind) return false;
  if (m_status == u"unfinished" ? !run.canResume() : !m_status.isEmpty() && run.status != m_status)
    return false;
  if (!m_tag.isEmpty() && !splitTags(run.tags).contains(m_tag)) return false;
  return std::ranges::all_of(m_words, [&run](const QString& word) {
    for (const QString& text : {run.name, run.models, run.tags, run.note, run.figure}) {
      if (text.contains(word, Qt::CaseInsensitive)) return true;
    }
    return run.uuid.startsWith(word, Qt::CaseInsensitive);
  });
}

}  // namespace orthros::studio
