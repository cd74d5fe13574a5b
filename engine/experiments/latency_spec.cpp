#include "engine/experiments/latency_spec.h"

#include <algorithm>
#include <random>
#include <unordered_set>

namespace orthros {
namespace {

constexpr int64_t kMaxPoints = 10'000;

Result<void> check_point(const LatencyPoint& point) {
  if (point.tokens < 1 || point.tokens > (int64_t{1} << 30)) {
    return fail(ErrorCode::invalid_argument, "length {} is not between 1 and 2^30", point.tokens);
  }
  if (point.outputs < 1 || point.outputs > (int64_t{1} << 24)) {
    return fail(ErrorCode::invalid_argument, "{} output tokens: give at least 1", point.outputs);
  }
  if (point.batch < 1 || point.batch > 65'536) {
    return fail(ErrorCode::invalid_argument, "batch {} is not between 1 and 65536", point.batch);
  }
  if (point.threads < 0 || point.threads > 1024) {
    return fail(ErrorCode::invalid_argument, "{} threads: 0 to 1024", point.threads);
  }
  return {};
}

}  // namespace

const char* to_string(LatencyMode mode) {
  switch (mode) {
    case LatencyMode::prefill:
      return "prefill";
    case LatencyMode::in_out:
      return "in-out";
    case LatencyMode::decode_at_depth:
      return "decode-at-depth";
    case LatencyMode::grid:
      return "grid";
  }
  return "unknown";
}

Result<LatencyMode> parse_latency_mode(std::string_view text) {
  for (const LatencyMode mode :
       {LatencyMode::prefill, LatencyMode::in_out, LatencyMode::decode_at_depth, LatencyMode::grid}) {
    if (text == to_string(mode)) return mode;
  }
  return fail(ErrorCode::invalid_argument, "unknown mode '{}': prefill, in-out, decode-at-depth or grid",
              text);
}

std::string LatencyPoint::key() const {
  std::string text = fmt::format("T={} N={} B={}", tokens, outputs, batch);
  if (threads > 0) text += fmt::format(" threads={}", threads);
  return text;
}

std::vector<LatencyPoint> latency_points(const std::vector<int64_t>& lengths,
                                         const std::vector<int64_t>& outputs,
                                         const std::vector<int64_t>& batches,
                                         const std::vector<int64_t>& threads) {
  const auto or_default = [](const std::vector<int64_t>& values, int64_t fallback) {
    return values.empty() ? std::vector<int64_t>{fallback} : values;
  };
  std::vector<LatencyPoint> points;
  for (const int64_t t : lengths) {
    for (const int64_t n : or_default(outputs, 1)) {
      for (const int64_t b : or_default(batches, 1)) {
        for (const int64_t h : or_default(threads, 0)) points.push_back({t, n, b, h});
      }
    }
  }
  std::ranges::stable_sort(points, {},
                           [](const LatencyPoint& p) { return p.batch * (p.tokens + p.outputs); });
  return points;
}

Result<void> check(const LatencySpec& spec) {
  if (spec.points.empty()) {
    return fail(Error{ErrorCode::invalid_argument, "no length given", "for example --lengths 256,512,1024"});
  }
  if (std::ssize(spec.points) > kMaxPoints) {
    return fail(ErrorCode::invalid_argument, "{} cells are more than {}", spec.points.size(), kMaxPoints);
  }
  std::unordered_set<std::string> keys;
  for (const LatencyPoint& point : spec.points) {
    ORTHROS_TRY_VOID(check_point(point));
    if (!keys.insert(point.key()).second)
      return fail(ErrorCode::invalid_argument, "{} is given twice", point.key());
  }
  if (spec.min_samples < 1 || spec.max_samples < spec.min_samples || spec.max_samples > 100'000) {
    return fail(ErrorCode::invalid_argument, "samples: {} to {} is no range", spec.min_samples,
                spec.max_samples);
  }
  return {};
}

Json to_json(const LatencySpec& spec) {
  Json points = Json::array();
  for (const LatencyPoint& p : spec.points) {
    points.push_back({{"T", p.tokens}, {"N", p.outputs}, {"B", p.batch}, {"threads", p.threads}});
  }
  return {{"mode", to_string(spec.mode)},
          {"points", points},
          {"seed", spec.seed},
          {"min_samples", spec.min_samples},
          {"max_samples", spec.max_samples},
          {"max_warmups", spec.max_warmups},
          {"half_width", spec.half_width},
          {"warm_change", spec.warm_change},
          {"cell_seconds", spec.cell_seconds},
          {"timeout_seconds", spec.timeout_seconds}};
}

Result<LatencySpec> latency_spec_from_json(const Json& json) {
  LatencySpec spec;
  try {
    ORTHROS_TRY(spec.mode, parse_latency_mode(json.at("mode").get<std::string>()));
    for (const Json& p : json.at("points")) {
      spec.points.push_back({p.at("T").get<int64_t>(), p.at("N").get<int64_t>(), p.at("B").get<int64_t>(),
                             p.at("threads").get<int64_t>()});
    }
    spec.seed = json.at("seed").get<uint64_t>();
    spec.min_samples = json.at("min_samples").get<int64_t>();
    spec.max_samples = json.at("max_samples").get<int64_t>();
    spec.max_warmups = json.at("max_warmups").get<int64_t>();
    spec.half_width = json.at("half_width").get<double>();
    spec.warm_change = json.at("warm_change").get<double>();
    spec.cell_seconds = json.at("cell_seconds").get<double>();
    spec.timeout_seconds = json.at("timeout_seconds").get<double>();
  } catch (const Json::exception& error) {
    return fail(ErrorCode::corrupt_file, "the experiment's spec cannot be read: {}", error.what());
  }
  ORTHROS_TRY_VOID(check(spec));
  return spec;
}

std::vector<store::CellRecord> cell_records(const LatencySpec& spec) {
  std::vector<store::CellRecord> records;
  for (const LatencyPoint& point : spec.points) {
    store::CellRecord record;
    record.key = point.key();
    record.ordinal = std::ssize(records);
    record.variant = to_string(spec.mode);
    record.ctx_len = point.tokens;
    record.out_len = point.outputs;
    record.batch = point.batch;
    record.planned = spec.min_samples;
    records.push_back(record);
  }
  return records;
}

std::vector<std::vector<int64_t>> random_prompts(const LatencySpec& spec, const LatencyPoint& point,
                                                 int64_t vocab_size,
                                                 const std::vector<int64_t>& special_ids) {
  const std::unordered_set<int64_t> special(special_ids.begin(), special_ids.end());
  std::seed_seq sequence{static_cast<uint32_t>(spec.seed), static_cast<uint32_t>(spec.seed >> 32),
                         static_cast<uint32_t>(point.tokens), static_cast<uint32_t>(point.batch)};
  std::mt19937_64 random(sequence);
  std::vector<std::vector<int64_t>> prompts(static_cast<size_t>(point.batch));
  for (auto& prompt : prompts) {
    prompt.reserve(static_cast<size_t>(point.tokens));
    while (std::ssize(prompt) < point.tokens) {
      // Modulo is biased by less than 1e-13 here; std's distributions differ between libraries.
      const auto id = static_cast<int64_t>(random() % static_cast<uint64_t>(vocab_size));
      // A vocabulary of special tokens alone cannot avoid them.
      if (!special.contains(id) || std::ssize(special_ids) >= vocab_size) prompt.push_back(id);
    }
  }
  return prompts;
}

}  // namespace orthros
