#include "app/studio/pages/latency/latency_table.h"

#include <QFont>
#include <map>

#include "app/studio/pages/latency/latency_curves.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"
#include "widgets/theme.h"

namespace orthros::studio {
namespace {

using Q = TimingQuantity;

constexpr double kMega = 1e6;
constexpr Q kFigures[] = {Q::prefill_latency,
                          Q::time_to_first_token,
                          Q::end_to_end_latency,
                          Q::output_throughput,
                          Q::decode_throughput,
                          Q::decode_throughput_all_tokens,
                          Q::decode_throughput_median_step,
                          Q::time_per_output_token,
                          Q::prefill_throughput};
constexpr Q kPaperFigures[] = {Q::time_to_first_token, Q::end_to_end_latency, Q::output_throughput,
                               Q::decode_throughput};

QString formulaOf(Q quantity) {
  const QuantityInfo& info = quantity_info(quantity);
  return toQt(info.heading()) + u'\n' + LatencyText::tr("As in: %1").arg(toQt(info.agrees_with));
}

QString pointCell(int64_t tokens, int64_t outputs, int64_t batch) {
  return QStringLiteral("%1 / %2 × %3")
      .arg(widgets::tokensText(tokens), widgets::tokensText(outputs))
      .arg(batch);
}

QString ratioText(const std::optional<Ratio>& ratio) {
  if (!ratio) return {};
  return QStringLiteral("%1 (%2–%3)")
      .arg(widgets::formatNumber(ratio->value), widgets::formatNumber(ratio->interval.low),
           widgets::formatNumber(ratio->interval.high));
}

QString stateText(const LatencyArmCell& cell) {
  const QString missing = missingText(cell);
  if (!missing.isEmpty()) return missing;
  switch (cell.status) {
    case store::CellStatus::done:
      return LatencyText::tr("done");
    case store::CellStatus::running:
      return LatencyText::tr("running");
    default:
      return LatencyText::tr("to do");
  }
}

QString megabytes(int64_t bytes) {
  return bytes > 0 ? widgets::formatNumber(static_cast<double>(bytes) / kMega) : QString();
}

// A row of the paper: what was measured of one model at one point, in the order of its table.
struct PaperRow {
  PaperPoint any;
  std::map<Q, PaperPoint> figures;
};

std::vector<PaperRow> paperRows(LatencyMode mode) {
  std::vector<PaperRow> rows;
  for (const Q quantity : kPaperFigures) {
    const auto overlay = paperOverlay({quantity, false}, mode);
    if (!overlay) continue;
    for (const PaperPoint& point : overlay->points()) {
      auto row = std::ranges::find_if(rows, [&point](const PaperRow& one) {
        return one.any.series == point.series && one.any.ctx_len == point.ctx_len &&
               one.any.out_len == point.out_len;
      });
      if (row == rows.end()) row = rows.insert(rows.end(), PaperRow{point, {}});
      row->figures.emplace(quantity, point);
    }
  }
  std::ranges::stable_sort(rows, {}, [](const PaperRow& row) { return row.any.out_len.value_or(0); });
  return rows;
}

// With the digits that are printed there.
QString printedText(const PaperPoint& point) {
  return QString::number(point.value, 'f', point.unit == "s" ? 3 : 1);
}

}  // namespace

void LatencyTable::setView(const LatencyView& view, bool hasPaper) {
  QList<Column> columns{{LatencyText::tr("T in / N out × B"),
                         LatencyText::tr("Prompt tokens, output tokens, sequences at once"), true},
                        {LatencyText::tr("arm"), LatencyText::tr("Model and how it is read"), true}};
  const bool replies = hasReplies(view);
  for (const Q quantity : kFigures) {
    columns.append(
        {shortName(quantity) + u'\n' + toQt(quantity_info(quantity).unit), formulaOf(quantity), false});
    const bool here = quantity == (replies ? Q::end_to_end_latency : Q::prefill_latency);
    if (here)
      columns.append({LatencyText::tr("speed-up\n×"),
                      LatencyText::tr("median(%1) of the baseline / median of the arm, paired samples of one "
                                      "point; 95 % bootstrap interval")
                          .arg(shortName(quantity)),
                      false});
  }
  columns.append({LatencyText::tr("KV cache\nMB"),
                  LatencyText::tr("Bytes of the cache for B × (T + N) positions"), false});
  columns.append({LatencyText::tr("peak\nMB"),
                  LatencyText::tr("Most resident memory of the program during the point"), false});
  columns.append({LatencyText::tr("n"), LatencyText::tr("Samples that count; warm-ups are left out"), false});
  columns.append({LatencyText::tr("state"), LatencyText::tr("Why there is no figure"), true});

  QList<Row> rows;
  const QStringList names = armNames(view);
  for (const LatencyCellReport& cell : view.report.cells) {
    for (size_t arm = 0; arm < cell.arms.size(); ++arm) {
      const LatencyArmCell& own = cell.arms[arm];
      Row row;
      row.architecture = toQt(view.report.arms[arm].architecture);
      row.texts = {pointCell(cell.point.tokens, cell.point.outputs, cell.point.batch),
                   names[static_cast<qsizetype>(arm)]};
      if (cell.point.threads > 0)
        row.texts.front() += LatencyText::tr(", %1 threads").arg(cell.point.threads);
      for (const Q quantity : kFigures) {
        const auto figure = own.figures.find(quantity);
        row.texts.append(figure == own.figures.end() ? QString()
                                                     : widgets::formatNumber(figure->second.median));
        if (quantity != (replies ? Q::end_to_end_latency : Q::prefill_latency)) continue;
        const LatencySpeedUp& speedUp = cell.speed_ups[arm];
        row.texts.append(arm == view.report.baseline ? LatencyText::tr("baseline")
                                                     : ratioText(replies ? speedUp.e2e : speedUp.prefill));
      }
      row.texts.append({megabytes(own.kv_bytes), megabytes(own.peak_bytes),
                        QString::number(std::ssize(own.timings)), stateText(own)});
      row.tip = missingText(own);
      rows.append(row);
    }
  }
  if (hasPaper) {
    for (const auto& [any, figures] : paperRows(view.report.spec.mode)) {
      const auto overlay = paperOverlay({figures.begin()->first, false}, view.report.spec.mode);
      Row row;
      row.isPaper = true;
      row.architecture = paperArchitecture(toQt(any.series));
      row.texts = {pointCell(any.ctx_len, any.out_len.value_or(0), any.batch.value_or(0)),
                   LatencyText::tr("Paper, %1: %2").arg(toQt(overlay->exhibit().title), toQt(any.series))};
      for (const Q quantity : kFigures) {
        const auto figure = figures.find(quantity);
        row.texts.append(figure == figures.end() ? QString() : printedText(figure->second));
        if (quantity == (replies ? Q::end_to_end_latency : Q::prefill_latency)) row.texts.append(QString());
      }
      row.texts.append(
          {QString(), QString(), QString(), LatencyText::tr("from %1").arg(toQt(to_string(any.read_from)))});
      row.tip = toQt(overlay->label(any)) + u'\n' + toQt(overlay->exhibit().protocol);
      rows.append(row);
    }
  }
  for (qsizetype column = columns.size() - 1; column >= 0; --column) {
    const bool used =
        std::ranges::any_of(rows, [column](const Row& row) { return !row.texts[column].isEmpty(); });
    if (used || columns[column].isText) continue;
    columns.removeAt(column);
    for (Row& row : rows) row.texts.removeAt(column);
  }
  // While a run fills it, the cells change and nothing else: what is selected stays.
  const bool same = columns == m_columns && rows.size() == m_rows.size();
  if (!same) beginResetModel();
  m_columns = columns;
  m_rows = rows;
  if (!same) {
    endResetModel();
  } else if (!m_rows.isEmpty()) {
    Q_EMIT dataChanged(index(0, 0),
                       index(static_cast<int>(m_rows.size()) - 1, static_cast<int>(m_columns.size()) - 1));
  }
}

int LatencyTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LatencyTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant LatencyTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[index.row()];
  const Column& column = m_columns[index.column()];
  switch (role) {
    case Qt::DisplayRole: {
      const QString& text = row.texts[index.column()];
      return text.isEmpty() ? QStringLiteral("–") : text;
    }
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole: {
      if (column.isText) return {};
      return widgets::monoFont(12);
    }
    case Qt::ForegroundRole:
      return row.isPaper ? QVariant(widgets::color(widgets::Role::Muted)) : QVariant();
    case Qt::DecorationRole: {
      if (index.column() != 1) return {};
      return widgets::theme().architecture(row.architecture);
    }
    case Qt::ToolTipRole:
      return row.tip.isEmpty() ? QVariant(column.formula) : QVariant(row.tip);
    default:
      return {};
  }
}

QVariant LatencyTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size()) return {};
  const Column& column = m_columns[section];
  if (role == Qt::DisplayRole) return column.header;
  if (role == Qt::ToolTipRole) return column.formula;
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (column.isText ? Qt::AlignLeft : Qt::AlignRight));
  return {};
}

}  // namespace orthros::studio
