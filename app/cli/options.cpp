// Options that several subcommands take.
#include <CLI/CLI.hpp>

#include "app/cli/cli.h"
#include "engine/model/runtime.h"

namespace orthros::cli {
void add_common_options(CLI::App& app, CommonOptions& options) {
  const std::vector<std::string> types{"auto", "float32", "bfloat16"};
  app.add_flag("--json", options.json, "One JSON object on stdout, nothing else");
  app.add_option("--device", options.device, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads; 0 takes all cores")
      ->transform(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--dtype", options.dtype, "Type to compute in: auto, float32 or bfloat16")
      ->check(CLI::IsMember(types))
      ->capture_default_str();
  app.add_option("--weights", options.weights,
                 "Type weights are held in: auto, float32, bfloat16, int8 or int4")
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
      app.add_option("--window", options.window,
                     "Keys a base row reads, its own included (default: the model's, or 128)")
          ->transform(whole_number(1, kMaxWindow));
  options.sinks_option = app.add_option("--sinks", options.sinks,
                                        "First keys that stay visible besides (default: the model's, or 0)")
                             ->transform(whole_number(0, kMaxWindow));
}

void add_chunk_option(CLI::App& app, int64_t& chunk) {
  app.add_option("--chunk", chunk, "Tokens a prefill chunk has")
      ->transform(whole_number(1, int64_t{1} << 30))
      ->capture_default_str();
}

void add_regime_options(CLI::App& app, RegimeOptions& options) {
  app.add_option("--regime", options.regime,
                 "Where the model predicts: pt (everywhere), sft (from the prompt's last token on), prefill "
                 "(at the last "
                 "token), decode (everywhere, token by token); transformer is short for --as transformer "
                 "(default pt)")
      ->check(CLI::IsMember({"transformer", "pt", "sft", "prefill", "decode"}));
  options.prompt_length_option = app.add_option("--prompt-length", options.prompt_length,
                                                "Only with --regime sft: tokens before the answer")
                                     ->transform(whole_number(1));
  add_chunk_option(app, options.chunk);
}

Result<void> apply(const CommonOptions& options) {
  ORTHROS_TRY_VOID(check_device(options.device));
  return set_num_threads(options.threads);
}

Result<void> apply(const RegimeOptions& options, ArchitectureOptions& architecture,
                   EvaluateRequest& request) {
  std::string regime = options.regime.empty() ? "pt" : options.regime;
  if (regime == "transformer") {
    if (!architecture.as.empty() && architecture.as != "transformer") {
      return fail(
          Error{ErrorCode::invalid_argument,
                fmt::format("--regime transformer and --as {} contradict each other", architecture.as),
                "leave one of them out"});
    }
    architecture.as = "transformer";
    regime = "pt";
  }
  ORTHROS_TRY(request.regime, parse_regime(regime));
  if (request.regime != Regime::sft && options.prompt_length_option->count() > 0) {
    return fail(Error{ErrorCode::invalid_argument, "--prompt-length has a meaning with --regime sft alone",
                      "leave it out or add --regime sft"});
  }
  request.prompt_length = options.prompt_length;
  request.chunk = options.chunk;
  return {};
}

LoadOptions load_options(const CommonOptions& options) {
  LoadOptions load;
  load.compute_type = find_named(kComputeTypes, options.dtype);
  load.weight_format = find_named(kWeightFormats, options.weights);
  load.kv_type = find_named(kComputeTypes, options.kv_dtype);
  return load;
}

Result<ModelConfig> read_as(const ModelConfig& config, const ArchitectureOptions& options) {
  const bool sized = options.window_option->count() + options.sinks_option->count() > 0;
  if (options.as.empty()) {
    if (!sized) return config;
    if (!config.has_output_stream()) {
      return fail(Error{ErrorCode::invalid_argument,
                        "--window and --sinks say how to read the model as another one",
                        "add --as orthros or --as swa"});
    }
  }
  if (options.as == "transformer" && sized) {
    return fail(Error{ErrorCode::invalid_argument, "a Transformer has no window and no sinks",
                      "leave --window and --sinks out, or take --as swa or --as orthros"});
  }
  const std::string as = options.as.empty() ? "orthros" : options.as;
  ORTHROS_TRY(const Architecture architecture, parse_architecture(as));
  const auto given = [](const CLI::Option* option, int64_t value) {
    return option->count() > 0 ? std::optional(value) : std::nullopt;
  };
  return with_architecture(config, architecture,
                           window_for(config, given(options.window_option, options.window),
                                      given(options.sinks_option, options.sinks)));
}

}  // namespace orthros::cli
