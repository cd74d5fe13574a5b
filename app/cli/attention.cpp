// orthros attention: exact attention rows of one head, to .csv or .npy.
#include <cmath>
#include <cstring>

#include "app/cli/experiment.h"
#include "engine/experiments/kept_runs.h"
#include "engine/formats/mapped_file.h"
#include "engine/inference/attention_rows.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model, prompt, ids, stream = "output", rows = "last", out;
  AttentionRowsRequest request;
  KeepOptions keep;
  CLI::Option* prompt_option = nullptr;
};

Result<void> write_csv(const std::string& path, const AttentionRows& rows) {
  return write_atomically(path, [&](ByteSink& sink) -> Result<void> {
    std::string text = "query,key,weight\n";
    for (size_t r = 0; r < rows.positions.size(); ++r) {
      for (int64_t key = 0; key < rows.num_keys; ++key) {
        const float weight = rows.weights[r * static_cast<size_t>(rows.num_keys) + static_cast<size_t>(key)];
        // Keys outside the support are no part of the row; a key inside may still have a weight of 0.
        if (weight != 0) text += fmt::format("{},{},{:.9g}\n", rows.positions[r], key, weight);
      }
      ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(text))));
      text.clear();
    }
    return sink.write(std::as_bytes(std::span(text)));
  });
}

// NumPy's format 1.0: magic, header padded to a multiple of 64 bytes, row-major data.
Result<void> write_npy(const std::string& path, const AttentionRows& rows) {
  return write_atomically(path, [&](ByteSink& sink) -> Result<void> {
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                                     rows.positions.size(), rows.num_keys);
    constexpr size_t kPreamble = 10, kAlignment = 64;
    const size_t total = (kPreamble + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    header.append(total - kPreamble - 1 - header.size(), ' ');
    header += '\n';
    std::string preamble("\x93NUMPY\x01\x00", 8);
    preamble += static_cast<char>(header.size() & 0xff);
    preamble += static_cast<char>(header.size() >> 8);
    ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(preamble))));
    ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(header))));
    return sink.write(std::as_bytes(std::span(rows.weights)));
  });
}

Result<void> keep(const Options& options, const LoadedModel& loaded, const AttentionRows& rows) {
  if (!options.keep.keep) return {};
  ORTHROS_TRY(const auto store, open_store(options.keep.store));
  ORTHROS_TRY(const Arm arm, arm_of(loaded.model, loaded.config, stop_token(), progress_bar()));
  const KeptAttention kept{options.keep.name, options.prompt, options.request, rows, ""};
  ORTHROS_TRY(const auto experiment, keep_attention(*store, arm, kept));
  note("stored as {}", experiment.uuid.substr(0, 8));
  return {};
}

Result<void> run(Options& options) {
  const bool csv = options.out.ends_with(".csv");
  if (!csv && !options.out.ends_with(".npy")) {
    return fail(ErrorCode::invalid_argument, "--out must end in .csv or .npy, not '{}'", options.out);
  }
  ORTHROS_TRY_VOID(check_writable(options.out));
  AttentionRowsRequest& request = options.request;
  request.stream = options.stream == "base" ? StreamKind::base : StreamKind::output;
  const auto prepare = [&](const ModelFiles& files) -> Result<int64_t> {
    ORTHROS_TRY(request.ids, prompt_ids(files, *options.prompt_option, options.prompt, options.ids));
    const auto tokens = static_cast<int64_t>(request.ids.size());
    ORTHROS_TRY(request.rows, parse_rows(options.rows, tokens));
    // The rows are gathered in a vector that doubles, so for a moment there are two of them.
    const auto row_bytes = tokens * static_cast<int64_t>(sizeof(float));
    ORTHROS_TRY_VOID(check_result_fits(2 * static_cast<int64_t>(request.rows.size()) * row_bytes,
                                       fmt::format("{} rows of {} keys", request.rows.size(), tokens)));
    return tokens;
  };
  ORTHROS_TRY(const LoadedModel loaded,
              load_for_run(options.model, options.common, options.architecture, prepare));
  ORTHROS_TRY(const AttentionRows rows,
              attention_rows(loaded.model, loaded.config, request, stop_token(), progress_bar()));
  if (!std::isfinite(rows.max_sum_error + rows.max_output_error)) {
    return fail(Error{ErrorCode::corrupt_file, "the model's attention is not numbers (NaN or infinite)",
                      "its weights are damaged or overflow this type: fetch it again, or try --dtype float32"});
  }
  ORTHROS_TRY_VOID(csv ? write_csv(options.out, rows) : write_npy(options.out, rows));
  end_progress_bar();
  if (options.common.json) {
    print_json({{"rows", rows.positions},
                {"keys", rows.num_keys},
                {"layer", request.layer},
                {"head", request.head},
                {"stream", options.stream},
                {"used_by_model", rows.used_by_model},
                {"max_sum_error", rows.max_sum_error},
                {"max_output_error", rows.max_output_error},
                {"out", options.out}});
    return keep(options, loaded, rows);
  }
  print("{} row{} x {} keys of layer {}, head {}, {} stream in {}\n", rows.positions.size(),
        rows.positions.size() == 1 ? "" : "s", rows.num_keys, request.layer, request.head, options.stream,
        options.out);
  if (!rows.used_by_model) note("these rows were made for you: the model does not use them");
  return keep(options, loaded, rows);
}

}  // namespace

void add_attention(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("attention", "Exact attention rows of one head, to .csv or .npy");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  options->prompt_option = sub->add_option("--prompt", options->prompt, "Text the rows are over");
  CLI::Option* ids = sub->add_option("--ids", options->ids, "Token ids instead: 1,2,3 or @FILE");
  sub->add_option("--layer", options->request.layer, "Layer, from 0")->required()->transform(whole_number(0));
  sub->add_option("--head", options->request.head, "Query head, from 0")
      ->required()
      ->transform(whole_number(0));
  sub->add_option("--stream", options->stream, "base or output")
      ->check(CLI::IsMember({"base", "output"}))
      ->capture_default_str();
  sub->add_option("--rows", options->rows, "all, last or a list of positions from 0")->capture_default_str();
  add_chunk_option(*sub, options->request.chunk);
  add_keep_options(*sub, options->keep);
  sub->add_option("--out", options->out, "File to write: .csv or .npy")->required();
  sub->callback([options, ids, &command] {
    require_one_of({options->prompt_option, ids});
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
