// Twenty steps of every architecture and regime give the curve they gave when they were known to be right.
// The whole of it in one number a step: data, initialisation, streams, gradients, optimiser, schedule.
#include <fstream>
#include <functional>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/engine/training/training_run.h"

namespace orthros::training {
namespace {

struct Known {
  std::string name;
  std::vector<double> loss;
};

/// SFT: two stages, answers alone predicted. PT: every position of a text of ids.
Json config_of(const std::string& name, const test::TempFolder& folder) {
  Json json = config_json(folder.path() / name);
  const bool pt = name.ends_with("PT");
  if (name.starts_with("transformer")) json["model"] = model_json("llama");
  if (name.starts_with("swa")) json["model"]["layer_types"] = {"sliding_attention", "sliding_attention"};
  if (name.starts_with("mixed")) json["model"]["layer_types"] = {"full_attention", "sliding_attention"};
  if (!pt) return json;
  std::ofstream ids(folder / "ids.txt");
  for (int i = 0; i < 600; ++i) ids << 3 + (i * i + i / 7) % 61 << " ";
  json["stages"] = Json::array({{{"task", "tokens"},
                                 {"max_steps", 20},
                                 {"length", {20, 33}},
                                 {"batch", 4},
                                 {"file", (folder / "ids.txt").string()}}});
  return json;
}

const std::vector<Known>& known() {
  static const std::vector<Known> curves{
      {"orthros SFT",
       {5.78639, 5.75484, 5.71946, 5.66073, 5.62056, 5.47109, 5.45938, 5.32677, 5.15399, 5.05479,
        4.93564, 4.79697, 5.63743, 5.52596, 5.63548, 5.48236, 5.49751, 5.44969, 5.49381, 5.28410}},
      {"orthros PT",
       {5.77338, 5.78026, 5.76435, 5.77462, 5.69778, 5.69947, 5.65932, 5.66679, 5.56857, 5.46251,
        5.38944, 5.32013, 5.30022, 5.19320, 5.16107, 5.07571, 4.99409, 4.92780, 4.92583, 4.88265}},
      {"transformer SFT",
       {5.83687, 5.82160, 5.70375, 5.69650, 5.65064, 5.57933, 5.43537, 5.31071, 5.18424, 5.18093,
        5.02762, 4.91028, 5.65751, 5.57499, 5.64652, 5.47353, 5.62056, 5.51819, 5.51757, 5.36202}},
      {"transformer PT",
       {5.77739, 5.77521, 5.74800, 5.71710, 5.76891, 5.76678, 5.63463, 5.62281, 5.51819, 5.41678,
        5.37877, 5.28135, 5.23971, 5.15246, 5.06929, 4.99535, 4.94534, 4.86071, 4.85350, 4.85793}},
      {"swa SFT", {5.81351, 5.82628, 5.78807, 5.71261, 5.57556, 5.52718, 5.45975, 5.35047, 5.11040, 5.06286,
                   4.94455, 4.83611, 5.55235, 5.49520, 5.67702, 5.51701, 5.52009, 5.49056, 5.53212, 5.30008}},
      {"swa PT", {5.78602, 5.76652, 5.76179, 5.75721, 5.69589, 5.68754, 5.62660, 5.65289, 5.56331, 5.43753,
                  5.36867, 5.28688, 5.25119, 5.18152, 5.11417, 5.01791, 4.95805, 4.90187, 4.88296, 4.84983}},
      {"mixed SFT",
       {5.78119, 5.76010, 5.77802, 5.63714, 5.60069, 5.50123, 5.35980, 5.28940, 5.10471, 5.03483,
        4.90876, 4.80951, 5.75874, 5.64994, 5.68264, 5.44803, 5.70968, 5.55625, 5.53434, 5.33363}},
      {"mixed PT",
       {5.77671, 5.77583, 5.77355, 5.76435, 5.74817, 5.71525, 5.66465, 5.62520, 5.54267, 5.43705,
        5.38925, 5.30608, 5.22990, 5.14235, 5.08099, 5.00174, 5.00420, 4.87658, 4.87137, 4.86200}},
  };
  return curves;
}

/// Other machines round otherwise, hence a tolerance; any change of meaning moves the curve far more.
constexpr double kTolerance = 2e-3;

double distance(const std::vector<double>& curve, const std::vector<double>& other) {
  double worst = 0;
  for (size_t i = 0; i < other.size(); ++i) worst = std::max(worst, std::abs(curve[i] - other[i]) / other[i]);
  return worst;
}

TEST_F(Training, TwentyStepsGiveTheKnownCurve) {
  const test::TempFolder folder;
  for (const Known& expected : known()) {
    Curve curve;
    const auto ran = run(config_of(expected.name, folder), curve);
    ASSERT_TRUE(ran) << expected.name << ": " << ran.error().line();
    ASSERT_EQ(curve.loss.size(), 20U);
    EXPECT_LT(distance(curve.loss, expected.loss), kTolerance)
        << expected.name << " gave " << fmt::format("{:.5f}", fmt::join(curve.loss, ", "));
    // The curves of other architectures and regimes are told apart.
    for (const Known& other : known()) {
      if (other.name == expected.name) continue;
      EXPECT_GT(distance(curve.loss, other.loss), 2 * kTolerance) << expected.name << " and " << other.name;
    }
  }
}

}  // namespace
}  // namespace orthros::training
