// orthros generate: text or ids in, text out, with the figures of the run.
#include "engine/inference/generate.h"

#include <cmath>

#include <fmt/ranges.h>

#include "app/cli/experiment.h"
#include "engine/experiments/kept_runs.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model, prompt, ids, system;
  bool chat = false, ignore_eos = false;
  GenerateRequest request;
  KeepOptions keep;
  SessionOptions session;
  CLI::Option* prompt_option = nullptr;
};

// The prompt as one user turn of the model's own template.
Result<std::string> chat_prompt(const ModelFiles& files, const Options& options) {
  if (files.chat_template.empty()) {
    return fail(Error{ErrorCode::unsupported, "the model has no chat template", "leave --chat out"});
  }
  ORTHROS_TRY(const ChatTemplate chat, ChatTemplate::parse(files.chat_template));
  ChatContext context;
  if (!options.system.empty()) context.messages.push_back({"system", options.system});
  context.messages.push_back({"user", options.prompt});
  context.bos_token = files.bos_token;
  context.eos_token = files.eos_token;
  return chat.render(context);
}

Result<std::vector<TokenId>> request_ids(const ModelFiles& files, const Options& options) {
  if (!options.chat) return prompt_ids(files, *options.prompt_option, options.prompt, options.ids);
  if (!files.tokenizer) return fail(files.tokenizer.error());
  ORTHROS_TRY(const std::string text, chat_prompt(files, options));
  // The template writes the beginning token itself.
  return files.tokenizer->encode(text, /*add_special=*/false);
}

// Prints whole UTF-8 characters as they come.
class TextStream {
 public:
  void add(const std::string& bytes) {
    pending_ += bytes;
    size_t whole = pending_.size();
    // Hold back at most the last, unfinished character.
    for (size_t back = 1; back <= std::min<size_t>(3, pending_.size()); ++back) {
      const auto c = static_cast<unsigned char>(pending_[pending_.size() - back]);
      if ((c & 0xc0) == 0x80) continue;
      const size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
      if (need > back) whole = pending_.size() - back;
      break;
    }
    write_out(pending_.substr(0, whole));
    flush_out();
    pending_.erase(0, whole);
    any_ = any_ || !bytes.empty();
  }
  /// What is left of an unfinished character, and a line's end after any text.
  void end() {
    write_out(pending_);
    if (any_) write_out("\n");
    flush_out();
  }

 private:
  std::string pending_;
  bool any_ = false;
};

Json result_json(const GenerateResult& result, const Session& session) {
  return {{"ids", result.ids},
          {"text", valid_utf8(result.text)},
          {"stop_reason", to_string(result.reason)},
          {"prompt_tokens", result.prompt_tokens},
          {"ttft_ms", result.ttft_ms},
          {"prefill_tok_s", result.prefill_tok_s},
          {"decode_tok_s", result.decode_tok_s},
          {"kv_bytes", result.kv_bytes},
          {"backend", session.backend()}};
}

Result<LoadedModel> load_for_prompt(Options& options) {
  const auto prepare = [&](const ModelFiles& files) -> Result<int64_t> {
    ORTHROS_TRY(options.request.prompt, request_ids(files, options));
    if (!options.ignore_eos) options.request.eos = files.eos;
    options.session.capacity =
        static_cast<int64_t>(options.request.prompt.size()) + options.request.max_tokens;
    return options.session.capacity;
  };
  return load_for_run(options.model, options.common, options.architecture, prepare);
}

// A step whose logits are no numbers gives no token worth the name.
Result<void> check_numbers(bool finite) {
  if (finite) return {};
  return fail(Error{ErrorCode::corrupt_file, "the model's logits are not numbers (NaN or infinite)",
                    "its weights are damaged or overflow this type: fetch it again, or try --dtype float32"});
}

void print_figures(const GenerateResult& result, const Session& session) {
  const std::string decode = result.decode_tok_s > 0 ? number(result.decode_tok_s) + " tok/s" : "none";
  note("prompt {} tokens, first token after {} ms; prefill {} tok/s, decode {}, KV {}; {}",
       result.prompt_tokens, number(result.ttft_ms), number(result.prefill_tok_s), decode,
       format_bytes(result.kv_bytes), session.backend());
}

