// orthros logits: logits of chosen positions under a regime, to a safetensors file.
#include "app/cli/cli.h"
#include "engine/formats/safetensors.h"
#include "engine/inference/evaluate.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model, ids, regime, rows = "all", out;
  int64_t prompt_length = 0, chunk = 512;
};

Result<void> write(const std::string& path, const std::vector<int64_t>& positions, const std::vector<float>& logits) {
  const auto rows = static_cast<int64_t>(positions.size());
  const auto vocabulary = rows > 0 ? static_cast<int64_t>(logits.size()) / rows : 0;
  const auto bytes_of = [](const auto& values) {
    return [&values](ByteSink& sink) { return sink.write(std::as_bytes(std::span(values))); };
  };
  return write_safetensors(path, {{"logits", "F32", {rows, vocabulary}, bytes_of(logits)},
                                  {"positions", "I64", {rows}, bytes_of(positions)}});
}

Result<void> run(Options& options) {
  // "transformer" is short for the plain reading of the weights.
  if (options.regime == "transformer") {
    options.architecture.as = "transformer";
    options.regime = "pt";
  }
  EvaluateRequest request;
  ORTHROS_TRY(request.ids, parse_ids(options.ids));
  const auto tokens = static_cast<int64_t>(request.ids.size());
  if (!options.regime.empty()) {
    ORTHROS_TRY(request.regime, parse_regime(options.regime));
  }
  request.prompt_length = options.prompt_length;
  request.chunk = options.chunk;
  if (request.regime != Regime::sft || options.rows != "all") {
    ORTHROS_TRY(request.rows, parse_rows(options.rows, tokens));
  }
  ORTHROS_TRY(const auto model, load(options.model, options.common, tokens));
  ORTHROS_TRY(const ModelConfig config, read_as(model->config(), options.architecture));
  std::vector<int64_t> positions;
  std::vector<float> logits;
  const LogitsSink sink = [&](int64_t position, std::span<const float> row) -> Result<void> {
    positions.push_back(position);
    logits.insert(logits.end(), row.begin(), row.end());
    return {};
  };
  ORTHROS_TRY_VOID(evaluate(model, config, request, sink, stop_token(), progress_bar()));
  ORTHROS_TRY_VOID(write(options.out, positions, logits));
  end_progress_bar();
  if (options.common.json) {
    print_json({{"rows", positions.size()}, {"vocab_size", config.vocab_size}, {"out", options.out}});
  } else {
    fmt::print("{} rows x {} logits in {}\n", positions.size(), config.vocab_size, options.out);
  }
  return {};
}

}  // namespace

void add_logits(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("logits", "Logits of chosen positions, to a safetensors file");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  sub->add_option("--ids", options->ids, "Token ids: 1,2,3 or @FILE")->required();
  sub->add_option("--regime", options->regime, "transformer, pt, sft, prefill or decode")
      ->check(CLI::IsMember({"transformer", "pt", "sft", "prefill", "decode"}));
  sub->add_option("--prompt-length", options->prompt_length, "sft: tokens before the answer");
  sub->add_option("--rows", options->rows, "all, last or a list of positions from 0")->capture_default_str();
  sub->add_option("--chunk", options->chunk, "Tokens a prefill chunk has")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30))
      ->capture_default_str();
  sub->add_option("--out", options->out, "File to write")->required();
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
