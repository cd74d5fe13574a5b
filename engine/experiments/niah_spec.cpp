#include "engine/experiments/niah_spec.h"

#include <algorithm>
#include <cmath>

#include "engine/tasks/random.h"

namespace orthros {
namespace {

constexpr int64_t kWhole = 1'000'000;  // ppm
constexpr int64_t kMaxTrials = 10'000, kMaxPoints = 10'000;

std::string plain_text(int64_t value) {
  return fmt::format("{}", value);
}

// As the user writes depths.
std::string percent_text(int64_t ppm) {
  return fmt::format("{} %", static_cast<double>(ppm) / 1e4);
}

Result<void> check_ascending(const std::vector<int64_t>& values, std::string_view what, int64_t least,
                             int64_t most, std::string (*text)(int64_t) = plain_text) {
  if (values.empty()) return fail(ErrorCode::invalid_argument, "no {} given", what);
  if (std::ssize(values) > kMaxPoints)
    return fail(ErrorCode::invalid_argument, "more than {} {}", kMaxPoints, what);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < least || values[i] > most) {
      return fail(ErrorCode::invalid_argument, "{}: {} is not between {} and {}", what, text(values[i]),
                  text(least), text(most));
    }
    if (i > 0 && values[i] <= values[i - 1]) {
      return fail(ErrorCode::invalid_argument, "{}: {} after {}: give them ascending, each once", what,
                  text(values[i]), text(values[i - 1]));
    }
  }
  return {};
}

}  // namespace

Result<DepthSpacing> parse_depth_spacing(std::string_view text) {
  if (text == "linear") return DepthSpacing::linear;
  if (text == "geometric") return DepthSpacing::geometric;
  if (text == "s-curve") return DepthSpacing::s_curve;
  return fail(ErrorCode::invalid_argument, "unknown depth spacing '{}': linear, geometric or s-curve", text);
}

std::vector<int64_t> depth_series(int64_t count, DepthSpacing spacing) {
  if (count <= 1) return {kWhole / 2};
  // The logistic function between its values at -5 and 5, so that the ends are 0 and 1 exactly.
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<int64_t> depths;
  for (int64_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(count - 1);
    double depth = x;
    if (spacing == DepthSpacing::s_curve) {
      depth = (logistic(10 * x - 5) - logistic(-5)) / (logistic(5) - logistic(-5));
    } else if (spacing == DepthSpacing::geometric) {
      // Distances from the end halve: 1, 1/2, 1/4, ..., and 0.
      depth = i + 1 == count ? 1 : 1 - std::exp2(-static_cast<double>(i));
    }
    depths.push_back(std::llround(depth * kWhole));
  }
  depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
  return depths;
}

std::vector<int64_t> geometric_lengths(int64_t first, int64_t last, int64_t count) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < count; ++i) {
    const double x = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    const double length =
        static_cast<double>(first) * std::pow(static_cast<double>(last) / static_cast<double>(first), x);
    lengths.push_back(std::llround(length));
  }
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

Result<NiahSpec> niah_preset(std::string_view name, int64_t limit) {
  NiahSpec spec;
  if (name == "smoke") {
    spec.lengths = {256, 512, 1024};
    spec.depths_ppm = depth_series(3, DepthSpacing::linear);
    spec.trials = 1;
  } else if (name == "quick") {
    spec.lengths = {128, 256, 512, 1024, 2048, 4096};
    spec.depths_ppm = depth_series(6, DepthSpacing::linear);
    spec.trials = 5;
  } else if (name == "paper-like" || name == "publication") {
    spec.lengths = geometric_lengths(std::min<int64_t>(256, limit), limit, 8);
    spec.depths_ppm = depth_series(11, DepthSpacing::linear);
    spec.trials = name == "paper-like" ? 10 : 20;
  } else {
    return fail(ErrorCode::invalid_argument, "unknown preset '{}': smoke, quick, paper-like or publication",
                name);
  }
  // A model that cannot read a length is not asked to.
  std::erase_if(spec.lengths, [&](int64_t length) { return length > limit; });
  if (spec.lengths.empty()) spec.lengths = {limit};
  return spec;
}

Result<void> check(const NiahSpec& spec) {
  ORTHROS_TRY_VOID(check_ascending(spec.lengths, "lengths", 1, int64_t{1} << 30));
  ORTHROS_TRY_VOID(check_ascending(spec.depths_ppm, "depths", 0, kWhole, percent_text));
  if (spec.trials < 1 || spec.trials > kMaxTrials) {
    return fail(ErrorCode::invalid_argument, "trials: {} is not between 1 and {}", spec.trials, kMaxTrials);
  }
  if (spec.answer_tokens < 0 || spec.answer_tokens > 4096) {
    return fail(ErrorCode::invalid_argument, "answer tokens: {} is not between 1 and 4096",
                spec.answer_tokens);
  }
  return {};
}

