// A needle map as text and as JSON.
#include "app/cli/experiment.h"

namespace orthros::cli {
namespace {

std::string percent(int64_t ppm) {
  return fmt::format("{:.4g} %", static_cast<double>(ppm) / 1e4);
}

std::string share_text(const NiahShare& share) {
  return share.n > 0 ? fmt::format("{}/{}", share.hits, share.n) : status_text(share.status);
}

std::string with_interval(const NiahShare& share) {
  if (share.n == 0) return "-";
  const Interval interval = share.interval();
  return fmt::format("{:.2f} [{:.2f}-{:.2f}]", share.accuracy(), interval.low, interval.high);
}

std::string mean(double sum, int64_t n) {
  return n > 0 ? fmt::format("{:.3g}", sum / static_cast<double>(n)) : "-";
}

// The depths as rows: n/k a cell, so that eight lengths fit into 120 columns.
std::string map_text(const NiahMap& map, const NiahArmMap& arm) {
  const bool spread = map.spec.task.variant == NeedleVariant::k_needles;
  std::vector<std::string> header{"depth \\ tokens"};
  for (const int64_t length : map.spec.lengths) header.push_back(fmt::format("{}", length));
  header.push_back("all lengths");
  TextTable table(header);
  for (size_t d = 0; d < map.spec.depths_ppm.size(); ++d) {
    std::vector<std::string> row{spread ? "spread" : percent(map.spec.depths_ppm[d])};
    for (size_t l = 0; l < map.spec.lengths.size(); ++l) row.push_back(share_text(arm.cells[l][d]));
    row.push_back(with_interval(arm.by_depth[d]));
    table.add(std::move(row));
  }
  return table.text();
}

// The lengths as rows: what stands behind the hits.
std::string lengths_text(const NiahMap& map, const NiahArmMap& arm) {
  const bool scored = map.spec.scorer == Scorer::fraction, probed = arm.all.probed > 0;
  std::vector<std::string> header{"tokens", "hits", "accuracy [95 %]"};
  if (scored) header.push_back("mean score");
  for (const char* name : {"log-prob, nats/id", "ids ranked 1st"}) header.push_back(name);
  if (probed) header.insert(header.end(), {"attention on needle", "if uniform"});
  TextTable table(header);
  const auto add = [&](const std::string& name, const NiahShare& share) {
    std::vector<std::string> row{name, share_text(share), with_interval(share)};
    if (scored) row.push_back(mean(share.score_sum, share.n));
    row.push_back(mean(share.logprob_sum, share.n));
    row.push_back(mean(share.rank1_sum, share.n));
    if (probed) row.push_back(mean(share.mass_sum, share.probed));
    if (probed) row.push_back(mean(share.uniform_sum, share.probed));
    table.add(std::move(row));
  };
  for (size_t l = 0; l < map.spec.lengths.size(); ++l)
    add(fmt::format("{}", map.spec.lengths[l]), arm.by_length[l]);
  add("all lengths", arm.all);
  return table.text();
}

void print_arm(const NiahMap& map, const NiahArmMap& arm, const std::string& label) {
  print("\n{}\n{}\n{}", label, map_text(map, arm), lengths_text(map, arm));
}

// Needles stand between sentences: how far from the depth asked for, where that is more than 2 points.
void print_placement(const NiahMap& map) {
  if (map.arms.empty() || map.spec.task.variant == NeedleVariant::k_needles) return;
  int64_t most = 0, length = 0, depth = 0, placed = 0;
  for (size_t l = 0; l < map.spec.lengths.size(); ++l) {
    for (size_t d = 0; d < map.spec.depths_ppm.size(); ++d) {
      const NiahShare& share = map.arms[0].cells[l][d];
      if (share.depth_low_ppm < 0) continue;
      for (const int64_t at : {share.depth_low_ppm, share.depth_high_ppm}) {
        const int64_t off = std::abs(at - map.spec.depths_ppm[d]);
        if (off <= most) continue;
        most = off;
        length = map.spec.lengths[l];
        depth = map.spec.depths_ppm[d];
        placed = at;
      }
    }
  }
  if (most <= 20'000) return;
  print("\nneedles stand between sentences: at {} tokens one asked at {} stands at {}\n", length,
        percent(depth), percent(placed));
}

void print_controls(const NiahMap& map, const std::vector<std::string>& labels) {
  if (!map.spec.controls) return;
  TextTable table({"controls", "no needle (expect 0)", "needle only (expect 1)"});
  for (size_t i = 0; i < map.arms.size(); ++i) {
    NiahShare none;
    for (const NiahShare& share : map.arms[i].no_needle) none.add(share);
    table.add({labels[i], share_text(none), share_text(map.arms[i].needle_only)});
  }
  print("\n{}", table.text());
}

std::string context_text(const EffectiveContext& context) {
  if (!context.length) return "none";
  return fmt::format("{}{}", context.is_lower_bound() ? ">= " : "", *context.length);
}

}  // namespace

void print_niah(const NiahMap& map) {
  const std::vector<std::string> all = labels_of(map.arms);
  const std::vector<std::string> labels = short_labels(all);
  print("{}{} over {}, {} trial{} a cell, seed {}; hits/trials, 95 % Wilson intervals\n",
        common_model(all).empty() ? "" : common_model(all).substr(0, common_model(all).size() - 2) + ": ",
        to_string(map.spec.task.variant), to_string(map.spec.task.haystack), map.spec.trials,
        map.spec.trials == 1 ? "" : "s", map.spec.seed);
  for (size_t i = 0; i < map.arms.size(); ++i) print_arm(map, map.arms[i], labels[i]);
  print_placement(map);
  print_controls(map, labels);
  TextTable table({fmt::format("effective context (accuracy >= {})", map.threshold), "tokens"});
  for (size_t i = 0; i < map.arms.size(); ++i)
    table.add({labels[i], context_text(map.arms[i].effective_context)});
  print("\n{}", table.text());
  if (map.pairs.empty()) return;
  TextTable pairs(
      {"same prompts", "both", "only 1st", "only 2nd", "neither", "difference [95 %]", "McNemar p"});
  for (const NiahPair& pair : map.pairs) {
    const PairedCounts& counts = pair.delta.counts;
    const Interval interval = newcombe_paired(counts);
    const double n = static_cast<double>(std::max<int64_t>(1, counts.n()));
    const double difference = static_cast<double>(counts.only_a - counts.only_b) / n;
    pairs.add({fmt::format("{} - {}", labels[pair.a], labels[pair.b]), fmt::format("{}", counts.both),
               fmt::format("{}", counts.only_a), fmt::format("{}", counts.only_b),
               fmt::format("{}", counts.neither),
               fmt::format("{:+.2f} [{:+.2f} {:+.2f}]", difference, interval.low, interval.high),
               fmt::format("{:.3g}", pair.delta.p_value)});
  }
  print("\n{}", pairs.text());
}

namespace {

Json share_json(const NiahShare& share) {
  Json json = {{"hits", share.hits}, {"n", share.n}, {"status", to_string(share.status)}};
  if (!share.error.empty()) json["error"] = share.error;
  if (share.depth_low_ppm >= 0) json["depth_placed_ppm"] = {share.depth_low_ppm, share.depth_high_ppm};
  if (share.n == 0) return json;
  const auto n = static_cast<double>(share.n);
  const Interval interval = share.interval();
  json["accuracy"] = share.accuracy();
  json["wilson_95"] = {interval.low, interval.high};
  json["mean_score"] = share.score_sum / n;
  json["answer_logprob"] = share.logprob_sum / n;
  json["answer_rank1"] = share.rank1_sum / n;
  json["cut_without_value"] = share.cut;
  if (share.probed > 0) {
    json["attention_mass"] = share.mass_sum / static_cast<double>(share.probed);
    json["attention_uniform"] = share.uniform_sum / static_cast<double>(share.probed);
  }
  return json;
}

Json shares_json(const std::vector<NiahShare>& shares) {
  Json json = Json::array();
  for (const NiahShare& share : shares) json.push_back(share_json(share));
  return json;
}

}  // namespace

Json niah_json(const NiahMap& map) {
  Json json = {{"spec", to_json(map.spec)}, {"threshold", map.threshold}, {"arms", Json::array()}};
  for (const NiahArmMap& arm : map.arms) {
    Json cells = Json::array();
    for (const auto& row : arm.cells) cells.push_back(shares_json(row));
    Json one = {{"label", arm.label},
                {"cells", cells},  // [length][depth]
                {"by_length", shares_json(arm.by_length)},
                {"by_depth", shares_json(arm.by_depth)},
                {"all", share_json(arm.all)},
                {"mixed_environments", arm.mixed_environments}};
    one["effective_context"] = arm.effective_context.length ? Json(*arm.effective_context.length) : Json();
    if (map.spec.controls) {
      one["no_needle"] = shares_json(arm.no_needle);
      one["needle_only"] = share_json(arm.needle_only);
    }
    json["arms"].push_back(std::move(one));
  }
  json["pairs"] = Json::array();
  for (const NiahPair& pair : map.pairs) {
    const PairedCounts& counts = pair.delta.counts;
    const Interval interval = newcombe_paired(counts);
    json["pairs"].push_back({{"a", pair.a},
                             {"b", pair.b},
                             {"both", counts.both},
                             {"only_a", counts.only_a},
                             {"only_b", counts.only_b},
                             {"neither", counts.neither},
                             {"mcnemar_p", pair.delta.p_value},
                             {"difference_95", {interval.low, interval.high}}});
  }
  return json;
}

}  // namespace orthros::cli
