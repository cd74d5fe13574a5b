#include "app/studio/model_facts.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFileInfo>

#include "app/studio/text.h"
#include "engine/model/weight_plan.h"

namespace orthros::studio {
namespace {

struct FactsText {
  Q_DECLARE_TR_FUNCTIONS(FactsText)
};

QString windowText(const WindowSpec& window) {
  QString text = FactsText::tr("window %1").arg(window.window);
  if (window.sinks > 0) text += FactsText::tr(" + %1 sinks").arg(window.sinks);
  return text;
}

QString keyOf(const LayerSpec& layer) {
  switch (layer.mixer) {
    case MixerKind::full_attention:
      return QStringLiteral("transformer");
    case MixerKind::sliding_attention:
      return QStringLiteral("swa");
    case MixerKind::orthros_attention:
      return QStringLiteral("orthros");
  }
  return {};
}

QString textOf(const LayerSpec& layer) {
  switch (layer.mixer) {
    case MixerKind::full_attention:
      return FactsText::tr("full attention");
    case MixerKind::sliding_attention:
      return FactsText::tr("sliding-window attention, ") + windowText(layer.window);
    case MixerKind::orthros_attention:
      return FactsText::tr("Orthros attention, ") + windowText(layer.window) +
             (layer.scale_offset ? FactsText::tr(", scale-offset") : QString());
  }
  return {};
}

QString provenanceOf(const ModelFiles& files) {
  const Json& source = files.config.source;
  if (source.is_object() && source.contains("conversion") && source["conversion"].is_object()) {
    const Json& conversion = source["conversion"];
    const std::string from = conversion.contains("source") && conversion["source"].is_string()
                                 ? conversion["source"].get<std::string>()
                                 : std::string();
    const std::string training = conversion.contains("training") && conversion["training"].is_string()
                                     ? conversion["training"].get<std::string>()
                                     : std::string("none");
    const QString origin =
        from.empty() ? FactsText::tr("converted") : FactsText::tr("converted from %1").arg(toQt(from));
    return origin + (training == "none" ? FactsText::tr(", no training since")
                                        : FactsText::tr(", trained: %1").arg(toQt(training)));
  }
  return files.is_gguf ? FactsText::tr("as in the GGUF file") : FactsText::tr("as in the folder");
}

}  // namespace

QString architectureKey(const ModelConfig& config) {
  if (config.has_output_stream()) return QStringLiteral("orthros");
  const bool window =
      !config.layers.empty() && std::ranges::all_of(config.layers, [](const LayerSpec& layer) {
        return layer.mixer == MixerKind::sliding_attention;
      });
  return window ? QStringLiteral("swa") : QStringLiteral("transformer");
}

QString architectureText(const ModelConfig& config) {
  const QString key = architectureKey(config);
  if (key == u"transformer") return FactsText::tr("Transformer");
  const QString name = key == u"swa" ? FactsText::tr("Sliding window") : FactsText::tr("Orthros");
  const auto layer = std::ranges::find_if(
      config.layers, [](const LayerSpec& one) { return one.mixer != MixerKind::full_attention; });
  return name + QStringLiteral(", ") + windowText(layer->window);
}

widgets::MemoryView toView(const MemoryPlan& plan) {
  return {plan.weights_bytes, plan.kv_bytes, plan.activation_bytes, plan.available_bytes};
}

Result<ModelFacts> readModelFacts(const ModelFiles& files, const LoadOptions& options) {
  const ModelConfig& config = files.config;
  ModelFacts facts;
  const QFileInfo info(pathToQt(files.path));
  facts.name = info.isDir() ? info.fileName() : info.completeBaseName();
  facts.path = info.filePath();
  facts.format = files.is_gguf ? QStringLiteral("GGUF") : QStringLiteral("safetensors");
  facts.architecture = architectureKey(config);
  facts.architectureText = architectureText(config);
  facts.family = toQt(config.base_model_type);
  facts.dtype = toQt(config.torch_dtype);
  facts.provenance = provenanceOf(files);
  facts.parameters = count_parameters(config).total();
  facts.fileBytes = files.weights->file_bytes();
  facts.layers = config.num_hidden_layers;
  facts.heads = config.num_attention_heads;
  facts.kvHeads = config.num_key_value_heads;
  facts.headDim = config.head_dim;
  facts.hiddenSize = config.hidden_size;
  facts.vocabulary = config.vocab_size;
  facts.maxPositions = config.max_position_embeddings;
  facts.balanceTokens = flop_balance_tokens(config);
  facts.hasChatTemplate = !files.chat_template.empty();
  if (!files.tokenizer) facts.tokenizerProblem = toQt(files.tokenizer.error());
  for (size_t i = 0; i < config.layers.size(); ++i)
    facts.mixers.append(
        {keyOf(config.layers[i]), FactsText::tr("layer %1: ").arg(i) + textOf(config.layers[i])});

  ORTHROS_TRY(const WeightPlan weights, make_weight_plan(config, *files.weights, options));
  MemoryRequest request;
  request.compute_type = options.compute_type.value_or(ScalarType::float32);
  request.kv_type = options.kv_type.value_or(request.compute_type);
  request.weight_bytes = weights.held_bytes();
  request.tokens = options.plan_tokens;
  facts.plan = toView(plan_memory(config, request));
  facts.planTokens = options.plan_tokens;
  facts.kvBytesPerToken = kv_bytes_per_token(config, request.kv_type);
  return facts;
}

qint64 sizeOnDisk(const QString& path) {
  const QFileInfo info(path);
  if (!info.isDir()) return info.size();
  qint64 bytes = 0;
  QDirIterator files(path, {QStringLiteral("*.safetensors")}, QDir::Files);
  while (files.hasNext()) {
    files.next();
    bytes += files.fileInfo().size();
  }
  return bytes;
}

}  // namespace orthros::studio
