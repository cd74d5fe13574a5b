// A latency report as text and as JSON.
#include <algorithm>
#include <cmath>

#include "app/cli/experiment.h"

namespace orthros::cli {
namespace {

std::string figure_text(const LatencyArmCell& cell, TimingQuantity quantity) {
  const auto found = cell.figures.find(quantity);
  return found == cell.figures.end() ? status_text(cell.status) : number(found->second.median);
}

std::string with_interval(const LatencyArmCell& cell, TimingQuantity quantity) {
  const auto found = cell.figures.find(quantity);
  if (found == cell.figures.end()) return status_text(cell.status);
  const LatencyFigure& figure = found->second;
  if (!figure.interval) return fmt::format("{} (n {})", number(figure.median), figure.n);
  return fmt::format("{} [{}-{}] n {}", number(figure.median), number(figure.interval->low),
                     number(figure.interval->high), figure.n);
}

std::string ratio_text(const std::optional<Ratio>& ratio) {
  if (!ratio) return "-";
  return fmt::format("{:.3f} [{:.3f}-{:.3f}]", ratio->value, ratio->interval.low, ratio->interval.high);
}

std::string share_text(const std::optional<RooflineShare>& share) {
  return share ? fmt::format("{:.0f}", share->efficiency * 100) : "-";
}

bool has_ceilings(const LatencyReport& report) {
  return std::ranges::any_of(report.arms, [](const auto& arm) { return arm.ceilings.has_value(); });
}

std::string point_text(const LatencyPoint& point, bool batches, bool threads) {
  std::string text = fmt::format("{}", point.tokens);
  if (batches) text += fmt::format(" x {}", point.batch);
  if (threads) text += fmt::format(", {} threads", point.threads);
  return text;
}

void print_prefill(const LatencyReport& report, const std::vector<std::string>& labels) {
  const auto differs = [&](auto field) {
    return std::ranges::any_of(report.cells,
                               [&](const auto& c) { return c.point.*field != report.cells[0].point.*field; });
  };
  const bool batches = differs(&LatencyPoint::batch) || report.cells[0].point.batch > 1;
  const bool threads = report.cells[0].point.threads > 0;
  std::vector<std::string> header{batches ? "tokens x batch" : "tokens"};
  for (const std::string& label : labels) {
    header.push_back(label + ", ms");
    if (has_ceilings(report)) header.push_back("roofline %");
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    if (i == report.baseline) continue;
    header.push_back("speed-up, " + labels[i]);
    header.push_back("FLOP ratio");
  }
  TextTable table(header);
  for (const LatencyCellReport& cell : report.cells) {
    std::vector<std::string> row{point_text(cell.point, batches, threads)};
    for (const LatencyArmCell& arm : cell.arms) {
      row.push_back(with_interval(arm, TimingQuantity::prefill_latency));
      if (has_ceilings(report)) row.push_back(share_text(arm.prefill_roofline));
    }
    for (size_t i = 0; i < labels.size(); ++i) {
      if (i == report.baseline) continue;
      row.push_back(ratio_text(cell.speed_ups[i].prefill));
      row.push_back(fmt::format("{:.3f}", cell.speed_ups[i].flop.engine));
    }
    table.add(std::move(row));
  }
  print("prefill latency: median [95 %] of n; speed-up: {} / arm, paired\n{}", labels[report.baseline],
        table.text());
}

std::string gain_text(const GainAt& gain) {
  switch (gain.fall.kind) {
    case GainFall::Kind::falls:
      return fmt::format("below {} x from {} output tokens on", gain.gain,
                         number(std::ceil(gain.fall.steps)));
    case GainFall::Kind::starts_below:
      return fmt::format("never {} x", gain.gain);
    case GainFall::Kind::stays_above:
      return fmt::format("{} x or more at any length", gain.gain);
  }
  return {};
}

// R(x): what a faster prefill saves, thinned out by a long answer; a model of the measured medians.
void print_gains(const LatencyReport& report, const std::vector<std::string>& labels) {
  for (const LatencyCellReport& cell : report.cells) {
    for (size_t i = 0; i < labels.size(); ++i) {
      if (cell.gains[i].empty()) continue;
      std::string line;
      for (const GainAt& gain : cell.gains[i]) line += (line.empty() ? "" : ", ") + gain_text(gain);
      print("end to end after {} tokens, {}: {} (model)\n", cell.point.tokens, labels[i], line);
    }
  }
}

void print_end_to_end(const LatencyReport& report, const std::vector<std::string>& labels) {
  TextTable table({"in / out x batch", "arm", "TTFT s", "E2E s", "E2E speed-up", "output tok/s",
                   "decode tok/s", "B*N/(E2E-TTFT)", "B/median(step)", "TPOT ms", "KV MB",
                   "roofline % prefill/step"});
  for (const LatencyCellReport& cell : report.cells) {
    for (size_t i = 0; i < labels.size(); ++i) {
      const LatencyArmCell& arm = cell.arms[i];
      const auto figure = [&](TimingQuantity quantity) { return figure_text(arm, quantity); };
      table.add(
          {fmt::format("{} / {} x {}", cell.point.tokens, cell.point.outputs, cell.point.batch), labels[i],
           figure(TimingQuantity::time_to_first_token), figure(TimingQuantity::end_to_end_latency),
           i == report.baseline ? "1" : ratio_text(cell.speed_ups[i].e2e),
           figure(TimingQuantity::output_throughput), figure(TimingQuantity::decode_throughput),
           figure(TimingQuantity::decode_throughput_all_tokens),
           figure(TimingQuantity::decode_throughput_median_step),
           figure(TimingQuantity::time_per_output_token), number(static_cast<double>(arm.kv_bytes) / 1e6),
           share_text(arm.prefill_roofline) + "/" + share_text(arm.step_roofline)});
    }
  }
  print("medians; decode tok/s = B*(N-1)/(E2E-TTFT); tok/s are of the whole batch\n{}\n", table.text());
  print_gains(report, labels);
}

void print_decode(const LatencyReport& report, const std::vector<std::string>& labels) {
  TextTable table(
      {"depth x batch", "arm", "decode tok/s [95 %] n", "B/median(step)", "TPOT ms", "KV MB", "roofline %"});
  for (const LatencyCellReport& cell : report.cells) {
    for (size_t i = 0; i < labels.size(); ++i) {
      const LatencyArmCell& arm = cell.arms[i];
      table.add({fmt::format("{} x {}", cell.point.tokens, cell.point.batch), labels[i],
                 with_interval(arm, TimingQuantity::decode_throughput),
                 figure_text(arm, TimingQuantity::decode_throughput_median_step),
                 figure_text(arm, TimingQuantity::time_per_output_token),
                 number(static_cast<double>(arm.kv_bytes) / 1e6), share_text(arm.step_roofline)});
    }
  }
  print("decode at depth: N steps after T tokens; tok/s = B*N/sum(steps)\n{}", table.text());
}

std::string with_bounds(double value, const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.3g} [{:.3g}-{:.3g}]", value, interval->low, interval->high)
                  : fmt::format("{:.3g}", value);
}

void print_curves(const LatencyReport& report, const std::vector<std::string>& labels) {
  TextTable table(
      {"prefill s = a + b T + c T^2", "a, ms", "b, us/token", "c, ns/token^2", "T* (FLOP), tokens"});
  bool any = false;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto& fit = report.arms[i].fit;
    if (!fit) continue;
    any = true;
    const auto scaled = [&](double value, double scale, Interval CostIntervals::*which) {
      std::optional<Interval> interval;
      if (fit->intervals) {
        const Interval& raw = (*fit->intervals).*which;
        interval = Interval{raw.low * scale, raw.high * scale};
      }
      return with_bounds(value * scale, interval);
    };
    table.add({labels[i], scaled(fit->curve.constant_s, 1e3, &CostIntervals::constant_s),
               scaled(fit->curve.linear_s, 1e6, &CostIntervals::linear_s),
               scaled(fit->curve.quadratic_s, 1e9, &CostIntervals::quadratic_s),
               number(report.arms[i].flop_balance_tokens)});
  }
  if (any) print("\n{}", table.text());
  for (size_t i = 0; i < labels.size(); ++i) {
    if (i == report.baseline || report.arms[i].curve.empty()) continue;
    const auto& faster = report.arms[i].first_faster;
    print("\n{}: {}", labels[i],
          faster ? fmt::format("faster than {} from {} tokens on{}", labels[report.baseline], faster->tokens,
                               faster->holds_beyond ? "" : ", but not at every longer length")
                 : fmt::format("nowhere measured faster than {}", labels[report.baseline]));
    for (const ReachedSpeedUp& reached : report.arms[i].reached) print("; {}", reached.sentence());
    print("\n");
  }
}

