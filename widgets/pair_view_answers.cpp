// What the pair view answers: the cell under a point, its value in words, the legend's tick, the sink lane.
#include <cmath>

#include "widgets/format.h"
#include "widgets/pair_raster.h"
#include "widgets/pair_view.h"
#include "widgets/token_text.h"

namespace orthros::widgets {

PairView::Bin PairView::binAt(const QPointF& point) const {
  Bin bin;
  const QRectF at = pane(true);
  if (!hasOutput() || !at.contains(point) || (positionHeight() >= 1 && keyWidth() >= 1)) return bin;
  const auto range = [](double offset, double from, double perUnit, qint64 limit) {
    const double first = from + std::floor(offset) / perUnit;
    const auto begin = std::clamp<qint64>(static_cast<qint64>(first), 0, limit - 1);
    return std::pair{begin, std::clamp<qint64>(static_cast<qint64>(first + 1 / perUnit), begin + 1, limit)};
  };
  const auto [firstKey, lastKey] = range(point.x() - at.left(), m_shown.left(), keyWidth(), m_data->keys);
  const auto [firstPosition, lastPosition] =
      range(point.y() - at.top(), m_shown.top(), positionHeight(), m_data->keys);
  const auto [captured, rowEnd] = m_data->rowsBetween(firstPosition, lastPosition);
  const qsizetype skipped = m_data->outputBegin();
  const qsizetype rowBegin = std::min(std::max(captured, skipped), rowEnd);
  bin.rows = rowEnd - rowBegin;
  bin.keys = lastKey - firstKey;
  float most = 0;
  for (qsizetype row = rowBegin; row < rowEnd; ++row) {
    for (qint64 key = firstKey; key < lastKey; ++key) {
      const float value = m_data->output.at(row - skipped, key);
      bin.sum += static_cast<double>(value);
      if (std::abs(value) <= std::abs(most)) continue;
      most = value;
      bin.position = m_data->positions[static_cast<size_t>(row)];
      bin.key = key;
    }
  }
  return bin;
}

QString PairView::readout(qint64 position, qint64 key) const {
  if (!m_data || position < 0) return {};
  const auto named = [this](qint64 at) {
    const QString token = m_data->tokens.value(at);
    return token.isEmpty() ? QString::number(at) : tr("%1 %2").arg(at).arg(token);
  };
  QString text = tr("query %1").arg(named(position));
  if (key < 0) return text;
  text += tr("  →  key %1").arg(named(key));
  const qsizetype row = m_data->rowOf(position);
  const bool isAbsent = !m_data->output.isEmpty() && !m_data->hasOutputAt(position);
  if (row < 0) return text + tr("   not captured") + (isAbsent ? tr("   no x′ in this regime") : QString());
  const qint64 column = m_data->bandColumn(position, key);
  if (!m_data->base.isEmpty())
    text += tr("   x %1").arg(column < 0 ? tr("unseen") : formatNumber(m_data->base.at(row, column)));
  if (m_data->output.isEmpty()) return text;
  if (isAbsent) return text + tr("   no x′ in this regime");
  const QString value = formatNumber(m_data->at(true, row, key));
  text += m_data->differenceName.isEmpty() ? tr("   x′ %1").arg(value)
                                           : QStringLiteral("   %1 %2").arg(m_data->differenceName, value);
  return text;
}

bool PairView::isBinned(bool output) const {
  const QRectF at = pane(output);
  const QRectF area = areaOf(output);
  return at.width() < area.width() || at.height() < area.height();
}

WeightScale PairView::scale(bool output) const {
  return pairScale(*m_data, output, m_style, isBinned(output));
}

// The row that the legend's tick and the banner speak of.
qsizetype PairView::contextRow(bool output) const {
  const qsizetype pinned = m_data->rowOf(m_pinned);
  return pinned >= (output ? m_data->outputBegin() : 0)
             ? pinned
             : static_cast<qsizetype>(m_data->positions.size()) - 1;
}

std::pair<double, QString> PairView::uniformTick(bool output) const {
  const qsizetype row = contextRow(output);
  const MatrixFacts& facts = output ? m_data->facts->output : m_data->facts->base;
  RowContext context;
  context.visible =
      static_cast<double>(m_data->visibleKeys(m_data->positions[static_cast<size_t>(row)], output));
  const auto index = static_cast<size_t>(row - (output ? m_data->outputBegin() : 0));
  context.most = static_cast<double>(facts.most[m_style.lane ? 1 : 0][index]);
  const auto uniform = static_cast<double>(static_cast<float>(1 / context.visible));  // as a cell holds it
  const WeightScale of = scale(output);
  if (of.mode == ScaleMode::Rank) {
    std::vector<float> buffer;
    context.rank = rankOf(uniform, m_data->visibleCells(row, output, buffer));
  }
  const QString text = of.mode == ScaleMode::Lift ? QStringLiteral("1")
                                                  : QStringLiteral("1/%1").arg(qRound64(context.visible));
  return {of.place(uniform, context), text};
}

// From one paragraph's first token to the next one's; the ends where there is none.
qint64 PairView::paragraphStep(qint64 from, int direction) const {
  qint64 at = from + direction;
  while (at > 0 && at < m_data->keys && !startsParagraph(m_data->tokens, at)) at += direction;
  return std::clamp<qint64>(at, 0, m_data->keys - 1) - from;
}

}  // namespace orthros::widgets
