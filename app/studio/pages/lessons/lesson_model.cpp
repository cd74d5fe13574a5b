#include "app/studio/pages/lessons/lesson_model.h"

#include "app/studio/text.h"

namespace orthros::studio {

Result<std::shared_ptr<const Model>> loadLessonModel(const QString& path, const StopToken& stop) {
  if (path.isEmpty()) {
    return fail(Error{ErrorCode::not_found, "the lesson model is not here",
                      "put sample_models/lesson beside the program, as its package does"});
  }
  ORTHROS_TRY(ModelFiles files, open_model(toStd(path)));
  LoadOptions options;
  options.compute_type = ScalarType::float32;
  options.kv_type = ScalarType::float32;
  return Model::load(std::move(files), options, stop);
}

}  // namespace orthros::studio
