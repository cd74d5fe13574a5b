// orthros niah: a needle-in-a-haystack map of several arms on the same prompts.
#include <charconv>

#include "app/cli/experiment.h"
#include "engine/experiments/niah_experiment.h"

namespace orthros::cli {
namespace {

struct Options {
  ExperimentOptions experiment;
  std::string preset = "smoke", variant, haystack, lengths, scorer, names, spacing = "linear";
  std::string depths;
  uint64_t seed = 42;
  int64_t trials = 0, digits = 0, answer_tokens = 0;
  int64_t distractors = -1, values = 4, queries = 4, needles = 4;
  double threshold = 0.85;
  bool no_controls = false, no_attention = false;
};

// A number alone is a count of depths; a list is depths in percent.
Result<std::vector<int64_t>> parse_depths(const std::string& text, const std::string& spacing) {
  ORTHROS_TRY(const DepthSpacing how, parse_depth_spacing(spacing));
  std::vector<int64_t> depths;
  if (text.find(',') == std::string::npos && text.find('%') == std::string::npos) {
    int64_t count = 0;
    const char* last = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), last, count);
    if (error != std::errc() || next != last || count < 1 || count > 1000) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("--depths: '{}' is no number of depths from 1 to 1000", text),
                        "one depth is written with its sign: 50%"});
    }
    return depth_series(count, how);
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    word.erase(0, word.find_first_not_of(' '));
    if (word.ends_with('%')) word.pop_back();
    double percent = -1;
    const char* last = word.data() + word.size();
    const auto [next, error] = std::from_chars(word.data(), last, percent, std::chars_format::fixed);
    if (error != std::errc() || next != last || !(percent >= 0 && percent <= 100)) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("--depths: '{}' is no depth from 0 to 100 %", word),
                        "write for example 0,50,100, or a number of depths such as 11"});
    }
    depths.push_back(std::llround(percent * 10'000));
    begin = end + 1;
  }
  return depths;
}

