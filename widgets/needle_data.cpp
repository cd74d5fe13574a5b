#include "widgets/needle_data.h"

namespace orthros::widgets {
namespace {

constexpr qint64 kKibi = 1024;
constexpr qint64 kMebi = kKibi * kKibi;

}  // namespace

const NeedleCell* NeedleMapData::at(NeedleIndex index) const {
  if (index.length < 0 || index.depth < 0 || index.length > lengths.size() || index.depth > depths.size())
    return nullptr;
  const auto l = static_cast<size_t>(index.length);
  const auto d = static_cast<size_t>(index.depth);
  const auto rows = static_cast<size_t>(depths.size());
  const bool allLengths = index.length == lengths.size();
  const bool allDepths = index.depth == depths.size();
  if (allLengths && allDepths) return &all;
  if (allLengths) return d < byDepth.size() ? &byDepth[d] : nullptr;
  if (allDepths) return l < byLength.size() ? &byLength[l] : nullptr;
  return l * rows + d < cells.size() ? &cells[l * rows + d] : nullptr;
}

double NeedleMapData::fromEnd(qsizetype length, qsizetype depth) const {
  const NeedleCell* cell = at({length, depth});
  if (cell != nullptr && std::isfinite(cell->fromEnd)) return cell->fromEnd;
  return (1 - depths[depth]) * static_cast<double>(lengths[length]);
}

QString tokensText(qint64 tokens) {
  if (tokens >= kMebi && tokens % kMebi == 0) return QStringLiteral("%1M").arg(tokens / kMebi);
  if (tokens >= kKibi && tokens % kKibi == 0) return QStringLiteral("%1K").arg(tokens / kKibi);
  return QString::number(tokens);
}

}  // namespace orthros::widgets
