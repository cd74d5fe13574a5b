#include "app/studio/pages/attention/pins.h"

#include <algorithm>

namespace orthros::studio {
namespace {

struct PinText {
  Q_DECLARE_TR_FUNCTIONS(PinText)
};

}  // namespace

void Pins::set(qint64 position) {
  positions = {position};
  current = position;
  combine = Combine::One;
}

void Pins::add(qint64 position) {
  if (std::ranges::find(positions, position) == positions.end()) {
    positions.insert(std::ranges::upper_bound(positions, position), position);
    if (positions.size() == 2 && combine == Combine::One) combine = Combine::Mean;
  }
  current = position;
}

void Pins::next() {
  const auto after = std::ranges::upper_bound(positions, current);
  if (!positions.empty()) current = after == positions.end() ? positions.front() : *after;
}

std::vector<qint64> Pins::asking(StreamKind stream) const {
  std::vector<qint64> all = isCombined() ? positions : std::vector<qint64>{current};
  if (stream == StreamKind::output)
    std::erase_if(all, [this](qint64 position) { return position < outputFrom; });
  return all;
}

std::vector<qsizetype> Pins::currentFirst() const {
  std::vector<qsizetype> all{static_cast<qsizetype>(current)};
  for (const qint64 position : positions) {
    if (position != current) all.push_back(static_cast<qsizetype>(position));
  }
  return all;
}

QString combineName(Combine combine) {
  switch (combine) {
    case Combine::One:
      return PinText::tr("this query");
    case Combine::Mean:
      return PinText::tr("mean of pins");
    case Combine::Max:
      return PinText::tr("heaviest of pins");
    case Combine::Sum:
      return PinText::tr("sum of pins");
  }
  return {};
}

QString pinsText(const Pins& pins) {
  if (!pins.isCombined()) return {};
  const auto count = static_cast<int>(pins.positions.size());
  return pins.combine == Combine::Mean  ? PinText::tr("mean of %1 queries").arg(count)
         : pins.combine == Combine::Max ? PinText::tr("heaviest of %1 queries").arg(count)
                                        : PinText::tr("sum of %1 queries").arg(count);
}

std::vector<float> rowOf(const AttentionCapture& capture, StreamKind stream, int64_t layer, int64_t head,
                         const Pins& pins) {
  const std::vector<qint64> asking = pins.asking(stream);
  if (asking.empty()) return {};
  if (!pins.isCombined()) return capture.record.row(stream, layer, head, pins.current);
  std::vector<double> all(static_cast<size_t>(asking.back() + 1), 0.0);
  for (const qint64 position : asking) {
    const std::vector<float> row = capture.record.row(stream, layer, head, position);
    if (row.empty()) return {};
    for (size_t key = 0; key < row.size(); ++key) {
      const auto weight = static_cast<double>(row[key]);
      all[key] = pins.combine == Combine::Max ? std::max(all[key], weight) : all[key] + weight;
    }
  }
  const double part = pins.combine == Combine::Mean ? 1.0 / static_cast<double>(asking.size()) : 1.0;
  std::vector<float> combined(all.size());
  std::ranges::transform(all, combined.begin(),
                         [part](double sum) { return static_cast<float>(sum * part); });
  return combined;
}

widgets::RowMeasures measuresOf(const AttentionCapture& capture, StreamKind stream, int64_t layer,
                                int64_t head, const Pins& pins) {
  const std::vector<qint64> asking = pins.asking(stream);
  widgets::RowMeasures mean;
  if (asking.empty()) return mean;
  if (!pins.isCombined()) return measureAt(capture, stream, layer, head, pins.current);
  const double part = 1.0 / static_cast<double>(asking.size());
  for (const qint64 position : asking) {
    const widgets::RowMeasures one = measureAt(capture, stream, layer, head, position);
    mean.sink += one.sink * part;
    mean.window += one.window * part;
    mean.beyond += one.beyond * part;
    mean.support += one.support;
  }
  return mean;
}

}  // namespace orthros::studio
