#include "engine/inference/attention_record.h"

#include <algorithm>
#include <cmath>

namespace orthros {
namespace {

int64_t band_width_of(const WindowSpec& window, int64_t keys) {
  return window.is_full() ? keys : std::min(window.window, keys) + window.sinks;
}

size_t head_index(const AttentionRecord& record, int64_t layer, int64_t head) {
  return static_cast<size_t>(layer * record.heads + head);
}

}  // namespace

RowShares shares_of_row(std::span<const float> weights, int64_t position, const WindowSpec& window) {
  const KeyRange band = window.band(position);
  const KeyRange sinks = window.sink(position);
  double parts[3] = {0, 0, 0};  // sink, window, beyond
  double entropy = 0;
  int64_t support = 0;
  for (int64_t key = 0; key <= position; ++key) {
    const double weight = weights[static_cast<size_t>(key)];
    if (weight <= 0) continue;
    ++support;
    entropy -= weight * std::log(weight);
    parts[key >= band.begin ? 1 : key < sinks.end ? 0 : 2] += weight;
  }
  RowShares shares;
  shares.sink = static_cast<float>(parts[0]);
  shares.window = static_cast<float>(parts[1]);
  shares.beyond = static_cast<float>(parts[2]);
  shares.entropy = support > 1 ? static_cast<float>(entropy / std::log(static_cast<double>(support))) : 0.0f;
  return shares;
}

int64_t AttentionRecord::band_width() const {
  return band_width_of(window, num_keys);
}

int64_t AttentionRecord::band_key(int64_t position, int64_t column) const {
  if (window.is_full()) return column <= position ? column : -1;
  if (column < window.sinks) return column < window.sink(position).end ? column : -1;
  const int64_t key = position - (band_width() - 1 - column);
  return key >= 0 ? key : -1;
}

std::span<const float> AttentionRecord::matrix(StreamKind stream, int64_t layer, int64_t head) const {
  const LayerRows& of = rows[static_cast<size_t>(layer)];
  const bool output = stream == StreamKind::output;
  const std::vector<float>& all = output ? of.output : of.base;
  const auto size = static_cast<size_t>(std::ssize(of.positions) * (output ? num_keys : band_width()));
  const auto begin = static_cast<size_t>(head) * size;
  return begin + size <= all.size() ? std::span(all).subspan(begin, size) : std::span<const float>();
}

const DecodeStep* AttentionRecord::step_at(int64_t position) const {
  if (steps.empty()) return nullptr;
  const int64_t index = position - steps.front()->position;
  return index >= 0 && index < std::ssize(steps) ? steps[static_cast<size_t>(index)].get() : nullptr;
}

bool AttentionRecord::is_exact(StreamKind stream, int64_t layer, int64_t position) const {
  if (const DecodeStep* step = step_at(position)) return step->is_exact(stream, layer);
  return std::ranges::binary_search(rows[static_cast<size_t>(layer)].positions, position);
}

std::vector<int64_t> AttentionRecord::exact_positions(int64_t layer) const {
  std::vector<int64_t> positions = rows[static_cast<size_t>(layer)].positions;
  for (const DecodeStepPointer& step : steps) {
    if (step->is_exact(StreamKind::base, layer) && (!has_output || step->is_exact(StreamKind::output, layer)))
      positions.push_back(step->position);
  }
  return positions;
}

std::vector<float> AttentionRecord::row(StreamKind stream, int64_t layer, int64_t head,
                                        int64_t position) const {
  if (const DecodeStep* step = step_at(position)) return step->shown_row(stream, layer, head);
  const LayerRows& of = rows[static_cast<size_t>(layer)];
  const auto found = std::ranges::lower_bound(of.positions, position);
  const std::span<const float> cells = matrix(stream, layer, head);
  if (found == of.positions.end() || *found != position || cells.empty()) return {};
  const auto index = found - of.positions.begin();
  // A record that was kept with some heads only has NaN in the others' place.
  if (std::isnan(cells[static_cast<size_t>(
          (index + 1) * (stream == StreamKind::output ? num_keys : band_width()) - 1)]))
    return {};
  const auto keys = static_cast<size_t>(position + 1);
  if (stream == StreamKind::output) {
    const auto row = cells.subspan(static_cast<size_t>(index * num_keys), keys);
    return {row.begin(), row.end()};
  }
  std::vector<float> wide(keys, 0.0f);
  const int64_t columns = band_width();
  for (int64_t column = 0; column < columns; ++column) {
    const int64_t key = band_key(position, column);
    if (key >= 0) wide[static_cast<size_t>(key)] = cells[static_cast<size_t>(index * columns + column)];
  }
  return wide;
}

bool AttentionRecord::has_scale_offset(int64_t layer) const {
  return scale_offset_layers && std::ranges::binary_search(*scale_offset_layers, layer);
}

QueryRow AttentionRecord::query(StreamKind stream, int64_t layer, int64_t head, int64_t position) const {
  const bool output = stream == StreamKind::output;
  const QueryRows* from = nullptr;
  int64_t index = 0;
  if (const DecodeStep* step = step_at(position)) {
    const StepStream& of = step->of(stream);
    const auto place = std::ranges::lower_bound(of.query_layers, layer);
    if (place == of.query_layers.end() || *place != layer) return {};
    index = place - of.query_layers.begin();
    from = &of.queries;
  } else {
    const LayerRows& of = rows[static_cast<size_t>(layer)];
    const auto place = std::ranges::lower_bound(of.positions, position);
    if (place == of.positions.end() || *place != position) return {};
    index = place - of.positions.begin();
    from = output ? &of.output_queries : &of.base_queries;
  }
  const auto count = static_cast<size_t>(head_dim);
  const size_t begin = static_cast<size_t>(index * heads + head) * count;
  if (count == 0 || begin + count > from->projected.size()) return {};
  return {std::span(from->projected).subspan(begin, count), std::span(from->scaled).subspan(begin, count)};
}

std::vector<int64_t> AttentionRecord::query_positions(int64_t layer) const {
  std::vector<int64_t> positions;
  const LayerRows& of = rows[static_cast<size_t>(layer)];
  if (!of.base_queries.projected.empty()) positions = of.positions;
  for (const DecodeStepPointer& step : steps) {
    if (std::ranges::binary_search(step->base.query_layers, layer)) positions.push_back(step->position);
  }
  return positions;
}

const RowErrorsOfHead& AttentionRecord::errors(StreamKind stream, int64_t layer, int64_t head) const {
  const auto index = head_index(*this, layer, head);
  return stream == StreamKind::output ? output_errors[index] : base_errors[index];
}

int64_t AttentionRecord::bytes() const {
  size_t count = (base_shares.size() + output_shares.size()) * sizeof(RowShares);
  for (const LayerRows& layer : rows) {
    count += (layer.base.size() + layer.output.size()) * sizeof(float) +
             static_cast<size_t>(layer.base_queries.bytes() + layer.output_queries.bytes());
  }
  for (const DecodeStepPointer& step : steps) count += static_cast<size_t>(step->bytes());
  return static_cast<int64_t>(count);
}

std::vector<int64_t> scale_offset_layers(const ModelConfig& config) {
  std::vector<int64_t> layers;
  for (size_t layer = 0; layer < config.layers.size(); ++layer) {
    if (config.layers[layer].scale_offset) layers.push_back(static_cast<int64_t>(layer));
  }
  return layers;
}

int64_t record_bytes(const ModelConfig& config, const AttentionRecordRequest& request) {
  const int64_t keys = std::ssize(request.ids);
  const int64_t streams = config.has_output_stream() ? 2 : 1;
  const int64_t layers = config.num_hidden_layers;
  const int64_t shared = request.level == CaptureLevel::c1 ? 1 : keys;
  int64_t row_count = layers;  // the last token's, in every layer
  if (request.level == CaptureLevel::c0) row_count = 0;
  if (request.level == CaptureLevel::c2) row_count = layers - 1 + keys;
  if (request.level == CaptureLevel::c3) row_count = layers * keys;
  WindowSpec window;
  for (const LayerSpec& layer : config.layers) window = layer.window;
  const int64_t base_cells = band_width_of(window, keys);
  const int64_t output_cells = streams == 2 ? keys : 0;
  int64_t query_rows = 0;
  for (const int64_t layer : scale_offset_layers(config)) {
    if (request.level == CaptureLevel::c3 || (request.level == CaptureLevel::c2 && layer == request.layer))
      query_rows += keys;
  }
  const int64_t query_cells = query_rows * streams * 2 * config.head_dim;  // before and after
  return config.num_attention_heads *
         (query_cells * static_cast<int64_t>(sizeof(float)) +
          row_count * (base_cells + output_cells) * static_cast<int64_t>(sizeof(float)) +
          layers * streams * shared * static_cast<int64_t>(sizeof(RowShares)));
}

}  // namespace orthros