void print_ceilings(const LatencyReport& report, const std::vector<std::string>& labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto& ceilings = report.arms[i].ceilings;
    if (!ceilings) continue;
    print("100 % of the roofline, {}: {} GFLOP/s (GEMM) or {} GB/s (reads), measured before the run\n",
          labels[i], number(ceilings->machine.flop_per_second * 1e-9),
          number(ceilings->machine.bytes_per_second * 1e-9));
  }
}

void print_cold(const LatencyReport& report, const std::vector<std::string>& labels) {
  for (const LatencyCellReport& cell : report.cells) {
    for (size_t i = 0; i < labels.size(); ++i) {
      if (!cell.arms[i].cold_ms || *cell.arms[i].cold_ms <= 0) continue;
      print("first call of the process, {}, {} tokens: {} ms (not counted)\n", labels[i], cell.point.tokens,
            number(*cell.arms[i].cold_ms));
    }
  }
}

Json figure_json(const LatencyFigure& figure) {
  Json json = {{"n", figure.n},     {"median", figure.median}, {"mad", figure.mad},
               {"min", figure.min}, {"p10", figure.p10},       {"p90", figure.p90}};
  if (figure.p99) json["p99"] = *figure.p99;
  if (figure.interval) json["median_95"] = {figure.interval->low, figure.interval->high};
  return json;
}

