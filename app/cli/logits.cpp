// orthros logits: logits of chosen positions under a regime, to a safetensors file.
#include <algorithm>

#include "app/cli/cli.h"
#include "engine/formats/safetensors.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  RegimeOptions regime;
  std::string model, ids, rows = "all", out;
};

// The rows that evaluate() will give, ascending: they head the file, before the first of them is computed.
Result<std::vector<int64_t>> rows_to_write(const EvaluateRequest& request, const std::string& rows) {
  const auto tokens = static_cast<int64_t>(request.ids.size());
  if (request.regime == Regime::prefill || (request.regime == Regime::sft && rows == "all")) {
    return regime_rows(request.regime, tokens, request.prompt_length);
  }
  ORTHROS_TRY(std::vector<int64_t> chosen, parse_rows(rows, tokens));
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// Row by row to the disk: all rows of a long text would not fit in memory.
Result<void> evaluate_to_file(const LoadedModel& loaded, const EvaluateRequest& request,
                              const std::string& path) {
  const std::vector<int64_t>& positions = request.rows;
  const auto rows = static_cast<int64_t>(positions.size());
  const auto write_logits = [&](ByteSink& file) {
    const LogitsSink sink = [&](int64_t, std::span<const float> row) {
      return file.write(std::as_bytes(row));
    };
    return evaluate(loaded.model, loaded.config, request, sink, stop_token(), progress_bar());
  };
  const auto write_positions = [&](ByteSink& file) {
    return file.write(std::as_bytes(std::span(positions)));
  };
  return write_safetensors(path, {{"logits", "F32", {rows, loaded.config.vocab_size}, write_logits},
                                  {"positions", "I64", {rows}, write_positions}});
}

Result<void> run(Options& options) {
  ORTHROS_TRY_VOID(check_writable(options.out));
  EvaluateRequest request;
  ORTHROS_TRY_VOID(apply(options.regime, options.architecture, request));
  const auto prepare = [&](const ModelFiles& files) -> Result<int64_t> {
    ORTHROS_TRY(request.ids, model_ids(files, options.ids));
    ORTHROS_TRY(request.rows, rows_to_write(request, options.rows));
    return static_cast<int64_t>(request.ids.size());
  };
  ORTHROS_TRY(const LoadedModel loaded,
              load_for_run(options.model, options.common, options.architecture, prepare));
  ORTHROS_TRY_VOID(evaluate_to_file(loaded, request, options.out));
  end_progress_bar();
  const size_t rows = request.rows.size();
  if (options.common.json) {
    print_json({{"rows", rows}, {"vocab_size", loaded.config.vocab_size}, {"out", options.out}});
  } else {
    print("{} row{} x {} logits in {}\n", rows, rows == 1 ? "" : "s", loaded.config.vocab_size, options.out);
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
  add_regime_options(*sub, options->regime);
  sub->add_option("--rows", options->rows,
                  "all, last or a list of positions from 0; prefill has the last one alone")
      ->capture_default_str();
  sub->add_option("--out", options->out,
                  "Safetensors file to write: logits [rows, vocabulary], positions [rows]")
      ->required();
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
