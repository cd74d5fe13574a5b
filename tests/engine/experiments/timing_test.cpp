// Definitions of the latency page: the paper's Table 4 comes out as printed, a timer stub gives the rates it
// must, and every formula shown to people is the one that is computed.
#include "engine/experiments/timing.h"

#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/experiments/paper.h"
#include "engine/experiments/statistics.h"

namespace orthros {
namespace {

using Q = TimingQuantity;

struct Table4Row {
  std::string series;
  std::map<std::string, double> printed;
  GenerationTiming timing;
};

/// The rows of the paper whose output throughput is printed.
std::vector<Table4Row> table4() {
  std::map<std::pair<std::string, int64_t>, Table4Row> rows;
  EXPECT_TRUE(paper_data()) << paper_data().error().line();
  for (const PaperPoint& point : paper_data()->points) {
    if (point.exhibit != "table4") continue;
    Table4Row& row = rows[{point.series, *point.out_len}];
    row.series = point.series;
    row.printed[point.metric] = point.value;
    row.timing.batch = *point.batch;
    row.timing.prompt_tokens = point.ctx_len;
    row.timing.output_tokens = *point.out_len;
    if (point.metric == "ttft_s") row.timing.ttft_ns = std::llround(point.value * 1e9);
    if (point.metric == "e2e_s") row.timing.e2e_ns = std::llround(point.value * 1e9);
  }
  std::vector<Table4Row> complete;
  for (auto& [key, row] : rows) {
    if (row.printed.contains("output_tok_s")) complete.push_back(row);
  }
  return complete;
}

TEST(Timing, OutputThroughputOfTable4ComesOutAsPrinted) {
  const std::vector<Table4Row> rows = table4();
  ASSERT_EQ(rows.size(), 6);
  int decode_as_output = 0, one_sequence = 0, decimal_k = 0;
  for (const Table4Row& row : rows) {
    const std::string printed = fmt::format("{:.1f}", row.printed.at("output_tok_s"));
    EXPECT_EQ(fmt::format("{:.1f}", *evaluate(Q::output_throughput, row.timing)), printed) << row.series;
    const auto same = [&](Q quantity, const GenerationTiming& timing) {
      return fmt::format("{:.1f}", *evaluate(quantity, timing)) == printed;
    };
    GenerationTiming single = row.timing, decimal = row.timing;
    single.batch = 1;
    if (decimal.output_tokens >= 1024) decimal.output_tokens = decimal.output_tokens / 1024 * 1000;
    decode_as_output += same(Q::decode_throughput, row.timing) ? 1 : 0;
    one_sequence += same(Q::output_throughput, single) ? 1 : 0;
    decimal_k += same(Q::output_throughput, decimal) ? 1 : 0;
  }
  EXPECT_EQ(decode_as_output, 0);
  EXPECT_EQ(one_sequence, 0);
  EXPECT_EQ(decimal_k, 2) << "only the two rows of 128 tokens may not notice K = 1000";
}

TEST(Timing, DecodeOnlyOfTable4IsWithinThreePercent) {
  for (const Table4Row& row : table4()) {
    const double printed = row.printed.at("decode_tok_s");
    EXPECT_NEAR(*evaluate(Q::decode_throughput, row.timing) / printed, 1, 0.03) << row.series;
    EXPECT_NEAR(*evaluate(Q::decode_throughput_all_tokens, row.timing) / printed, 1, 0.03) << row.series;
    EXPECT_GT(std::abs(*evaluate(Q::output_throughput, row.timing) / printed - 1), 0.03) << row.series;
  }
}

/// 100 ms of prefill and ten steps of 10 ms, two sequences.
GenerationTiming stub() {
  GenerationTiming timing{2, 4096, 11, 100'000'000, 100'000'000, 200'000'000, {}};
  timing.step_ns.assign(10, 10'000'000);
  return timing;
}

TEST(Timing, AStubOfKnownTimesGivesKnownRates) {
  EXPECT_DOUBLE_EQ(*evaluate(Q::prefill_latency, stub()), 100);
  EXPECT_DOUBLE_EQ(*evaluate(Q::time_to_first_token, stub()), 0.1);
  EXPECT_DOUBLE_EQ(*evaluate(Q::end_to_end_latency, stub()), 0.2);
  EXPECT_DOUBLE_EQ(*evaluate(Q::output_throughput, stub()), 110);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput, stub()), 200);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput_all_tokens, stub()), 220);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput_median_step, stub()), 200);
  EXPECT_DOUBLE_EQ(*evaluate(Q::time_per_output_token, stub()), 10);
  EXPECT_DOUBLE_EQ(*evaluate(Q::prefill_throughput, stub()), 81920);
}

TEST(Timing, OneSlowStepMovesTheMeanRateAndNotTheMedianOne) {
  GenerationTiming timing = stub();
  timing.step_ns[3] += 100'000'000;
  timing.e2e_ns += 100'000'000;
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput, timing), 100);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput_median_step, timing), 200);
}

