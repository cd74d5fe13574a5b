// orthros info: what a model or a tensor file is, and what running it would take.
#include <fmt/ranges.h>

#include "app/cli/cli.h"
#include "engine/model/weight_plan.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model;
  int64_t tokens = 4096;
  bool tensors = false;
};

struct Row {
  std::string name, type;
  std::vector<int64_t> shape;
};

Json to_json(const std::vector<Row>& rows) {
  Json json = Json::array();
  for (const Row& row : rows) json.push_back({{"name", row.name}, {"dtype", row.type}, {"shape", row.shape}});
  return json;
}

void print_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    cli::print("  {:<56} {:<5} [{}]\n", row.name, row.type, fmt::join(row.shape, ", "));
}

Result<std::vector<Row>> safetensors_rows(const std::string& path) {
  ORTHROS_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
  std::vector<Row> rows;
  for (const TensorEntry& entry : file.tensors()) rows.push_back({entry.name, entry.dtype, entry.shape});
  return rows;
}

Result<std::vector<Row>> gguf_rows(const std::string& path) {
  ORTHROS_TRY(const GgufFile file, GgufFile::open(path));
  std::vector<Row> rows;
  for (const GgufTensor& tensor : file.tensors())
    rows.push_back({tensor.name, to_string(tensor.type), tensor.shape});
  return rows;
}

Result<void> print_tensor_file(const Options& options, const std::vector<Row>& rows, const std::string& why) {
  if (options.common.json) {
    print_json({{"file", options.model}, {"tensors", to_json(rows)}, {"note", why}});
    return {};
  }
  print("{}: {} tensors{}\n", options.model, rows.size(), why.empty() ? "" : "; no model: " + why);
  print_rows(rows);
  return {};
}

Json layers_json(const ModelConfig& config) {
  Json layers = Json::array();
  for (const LayerSpec& layer : config.layers) {
    layers.push_back({{"mixer", to_string(layer.mixer)},
                      {"window", layer.window.window},
                      {"sinks", layer.window.sinks},
                      {"scale_offset", layer.scale_offset}});
  }
  return layers;
}

// The same config read as the other two architectures, for the FLOP ratio.
Result<Json> flop_json(const ModelConfig& config, int64_t tokens) {
  ORTHROS_TRY(const ModelConfig transformer, with_architecture(config, Architecture::transformer, {}));
  ModelConfig orthros = config;
  if (!config.has_output_stream()) {
    ORTHROS_TRY(orthros, with_architecture(config, Architecture::orthros, WindowSpec{128, 0}));
  }
  const PrefillFlop full = prefill_flop(transformer, tokens);
  const PrefillFlop dual = prefill_flop(orthros, tokens);
  return Json{{"tokens", tokens},
              {"transformer_flop_paper", full.paper},
              {"transformer_flop_engine", full.engine},
              {"orthros_flop_paper", dual.paper},
              {"orthros_flop_engine", dual.engine},
              {"ratio_paper", full.paper / dual.paper},
              {"ratio_engine", full.engine / dual.engine}};
}

Result<MemoryPlan> plan_of(const ModelFiles& files, const ModelConfig& config, const Options& options) {
  const LoadOptions load = load_options(options.common);
  ORTHROS_TRY(const WeightPlan weights, make_weight_plan(files.config, *files.weights, load));
  MemoryRequest request;
  request.compute_type = load.compute_type.value_or(ScalarType::float32);
  request.kv_type = load.kv_type.value_or(request.compute_type);
  request.weight_bytes = weights.held_bytes();
  request.tokens = options.tokens;
  return plan_memory(config, request);
}

Json model_json(const ModelFiles& files, const ModelConfig& config, const MemoryPlan& plan,
                const Json& flop) {
  const ParameterCount count = count_parameters(config);
  Json json = {{"path", files.path.string()},
               {"format", files.is_gguf ? "gguf" : "safetensors"},
               {"model_type", config.model_type},
               {"base_model_type", config.base_model_type},
               {"hidden_size", config.hidden_size},
               {"intermediate_size", config.intermediate_size},
               {"num_hidden_layers", config.num_hidden_layers},
               {"num_attention_heads", config.num_attention_heads},
               {"num_key_value_heads", config.num_key_value_heads},
               {"head_dim", config.head_dim},
               {"vocab_size", config.vocab_size},
               {"max_position_embeddings", config.max_position_embeddings},
               {"tie_word_embeddings", config.tie_word_embeddings},
               {"dtype", config.torch_dtype},
               {"parameters", count.total()},
               {"has_weights", files.has_weights},
               {"file_bytes", files.weights->file_bytes()},
               {"kv_bytes_per_token",
                {{"float32", kv_bytes_per_token(config, ScalarType::float32)},
                 {"bfloat16", kv_bytes_per_token(config, ScalarType::bfloat16)}}},
               {"flop_balance_tokens", flop_balance_tokens(config)},
               {"prefill_flop", flop},
               {"memory",
                {{"weights_bytes", plan.weights_bytes},
                 {"kv_bytes", plan.kv_bytes},
                 {"activation_bytes", plan.activation_bytes},
                 {"total_bytes", plan.total_bytes()},
                 {"available_bytes", plan.available_bytes},
                 {"fits", plan.total_bytes() <= plan.available_bytes}}},
               {"eos_token_ids", files.eos},
               {"layers", layers_json(config)}};
  json["tokenizer"] = files.tokenizer ? Json("byte-level BPE") : Json(files.tokenizer.error().line());
  return json;
}

