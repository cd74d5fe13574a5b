// orthros haystack: the text that needles are hidden in, for tokenizers, training data and the curious.
#include "app/cli/cli.h"
#include "engine/tasks/needle_text.h"
#include "engine/tasks/sentence_source.h"

namespace orthros::cli {
namespace {

constexpr size_t kFlushBytes = 1 << 16;

struct Options {
  std::string kind = "filler", names = "common";
  int64_t sentences = 20, needle_every = 0, digits = 5, seed = 1;
};

Result<void> run(const Options& options) {
  ORTHROS_TRY(const HaystackKind kind, parse_haystack_kind(options.kind));
  ORTHROS_TRY(const NeedleNames names, parse_needle_names(options.names));
  ORTHROS_TRY(const auto haystack, Haystack::create(kind, {}, options.digits));
  const auto sentences = haystack->sentences(static_cast<uint64_t>(options.seed), {});
  FactSource facts(NeedleVariant::word_number, options.digits, static_cast<uint64_t>(options.seed), names);
  std::string text;
  for (int64_t i = 1; i <= options.sentences; ++i) {
    ORTHROS_TRY_VOID(stop_token().check("the text"));
    text += sentences->next();
    if (options.needle_every > 0 && i % options.needle_every == 0) {
      text += needle_text(NeedleVariant::word_number, facts.next());
    }
    if (text.size() < kFlushBytes) continue;
    write_out(text);
    text.clear();
  }
  write_out(text + "\n");
  return {};
}

}  // namespace

void add_haystack(CLI::App& app, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("haystack", "Print the text that needles are hidden in");
  sub->add_option("--kind", options->kind, "filler, noise or key-value-lines")
      ->check(CLI::IsMember({"filler", "noise", "key-value-lines"}))
      ->capture_default_str();
  sub->add_option("--sentences", options->sentences, "How many")
      ->transform(whole_number(1))
      ->capture_default_str();
  sub->add_option("--needle-every", options->needle_every, "A needle after so many sentences (0: none)")
      ->transform(whole_number(0))
      ->capture_default_str();
  sub->add_option("--names", options->names, "Names in needles: common or held-out, which no training saw")
      ->check(CLI::IsMember({"common", "held-out"}))
      ->capture_default_str();
  sub->add_option("--digits", options->digits, "Digits of numbers, 1 to 18")
      ->check(CLI::Range(1, 18))
      ->capture_default_str();
  sub->add_option("--seed", options->seed, "Same seed, same text")
      ->transform(whole_number(0))
      ->capture_default_str();
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
