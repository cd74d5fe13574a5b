#include "app/studio/pages/attention/attention_capture.h"

#include <cmath>
#include <limits>

#include "app/studio/text.h"
#include "engine/model/cost_model.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

constexpr qint64 kQuickTokens = 512;  // up to here every row is a matter of seconds

Result<std::vector<TokenId>> idsOf(const AttentionSpec& spec) {
  if (!spec.ids.empty()) return spec.ids;
  const ModelFiles& files = spec.model->files();
  if (!files.tokenizer) return fail(files.tokenizer.error());
  return files.tokenizer->encode(spec.text);
}

CaptureLevel quickLevel(const ModelConfig& config, AttentionRecordRequest request) {
  request.level = CaptureLevel::c3;
  const bool quick =
      std::ssize(request.ids) <= kQuickTokens && record_bytes(config, request) <= kCaptureBudget / 2;
  return quick ? CaptureLevel::c3 : CaptureLevel::c1;
}

widgets::RowMeasures unknownMeasures() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  widgets::RowMeasures none;
  none.sink = none.window = none.beyond = none.entropy = kNone;
  none.self = none.previous = none.first = none.distance = kNone;
  none.edge = none.top = none.induction = none.divergence = kNone;
  return none;
}

// What was measured of the row itself, whatever of it was kept.
void setScalars(widgets::RowMeasures& row, const RowScalars& from) {
  row.sink = from.shares.sink;
  row.window = from.shares.window;
  row.beyond = from.shares.beyond;
  row.entropy = from.shares.entropy;
  row.self = from.self;
  row.previous = from.previous;
  row.first = from.first;
  row.distance = from.distance;
}

widgets::RowMeasures measuresOf(const DecodeStep& step, StreamKind stream, int64_t layer, int64_t head) {
  widgets::RowMeasures row = unknownMeasures();
  setScalars(row, step.scalars(stream, layer, head));
  row.support = static_cast<qsizetype>(step.of(stream).window.support(step.position));
  return row;
}

}  // namespace

Result<ModelConfig> configOf(const AttentionSpec& spec) {
  if (spec.config) return *spec.config;
  return with_architecture(spec.model->config(), spec.architecture, spec.window);
}

bool AttentionCapture::hasRow(int64_t layer, int64_t position) const {
  if (record.step_at(position) != nullptr) return record.level != CaptureLevel::c0;
  return std::ranges::binary_search(record.rows[static_cast<size_t>(layer)].positions, position);
}

double AttentionCapture::tolerance() const {
  return bfloat16 ? kOutputToleranceBfloat16 : kRowTolerance;
}

bool AttentionCapture::holds(StreamKind stream, int64_t layer, int64_t head) const {
  const RowErrorsOfHead& errors = record.errors(stream, layer, head);
  return errors.outside == 0 && errors.sum <= kRowTolerance && errors.output <= tolerance();
}

void appendToken(AttentionCapture& capture, const GeneratedToken& token) {
  capture.ids.push_back(token.id);
  capture.pieces.append(QByteArray::fromStdString(token.bytes));
  capture.tokens.append(widgets::visibleToken(capture.pieces.back()));
}

void predict(AttentionCapture& capture, int64_t position, const std::string& bytes, double probability) {
  capture.predictions.resize(capture.ids.size(), {QString(), -1});
  capture.predictions[static_cast<size_t>(position)] = {
      widgets::visibleToken(QByteArray::fromStdString(bytes)), probability};
}

Result<AttentionCapture> emptyCapture(const AttentionSpec& spec, const ModelConfig& config) {
  AttentionCapture capture;
  ORTHROS_TRY(const std::vector<TokenId> ids, idsOf(spec));
  const ModelFiles& files = spec.model->files();
  for (const TokenId id : ids) {
    const std::string bytes =
        files.tokenizer ? files.tokenizer->piece(id).value_or(std::string()) : std::string();
    appendToken(capture, {id, bytes, 0});
  }
  capture.text = toQt(spec.text);
  capture.modelName = toQt(spec.modelName);
  capture.headsPerGroup = static_cast<int>(config.num_attention_heads / config.num_key_value_heads);
  capture.kvBytesPerToken = kv_bytes_per_token(config, spec.model->report().kv_type);
  capture.bfloat16 = spec.model->report().compute_type == ScalarType::bfloat16;
  return capture;
}

