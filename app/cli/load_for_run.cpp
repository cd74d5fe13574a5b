// From a path and options to a model that is ready to run.
#include "app/cli/cli.h"

namespace orthros::cli {

Result<std::shared_ptr<const Model>> load(const std::string& path, const CommonOptions& options,
                                          int64_t plan_tokens) {
  ORTHROS_TRY_VOID(apply(options));
  ORTHROS_TRY(ModelFiles files, open_model(path));
  LoadOptions load_with = load_options(options);
  load_with.plan_tokens = plan_tokens;
  return Model::load(std::move(files), load_with, stop_token(), progress_bar());
}

Result<LoadedModel> load_for_run(const std::string& path, const CommonOptions& common,
                                 const ArchitectureOptions& architecture, const PrepareRun& prepare) {
  ORTHROS_TRY_VOID(apply(common));
  ORTHROS_TRY(ModelFiles files, open_model(path));
  LoadedModel loaded;
  ORTHROS_TRY(loaded.config, read_as(files.config, architecture));
  LoadOptions load_with = load_options(common);
  ORTHROS_TRY(load_with.plan_tokens, prepare(files));
  ORTHROS_TRY(loaded.model, Model::load(std::move(files), load_with, stop_token(), progress_bar()));
  return loaded;
}

Result<void> check_result_fits(int64_t bytes, const std::string& what) {
  const int64_t available = available_memory_bytes();
  if (bytes <= available) return {};
  return fail(
      Error{ErrorCode::out_of_memory,
            fmt::format("{} would take {}; available {}", what, format_bytes(bytes), format_bytes(available)),
            "ask for fewer of them with --rows"});
}

}  // namespace orthros::cli
