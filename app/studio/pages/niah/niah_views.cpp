#include "app/studio/pages/niah/niah_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/studio/text.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using widgets::NeedleCell;
using widgets::NeedleMapData;

constexpr double kPpm = 1e6;

class NiahText {
  Q_DECLARE_TR_FUNCTIONS(NiahText)
};

NeedleCell::State stateOf(store::CellStatus status) {
  switch (status) {
    case store::CellStatus::running:
      return NeedleCell::State::Running;
    case store::CellStatus::done:
      return NeedleCell::State::Done;
    case store::CellStatus::oom:
      return NeedleCell::State::OutOfMemory;
    case store::CellStatus::timeout:
      return NeedleCell::State::Timeout;
    case store::CellStatus::error:
      return NeedleCell::State::Failed;
    case store::CellStatus::skipped:
      return NeedleCell::State::Skipped;
    case store::CellStatus::pending:
    case store::CellStatus::cancelled:
      break;
  }
  return NeedleCell::State::Pending;
}

NeedleCell cellOf(const NiahShare& share) {
  NeedleCell cell;
  cell.state = stateOf(share.status);
  cell.error = toQt(share.error);
  cell.hits = share.hits;
  cell.trials = share.n;
  cell.cut = share.cut;
  if (share.depth_low_ppm >= 0) {
    cell.depthLow = static_cast<double>(share.depth_low_ppm) / kPpm;
    cell.depthHigh = static_cast<double>(share.depth_high_ppm) / kPpm;
  }
  if (share.placed > 0)
    cell.fromEnd = static_cast<double>(share.from_end_sum) / static_cast<double>(share.placed);
  if (share.n > 0) {
    cell.logProbability = share.logprob_sum / static_cast<double>(share.n);
    cell.value = share.accuracy();
    const Interval interval = share.interval();
    cell.low = interval.low;
    cell.high = interval.high;
  }
  if (share.probed > 0) {
    cell.mass = share.mass_sum / static_cast<double>(share.probed);
    cell.uniform = share.uniform_sum / static_cast<double>(share.probed);
  }
  return cell;
}

// A margin has no state of its own: it is done as far as it goes.
NeedleCell marginOf(const NiahShare& share) {
  NeedleCell cell = cellOf(share);
  cell.fromEnd = NeedleCell::kNone;
  if (share.n > 0) cell.state = NeedleCell::State::Done;
  return cell;
}

NeedleCell cellOf(const PairedCounts& counts) {
  NeedleCell cell;
  cell.trials = counts.n();
  cell.hits = counts.only_a - counts.only_b;
  if (cell.trials == 0) return cell;
  cell.state = NeedleCell::State::Done;
  cell.value = static_cast<double>(cell.hits) / static_cast<double>(cell.trials);
  const Interval interval = newcombe_paired(counts);
  cell.low = interval.low;
  cell.high = interval.high;
  return cell;
}

void add(PairedCounts& sum, const PairedCounts& part) {
  sum.both += part.both;
  sum.only_a += part.only_a;
  sum.only_b += part.only_b;
  sum.neither += part.neither;
}

NeedleMapData axesOf(const NiahSpec& spec) {
  NeedleMapData data;
  for (const int64_t length : spec.lengths) data.lengths.append(length);
  for (const int64_t depth : spec.depths_ppm) data.depths.append(static_cast<double>(depth) / kPpm);
  return data;
}

QString contextText(const EffectiveContext& context) {
  if (!context.length) return NiahText::tr("effective context: none");
  const QString tokens = widgets::formatCount(*context.length);
  return context.is_lower_bound() ? NiahText::tr("effective context ≥ %1").arg(tokens)
                                  : NiahText::tr("effective context %1").arg(tokens);
}

}  // namespace

NeedleMapData mapDataOf(const NiahView& view, size_t arm) {
  const NiahArmMap& map = view.map.arms[arm];
  NeedleMapData data = axesOf(view.map.spec);
  data.title = shortLabels(view)[static_cast<qsizetype>(arm)];
  data.architecture = view.architectures.value(static_cast<qsizetype>(arm));
  data.window = view.windows.value(static_cast<qsizetype>(arm));
  data.reach = view.reaches.value(static_cast<qsizetype>(arm));
  for (const auto& column : map.cells) {
    for (const NiahShare& share : column) data.cells.push_back(cellOf(share));
  }
  for (const NiahShare& share : map.by_length) data.byLength.push_back(marginOf(share));
  for (const NiahShare& share : map.by_depth) data.byDepth.push_back(marginOf(share));
  data.all = marginOf(map.all);
  return data;
}

