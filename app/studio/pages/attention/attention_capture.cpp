#include "app/studio/pages/attention/attention_capture.h"

#include <QCoreApplication>

#include "app/studio/text.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("AttentionPage", text);
}

std::vector<widgets::RowMeasures> measuresOf(const AttentionCapture& capture, StreamKind stream) {
  std::vector<widgets::RowMeasures> all;
  for (int64_t layer = 0; layer < capture.atlas.layers; ++layer) {
    for (int64_t head = 0; head < capture.atlas.heads; ++head)
      all.push_back(widgets::measureRow(capture.atlas.row(stream, layer, head), capture.parts));
  }
  return all;
}

}  // namespace

Result<AttentionCapture> captureAttention(const AttentionSpec& spec, const StopToken& stop,
                                          const ProgressSink& progress) {
  const ModelFiles& files = spec.model->files();
  if (!files.tokenizer) return fail(files.tokenizer.error());
  ORTHROS_TRY(const ModelConfig config,
              with_architecture(spec.model->config(), Architecture::orthros, spec.window));
  AttentionAtlasRequest request;
  ORTHROS_TRY(request.ids, files.tokenizer->encode(spec.text));
  AttentionCapture capture;
  ORTHROS_TRY(capture.atlas, attention_atlas(spec.model, config, request, stop, progress));
  for (const TokenId id : request.ids) {
    const std::string bytes = files.tokenizer->piece(id).value_or(std::string());
    capture.tokens.append(widgets::visibleToken(QByteArray::fromStdString(bytes)));
  }
  capture.parts = {static_cast<qsizetype>(spec.window.sinks), static_cast<qsizetype>(spec.window.window)};
  capture.headsPerGroup = static_cast<int>(config.num_attention_heads / config.num_key_value_heads);
  capture.bfloat16 = spec.model->report().compute_type == ScalarType::bfloat16;
  capture.base = measuresOf(capture, StreamKind::base);
  if (capture.atlas.has_output()) capture.output = measuresOf(capture, StreamKind::output);
  return capture;
}

QString measureName(AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return tr("Mass beyond the window");
    case AtlasMeasure::Entropy:
      return tr("Entropy / ln(support)");
    case AtlasMeasure::First:
      return tr("Mass on the first token");
    case AtlasMeasure::Self:
      return tr("Mass on itself");
    case AtlasMeasure::Previous:
      return tr("Mass on the previous token");
    case AtlasMeasure::Distance:
      return tr("Mean distance / range");
    case AtlasMeasure::Window:
      return tr("Mass in the window");
  }
  return {};
}

QString measureFormula(AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return tr("Σ p_j over keys j ≤ t − w that are no sinks: what the base stream cannot read");
    case AtlasMeasure::Entropy:
      return tr("−Σ p ln p / ln(keys with p > 0): 0 is one key, 1 is uniform");
    case AtlasMeasure::First:
      return tr("p_0");
    case AtlasMeasure::Self:
      return tr("p_t");
    case AtlasMeasure::Previous:
      return tr("p_(t−1)");
    case AtlasMeasure::Distance:
      return tr("Σ p_j (t − j) / t");
    case AtlasMeasure::Window:
      return tr("Σ p_j over the last w keys");
  }
  return {};
}

double measureValue(const widgets::RowMeasures& row, AtlasMeasure measure) {
  switch (measure) {
    case AtlasMeasure::Beyond:
      return row.beyond;
    case AtlasMeasure::Entropy:
      return row.entropy;
    case AtlasMeasure::First:
      return row.first;
    case AtlasMeasure::Self:
      return row.self;
    case AtlasMeasure::Previous:
      return row.previous;
    case AtlasMeasure::Distance:
      return row.distance;
    case AtlasMeasure::Window:
      return row.window;
  }
  return 0;
}

}  // namespace orthros::studio
