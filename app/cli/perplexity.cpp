// orthros perplexity: mean negative log-likelihood of a text or of ids.
#include <algorithm>
#include <cmath>

#include "app/cli/cli.h"
#include "engine/formats/mapped_file.h"

namespace orthros::cli {
namespace {

constexpr int64_t kMaxTextBytes = int64_t{256} << 20;

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  RegimeOptions regime;
  std::string model, file, ids;
  std::vector<int64_t> ranges;
  int64_t sequence = 0;
  CLI::Option *file_option = nullptr, *ids_option = nullptr;
};

Result<std::vector<TokenId>> text_ids(const ModelFiles& files, const Options& options) {
  if (options.ids_option->count() > 0) return model_ids(files, options.ids);
  ORTHROS_TRY(const std::string text, read_text(options.file, kMaxTextBytes));
  if (!files.tokenizer) return fail(files.tokenizer.error());
  return files.tokenizer->encode(text);
}

struct Mean {
  double sum = 0;
  int64_t count = 0;
  /// Not a number where nothing was counted; JSON shows null.
  double value() const { return sum / static_cast<double>(count); }
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
    means.push_back(
        {{"begin", edges[i]}, {"end", edges[i + 1]}, {"tokens", mean.count}, {"mean_nll", mean.value()}});
  }
  return means;
}

Result<Mean> mean_of(const std::vector<TokenNll>& nll, Regime regime) {
  if (nll.empty()) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("under the {} regime the model predicts only what comes after the text",
                                  to_string(regime)),
                      "take --regime pt or decode, or sft with a shorter prompt"});
  }
  Mean mean;
  for (const TokenNll& token : nll) mean.sum += token.nll;
  mean.count = static_cast<int64_t>(nll.size());
  if (!std::isfinite(mean.sum)) {
    return fail(
        Error{ErrorCode::corrupt_file, "the model's logits are not numbers (NaN or infinite)",
              "its weights are damaged or overflow this type: fetch it again, or try --dtype float32"});
  }
  return mean;
}

// Pieces of `length` ids that know nothing of each other; where the text begins with BOS, each does. One id
// that is left over predicts nothing and is dropped.
std::vector<std::vector<TokenId>> cut(const std::vector<TokenId>& ids, int64_t length,
                                      std::optional<TokenId> bos) {
  if (length == 0 || std::ssize(ids) <= length) return {ids};
  const bool prefixed = bos && ids.front() == *bos;
  const int64_t step = prefixed ? length - 1 : length;
  std::vector<std::vector<TokenId>> pieces;
  for (int64_t at = prefixed ? 1 : 0; at < std::ssize(ids); at += step) {
    std::vector<TokenId> piece;
    if (prefixed) piece.push_back(*bos);
    piece.insert(piece.end(), ids.begin() + at, ids.begin() + std::min(at + step, std::ssize(ids)));
    if (piece.size() > 1) pieces.push_back(std::move(piece));
  }
  return pieces;
}

Result<void> run(Options& options) {
  EvaluateRequest request;
  ORTHROS_TRY_VOID(apply(options.regime, options.architecture, request));
  std::vector<std::vector<TokenId>> pieces;
  const auto prepare = [&](const ModelFiles& files) -> Result<int64_t> {
    ORTHROS_TRY(const std::vector<TokenId> ids, text_ids(files, options));
    pieces = cut(ids, options.sequence, files.tokenizer ? files.tokenizer->bos() : std::nullopt);
    return static_cast<int64_t>(pieces.front().size());
  };
  ORTHROS_TRY(const LoadedModel loaded,
              load_for_run(options.model, options.common, options.architecture, prepare));
  std::vector<TokenNll> nll;
  for (std::vector<TokenId>& piece : pieces) {
    request.ids = std::move(piece);
    ORTHROS_TRY(const auto part,
                token_nll(loaded.model, loaded.config, request, stop_token(), progress_bar()));
    nll.insert(nll.end(), part.begin(), part.end());
  }
  ORTHROS_TRY(const Mean mean, mean_of(nll, request.regime));
  end_progress_bar();
  const Json ranges = range_means(nll, options.ranges);
  if (options.common.json) {
    Json json = {{"mean_nll", mean.value()}, {"tokens", mean.count}, {"ppl", std::exp(mean.value())}};
    if (!ranges.empty()) json["ranges"] = ranges;
    print_json(json);
    return {};
  }
  print("mean NLL {} nats over {} tokens, perplexity {}\n", number(mean.value()), mean.count,
        number(std::exp(mean.value())));
  for (const Json& range : ranges) {
    const auto tokens = range["tokens"].get<int64_t>();
    print("  {}-{}: {} over {} tokens\n", range["begin"].get<int64_t>(), range["end"].get<int64_t>(),
          tokens > 0 ? number(range["mean_nll"].get<double>()) : "none", tokens);
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
  add_regime_options(*sub, options->regime);
  sub->add_option("--sequence", options->sequence,
                  "Cut the text into pieces of so many tokens, each read on its own (0: one piece)")
      ->transform(whole_number(0));
  sub->add_option("--ranges", options->ranges, "Edges of token ranges to report as well: 0,128,256")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(whole_number(0));
  sub->callback([options, &command] {
    require_one_of({options->file_option, options->ids_option});
    const std::vector<int64_t>& edges = options->ranges;
    if (options->sequence == 1) usage_error("--sequence 1 predicts nothing: give 2 or more");
    if (options->sequence > 0 && options->regime.prompt_length > 0)
      usage_error("--sequence and --prompt-length: pieces have no common prompt");
    if (edges.size() == 1 || std::ranges::adjacent_find(edges, std::greater_equal()) != edges.end()) {
      usage_error("--ranges needs two edges or more, each above the one before");
    }
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
