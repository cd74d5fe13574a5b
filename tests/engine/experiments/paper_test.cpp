// Paper overlay: the embedded facts are complete and traceable, exhibits cannot be mixed, broken data is
// refused.
#include "engine/experiments/paper.h"

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiments/timing.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;

const PaperData& data() {
  const Result<PaperData>& result = paper_data();
  EXPECT_TRUE(result) << result.error().line();
  return *result;
}

TEST(PaperData, IsTheFileOfTheSourceTree) {
  std::ifstream file(std::string(ORTHROS_SOURCE) + "/resources/paper/reported.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(embedded_paper_json(), text);
}

TEST(PaperData, HoldsTable4AndNoMoreOfFigure4ThanIsPrinted) {
  int table4 = 0;
  std::set<double> figure4;
  for (const PaperPoint& point : data().points) {
    if (point.exhibit == "table4") {
      ++table4;
      EXPECT_EQ(point.read_from, ReadFrom::table);
      EXPECT_EQ(point.batch, 2);
      EXPECT_EQ(point.devices, 1);
      EXPECT_TRUE(point.out_len);
    } else {
      EXPECT_EQ(point.exhibit, "figure4");
      EXPECT_EQ(point.metric, "prefill_speedup");
      EXPECT_FALSE(point.batch) << "the paper does not say it";
      figure4.insert(point.value);
    }
  }
  EXPECT_EQ(table4, 38);  // 12 rows of 4 numbers less the 10 that are not in our material
  EXPECT_EQ(figure4, (std::set<double>{3.5, 21.9}));
}

TEST(PaperData, MetricsAndUnitsAreThoseOfOurMeasurements) {
  for (const PaperPoint& point : data().points) {
    if (point.exhibit != "table4") continue;
    const auto quantity = parse_timing_quantity(point.metric);
    ASSERT_TRUE(quantity) << point.metric;
    EXPECT_EQ(point.unit, quantity_info(*quantity).unit);
  }
}

TEST(Overlay, HoldsOneExhibitAndOneMetricWithItsProtocol) {
  for (const OverlayAxis& axis :
       {OverlayAxis{"table4", "ttft_s"}, OverlayAxis{"figure4", "prefill_speedup"}}) {
    const auto overlay = overlay_for(data(), axis);
    ASSERT_TRUE(overlay) << overlay.error().line();
    EXPECT_FALSE(overlay->points().empty());
    for (const PaperPoint& point : overlay->points()) {
      EXPECT_EQ(point.exhibit, axis.exhibit);
      EXPECT_EQ(point.metric, axis.metric);
    }
    EXPECT_FALSE(overlay->exhibit().protocol.empty());
  }
}

TEST(Overlay, AFigure4PointCannotBeDrawnOnATable4Axis) {
  auto table = overlay_for(data(), {"table4", "ttft_s"});
  const auto figure = overlay_for(data(), {"figure4", "prefill_speedup"});
  ASSERT_TRUE(table && figure);
  const size_t before = table->points().size();
  const auto refused = table->add(figure->points()[0]);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().line(), HasSubstr("figure4"));
  EXPECT_EQ(table->points().size(), before);
  PaperPoint disguised = figure->points()[0];
  disguised.metric = "ttft_s";  // same quantity, other protocol: still another exhibit
  EXPECT_FALSE(table->add(disguised));
  PaperPoint own = table->points()[0];
  EXPECT_TRUE(table->add(own));
  own.metric = "e2e_s";
  EXPECT_FALSE(table->add(own));
}

TEST(Overlay, AskingForWhatAnExhibitDoesNotReportIsAnErrorThatNamesWhoDoes) {
  const auto mixed = overlay_for(data(), {"table4", "prefill_speedup"});
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, ErrorCode::not_found);
  EXPECT_THAT(mixed.error().message, HasSubstr("Table 4 does not report prefill_speedup"));
  EXPECT_THAT(mixed.error().hint, HasSubstr("figure4"));
  EXPECT_FALSE(overlay_for(data(), {"figure4", "ttft_s"}));
  EXPECT_FALSE(overlay_for(data(), {"figure5", "ttft_s"}));
}

TEST(Overlay, LabelsSayExhibitBatchDevicesAndSource) {
  const auto table = overlay_for(data(), {"table4", "ttft_s"});
  const auto figure = overlay_for(data(), {"figure4", "prefill_speedup"});
  ASSERT_TRUE(table && figure);
  EXPECT_EQ(table->label(table->points()[0]),
            "Table 4, Transformer: 131072 in, 128 out, batch 2, 1 device; from table");
  EXPECT_EQ(figure->label(figure->points()[1]),
            "Figure 4, Orthros: 1048576 in, no output counted, batch not stated, 8 devices; from text");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PaperData, BrokenDataIsRefusedWithThePlace) {
  const std::string good(embedded_paper_json());
  const std::vector<std::pair<std::string, std::string>> breaks{
      {"\"schema\": 1", "\"schema\": 2"},
      {"\"exhibit\": \"table4\"", "\"exhibit\": \"table5\""},
      {"\"batch\": 2", "\"batch\": 0"},
      {"\"batch\": 2", "\"batch\": \"2\""},
      {"\"ctx_len\": 131072", "\"ctx_len\": null"},
      {"\"value\": 77.249", "\"value\": -1"},
      {"\"value\": 77.249", "\"value\": \"77\""},
      {"\"read_from\": \"table\"", "\"read_from\": \"memory\""},
      {"\"protocol\": ", "\"protocoll\": "},
      {"\"points\": [", "\"points\": 3, \"rest\": ["},
      {"{", "["},
  };
  for (const auto& [from, to] : breaks) {
    const auto result = parse_paper_data(replaced(good, from, to));
    ASSERT_FALSE(result) << to;
    EXPECT_EQ(result.error().code, ErrorCode::corrupt_file) << to;
    EXPECT_THAT(result.error().line(), HasSubstr("paper data"));
  }
  const auto batch = parse_paper_data(replaced(good, "\"batch\": 2", "\"batch\": 0"));
  EXPECT_THAT(batch.error().message, HasSubstr("point 0 needs \"batch\""));
}

}  // namespace
}  // namespace orthros
