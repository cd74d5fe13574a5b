#include "engine/training/training_log.h"

#include "engine/base/sha256.h"
#include "engine/formats/mapped_file.h"
#include "engine/model/model_files.h"
#include "engine/model/model_identity.h"
#include "engine/store/environment.h"
#include "engine/store/run_reader.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPointsAtOnce = 25;
constexpr const char* kExperimentFile = "experiment.txt";

Result<store::ExperimentRecord> experiment_of(store::RunStore& store, const TrainConfig& config,
                                              const LogRequest& request) {
  if (request.resume) {
    const std::string uuid = logged_experiment(config.output);
    if (!uuid.empty()) {
      ORTHROS_TRY(const auto reader, store::RunReader::open(store.path()));
      if (const auto found = reader->find_experiment(uuid)) return *found;
    }
  }
  store::ExperimentRecord record;
  record.kind = store::ExperimentKind::training;
  record.name = request.name.empty() ? request.recipe.stem().string() : request.name;
  ORTHROS_TRY(record.spec_json, read_text(request.recipe, int64_t{16} << 20));
  record.spec_sha256 = sha256_hex(record.spec_json);
  ORTHROS_TRY(store::ExperimentRecord created, store.create_experiment(record));
  std::error_code error;
  fs::create_directories(config.output, error);
  ORTHROS_TRY_VOID(write_text_atomically(config.output / kExperimentFile, created.uuid));
  return created;
}

/// What the run's curves are drawn as; empty where the model cannot be read, which the trainer reports.
std::string architecture_of(const ModelSource& source) {
  if (!source.as.empty()) return source.as;
  if (source.from.empty()) {
    const auto config = parse_model_config(source.config);
    return config ? architecture_name(*config) : std::string();
  }
  const auto files = open_model(source.from);
  return files ? architecture_name(files->config) : std::string();
}

}  // namespace

std::string logged_experiment(const fs::path& output) {
  std::error_code error;
  if (!fs::exists(output / kExperimentFile, error)) return {};
  return read_text(output / kExperimentFile, 1000).value_or(std::string());
}

Result<void> TrainingLog::open(store::RunStore& store, const TrainConfig& config, const LogRequest& request) {
  ORTHROS_TRY(const store::ExperimentRecord experiment, experiment_of(store, config, request));
  store::RunRecord run;
  run.experiment_id = experiment.id;
  ORTHROS_TRY(run.environment_id, store.put_environment(store::current_environment()));
  run.arm_label = experiment.name;
  run.device = "cpu";
  run.dtype = to_string(config.dtype);
  run.seed = config.seed;
  run.settings_json = Json{{"architecture", architecture_of(config.model)}}.dump();
  ORTHROS_TRY(const store::RunRecord created, store.create_run(run, {}));
  ORTHROS_TRY_VOID(store.begin_run(created.id));
  store_ = &store;
  run_ = created.id;
  experiment_ = experiment.uuid;
  return {};
}

Result<void> TrainingLog::add(const StepEvent& e) {
  points_.push_back({e.step, e.loss, e.learning_rate, e.gradient_norm, e.tokens_per_second});
  return points_.size() >= kPointsAtOnce ? flush() : Result<void>();
}

void TrainingLog::note(const std::string& text) {
  if (store_ != nullptr) (void)store_->add_event(run_, "note", text);
}

Result<void> TrainingLog::finish(const Result<TrainSummary>& ran) {
  if (store_ == nullptr) return {};
  ORTHROS_TRY_VOID(flush());
  if (!ran) return store_->end_run(run_, store::RunStatus::failed, ran.error().line());
  return store_->end_run(run_, ran->finished ? store::RunStatus::done : store::RunStatus::cancelled);
}

Result<void> TrainingLog::flush() {
  if (points_.empty()) return {};
  ORTHROS_TRY_VOID(store_->add_train_points(run_, points_));
  points_.clear();
  return {};
}

}  // namespace orthros::training