Result<NiahSpec> make_spec(const Options& options, const std::vector<Arm>& arms) {
  int64_t limit = std::numeric_limits<int64_t>::max();
  for (const Arm& arm : arms) {
    if (arm.config.max_position_embeddings > 0) limit = std::min(limit, arm.config.max_position_embeddings);
  }
  ORTHROS_TRY(NiahSpec spec, niah_preset(options.preset, std::min<int64_t>(limit, 1 << 20)));
  if (!options.variant.empty()) {
    ORTHROS_TRY(spec.task.variant, parse_needle_variant(options.variant));
  }
  if (options.haystack == "filler" || options.haystack == "noise" || options.haystack == "key-value-lines") {
    ORTHROS_TRY(spec.task.haystack, parse_haystack_kind(options.haystack));
  } else if (!options.haystack.empty()) {
    if (!std::filesystem::is_directory(options.haystack)) {
      return fail(Error{ErrorCode::not_found,
                        fmt::format("--haystack: there is no folder '{}'", options.haystack),
                        "filler, noise, key-value-lines or a folder of text files"});
    }
    spec.task.haystack = HaystackKind::folder;
    spec.task.folder = options.haystack;
  }
  if (!options.lengths.empty()) {
    ORTHROS_TRY(spec.lengths, parse_lengths(options.lengths, "--lengths"));
  }
  if (!options.depths.empty()) {
    ORTHROS_TRY(spec.depths_ppm, parse_depths(options.depths, options.spacing));
  } else if (spec.task.variant == NeedleVariant::k_needles) {
    spec.depths_ppm = {500'000};  // evenly spread, whatever is asked
  } else if (options.spacing != "linear") {
    ORTHROS_TRY(const DepthSpacing spacing, parse_depth_spacing(options.spacing));
    spec.depths_ppm = depth_series(std::ssize(spec.depths_ppm), spacing);
  }
  if (options.trials > 0) spec.trials = options.trials;
  if (options.digits > 0) spec.task.digits = options.digits;
  if (!options.names.empty()) {
    ORTHROS_TRY(spec.task.names, parse_needle_names(options.names));
  }
  spec.task.distractors = options.distractors;
  spec.task.values = options.values;
  spec.task.queries = options.queries;
  spec.task.needles = options.needles;
  if (!options.scorer.empty()) {
    ORTHROS_TRY(spec.scorer, parse_scorer(options.scorer));
  }
  spec.seed = options.seed;
  spec.answer_tokens = options.answer_tokens;
  spec.controls = !options.no_controls;
  spec.probe_attention = !options.no_attention;
  return spec;
}

// No error: how retrieval fails beyond the context is a result too.
std::string beyond_context(const NiahSpec& spec, const std::vector<Arm>& arms) {
  for (const Arm& arm : arms) {
    const int64_t context = arm.config.max_position_embeddings;
    if (context <= 0 || spec.lengths.back() <= context) continue;
    return fmt::format("lengths above {} tokens are beyond what {} was made for", context,
                       one_line(arm.label));
  }
  return {};
}

Result<NiahExperiment> begin(const Options& options, store::RunStore& store, std::vector<Arm> arms) {
  if (options.experiment.resume.empty()) {
    ORTHROS_TRY(const NiahSpec spec, make_spec(options, arms));
    const std::string beyond = beyond_context(spec, arms);
    ORTHROS_TRY(NiahExperiment made,
                NiahExperiment::create(store, spec, std::move(arms), options.experiment.name));
    if (!beyond.empty()) note("{}", beyond);
    return made;
  }
  ORTHROS_TRY(const auto stored, find_resumed(options.experiment, store::ExperimentKind::niah));
  ORTHROS_TRY(NiahSpec spec, niah_spec_from_json(Json::parse(stored.spec_json, nullptr, false)));
  // The store knows a text folder by its name and content, not by where it lies.
  if (spec.task.haystack == HaystackKind::folder) spec.task.folder = options.haystack;
  if ((spec.task.haystack == HaystackKind::folder) == options.haystack.empty()) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("the haystack of {} is {}", stored.uuid.substr(0, 8),
                                  options.haystack.empty() ? "a text folder" : to_string(spec.task.haystack)),
                      options.haystack.empty() ? "name the folder again with --haystack"
                                               : "leave --haystack out: a resumed experiment has its own"});
  }
  return NiahExperiment::resume(store, stored.uuid, spec, std::move(arms), options.experiment.retry_failed);
}

Result<void> run(const Options& options) {
  ORTHROS_TRY(const auto store, open_store(options.experiment.store));
  ORTHROS_TRY(std::vector<Arm> arms, open_arms(options.experiment));
  ORTHROS_TRY(NiahExperiment experiment, begin(options, *store, std::move(arms)));
  const Result<void> ran = experiment.run(run_control(options.experiment));
  end_progress_bar();
  ORTHROS_TRY(const auto reader, open_reader(options.experiment.store));
  ORTHROS_TRY(const NiahMap map, read_niah_map(*reader, experiment.experiment(), options.threshold));
  if (options.experiment.common.json) {
    Json json = niah_json(map);
    json["experiment"] = experiment.experiment().uuid;
    json["complete"] = ran.has_value();
    print_json(json);
  } else {
    print_niah(map);
  }
  say_where("niah", experiment.experiment(), ran);
  return ran;
}

