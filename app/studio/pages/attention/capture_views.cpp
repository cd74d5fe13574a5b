// A capture as the views' plain structs.
#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "app/studio/pages/attention/attention_capture.h"

namespace orthros::studio {
namespace {

widgets::MaxPyramid subtract(const widgets::MaxPyramid& a, const widgets::MaxPyramid& b) {
  if (a.isEmpty() || b.isEmpty()) return {};
  const auto count = static_cast<size_t>(a.rows() * a.columns());
  auto cells = std::make_shared<std::vector<float>>(count);
  const float* one = a.levels().front().cells;
  const float* two = b.levels().front().cells;
  for (size_t i = 0; i < count; ++i) (*cells)[i] = one[i] - two[i];
  const std::span<const float> view(*cells);
  return {cells, view, a.rows(), a.columns()};
}

}  // namespace

std::shared_ptr<const widgets::PairData> pairDataOf(const CapturePointer& capture, int64_t layer,
                                                    int64_t head, int64_t outputFrom) {
  if (capture->isDecode()) return stepPairOf(*capture, layer, head, outputFrom);
  const AttentionRecord& record = capture->record;
  const LayerRows& rows = record.rows[static_cast<size_t>(layer)];
  auto data = std::make_shared<widgets::PairData>();
  data->positions.assign(rows.positions.begin(), rows.positions.end());
  data->keys = record.num_keys;
  data->sinks = record.window.is_full() ? 0 : record.window.sinks;
  data->window = record.window.is_full() ? 0 : std::min(record.window.window, record.num_keys);
  data->tokens = capture->tokens;
  const auto count = static_cast<qsizetype>(rows.positions.size());
  // A head that was not kept has NaN in its place.
  const auto pyramid = [&](StreamKind stream, qsizetype columns, qsizetype begin) {
    const std::span<const float> cells = record.matrix(stream, layer, head);
    if (cells.empty() || std::isnan(cells.back())) return widgets::MaxPyramid();
    return widgets::MaxPyramid(capture, cells.subspan(static_cast<size_t>(begin * columns)), count - begin,
                               columns);
  };
  data->base = pyramid(StreamKind::base, static_cast<qsizetype>(record.band_width()), 0);
  if (record.has_output) {
    data->outputFrom = outputFrom;
    data->output = pyramid(StreamKind::output, static_cast<qsizetype>(record.num_keys), data->outputBegin());
  }
  data->facts = widgets::factsOf(*data);
  return data;
}

std::shared_ptr<const widgets::PairData> differenceOf(const std::shared_ptr<const widgets::PairData>& a,
                                                      const std::shared_ptr<const widgets::PairData>& b) {
  if (!a || !b || a->keys != b->keys || a->positions != b->positions || a->outputFrom != b->outputFrom)
    return {};
  auto data = std::make_shared<widgets::PairData>(*b);
  data->isDifference = true;
  const bool sameBand = a->window == b->window && a->sinks == b->sinks;
  data->base = sameBand ? subtract(a->base, b->base) : widgets::MaxPyramid();
  data->output = subtract(a->output, b->output);
  data->facts = widgets::factsOf(*data);
  return data;
}

widgets::GridData readersOf(const AttentionCapture& capture, StreamKind stream, int64_t position) {
  const AttentionRecord& record = capture.record;
  widgets::GridData grid;
  grid.rows = static_cast<qsizetype>(record.layers);
  grid.columns = static_cast<qsizetype>(record.num_keys);
  grid.ramp = stream == StreamKind::output ? widgets::Ramp::Output : widgets::Ramp::Base;
  grid.isLog = true;
  grid.title = stream == StreamKind::output
                   ? CaptureText::tr("x′ reads, mean over heads, query %1").arg(position)
                   : CaptureText::tr("x reads, mean over heads, query %1").arg(position);
  grid.rowName = CaptureText::tr("layer");
  grid.columnName = CaptureText::tr("key");
  grid.columnTexts = capture.tokens;
  grid.values.assign(static_cast<size_t>(grid.rows * grid.columns), std::numeric_limits<float>::quiet_NaN());
  for (int64_t layer = 0; layer < record.layers; ++layer) {
    if (!capture.hasRow(layer, position)) continue;
    float* to = grid.values.data() + layer * record.num_keys;
    std::fill_n(to, record.num_keys, widgets::kUnseen);
    for (int64_t head = 0; head < record.heads; ++head) {
      const std::vector<float> row = record.row(stream, layer, head, position);
      for (size_t key = 0; key < row.size(); ++key) {
        const bool seen = stream == StreamKind::output || record.window.is_full() ||
                          record.window.sees(position, static_cast<int64_t>(key));
        if (seen) to[key] = std::max(0.0F, to[key]) + row[key] / static_cast<float>(record.heads);
      }
    }
  }
  return grid;
}

widgets::GridData beyondByTime(const AttentionCapture& capture, int64_t outputFrom) {
  const AttentionRecord& record = capture.record;
  widgets::GridData grid;
  grid.rows = static_cast<qsizetype>(record.layers);
  grid.columns = static_cast<qsizetype>(record.num_keys);
  grid.title = CaptureText::tr("Mass of x′ beyond the window, mean over heads");
  grid.rowName = CaptureText::tr("layer");
  grid.columnName = CaptureText::tr("query");
  grid.unseenText = CaptureText::tr("no x′ in this regime");
  grid.columnTexts = capture.tokens;
  grid.values.assign(static_cast<size_t>(grid.rows * grid.columns), std::numeric_limits<float>::quiet_NaN());
  for (const DecodeStepPointer& step : record.steps) {
    if (step->output.scalars.empty()) break;
    for (int64_t layer = 0; layer < record.layers; ++layer)
      grid.values[static_cast<size_t>(layer * record.num_keys + step->position)] =
          meanShares(*step, StreamKind::output, layer).beyond;
  }
  const auto count = std::ssize(record.share_positions);
  for (int64_t layer = 0; layer < record.layers && !record.output_shares.empty(); ++layer) {
    for (int64_t p = 0; p < count; ++p) {
      double sum = 0;
      for (int64_t head = 0; head < record.heads; ++head)
        sum += record.output_shares[static_cast<size_t>((layer * record.heads + head) * count + p)].beyond;
      grid.values[static_cast<size_t>(layer * record.num_keys +
                                      record.share_positions[static_cast<size_t>(p)])] =
          static_cast<float>(sum / static_cast<double>(record.heads));
    }
  }
  const int64_t absent = record.has_output ? std::min(outputFrom, record.num_keys) : 0;
  for (int64_t layer = 0; layer < record.layers; ++layer)
    std::fill_n(grid.values.begin() + layer * record.num_keys, absent, widgets::kUnseen);
  return grid;
}

std::vector<widgets::SharePoint> sharesOf(const AttentionCapture& capture, int64_t layer,
                                          int64_t outputFrom) {
  const AttentionRecord& record = capture.record;
  const auto& shares = record.has_output ? record.output_shares : record.base_shares;
  std::vector<widgets::SharePoint> points(static_cast<size_t>(record.num_keys));
  for (const DecodeStepPointer& step : record.steps) {
    const RowShares mean =
        meanShares(*step, record.has_output ? StreamKind::output : StreamKind::base, layer);
    points[static_cast<size_t>(step->position)] = {mean.sink, mean.window, mean.beyond};
  }
  if (capture.isDecode()) return points;
  const auto count = std::ssize(record.share_positions);
  if (shares.empty()) return {};
  const auto part = 1.0F / static_cast<float>(record.heads);
  for (int64_t head = 0; head < record.heads; ++head) {
    for (int64_t p = 0; p < count; ++p) {
      if (record.has_output && record.share_positions[static_cast<size_t>(p)] < outputFrom) continue;
      const RowShares& own = shares[static_cast<size_t>((layer * record.heads + head) * count + p)];
      if (std::isnan(own.sink)) continue;  // a head that was not kept
      widgets::SharePoint& point =
          points[static_cast<size_t>(record.share_positions[static_cast<size_t>(p)])];
      point.sink += own.sink * part;
      point.window += own.window * part;
      point.beyond += own.beyond * part;
    }
  }
  return points;
}

QString captionOf(const AttentionCapture& capture, const QString& regime) {
  const AttentionRecord& record = capture.record;
  const QString window = record.window.is_full()
                             ? CaptureText::tr("Transformer")
                             : (record.has_output ? CaptureText::tr("Orthros, w %1, %2 sinks")
                                                  : CaptureText::tr("SWA, w %1, %2 sinks"))
                                   .arg(record.window.window)
                                   .arg(record.window.sinks);
  const QString reading = regime.isEmpty() ? window : window + QStringLiteral("   ") + regime;
  return CaptureText::tr("%1   read as %2   %3 tokens   capture C%4   Orthros Studio %5")
      .arg(capture.modelName, reading)
      .arg(record.num_keys)
      .arg(static_cast<int>(record.level))
      .arg(QCoreApplication::applicationVersion());
}

}  // namespace orthros::studio