Json ratio_json(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"value", ratio->value}, {"interval_95", {ratio->interval.low, ratio->interval.high}}};
}

Json interval_json(const Interval& interval) {
  return {interval.low, interval.high};
}

Json roofline_json(const RooflineShare& share) {
  return {{"efficiency", share.efficiency},
          {"flop_share", share.flop_share},
          {"byte_share", share.byte_share},
          {"bound_by", share.compute_bound ? "flop" : "bytes"}};
}

Json arm_cell_json(const LatencyArmCell& arm) {
  Json json = {{"status", to_string(arm.status)}, {"warmups", arm.warmups},
               {"excluded", arm.excluded},        {"kv_bytes", arm.kv_bytes},
               {"peak_bytes", arm.peak_bytes},    {"figures", Json::object()}};
  if (!arm.error.empty()) json["error"] = arm.error;
  if (arm.cold_ms) json["cold_prefill_ms"] = *arm.cold_ms;
  if (arm.prefill_roofline) json["roofline"]["prefill"] = roofline_json(*arm.prefill_roofline);
  if (arm.step_roofline) json["roofline"]["step"] = roofline_json(*arm.step_roofline);
  for (const auto& [quantity, figure] : arm.figures)
    json["figures"][quantity_info(quantity).key] = figure_json(figure);
  return json;
}

