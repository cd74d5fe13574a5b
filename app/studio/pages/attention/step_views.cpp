// Recorded decode steps as the views' plain structs.
#include <QCoreApplication>

#include "app/studio/pages/attention/attention_capture.h"

namespace orthros::studio {
namespace {

/// One row a step, from step `begin` on; the base rows as columns of the band.
std::shared_ptr<std::vector<float>> matrixOf(const AttentionRecord& record, StreamKind stream, int64_t layer,
                                             int64_t head, int64_t columns, size_t begin) {
  auto cells = std::make_shared<std::vector<float>>(
      (record.steps.size() - begin) * static_cast<size_t>(columns), 0.0F);
  float* to = cells->data();
  for (const DecodeStepPointer& step : std::span(record.steps).subspan(begin)) {
    const std::vector<float> row = step->shown_row(stream, layer, head);
    if (row.empty()) return nullptr;
    if (stream == StreamKind::output) {
      std::copy(row.begin(), row.end(), to);
    } else {
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t key = record.band_key(step->position, column);
        if (key >= 0) to[column] = row[static_cast<size_t>(key)];
      }
    }
    to += columns;
  }
  return cells;
}

}  // namespace

std::shared_ptr<const widgets::PairData> stepPairOf(const AttentionCapture& capture, int64_t layer,
                                                    int64_t head, int64_t outputFrom) {
  const AttentionRecord& record = capture.record;
  auto data = std::make_shared<widgets::PairData>();
  for (const DecodeStepPointer& step : record.steps) data->positions.push_back(step->position);
  data->keys = record.num_keys;
  data->sinks = record.window.is_full() ? 0 : record.window.sinks;
  data->window = record.window.is_full() ? 0 : std::min(record.window.window, record.num_keys);
  data->tokens = capture.tokens;
  const auto pyramid = [&](StreamKind stream, int64_t columns, qsizetype begin) -> widgets::MaxPyramid {
    const auto cells = matrixOf(record, stream, layer, head, columns, static_cast<size_t>(begin));
    if (!cells) return {};
    return {cells, std::span<const float>(*cells), static_cast<qsizetype>(record.steps.size()) - begin,
            static_cast<qsizetype>(columns)};
  };
  data->base = pyramid(StreamKind::base, record.band_width(), 0);
  if (record.has_output) {
    data->outputFrom = outputFrom;
    data->output = pyramid(StreamKind::output, record.num_keys, data->outputBegin());
  }
  data->facts = widgets::factsOf(*data);
  return data;
}

RowShares meanShares(const DecodeStep& step, StreamKind stream, int64_t layer) {
  RowShares mean;
  const auto part = 1.0F / static_cast<float>(step.heads);
  for (int64_t head = 0; head < step.heads; ++head) {
    const RowShares& own = step.scalars(stream, layer, head).shares;
    mean.sink += own.sink * part;
    mean.window += own.window * part;
    mean.beyond += own.beyond * part;
    mean.entropy += own.entropy * part;
  }
  return mean;
}

widgets::StepSeries stepSeriesOf(const AttentionCapture& capture, int64_t layer) {
  const AttentionRecord& record = capture.record;
  const StreamKind stream = record.has_output ? StreamKind::output : StreamKind::base;
  widgets::StepSeries series;
  series.title = record.has_output ? CaptureText::tr("Steps: x′ of layer %1, mean over heads").arg(layer)
                                   : CaptureText::tr("Steps: x of layer %1, mean over heads").arg(layer);
  for (size_t i = 0; i < record.steps.size(); ++i) {
    const DecodeStep& step = *record.steps[i];
    const RowShares mean = meanShares(step, stream, layer);
    const StepCheck& check = step.check;
    widgets::StepPoint point;
    point.position = step.position;
    point.isPrefill = i == 0;
    point.token = capture.tokens.value(step.position);
    point.ms = step.ms;
    point.recordMs = step.record_ms;
    point.entropy = mean.entropy;
    point.beyond = mean.beyond;
    point.sumError = check.sum;
    point.outputError = check.output;
    point.outside = check.outside;
    point.rows = check.rows;
    point.outputRows = check.output_rows;
    point.holds = check.outside == 0 && check.sum <= kRowTolerance && check.output <= capture.tolerance();
    series.points.push_back(point);
  }
  return series;
}

QString stepsInWords(const AttentionCapture& capture) {
  const AttentionRecord& record = capture.record;
  if (!capture.isDecode()) return {};
  const DecodeStep& last = *record.steps.back();
  const qint64 steps = std::ssize(record.steps) - 1;
  QString text = CaptureText::tr("Recorded: the prompt's last token and %1 decode steps, C%2.")
                     .arg(steps)
                     .arg(static_cast<int>(record.level));
  if (!last.output.digest_layers.empty() || !last.base.digest_layers.empty()) {
    text += u' ' + CaptureText::tr(
                       "Long rows: the 64 heaviest keys exactly, others as the mean of their "
                       "stretch (256 stretches).");
  }
  return text;
}

}  // namespace orthros::studio
