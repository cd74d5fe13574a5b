// orthros convert: a model as Orthros, SWA or Transformer, the same weights.
#include "app/cli/cli.h"
#include "engine/model/converter.h"
#include "engine/model/weight_delta.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string source, destination, to, delta;
  int64_t window = 128, sinks = 0;
  CLI::Option *window_option = nullptr, *sinks_option = nullptr;
};

// A delta says itself what it makes: an Orthros model of its own window and sinks.
Result<ModelFiles> open_source(const Options& options) {
  ORTHROS_TRY(ModelFiles files, open_model(options.source));
  if (options.delta.empty()) return files;
  return with_delta(std::move(files), options.delta, stop_token(), progress_bar());
}

Result<void> run(const Options& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  ConvertOptions convert;
  ORTHROS_TRY(convert.to, parse_architecture(options.to));
  convert.window = {options.window, options.sinks};
  if (options.common.dtype == "float32") convert.dtype = ScalarType::float32;
  if (options.common.dtype == "bfloat16") convert.dtype = ScalarType::bfloat16;
  if (convert.to == Architecture::transformer &&
      options.window_option->count() + options.sinks_option->count() > 0) {
    return fail(Error{ErrorCode::invalid_argument, "a Transformer has no window and no sinks",
                      "leave --window and --sinks out, or convert --to swa or orthros"});
  }
  ORTHROS_TRY(const ModelFiles files, open_source(options));
  // A windowed source keeps its own window and sinks unless the command line names others.
  if (const WindowSpec& own = files.config.layers.front().window; !own.is_full()) {
    if (options.window_option->count() == 0) convert.window.window = own.window;
    if (options.sinks_option->count() == 0) convert.window.sinks = own.sinks;
  }
  ORTHROS_TRY(const ConvertReport report,
              convert_model(files, options.destination, convert, stop_token(), progress_bar()));
  end_progress_bar();
  for (const std::string& text : report.notes) note("{}", text);
  if (options.common.json) {
    print_json({{"to", options.to},
                {"window", convert.window.window},
                {"sinks", convert.window.sinks},
                {"dtype", to_string(report.dtype)},
                {"tensors", report.tensors},
                {"bytes", report.bytes},
                {"source_sha256", report.source_sha256},
                {"out", options.destination}});
    return {};
  }
  print("{} tensors, {} of {} in {}\n", report.tensors, format_bytes(report.bytes), to_string(report.dtype),
        options.destination);
  return {};
}

}  // namespace

void add_convert(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("convert", "Write a model as Orthros, SWA or Transformer");
  add_common_options(*sub, options->common);
  sub->get_option("--dtype")->description("Type to write; auto: bfloat16 for bfloat16 sources, else float32");
  sub->add_option("source", options->source, "Model folder or .gguf file")->required();
  sub->add_option("destination", options->destination, "Folder to make")->required();
  sub->add_option("--to", options->to, "orthros, swa or transformer")
      ->required()
      ->check(CLI::IsMember({"orthros", "swa", "transformer"}));
  options->window_option =
      sub->add_option("--window", options->window,
                      "Keys a base row reads, its own included (default: the source's, or 128)")
          ->transform(whole_number(1, kMaxWindow));
  options->sinks_option =
      sub->add_option("--sinks", options->sinks,
                      "First keys that stay visible besides (default: the source's, or 0)")
          ->transform(whole_number(0, kMaxWindow));
  sub->add_option(
      "--delta", options->delta,
      "Lay a delta of conversion training over the source (with --to orthros; window and sinks are its own)");
  sub->callback([options, &command] {
    if (!options->delta.empty() &&
        (options->to != "orthros" || options->window_option->count() + options->sinks_option->count() > 0)) {
      usage_error("--delta goes with --to orthros, and has its own window and sinks");
    }
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