TEST(Timing, OneTokenHasNoDecodeAndNoTimeHasNoRate) {
  GenerationTiming one = stub();
  one.output_tokens = 1;
  one.e2e_ns = one.ttft_ns + 5;  // the clock is read twice: a rate over those 5 ns would be absurd
  for (const QuantityInfo& info : timing_quantities()) {
    const std::string formula = info.formula;
    const bool about_decode =
        formula.find("TTFT)") != std::string::npos || formula.find("step") != std::string::npos;
    EXPECT_EQ(evaluate(info.quantity, one).has_value(), !about_decode) << info.key;
    const std::optional<double> nothing = evaluate(info.quantity, GenerationTiming{});
    EXPECT_EQ(nothing.has_value(), formula.find('/') == std::string::npos) << info.key;
  }
}

/// Value of a formula as people read it: + - * / and parentheses over named values.
class Formula {
 public:
  Formula(std::string text, std::map<std::string, double> values)
      : text_(std::move(text)), values_(std::move(values)) {}
  double value() {
    const double result = sum();
    EXPECT_EQ(at_, text_.size()) << text_;
    return result;
  }

 private:
  bool take(char wanted) { return at_ < text_.size() && text_[at_] == wanted && ++at_ > 0; }
  double sum() {
    double result = product();
    while (take('-')) result -= product();
    return result;
  }
  double product() {
    double result = factor();
    while (true) {
      if (take('*')) {
        result *= factor();
      } else if (take('/')) {
        result /= factor();
      } else {
        return result;
      }
    }
  }
  double factor() {
    if (take('(')) {
      const double inner = sum();
      EXPECT_TRUE(take(')')) << text_;
      return inner;
    }
    std::string name;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)
      name += text_[at_++];
    if (name == "median") {
      at_ += std::string("(step)").size();
      name = "median(step)";
    }
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0) return std::stod(name);
    return values_.at(name);
  }

  std::string text_;
  std::map<std::string, double> values_;
  size_t at_ = 0;
};

TEST(Timing, TheFormulaShownIsTheFormulaComputed) {
  GenerationTiming timing{3, 5000, 17, 1'234'567'890, 1'300'000'001, 2'900'000'123, {}};
  for (int64_t i = 0; i < 16; ++i) timing.step_ns.push_back(90'000'000 + i * i * 700'001);
  const std::vector<double> steps(timing.step_ns.begin(), timing.step_ns.end());
  const std::map<std::string, double> values{{"B", 3},
                                             {"T", 5000},
                                             {"N", 17},
                                             {"prefill", 1.23456789},
                                             {"TTFT", 1.300000001},
                                             {"E2E", 2.900000123},
                                             {"median(step)", *median(steps) / 1e9}};
  for (const QuantityInfo& info : timing_quantities()) {
    const double scale = std::string(info.unit) == "ms" ? 1000 : 1;
    const std::optional<double> computed = evaluate(info.quantity, timing);
    ASSERT_TRUE(computed) << info.key;
    EXPECT_NEAR(Formula(info.formula, values).value() * scale / *computed, 1, 1e-12) << info.heading();
  }
}

TEST(Timing, EveryQuantityHasItsOwnNameAndIsFoundByIt) {
  std::set<std::string> keys, labels, formulas;
  int index = 0;
  for (const QuantityInfo& info : timing_quantities()) {
    EXPECT_EQ(static_cast<int>(info.quantity), index++) << "the table must follow the enumeration";
    EXPECT_EQ(parse_timing_quantity(info.key), info.quantity);
    EXPECT_EQ(&quantity_info(info.quantity), &info);
    EXPECT_NE(info.heading().find(info.formula), std::string::npos);
    EXPECT_NE(info.heading().find(std::string("[") + info.unit + "]"), std::string::npos);
    EXPECT_EQ(info.higher_is_better, std::string(info.unit) == "tok/s") << info.key;
    keys.insert(info.key);
    labels.insert(info.label);
    formulas.insert(info.formula);
  }
  EXPECT_EQ(keys.size(), timing_quantities().size());
  EXPECT_EQ(labels.size(), timing_quantities().size());
  EXPECT_EQ(formulas.size(), timing_quantities().size());
  EXPECT_FALSE(parse_timing_quantity("throughput"));
}

TEST(Timing, AStoredSampleGivesTheSameTiming) {
  store::LatencySampleRecord sample;
  sample.n_in = 4096;
  sample.n_out = 11;
  sample.prefill_ns = 99'000'000;
  sample.ttft_ns = 100'000'000;
  sample.e2e_ns = 200'000'000;
  sample.step_ns = {9'000'000, 10'000'000, 12'000'000};
  const GenerationTiming timing = timing_of(sample, 2);
  EXPECT_DOUBLE_EQ(*evaluate(Q::prefill_latency, timing), 99);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput, timing), 200);
  EXPECT_DOUBLE_EQ(*evaluate(Q::decode_throughput_median_step, timing), 200);
  EXPECT_DOUBLE_EQ(*evaluate(Q::prefill_throughput, timing), 2 * 4096 / 0.099);
}

}  // namespace
}  // namespace orthros