NeedleMapData deltaDataOf(const NiahView& view, size_t index) {
  const NiahPair& pair = view.map.pairs[index];
  const NiahSpec& spec = view.map.spec;
  NeedleMapData data = axesOf(spec);
  data.isDifference = true;
  const QStringList labels = armNames(view);
  data.title = QStringLiteral("%1 − %2").arg(labels[static_cast<qsizetype>(pair.a)],
                                             labels[static_cast<qsizetype>(pair.b)]);
  data.cells.resize(spec.lengths.size() * spec.depths_ppm.size());
  std::vector<PairedCounts> byLength(spec.lengths.size()), byDepth(spec.depths_ppm.size());
  for (const DeltaCell& cell : pair.delta.cells) {
    const auto length = std::ranges::find(spec.lengths, cell.ctx_len);
    const auto depth = std::ranges::find(spec.depths_ppm, cell.depth_ppm);
    if (length == spec.lengths.end() || depth == spec.depths_ppm.end()) continue;
    const auto l = static_cast<size_t>(length - spec.lengths.begin());
    const auto d = static_cast<size_t>(depth - spec.depths_ppm.begin());
    data.cells[l * spec.depths_ppm.size() + d] = cellOf(cell.counts);
    add(byLength[l], cell.counts);
    add(byDepth[d], cell.counts);
  }
  for (const PairedCounts& counts : byLength) data.byLength.push_back(cellOf(counts));
  for (const PairedCounts& counts : byDepth) data.byDepth.push_back(cellOf(counts));
  data.all = cellOf(pair.delta.counts);
  return data;
}

QStringList shortLabels(const NiahView& view) {
  QStringList labels;
  for (const NiahArmMap& arm : view.map.arms) labels.append(toQt(arm.label));
  if (labels.size() < 2) return labels;
  const QString model = labels.front().section(QStringLiteral(", "), 0, 0) + QStringLiteral(", ");
  if (!std::ranges::all_of(labels, [&](const QString& label) { return label.startsWith(model); }))
    return labels;
  for (QString& label : labels) label.remove(0, model.size());
  return labels;
}

QStringList armNames(const NiahView& view) {
  QStringList names;
  for (const NiahArmMap& arm : view.map.arms)
    names.append(toQt(arm.label).section(QStringLiteral(", "), 0, 0));
  QStringList distinct = names;
  return distinct.removeDuplicates() == 0 ? names : shortLabels(view);
}

QString armNote(const NiahView& view, size_t arm) {
  const NiahArmMap& map = view.map.arms[arm];
  if (map.all.n == 0) return NiahText::tr("no trial yet");
  const Interval interval = map.all.interval();
  QStringList parts{NiahText::tr("%1 of %2 found, %3 (95 %: %4 to %5)")
                        .arg(map.all.hits)
                        .arg(map.all.n)
                        .arg(widgets::formatPercent(map.all.accuracy()), widgets::formatPercent(interval.low),
                             widgets::formatPercent(interval.high))};
  parts.append(contextText(map.effective_context));
  NiahShare without;
  for (const NiahShare& share : map.no_needle) without.add(share);
  if (without.n > 0) parts.append(NiahText::tr("without needle %1/%2").arg(without.hits).arg(without.n));
  if (map.needle_only.n > 0)
    parts.append(NiahText::tr("needle alone %1/%2").arg(map.needle_only.hits).arg(map.needle_only.n));
  if (map.all.probed > 0)
    parts.append(NiahText::tr("attention on the needle %1")
                     .arg(widgets::formatNumber(map.all.mass_sum / static_cast<double>(map.all.probed))));
  return parts.join(QStringLiteral(" · "));
}

QString deltaNote(const NiahView& view, size_t index) {
  const NiahPair& pair = view.map.pairs[index];
  const PairedCounts& counts = pair.delta.counts;
  if (counts.n() == 0) return NiahText::tr("no prompt yet that both arms have read");
  const QStringList labels = armNames(view);
  const Interval interval = newcombe_paired(counts);
  const double difference =
      static_cast<double>(counts.only_a - counts.only_b) / static_cast<double>(counts.n());
  QStringList parts{NiahText::tr("Same prompts: both %1, only %2 %3, only %4 %5, neither %6")
                        .arg(counts.both)
                        .arg(labels[static_cast<qsizetype>(pair.a)])
                        .arg(counts.only_a)
                        .arg(labels[static_cast<qsizetype>(pair.b)])
                        .arg(counts.only_b)
                        .arg(counts.neither),
                    NiahText::tr("difference %1 (95 %: %2 to %3)")
                        .arg(widgets::formatPercent(difference), widgets::formatPercent(interval.low),
                             widgets::formatPercent(interval.high)),
                    NiahText::tr("exact McNemar p = %1").arg(widgets::formatNumber(pair.delta.p_value))};
  return parts.join(QStringLiteral(" · "));
}

QString captionOf(const NiahView& view) {
  const NiahSpec& spec = view.map.spec;
  return NiahText::tr("%1 in %2, %3 trials a cell, seed %4 · n = %5 of %6 trials · spec %7 · build %8 · %9")
      .arg(toQt(to_string(spec.task.variant)), toQt(to_string(spec.task.haystack)))
      .arg(spec.trials)
      .arg(spec.seed)
      .arg(view.trials)
      .arg(view.planned)
      .arg(view.specHash, view.build, view.created);
}

}  // namespace orthros::studio