Result<AttentionCapture> captureAttention(const AttentionSpec& spec, const StopToken& stop,
                                          const ProgressSink& progress) {
  ORTHROS_TRY(const ModelConfig config, configOf(spec));
  AttentionRecordRequest request;
  ORTHROS_TRY(request.ids, idsOf(spec));
  request.max_bytes = kCaptureBudget;
  request.layer = spec.layer;
  request.level = spec.level.value_or(quickLevel(config, request));
  request.predict = true;
  ORTHROS_TRY(AttentionCapture capture, emptyCapture(spec, config));
  ORTHROS_TRY(capture.record, attention_record(spec.model, config, request, stop, progress));
  const ModelFiles& files = spec.model->files();
  for (size_t i = 0; i < capture.record.predictions.size(); ++i) {
    const TokenPrediction& said = capture.record.predictions[i];
    const std::string bytes =
        files.tokenizer ? files.tokenizer->piece(said.id).value_or(std::string()) : std::string();
    predict(capture, capture.record.share_positions[i], bytes, static_cast<double>(said.probability));
  }
  return capture;
}

Result<CaptureEstimate> estimateCapture(const AttentionSpec& spec) {
  ORTHROS_TRY(const ModelConfig config, configOf(spec));
  AttentionRecordRequest request;
  ORTHROS_TRY(request.ids, idsOf(spec));
  CaptureEstimate estimate;
  estimate.tokens = std::ssize(request.ids);
  for (const CaptureLevel level : {CaptureLevel::c0, CaptureLevel::c1, CaptureLevel::c2, CaptureLevel::c3}) {
    request.level = level;
    estimate.bytes.push_back(record_bytes(config, request));
  }
  return estimate;
}

widgets::RowMeasures measureAt(const AttentionCapture& capture, StreamKind stream, int64_t layer,
                               int64_t head, int64_t position, Measures which) {
  const AttentionRecord& record = capture.record;
  const std::vector<float> row = record.row(stream, layer, head, position);
  widgets::RowMeasures measures = unknownMeasures();
  if (const DecodeStep* step = record.step_at(position); step != nullptr && row.empty())
    return measuresOf(*step, stream, layer, head);
  if (!row.empty()) {
    measures = widgets::measureRow(row, capture.parts());
    measures.induction = measures.divergence = std::numeric_limits<double>::quiet_NaN();
    if (which == Measures::Cheap) return measures;
    measures.induction = widgets::inductionMass(row, capture.ids);
    const std::vector<float> other =
        record.has_output ? record.row(stream == StreamKind::output ? StreamKind::base : StreamKind::output,
                                       layer, head, position)
                          : std::vector<float>();
    measures.divergence = widgets::jensenShannon(row, other, capture.parts().window);
    if (const DecodeStep* step = record.step_at(position)) {
      setScalars(measures, step->scalars(stream, layer, head));
      measures.support = static_cast<qsizetype>(step->of(stream).window.support(position));
    }
    return measures;
  }
  const auto& shares = stream == StreamKind::output ? record.output_shares : record.base_shares;
  const auto found = std::ranges::lower_bound(record.share_positions, position);
  if (shares.empty() || found == record.share_positions.end() || *found != position) return measures;
  const auto index = (layer * record.heads + head) * std::ssize(record.share_positions) +
                     (found - record.share_positions.begin());
  const RowShares& own = shares[static_cast<size_t>(index)];
  measures.sink = own.sink;
  measures.window = own.window;
  measures.beyond = own.beyond;
  measures.entropy = own.entropy;
  return measures;
}

std::vector<widgets::RowMeasures> measuresAt(const AttentionCapture& capture, StreamKind stream,
                                             int64_t position, Measures which, bool quick) {
  std::vector<widgets::RowMeasures> all;
  const DecodeStep* step = quick ? capture.record.step_at(position) : nullptr;
  for (int64_t layer = 0; layer < capture.record.layers; ++layer) {
    for (int64_t head = 0; head < capture.record.heads; ++head)
      all.push_back(step != nullptr ? measuresOf(*step, stream, layer, head)
                                    : measureAt(capture, stream, layer, head, position, which));
  }
  return all;
}

}  // namespace orthros::studio
