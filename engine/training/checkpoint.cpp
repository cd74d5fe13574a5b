#include "engine/training/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <ATen/core/grad_mode.h>

#include "engine/formats/safetensors.h"
#include "engine/formats/unfinished.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::string_view kSuffix = ".safetensors";
constexpr std::string_view kPartMark = ".part-";

std::optional<int64_t> step_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  int64_t step = 0;
  const char* end = name.data() + name.size() - kSuffix.size();
  const auto [at, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
  if (error != std::errc() || at != end) return std::nullopt;
  return step;
}

std::vector<int64_t> steps_in(const fs::path& folder) {
  std::vector<int64_t> steps;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (const auto step = step_of(entry->path())) steps.push_back(*step);
  }
  std::ranges::sort(steps);
  return steps;
}

Json to_json(const TrainState& s) {
  return {{"step", s.step},
          {"stage", s.stage},
          {"step_in_stage", s.step_in_stage},
          {"tokens", s.tokens},
          {"skipped_steps", s.skipped_steps},
          {"score", s.score},
          {"best_score", s.best_score},
          {"best_stage", s.best_stage},
          {"best_step", s.best_step},
          {"seconds", s.seconds},
          {"config_sha256", s.config_sha256}};
}

Result<TrainState> from_json(const Json& json) {
  TrainState s;
  try {
    json.at("step").get_to(s.step);
    json.at("stage").get_to(s.stage);
    json.at("step_in_stage").get_to(s.step_in_stage);
    json.at("tokens").get_to(s.tokens);
    json.at("skipped_steps").get_to(s.skipped_steps);
    json.at("score").get_to(s.score);
    json.at("best_score").get_to(s.best_score);
    json.at("best_stage").get_to(s.best_stage);
    json.at("best_step").get_to(s.best_step);
    json.at("seconds").get_to(s.seconds);
    json.at("config_sha256").get_to(s.config_sha256);
  } catch (const Json::exception& error) {
    return fail(ErrorCode::corrupt_file, "the checkpoint's state cannot be read: {}", error.what());
  }
  return s;
}

/// Every tensor of a checkpoint by its name there.
std::vector<std::pair<std::string, at::Tensor>> contents(const Parameters& parameters,
                                                         const AdamW& optimizer) {
  std::vector<std::pair<std::string, at::Tensor>> list;
  for (const NamedParameter& p : parameters.all()) list.emplace_back("weights." + p.name, p.tensor.detach());
  for (const AdamW::Moments& m : optimizer.state()) {
    list.emplace_back("first." + m.name, m.first);
    list.emplace_back("second." + m.name, m.second);
  }
  return list;
}

Result<void> read_tensors(const SafetensorsFile& file, const std::string& name, Parameters& parameters,
                          AdamW& optimizer) {
  const auto list = contents(parameters, optimizer);
  // All are looked at before any is changed.
  for (const auto& [key, tensor] : list) {
    const TensorEntry* entry = file.find(key);
    if (entry == nullptr || entry->dtype != "F32" || entry->shape != tensor.sizes().vec()) {
      return fail(ErrorCode::corrupt_file, "{} has no tensor {} of the right shape", name, key);
    }
  }
  const at::NoGradGuard guard;
  for (const auto& [key, tensor] : list) {
    const auto bytes = file.find(key)->bytes;
    std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  }
  return {};
}

/// What a save of another step left when its process was killed; a save of the same step tidies up by itself.
void remove_abandoned_checkpoints(const fs::path& folder) {
  remove_abandoned_parts(folder, [](const fs::path& entry) {
    const std::string name = entry.filename().string();
    const size_t part = name.rfind(kPartMark);
    return part != std::string::npos && step_of(fs::path(name.substr(0, part))) &&
           is_part_number(std::string_view(name).substr(part + kPartMark.size()));
  });
}

}  // namespace

fs::path checkpoint_path(const fs::path& folder, int64_t step) {
  return folder / fmt::format("{}{:08}{}", kPrefix, step, kSuffix);
}

Result<void> save_checkpoint(const fs::path& folder, const TrainState& state, const Parameters& parameters,
                             const AdamW& optimizer) {
  std::vector<TensorToWrite> tensors;
  for (const auto& [name, tensor] : contents(parameters, optimizer)) {
    tensors.push_back(
        {name, "F32", tensor.sizes().vec(), [tensor = tensor](ByteSink& sink) {
           return sink.write({static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()});
         }});
  }
  ORTHROS_TRY_VOID(write_safetensors(checkpoint_path(folder, state.step), tensors,
                                     {{"format", "pt"}, {"orthros_train_state", to_json(state).dump()}}));
  remove_abandoned_checkpoints(folder);
  for (const int64_t step : steps_in(folder)) {
    std::error_code ignored;
    if (step != state.step && step != state.best_step) fs::remove(checkpoint_path(folder, step), ignored);
  }
  return {};
}

Result<std::optional<TrainState>> resume_checkpoint(const TrainConfig& config, Parameters& parameters,
                                                    AdamW& optimizer) {
  const fs::path& folder = config.output;
  const std::vector<int64_t> steps = steps_in(folder);
  if (steps.empty()) return std::optional<TrainState>();
  const fs::path path = checkpoint_path(folder, steps.back());
  const std::string name = path.filename().string();
  const Result<SafetensorsFile> opened = SafetensorsFile::open(path);
  if (!opened) {
    const std::string way_out =
        steps.size() > 1 ? fmt::format("delete it to go on from {}",
                                       checkpoint_path(folder, steps[steps.size() - 2]).filename().string())
                         : std::string("delete it to start again");
    return fail(
        Error{opened.error().code, fmt::format("{} is damaged: {}", name, opened.error().message), way_out});
  }
  const SafetensorsFile& file = *opened;
  const auto text = file.metadata().find("orthros_train_state");
  if (text == file.metadata().end())
    return fail(ErrorCode::corrupt_file, "{} is no training checkpoint", name);
  ORTHROS_TRY(const Json json, parse_json(text->second, name));
  ORTHROS_TRY(TrainState state, from_json(json));
  if (state.config_sha256 != config.sha256) {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("{} belongs to another training config", name),
                      "resume with the config it was made with, or choose another output folder"});
  }
  if (state.step < 0 || state.step_in_stage < 0 || state.stage < 0 ||
      state.stage > std::ssize(config.stages)) {
    return fail(Error{ErrorCode::corrupt_file,
                      fmt::format("{}: step {} of stage {} is impossible", name, state.step, state.stage + 1),
                      "delete it to go on from an older one, or start again"});
  }
  ORTHROS_TRY_VOID(read_tensors(file, name, parameters, optimizer));
  optimizer.set_steps(state.step - state.skipped_steps);
  return std::optional<TrainState>(std::move(state));
}

}  // namespace orthros::training