// An option that would do nothing is a mistake.
void refuse_ignored(const Options& options, const CLI::App& sub) {
  const auto given = [&](const char* name) { return sub.count(name) > 0; };
  const auto only_for = [&](const char* name, const std::string& variant) {
    if (given(name) && options.variant != variant)
      usage_error(fmt::format("{} belongs to --variant {}", name, variant));
  };
  if (given("--resume")) {
    for (const char* name :
         {"--name", "--preset", "--variant", "--lengths", "--depths", "--depth-spacing", "--trials", "--seed",
          "--digits", "--distractors", "--values", "--queries", "--needles", "--names", "--scorer",
          "--answer-tokens", "--no-controls", "--no-attention"}) {
      if (given(name))
        usage_error(fmt::format("{}: a resumed experiment has its own; leave it out, or start anew", name));
    }
    return;
  }
  for (const char* name : {"--lengths", "--depths", "--haystack", "--variant", "--scorer"}) {
    if (given(name) && sub.get_option(name)->as<std::string>().empty())
      usage_error(fmt::format("{} is empty", name));
  }
  only_for("--values", "multi-value");
  only_for("--queries", "multi-query");
  only_for("--needles", "k-needles");
  if (given("--names") && (options.variant == "passkey" || options.variant == "key-value"))
    usage_error(fmt::format("--names: the keys of {} are no names", options.variant));
  if (given("--digits") && options.variant == "uuid") usage_error("--digits: a UUID has its own");
  if (given("--depth-spacing") && options.depths.find_first_of(",%") != std::string::npos)
    usage_error("--depth-spacing: --depths is a list already");
}

}  // namespace

void add_niah(CLI::App& app, Command& command) {
  CLI::App* sub = app.add_subcommand("niah", "Needle-in-a-haystack retrieval map of one or more arms");
  auto options = std::make_shared<Options>();
  add_experiment_options(*sub, options->experiment);
  sub->add_option("--preset", options->preset, "smoke, quick, paper-like or publication")
      ->check(CLI::IsMember({"smoke", "quick", "paper-like", "publication"}))
      ->capture_default_str();
  sub->add_option(
      "--variant", options->variant,
      "passkey, word-number (default), uuid, key-value, multi-key, multi-value, multi-query or k-needles");
  sub->add_option("--haystack", options->haystack,
                  "filler (default), noise, key-value-lines or a folder of text files");
  sub->add_option("--lengths", options->lengths, "Lengths in tokens, everything fed counted: 256,512,1K");
  sub->add_option("--depths", options->depths, "A number of depths, or depths in percent: 0,50,100");
  sub->add_option("--depth-spacing", options->spacing, "linear, geometric (dense at the end) or s-curve")
      ->check(CLI::IsMember({"linear", "geometric", "s-curve"}))
      ->capture_default_str();
  sub->add_option("--trials", options->trials, "Trials a cell")->transform(whole_number(1, 10'000));
  sub->add_option("--seed", options->seed, "Seed of haystacks and needles")
      ->transform(seed_number())
      ->capture_default_str();
  sub->add_option("--names", options->names,
                  "Names as keys: common (default) or held-out, which no training saw")
      ->check(CLI::IsMember({"common", "held-out"}));
  sub->add_option("--digits", options->digits, "Digits of numbers (default 5)")
      ->transform(whole_number(1, 18));
  sub->add_option("--distractors", options->distractors, "Needles with other keys")
      ->transform(whole_number(0, 128));
  sub->add_option("--values", options->values, "multi-value: numbers of the one name")
      ->transform(whole_number(1, 1000));
  sub->add_option("--queries", options->queries, "multi-query: names asked at once")
      ->transform(whole_number(1, 1000));
  sub->add_option("--needles", options->needles, "k-needles: how many")->transform(whole_number(1, 1000));
  sub->add_option("--scorer", options->scorer, "value-match (default), exact, first-answer or fraction");
  sub->add_option("--answer-tokens", options->answer_tokens,
                  "Greedy budget (default: the right answer and 4 more)")
      ->transform(whole_number(1, 4096));
  sub->add_option("--threshold", options->threshold, "Accuracy that effective context asks for")
      ->transform(real_number(0, 1))
      ->capture_default_str();
  sub->add_flag("--no-controls", options->no_controls,
                "Leave out the runs without needle and without haystack");
  sub->add_flag("--no-attention", options->no_attention, "Do not measure attention on the needle");
  sub->callback([options, sub, &command] {
    refuse_ignored(*options, *sub);
    command = [options] { return run(*options); };
  });
}

}  // namespace orthros::cli
