#include "app/studio/pages/attention/kept_captures.h"

#include "app/studio/kept_runs.h"
#include "app/studio/text.h"
#include "engine/experiments/kept_record.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

constexpr qsizetype kNameLength = 60;

}  // namespace

Result<AttentionCapture> readKeptCapture(const QString& storePath, const QString& uuid) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(KeptRecord kept, read_record(*reader, toStd(uuid)));
  AttentionCapture capture;
  capture.record = std::move(kept.record);
  capture.ids = std::move(kept.ids);
  for (size_t i = 0; i < capture.ids.size(); ++i) {
    const bool known = i < kept.pieces.size();
    capture.pieces.append(known ? QByteArray::fromStdString(kept.pieces[i])
                                : '#' + QByteArray::number(qlonglong{capture.ids[i]}));
    capture.tokens.append(widgets::visibleToken(capture.pieces.back()));
  }
  for (size_t i = 0; i < kept.predicted.size(); ++i)
    predict(capture, capture.record.share_positions[i], kept.predicted[i],
            static_cast<double>(capture.record.predictions[i].probability));
  capture.said = std::move(kept.said);
  for (size_t i = 0; i < capture.record.steps.size(); ++i)
    predict(capture, capture.record.steps[i]->position, capture.said[i].bytes, capture.said[i].probability);
  capture.text = toQt(kept.text);
  capture.modelName = toQt(kept.model);
  capture.kept = localTime(kept.created_utc);
  capture.headsPerGroup = static_cast<int>(kept.heads_per_group);
  capture.kvBytesPerToken = kept.kv_bytes_per_token;
  capture.bfloat16 = kept.bfloat16;
  return capture;
}

namespace {

Result<Arm> armOf(const AttentionCapture& capture, const std::shared_ptr<const Model>& model,
                  const StopToken& stop, const ProgressSink& progress) {
  const Architecture architecture = capture.record.has_output         ? Architecture::orthros
                                    : capture.record.window.is_full() ? Architecture::transformer
                                                                      : Architecture::swa;
  ORTHROS_TRY(const ModelConfig config,
              with_architecture(model->config(), architecture, capture.record.window));
  return arm_of(model, config, stop, progress);
}

KeptRecord keptOf(const AttentionCapture& capture, const std::shared_ptr<const Model>& model, size_t tokens) {
  KeptRecord kept;
  kept.text = toStd(capture.text);
  kept.name = toStd(capture.text.simplified().left(kNameLength));
  kept.model = toStd(capture.modelName);
  kept.ids.assign(capture.ids.begin(), capture.ids.begin() + static_cast<ptrdiff_t>(tokens));
  const ModelFiles& files = model->files();
  for (const TokenId id : kept.ids)
    kept.pieces.push_back(files.tokenizer ? files.tokenizer->piece(id).value_or(std::string())
                                          : std::string());
  kept.heads_per_group = capture.headsPerGroup;
  kept.kv_bytes_per_token = capture.kvBytesPerToken;
  kept.bfloat16 = capture.bfloat16;
  return kept;
}

}  // namespace

Result<void> keepCapture(store::RunStore& store, const AttentionCapture& capture,
                         const std::shared_ptr<const Model>& model, const StopToken& stop,
                         const ProgressSink& progress) {
  ORTHROS_TRY(const Arm arm, armOf(capture, model, stop, progress));
  KeptRecord kept = keptOf(capture, model, capture.ids.size());
  kept.record = capture.record;
  const ModelFiles& files = model->files();
  for (const TokenPrediction& one : kept.record.predictions)
    kept.predicted.push_back(files.tokenizer ? files.tokenizer->piece(one.id).value_or(std::string())
                                             : std::string());
  ORTHROS_TRY([[maybe_unused]] const auto experiment, keep_record(store, arm, kept));
  return {};
}

Result<std::unique_ptr<StepKeeper>> beginKeeping(store::RunStore& store, const AttentionCapture& capture,
                                                 const std::shared_ptr<const Model>& model,
                                                 const StopToken& stop, const ProgressSink& progress) {
  ORTHROS_TRY(const Arm arm, armOf(capture, model, stop, progress));
  // The keys that were there when the first step was recorded are the prompt.
  KeptRecord kept = keptOf(capture, model, static_cast<size_t>(capture.record.steps.front()->position + 1));
  kept.record = capture.record;
  kept.record.steps.clear();
  return StepKeeper::begin(store, arm, kept);
}

}  // namespace orthros::studio