std::string mixer_line(const ModelConfig& config) {
  const LayerSpec& first = config.layers.front();
  std::string line = to_string(first.mixer);
  if (!first.window.is_full())
    line += fmt::format(", window {}, {} sinks", first.window.window, first.window.sinks);
  if (first.scale_offset) line += ", scale-offset";
  for (const LayerSpec& layer : config.layers) {
    if (!(layer == first)) return line + " and others";
  }
  return line;
}

void print_model(const ModelFiles& files, const ModelConfig& config, const MemoryPlan& plan, const Json& flop,
                 int64_t tokens) {
  const ParameterCount count = count_parameters(config);
  print("{}\n", files.path.filename().string());
  print("  architecture   {} ({})\n", config.model_type, mixer_line(config));
  print("  shape          {} layers, width {}, ffn {}, {} heads / {} KV heads x {}, vocabulary {}\n",
        config.num_hidden_layers, config.hidden_size, config.intermediate_size, config.num_attention_heads,
        config.num_key_value_heads, config.head_dim, config.vocab_size);
  const std::string held =
      files.has_weights
          ? fmt::format("{} as {}", format_bytes(files.weights->file_bytes()), config.torch_dtype)
          : config.torch_dtype;
  print("  parameters     {:.4g} M ({}), context {}\n", static_cast<double>(count.total()) / 1e6, held,
        config.max_position_embeddings);
  print("  KV cache       {} a token in float32, {} in bfloat16\n",
        format_bytes(kv_bytes_per_token(config, ScalarType::float32)),
        format_bytes(kv_bytes_per_token(config, ScalarType::bfloat16)));
  print("  T*             {} tokens: there full attention costs as much as the matrices\n",
        number(flop_balance_tokens(config)));
  print("  prefill FLOP   Transformer / Orthros = {} at {} tokens (paper's count {})\n",
        number(flop["ratio_engine"]), flop["tokens"].get<int64_t>(), number(flop["ratio_paper"]));
  print("  memory         at {} tokens: {}{}\n", tokens, plan.sentence(),
        plan.total_bytes() <= plan.available_bytes ? "" : ": does not fit");
  if (!files.has_weights) print("  weights        none in this folder: planned from config.json\n");
  print("  tokenizer      {}\n", files.tokenizer ? "byte-level BPE" : files.tokenizer.error().line());
}

Result<void> run(const Options& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  std::error_code ignored;
  if (options.model.ends_with(".safetensors") && !std::filesystem::is_directory(options.model, ignored)) {
    ORTHROS_TRY(const auto rows, safetensors_rows(options.model));
    return print_tensor_file(options, rows, "");
  }
  auto opened = open_model(options.model, WeightsNeeded::no);
  if (!opened && options.model.ends_with(".gguf")) {
    // A sound file that is no whole model is still worth a look; a broken one is an error.
    ORTHROS_TRY(const auto rows, gguf_rows(options.model));
    return print_tensor_file(options, rows, opened.error().line());
  }
  ORTHROS_TRY(const ModelFiles files, std::move(opened));
  ORTHROS_TRY(const ModelConfig config, read_as(files.config, options.architecture));
  ORTHROS_TRY(const MemoryPlan plan, plan_of(files, config, options));
  ORTHROS_TRY(const Json flop, flop_json(config, options.tokens));
  std::vector<Row> rows;
  if (options.tensors) {
    for (const TensorSpec& spec : checkpoint_tensors(config)) {
      ORTHROS_TRY(const WeightRows found, files.weights->rows(spec.name, spec.rows, spec.columns));
      rows.push_back({spec.name, to_string(found.type),
                      spec.is_vector ? std::vector<int64_t>{spec.columns}
                                     : std::vector<int64_t>{spec.rows, spec.columns}});
    }
  }
  if (options.common.json) {
    Json json = model_json(files, config, plan, flop);
    if (options.tensors) json["tensors"] = to_json(rows);
    print_json(json);
    return {};
  }
  print_model(files, config, plan, flop, options.tokens);
  print_rows(rows);
  return {};
}

}  // namespace

void add_info(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("info", "What a model or tensor file is, and what running it takes");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  sub->add_option("model", options->model, "Model folder, .gguf or .safetensors file")->required();
  sub->add_option("--tokens", options->tokens, "Length T of the memory plan and the FLOP ratio")
      ->transform(whole_number(1, int64_t{1} << 30))
      ->capture_default_str();
  sub->add_flag("--tensors", options->tensors, "List the tensors");
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