Json to_json(const NiahSpec& spec) {
  const NeedleTaskSpec& task = spec.task;
  Json json_task = {{"variant", to_string(task.variant)},
                    {"haystack", to_string(task.haystack)},
                    {"digits", task.digits},
                    {"distractors", task.distractors},
                    {"values", task.values},
                    {"queries", task.queries},
                    {"needles", task.needles}};
  // Only where it is said: the specs kept before there was a choice stay what they were.
  if (task.names != NeedleNames::common) json_task["names"] = to_string(task.names);
  return {{"task", json_task},
          {"lengths", spec.lengths},
          {"depths_ppm", spec.depths_ppm},
          {"trials", spec.trials},
          {"seed", spec.seed},
          {"answer_tokens", spec.answer_tokens},
          {"scorer", to_string(spec.scorer)},
          {"scorer_id", scorer_id(spec.scorer)},
          {"controls", spec.controls},
          {"probe_attention", spec.probe_attention}};
}

Result<NiahSpec> niah_spec_from_json(const Json& json) {
  NiahSpec spec;
  try {
    const Json& task = json.at("task");
    ORTHROS_TRY(spec.task.variant, parse_needle_variant(task.at("variant").get<std::string>()));
    ORTHROS_TRY(spec.task.haystack, parse_haystack_kind(task.at("haystack").get<std::string>()));
    spec.task.digits = task.at("digits").get<int64_t>();
    spec.task.distractors = task.at("distractors").get<int64_t>();
    spec.task.values = task.at("values").get<int64_t>();
    spec.task.queries = task.at("queries").get<int64_t>();
    spec.task.needles = task.at("needles").get<int64_t>();
    if (task.contains("names")) {
      ORTHROS_TRY(spec.task.names, parse_needle_names(task.at("names").get<std::string>()));
    }
    spec.lengths = json.at("lengths").get<std::vector<int64_t>>();
    spec.depths_ppm = json.at("depths_ppm").get<std::vector<int64_t>>();
    spec.trials = json.at("trials").get<int64_t>();
    spec.seed = json.at("seed").get<uint64_t>();
    spec.answer_tokens = json.at("answer_tokens").get<int64_t>();
    ORTHROS_TRY(spec.scorer, parse_scorer(json.at("scorer").get<std::string>()));
    spec.controls = json.at("controls").get<bool>();
    spec.probe_attention = json.at("probe_attention").get<bool>();
  } catch (const Json::exception& error) {
    return fail(ErrorCode::corrupt_file, "the experiment's spec cannot be read: {}", error.what());
  }
  ORTHROS_TRY_VOID(check(spec));
  return spec;
}

std::vector<NiahCell> niah_cells(const NiahSpec& spec) {
  std::vector<NiahCell> cells;
  // A needle alone costs next to nothing, and one trial of it says next to nothing.
  constexpr int64_t kLeastControls = 5;
  if (spec.controls) {
    cells.push_back({"needle-only", NeedleControl::needle_only, 0, 0, std::max(spec.trials, kLeastControls)});
  }
  for (const int64_t length : spec.lengths) {
    if (spec.controls) {
      cells.push_back(
          {fmt::format("no-needle L={}", length), NeedleControl::no_needle, length, kWhole / 2, spec.trials});
    }
    for (const int64_t depth : spec.depths_ppm) {
      cells.push_back(
          {fmt::format("L={} d={}", length, depth), NeedleControl::none, length, depth, spec.trials});
    }
  }
  return cells;
}

std::vector<store::CellRecord> cell_records(const NiahSpec& spec) {
  std::vector<store::CellRecord> records;
  for (const NiahCell& cell : niah_cells(spec)) {
    store::CellRecord record;
    record.key = cell.key;
    record.ordinal = std::ssize(records);
    record.ctx_len = cell.length;
    if (cell.control == NeedleControl::none) record.depth_ppm = cell.depth_ppm;
    record.variant =
        cell.control == NeedleControl::none ? to_string(spec.task.variant) : to_string(cell.control);
    record.planned = cell.trials;
    records.push_back(record);
  }
  return records;
}

NeedlePromptRequest prompt_request(const NiahSpec& spec, const NiahCell& cell, int64_t trial) {
  NeedlePromptRequest request;
  request.length = cell.length;
  request.depth_ppm = cell.depth_ppm;
  request.control = cell.control;
  // A new seed for each coordinate, so that cells do not depend on their order.
  uint64_t seed = Random::at(spec.seed, static_cast<uint64_t>(cell.control));
  for (const int64_t coordinate : {cell.length, cell.depth_ppm, trial})
    seed = Random::at(seed, static_cast<uint64_t>(coordinate));
  // The store keeps seeds as signed integers.
  request.seed = seed >> 1;
  return request;
}

}  // namespace orthros
