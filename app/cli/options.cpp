// Options that several subcommands take.
#include <CLI/CLI.hpp>

#include "app/cli/cli.h"
#include "engine/model/runtime.h"

namespace orthros::cli {
namespace {

std::optional<ScalarType> scalar_type(const std::string& text) {
  if (text == "float32") return ScalarType::float32;
  if (text == "bfloat16") return ScalarType::bfloat16;
  return std::nullopt;
}

std::optional<WeightFormat> weight_format(const std::string& text) {
  for (const WeightFormat format :
       {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
    if (text == to_string(format)) return format;
  }
  return std::nullopt;
}

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& options) {
  const std::vector<std::string> types{"auto", "float32", "bfloat16"};
  app.add_flag("--json", options.json, "One JSON object on stdout, nothing else");
  app.add_option("--device", options.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}))->capture_default_str();
  app.add_option("--threads", options.threads, "Threads; 0 takes all cores")->check(CLI::Range(0, 1024));
  app.add_option("--dtype", options.dtype, "Type to compute in: auto, float32 or bfloat16")
      ->check(CLI::IsMember(types))
      ->capture_default_str();
  app.add_option("--weights", options.weights, "Type weights are held in: auto, float32, bfloat16, int8 or int4")
      ->check(CLI::IsMember({"auto", "float32", "bfloat16", "int8", "int4"}))
      ->capture_default_str();
  app.add_option("--kv-dtype", options.kv_dtype, "Type of the KV cache: auto, float32 or bfloat16")
      ->check(CLI::IsMember(types))
      ->capture_default_str();
}

void add_architecture_options(CLI::App& app, ArchitectureOptions& options) {
  app.add_option("--as", options.as, "Read the same weights as transformer, swa or orthros")
      ->check(CLI::IsMember({"transformer", "swa", "orthros"}));
  options.window_option =
      app.add_option("--window", options.window, "Keys a base row reads, its own included (default 128)")
          ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  options.sinks_option = app.add_option("--sinks", options.sinks, "First keys that stay visible besides (default 0)")
                             ->check(CLI::Range(int64_t{0}, int64_t{1} << 40));
}

Result<void> apply(const CommonOptions& options) {
  ORTHROS_TRY_VOID(check_device(options.device));
  return set_num_threads(options.threads);
}

LoadOptions load_options(const CommonOptions& options) {
  LoadOptions load;
  load.compute_type = scalar_type(options.dtype);
  load.weight_format = weight_format(options.weights);
  load.kv_type = scalar_type(options.kv_dtype);
  return load;
}

Result<ModelConfig> read_as(const ModelConfig& config, const ArchitectureOptions& options) {
  const bool sized = options.window_option->count() + options.sinks_option->count() > 0;
  if (options.as.empty()) {
    if (!sized) return config;
    if (!config.has_output_stream()) {
      return fail(Error{ErrorCode::invalid_argument, "--window and --sinks say how to read the model as another one",
                        "add --as orthros or --as swa"});
    }
  }
  const std::string as = options.as.empty() ? "orthros" : options.as;
  ORTHROS_TRY(const Architecture architecture, parse_architecture(as));
  WindowSpec window{options.window, options.sinks};
  // A checkpoint's own window and sinks hold unless the command line names others.
  if (architecture != Architecture::transformer && !config.layers.front().window.is_full()) {
    if (options.window_option->count() == 0) window.window = config.layers.front().window.window;
    if (options.sinks_option->count() == 0) window.sinks = config.layers.front().window.sinks;
  }
  return with_architecture(config, architecture, window);
}

Result<std::shared_ptr<const Model>> load(const std::string& path, const CommonOptions& options,
                                          int64_t plan_tokens) {
  ORTHROS_TRY_VOID(apply(options));
  ORTHROS_TRY(ModelFiles files, open_model(path));
  LoadOptions load_with = load_options(options);
  load_with.plan_tokens = plan_tokens;
  return Model::load(std::move(files), load_with, stop_token(), progress_bar());
}

}  // namespace orthros::cli
