#include "engine/lessons/lesson_passes.h"

namespace orthros {
namespace {

ModelConfig without_scale_offset(ModelConfig config) {
  for (LayerSpec& layer : config.layers) layer.scale_offset = false;
  return config;
}

}  // namespace

Result<LessonPasses> LessonPasses::make(std::shared_ptr<const Model> model, const Lesson& lesson,
                                        const StopToken& stop) {
  LessonPasses passes;
  passes.model_ = model;
  if (!model->files().tokenizer) return fail(model->files().tokenizer.error());
  ORTHROS_TRY(passes.weights_, traced_weights(*model));
  const ModelConfig plain = without_scale_offset(model->config());
  for (size_t prompt = 0; prompt < lesson.prompts.size(); ++prompt) {
    PassTraceRequest request;
    ORTHROS_TRY(request.ids, model->files().tokenizer->encode(lesson.prompts[prompt]));
    const int64_t tokens = std::ssize(request.ids);
    if (tokens < 1 || tokens > kMostLessonTokens) {
      return fail(ErrorCode::invalid_argument,
                  "prompts[{}]: has {} tokens of this model; 1 to {} fit the stage", prompt, tokens,
                  kMostLessonTokens);
    }
    request.prompt_length =
        lesson.prompt_length > 0 ? std::min(lesson.prompt_length, tokens) : (tokens + 1) / 2;
    for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
      for (const bool output_on : {true, false}) {
        for (const bool scale_offset : {true, false}) {
          ORTHROS_TRY_VOID(stop.check("the lesson"));
          request.regime = regime;
          request.output_on = output_on;
          ORTHROS_TRY(PassTrace trace,
                      trace_pass(model, scale_offset ? model->config() : plain, request, stop));
          passes.traces_.emplace(PassSetting{regime, output_on, scale_offset, static_cast<int64_t>(prompt)},
                                 std::move(trace));
        }
      }
    }
  }
  return passes;
}

std::string LessonPasses::token(TokenId id) const {
  return model_->files().tokenizer->piece(id).value_or(std::string());
}

PassSource LessonPasses::source() const {
  PassSource source;
  source.config = &model_->config();
  source.token = [this](TokenId id) {
    const std::string text = token(id);
    return text.starts_with(' ') ? text.substr(1) : text;
  };
  source.trace = [this](const PassSetting& setting) -> Result<const PassTrace*> {
    const auto found = traces_.find(setting);
    if (found == traces_.end())
      return fail(ErrorCode::invalid_argument, "there is no prompt {}", setting.prompt + 1);
    return &found->second;
  };
  return source;
}

}  // namespace orthros
