// LessonPasses: every pass that a lesson can show, traced: all regimes, output copies on and off, with and
// without scale-offset, for each of its prompts. Small models only, so all are made at once. Errors: as
// trace_pass; invalid_argument for a prompt of too many tokens, naming it. Public: no torch. Threads: made by
// one, then only read.
#pragma once

#include <map>
#include <memory>

#include "engine/lessons/lesson.h"

namespace orthros {

class LessonPasses {
 public:
  static Result<LessonPasses> make(std::shared_ptr<const Model> model, const Lesson& lesson,
                                   const StopToken& stop = {});

  const PassTrace& trace(const PassSetting& setting) const { return traces_.at(setting); }
  const ModelConfig& config() const { return model_->config(); }
  const Model& model() const { return *model_; }
  const TracedWeights& weights() const { return weights_; }
  /// The text of a token: " Ann".
  std::string token(TokenId id) const;
  /// For quantities; refers to this object.
  PassSource source() const;

 private:
  std::shared_ptr<const Model> model_;
  TracedWeights weights_;
  std::map<PassSetting, PassTrace> traces_;
};

}  // namespace orthros
