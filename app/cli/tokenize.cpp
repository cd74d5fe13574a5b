// orthros tokenize: text to ids and pieces, ids to text.
#include "app/cli/cli.h"
#include "engine/formats/mapped_file.h"

namespace orthros::cli {
namespace {

constexpr int64_t kMaxTextBytes = int64_t{256} << 20;

struct Options {
  CommonOptions common;
  std::string model, text, file, decode;
  bool no_special = false;
  CLI::Option *text_option = nullptr, *file_option = nullptr, *decode_option = nullptr;
};

// A piece may be part of a character; JSON wants text.
Result<Json> pieces_json(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  Json pieces = Json::array();
  for (const TokenId id : ids) {
    ORTHROS_TRY(const std::string bytes, tokenizer.piece(id));
    pieces.push_back(valid_utf8(bytes));
  }
  return pieces;
}

Result<void> decode(const Tokenizer& tokenizer, const Options& options) {
  ORTHROS_TRY(const std::vector<TokenId> ids, parse_ids(options.decode, "--decode"));
  ORTHROS_TRY(const std::string text, tokenizer.decode(ids, options.no_special));
  if (options.common.json) {
    ORTHROS_TRY(const Json pieces, pieces_json(tokenizer, ids));
    print_json({{"ids", ids}, {"pieces", pieces}, {"text", valid_utf8(text)}});
  } else {
    print("{}\n", text);
  }
  return {};
}

Result<void> run(const Options& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  ORTHROS_TRY(const ModelFiles files, open_model(options.model, WeightsNeeded::no));
  if (!files.tokenizer) return fail(files.tokenizer.error());
  const Tokenizer& tokenizer = *files.tokenizer;
  if (options.decode_option->count() > 0) return decode(tokenizer, options);
  std::string text = options.text;
  if (options.file_option->count() > 0) {
    ORTHROS_TRY(text, read_text(options.file, kMaxTextBytes));
  }
  ORTHROS_TRY(const std::vector<TokenId> ids, tokenizer.encode(text, !options.no_special));
  if (options.common.json) {
    ORTHROS_TRY(const Json pieces, pieces_json(tokenizer, ids));
    print_json({{"ids", ids}, {"pieces", pieces}});
    return {};
  }
  for (const TokenId id : ids) {
    ORTHROS_TRY(const std::string bytes, tokenizer.piece(id));
    print("{:>8}  {}\n", id, Json(valid_utf8(bytes)).dump());
  }
  return {};
}

}  // namespace

void add_tokenize(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("tokenize", "Text to token ids, or ids to text");
  add_common_options(*sub, options->common);
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  options->text_option = sub->add_option("--text", options->text, "Text to tokenize");
  options->file_option = sub->add_option("--file", options->file, "File to tokenize");
  options->decode_option = sub->add_option("--decode", options->decode, "Ids to decode: 1,2,3 or @FILE");
  sub->add_flag("--no-special", options->no_special, "Add no special tokens; leave them out of decoded text");
  sub->callback([options, &command] {
    require_one_of({options->text_option, options->file_option, options->decode_option});
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
