// orthros generate: text or ids in, text out, with the figures of the run.
#include <fmt/ranges.h>

#include "app/cli/cli.h"
#include "engine/inference/generate.h"

namespace orthros::cli {
namespace {

struct Options {
  CommonOptions common;
  ArchitectureOptions architecture;
  std::string model, prompt, ids, system;
  bool chat = false, ignore_eos = false;
  GenerateRequest request;
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
    fmt::print("{}", pending_.substr(0, whole));
    std::fflush(stdout);
    pending_.erase(0, whole);
  }

 private:
  std::string pending_;
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

Result<void> run(Options& options) {
  if (options.prompt_option->count() > 0 && !options.ids.empty()) {
    return fail(ErrorCode::invalid_argument, "give --prompt or --ids, not both");
  }
  if (options.prompt_option->count() == 0 && options.ids.empty()) {
    return fail(ErrorCode::invalid_argument, "give --prompt or --ids");
  }
  if (options.chat && options.prompt_option->count() == 0) {
    return fail(ErrorCode::invalid_argument, "--chat needs --prompt");
  }
  ORTHROS_TRY_VOID(apply(options.common));
  ORTHROS_TRY(ModelFiles files, open_model(options.model));
  ORTHROS_TRY(options.request.prompt, request_ids(files, options));
  if (!options.ignore_eos) options.request.eos = files.eos;
  options.session.capacity = static_cast<int64_t>(options.request.prompt.size()) + options.request.max_tokens;
  LoadOptions load_with = load_options(options.common);
  load_with.plan_tokens = options.session.capacity;
  ORTHROS_TRY(const auto model, Model::load(std::move(files), load_with, stop_token(), progress_bar()));
  ORTHROS_TRY(const ModelConfig config, read_as(model->config(), options.architecture));
  ORTHROS_TRY(Session session, Session::create(model, config, options.session));

  const Tokenizer* tokenizer = model->files().tokenizer ? &*model->files().tokenizer : nullptr;
  TextStream stream;
  const bool live = !options.common.json && options.request.stop.empty() && tokenizer != nullptr;
  ProgressSink progress = progress_bar();
  if (live) {
    options.request.on_token = [&](const TokenEvent& event) {
      end_progress_bar();
      stream.add(event.bytes);
    };
    progress = [bar = progress](const Progress& p) {
      if (bar && p.phase == "prefill") bar(p);
    };
  }
  ORTHROS_TRY(const GenerateResult result, generate(session, tokenizer, options.request, stop_token(), progress));
  end_progress_bar();
  if (options.common.json) {
    print_json(result_json(result, session));
    return {};
  }
  if (!live) fmt::print("{}", tokenizer != nullptr ? result.text : fmt::format("{}", fmt::join(result.ids, ",")));
  fmt::print("\n");
  fmt::print(stderr, "prompt {} tokens, first token after {} ms; prefill {} tok/s, decode {} tok/s, KV {}; {}\n",
             result.prompt_tokens, number(result.ttft_ms), number(result.prefill_tok_s), number(result.decode_tok_s),
             format_bytes(result.kv_bytes), session.backend());
  return {};
}

}  // namespace

void add_generate(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("generate", "Continue a prompt");
  add_common_options(*sub, options->common);
  add_architecture_options(*sub, options->architecture);
  GenerateRequest& request = options->request;
  SamplingParams& sampling = request.sampling;
  sub->add_option("model", options->model, "Model folder or .gguf file")->required();
  options->prompt_option = sub->add_option("--prompt", options->prompt, "Text to continue");
  sub->add_option("--ids", options->ids, "Token ids to continue: 1,2,3 or @FILE");
  sub->add_flag("--chat", options->chat, "Put the prompt into the model's chat template as the user's turn");
  sub->add_option("--system", options->system, "System turn for --chat");
  sub->add_option("--max-tokens", request.max_tokens, "New tokens at most")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->capture_default_str();
  sub->add_option("--temperature", sampling.temperature, "0 takes the most probable token")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  sub->add_option("--top-k", sampling.top_k, "Keep the k best tokens; 0 keeps all")->check(CLI::NonNegativeNumber);
  sub->add_option("--top-p", sampling.top_p, "Keep the smallest set with this probability")->check(CLI::Range(0.0, 1.0));
  sub->add_option("--min-p", sampling.min_p, "Drop tokens below this share of the best one")->check(CLI::Range(0.0, 1.0));
  sub->add_option("--seed", sampling.seed, "Seed of the sampler")->capture_default_str();
  sub->add_option("--stop", request.stop, "Text that ends generation (may be given again)");
  sub->add_flag("--ignore-eos", options->ignore_eos, "Go on after a stop token");
  sub->add_option("--chunk", options->session.chunk, "Tokens a prefill chunk has")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30))
      ->capture_default_str();
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
