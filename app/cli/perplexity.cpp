// orthros perplexity: mean negative log-likelihood of a text or of ids.
#include <cmath>

#include "app/cli/cli.h"
#include "engine/formats/mapped_file.h"
#include "engine/inference/evaluate.h"

namespace orthros::cli {
namespace {

constexpr int64_t kMaxTextBytes = int64_t{256} << 20;

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model, file, ids, regime;
  std::vector<int64_t> ranges;
  int64_t prompt_length = 0, chunk = 512;
  CLI::Option *file_option = nullptr, *ids_option = nullptr;
};

Result<std::vector<TokenId>> text_ids(const ModelFiles& files, const Options& options) {
  if (options.ids_option->count() > 0) return parse_ids(options.ids);
  ORTHROS_TRY(const std::string text, read_text(options.file, kMaxTextBytes));
  if (!files.tokenizer) return fail(files.tokenizer.error());
  return files.tokenizer->encode(text);
}

struct Mean {
  double sum = 0;
  int64_t count = 0;
  double value() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

// Mean over predicted tokens a+1 .. b-1, as the table of the conversion's measurements counts them.
Json range_means(const std::vector<TokenNll>& nll, const std::vector<int64_t>& edges) {
  Json means = Json::array();
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    Mean mean;
    for (const TokenNll& token : nll) {
      if (token.position > edges[i] && token.position < edges[i + 1]) {
        mean.sum += token.nll;
        ++mean.count;
      }
    }
    means.push_back({{"begin", edges[i]}, {"end", edges[i + 1]}, {"tokens", mean.count}, {"mean_nll", mean.value()}});
  }
  return means;
}

Result<void> run(Options& options) {
  if (options.file_option->count() + options.ids_option->count() != 1) {
    return fail(ErrorCode::invalid_argument, "give one of --file and --ids");
  }
  if (options.regime == "transformer") {
    options.architecture.as = "transformer";
    options.regime = "pt";
  }
  ORTHROS_TRY_VOID(apply(options.common));
  ORTHROS_TRY(ModelFiles files, open_model(options.model));
  EvaluateRequest request;
  ORTHROS_TRY(request.ids, text_ids(files, options));
  if (!options.regime.empty()) {
    ORTHROS_TRY(request.regime, parse_regime(options.regime));
  }
  request.prompt_length = options.prompt_length;
  request.chunk = options.chunk;
  LoadOptions load_with = load_options(options.common);
  load_with.plan_tokens = static_cast<int64_t>(request.ids.size());
  ORTHROS_TRY(const auto model, Model::load(std::move(files), load_with, stop_token(), progress_bar()));
  ORTHROS_TRY(const ModelConfig config, read_as(model->config(), options.architecture));
  ORTHROS_TRY(const auto nll, token_nll(model, config, request, stop_token(), progress_bar()));
  if (nll.empty()) return fail(ErrorCode::invalid_argument, "the regime predicts no token that the text has");
  Mean mean;
  for (const TokenNll& token : nll) mean.sum += token.nll;
  mean.count = static_cast<int64_t>(nll.size());
  end_progress_bar();
  const Json ranges = range_means(nll, options.ranges);
  if (options.common.json) {
    Json json = {{"mean_nll", mean.value()}, {"tokens", mean.count}, {"ppl", std::exp(mean.value())}};
    if (!ranges.empty()) json["ranges"] = ranges;
    print_json(json);
    return {};
  }
  fmt::print("mean NLL {} nats over {} tokens, perplexity {}\n", number(mean.value()), mean.count,
             number(std::exp(mean.value())));
  for (const Json& range : ranges) {
    fmt::print("  {}-{}: {}\n", range["begin"].get<int64_t>(), range["end"].get<int64_t>(),
               number(range["mean_nll"].get<double>()));
  }
  return {};
}

}  // namespace

void add_perplexity(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("perplexity", "Mean negative log-likelihood (nats) of a text");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  options->file_option = sub->add_option("--file", options->file, "Text file");
  options->ids_option = sub->add_option("--ids", options->ids, "Token ids: 1,2,3 or @FILE");
  sub->add_option("--regime", options->regime, "transformer, pt, sft, prefill or decode")
      ->check(CLI::IsMember({"transformer", "pt", "sft", "prefill", "decode"}));
  sub->add_option("--prompt-length", options->prompt_length, "sft: tokens before the answer");
  sub->add_option("--ranges", options->ranges, "Edges of token ranges to report as well: 0,128,256")->delimiter(',');
  sub->add_option("--chunk", options->chunk, "Tokens a prefill chunk has")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30))
      ->capture_default_str();
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