Json arm_json(const LatencyArmReport& arm) {
  Json json = {{"label", arm.label},
               {"architecture", arm.architecture},
               {"attention", arm.attn_impl},
               {"flop_balance_tokens", arm.flop_balance_tokens},
               {"mixed_environments", arm.mixed_environments}};
  if (arm.fit) {
    const CostCurve& curve = arm.fit->curve;
    json["fit"] = {
        {"a_s", curve.constant_s}, {"b_s_per_token", curve.linear_s}, {"c_s_per_token2", curve.quadratic_s}};
    json["fit"]["worst_relative_residual"] = arm.fit->worst_relative_residual;
    if (arm.fit->intervals) {
      json["fit"]["a_95"] = interval_json(arm.fit->intervals->constant_s);
      json["fit"]["b_95"] = interval_json(arm.fit->intervals->linear_s);
      json["fit"]["c_95"] = interval_json(arm.fit->intervals->quadratic_s);
      json["fit"]["c_consistent_with_zero"] = *arm.fit->quadratic_consistent_with_zero();
    }
  }
  if (arm.ceilings) {
    json["ceilings"] = {{"gemm_gflops", arm.ceilings->machine.flop_per_second * 1e-9},
                        {"read_gb_s", arm.ceilings->machine.bytes_per_second * 1e-9},
                        {"bytes_per_weight", arm.ceilings->bytes_per_weight},
                        {"threads", arm.ceilings->threads}};
  }
  if (arm.first_faster) json["faster_from_tokens"] = arm.first_faster->tokens;
  json["reached"] = Json::array();
  for (const ReachedSpeedUp& reached : arm.reached) json["reached"].push_back(reached.sentence());
  return json;
}

}  // namespace

void print_latency(const LatencyReport& report) {
  if (report.cells.empty() || report.arms.empty()) return;
  const std::vector<std::string> all = labels_of(report.arms);
  const std::vector<std::string> labels = short_labels(all);
  if (!common_model(all).empty()) print("{}\n", common_model(all).substr(0, common_model(all).size() - 2));
  const bool one_id = std::ranges::all_of(report.cells, [](const auto& c) { return c.point.outputs == 1; });
  if (report.spec.mode == LatencyMode::decode_at_depth) {
    print_decode(report, labels);
  } else if (one_id) {
    print_prefill(report, labels);
    print_curves(report, labels);
  } else {
    print_end_to_end(report, labels);
    print_curves(report, labels);
  }
  print("\n");
  print_ceilings(report, labels);
  print_cold(report, labels);
}

Json latency_json(const LatencyReport& report) {
  Json json = {{"spec", to_json(report.spec)}, {"baseline", report.baseline}, {"arms", Json::array()}};
  for (const LatencyArmReport& arm : report.arms) json["arms"].push_back(arm_json(arm));
  json["quantities"] = Json::object();
  for (const QuantityInfo& info : timing_quantities()) {
    json["quantities"][info.key] = {{"label", info.label}, {"unit", info.unit}, {"formula", info.formula}};
  }
  json["cells"] = Json::array();
  for (const LatencyCellReport& cell : report.cells) {
    Json one = {{"T", cell.point.tokens},
                {"N", cell.point.outputs},
                {"B", cell.point.batch},
                {"threads", cell.point.threads},
                {"arms", Json::array()}};
    for (size_t i = 0; i < cell.arms.size(); ++i) {
      Json arm = arm_cell_json(cell.arms[i]);
      arm["speed_up"] = {{"prefill", ratio_json(cell.speed_ups[i].prefill)},
                         {"ttft", ratio_json(cell.speed_ups[i].ttft)},
                         {"e2e", ratio_json(cell.speed_ups[i].e2e)},
                         {"flop_engine", cell.speed_ups[i].flop.engine},
                         {"flop_paper", cell.speed_ups[i].flop.paper}};
      one["arms"].push_back(std::move(arm));
    }
    json["cells"].push_back(std::move(one));
  }
  return json;
}

}  // namespace orthros::cli