// What --keep stores: the request, every token with what else could have come, and the timings.
Result<void> keep(const Options& options, const LoadedModel& loaded, const Session& session,
                  const GenerateResult& result, std::vector<TokenEvent> tokens) {
  if (!options.keep.keep) return {};
  ORTHROS_TRY(const auto store, open_store(options.keep.store));
  ORTHROS_TRY(const Arm arm, arm_of(loaded.model, loaded.config, stop_token(), progress_bar()));
  KeptPrompt kept;
  kept.name = options.keep.name;
  kept.text = options.prompt;
  kept.chat = options.chat;
  kept.request = options.request;
  kept.tokens = std::move(tokens);
  kept.result = result;
  kept.backend = session.backend();
  ORTHROS_TRY(const auto experiment, keep_prompt(*store, arm, kept));
  note("stored as {}", experiment.uuid.substr(0, 8));
  return {};
}

Result<void> run(Options& options) {
  ORTHROS_TRY(const LoadedModel loaded, load_for_prompt(options));
  ORTHROS_TRY(Session session, Session::create(loaded.model, loaded.config, options.session));
  const Tokenizer* tokenizer = loaded.model->files().tokenizer ? &*loaded.model->files().tokenizer : nullptr;
  TextStream stream;
  const bool live = !options.common.json && options.request.stop.empty() && tokenizer != nullptr;
  bool finite = true;
  std::vector<TokenEvent> tokens;
  if (options.keep.keep) options.request.alternatives = 10;
  options.request.on_token = [&](const TokenEvent& event) {
    finite = finite && std::isfinite(event.sample.probability);
    if (options.keep.keep) tokens.push_back(event);
    if (!live) return;
    end_progress_bar();
    stream.add(event.bytes);
  };
  const ProgressSink progress = [live, bar = progress_bar()](const Progress& p) {
    if (bar && (!live || p.phase == "prefill")) bar(p);
  };
  const Result<GenerateResult> result = generate(session, tokenizer, options.request, stop_token(), progress);
  end_progress_bar();
  if (live) stream.end();
  if (!result) return fail(result.error());
  ORTHROS_TRY_VOID(check_numbers(finite));
  if (options.common.json) {
    print_json(result_json(*result, session));
    return keep(options, loaded, session, *result, std::move(tokens));
  }
  if (!live)
    print("{}\n", tokenizer != nullptr ? result->text : fmt::format("{}", fmt::join(result->ids, ",")));
  print_figures(*result, session);
  return keep(options, loaded, session, *result, std::move(tokens));
}

void add_sampling_options(CLI::App& sub, SamplingParams& sampling) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  sub.add_option("--temperature", sampling.temperature, "0 takes the most probable token")
      ->transform(real_number(0, kInfinity))
      ->capture_default_str();
  sub.add_option("--top-k", sampling.top_k, "Keep the k best tokens; 0 keeps all")
      ->transform(whole_number(0))
      ->capture_default_str();
  sub.add_option("--top-p", sampling.top_p, "Keep the smallest set with this probability; 1 keeps all")
      ->transform(real_number(0, 1))
      ->capture_default_str();
  sub.add_option("--min-p", sampling.min_p, "Drop tokens below this share of the best one; 0 keeps all")
      ->transform(real_number(0, 1))
      ->capture_default_str();
  sub.add_option("--seed", sampling.seed, "Seed of the sampler")
      ->transform(seed_number())
      ->capture_default_str();
}

}  // namespace

void add_generate(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("generate", "Continue a prompt");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  GenerateRequest& request = options->request;
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  options->prompt_option = sub->add_option("--prompt", options->prompt, "Text to continue");
  CLI::Option* ids = sub->add_option("--ids", options->ids, "Token ids to continue: 1,2,3 or @FILE");
  sub->add_flag("--chat", options->chat, "Put the prompt into the model's chat template as the user's turn");
  sub->add_option("--system", options->system, "System turn for --chat");
  sub->add_option("--max-tokens", request.max_tokens, "New tokens at most")
      ->transform(whole_number(1, int64_t{1} << 40))
      ->capture_default_str();
  sub->add_option("--stop", request.stop, "Text that ends generation (may be given again)")
      ->allow_extra_args(false);  // a list of values would swallow what follows
  sub->add_flag("--ignore-eos", options->ignore_eos, "Go on after a stop token");
  add_chunk_option(*sub, options->session.chunk);
  add_keep_options(*sub, options->keep);
  add_sampling_options(*sub, request.sampling);
  sub->callback([options, ids, &command] {
    require_one_of({options->prompt_option, ids});
    if (options->chat && ids->count() > 0) usage_error("--chat needs --prompt");
    if (!options->chat && !options->system.empty()) usage_error("--system needs --chat");
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
