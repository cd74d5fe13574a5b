// SmolLM2-135M-Instruct itself: greedy text of Hugging Face in fp32, the likelihood table of the mechanism, and the
// bars of the quantised formats. ORTHROS_SMOLLM2_GGUF names the file; tests/run.sh brings it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/formats/json.h"
#include "engine/formats/mapped_file.h"
#include "engine/inference/generate.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

std::shared_ptr<const Model> load(const LoadOptions& options) {
  auto files = open_model(std::getenv("ORTHROS_SMOLLM2_GGUF"));
  EXPECT_TRUE(files) << files.error().line();
  auto model = Model::load(std::move(*files), options);
  EXPECT_TRUE(model) << model.error().line();
  return *model;
}

std::vector<TokenId> table_ids() {
  std::string text = read_text(test::fixtures() / "smollm2/nll_ids.txt", 1 << 20).value();
  std::ranges::replace(text, ',', ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<TokenId>(stream), {}};
}

class SmolLM2 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("ORTHROS_SMOLLM2_GGUF") == nullptr) {
      GTEST_SKIP() << "ORTHROS_SMOLLM2_GGUF names no file; tests/run.sh fetches the model and sets it";
    }
  }
};

double mean_nll(const std::vector<TokenNll>& nll, int64_t begin, int64_t end) {
  double sum = 0;
  int64_t count = 0;
  for (const TokenNll& token : nll) {
    if (token.position > begin && token.position < end) {
      sum += token.nll;
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

struct TableRow {
  Architecture architecture;
  WindowSpec window;
  double nll[5];
};

// ORTHROS.md, measured with an independent program.
TEST_F(SmolLM2, LikelihoodTableWithinAHundredth) {
  const auto model = load(test::exact());
  constexpr int64_t kEdges[] = {0, 128, 256, 512, 1024, 2048};
  const TableRow table[] = {{Architecture::transformer, {}, {3.008, 2.756, 2.508, 2.527, 2.426}},
                            {Architecture::orthros, {128, 0}, {3.008, 3.008, 2.915, 2.899, 2.890}},
                            {Architecture::orthros, {128, 4}, {3.008, 2.762, 2.550, 2.632, 2.502}},
                            {Architecture::orthros, {128, 16}, {3.008, 2.773, 2.527, 2.630, 2.491}},
                            {Architecture::orthros, {256, 4}, {3.008, 2.756, 2.528, 2.611, 2.470}},
                            {Architecture::orthros, {512, 4}, {3.008, 2.756, 2.508, 2.588, 2.444}},
                            {Architecture::swa, {128, 0}, {3.008, 3.548, 3.487, 3.666, 3.460}},
                            {Architecture::swa, {128, 4}, {3.008, 2.846, 2.613, 2.778, 2.603}}};
  for (const TableRow& row : table) {
    const auto config = with_architecture(model->config(), row.architecture, row.window);
    ASSERT_TRUE(config);
    EvaluateRequest request;
    request.ids = table_ids();
    ASSERT_EQ(request.ids.size(), 2048u);
    const auto nll = token_nll(model, *config, request);
    ASSERT_TRUE(nll) << nll.error().line();
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(mean_nll(*nll, kEdges[i], kEdges[i + 1]), row.nll[i], 0.01)
          << "w " << row.window.window << " s " << row.window.sinks << " range " << kEdges[i];
    }
  }
}

TEST_F(SmolLM2, QuantisedFormatsKeepTheLikelihood) {
  EvaluateRequest request;
  request.ids = table_ids();
  const auto nll_of = [&](const LoadOptions& options) {
    const auto model = load(options);
    const auto nll = token_nll(model, model->config(), request);
    return nll ? mean_nll(*nll, -1, 2048) : NAN;
  };
  const double exact = nll_of(test::exact());
  LoadOptions options;
  options.weight_format = WeightFormat::int8;
  EXPECT_NEAR(nll_of(options), exact, 0.01);
  options.weight_format = WeightFormat::int4;
  EXPECT_NEAR(nll_of(options), exact, 0.05);
  EXPECT_NEAR(nll_of({}), exact, 0.01) << "what auto chooses";
}

// Invariants 2 and 3 on the real model.
TEST_F(SmolLM2, RegimesAgreeAndAWideWindowIsTheTransformer) {
  const auto model = load(test::exact());
  EvaluateRequest request;
  request.ids = table_ids();
  request.ids.resize(300);
  const auto narrow = with_architecture(model->config(), Architecture::orthros, WindowSpec{128, 4});
  const auto wide = with_architecture(model->config(), Architecture::orthros, WindowSpec{300, 0});
  ASSERT_TRUE(narrow && wide);
  const auto pt = test::evaluate_rows(model, *narrow, request);
  const auto plain = test::evaluate_rows(model, model->config(), request);
  EXPECT_LT(test::max_difference(test::evaluate_rows(model, *wide, request), plain), 1e-3);
  EXPECT_GT(test::max_difference(pt, plain), 1e-1);
  request.regime = Regime::decode;
  EXPECT_LT(test::max_difference(test::evaluate_rows(model, *narrow, request), pt), 1e-3);
  request.regime = Regime::prefill;
  request.chunk = 77;
  EXPECT_LT(test::max_difference(test::evaluate_rows(model, *narrow, request), pt), 1e-3);
}

TEST_F(SmolLM2, GreedyTextIsThatOfHuggingFace) {
  const auto model = load(test::exact());
  const Json fixture =
      parse_json(read_text(test::fixtures() / "smollm2/greedy.json", 1 << 20).value(), "greedy.json").value();
  for (const Json& entry : fixture["runs"]) {
    GenerateRequest request;
    request.prompt = entry["prompt_ids"].get<std::vector<TokenId>>();
    const auto expected = entry["ids"].get<std::vector<TokenId>>();
    request.max_tokens = static_cast<int64_t>(expected.size());
    SessionOptions options;
    options.capacity = static_cast<int64_t>(request.prompt.size() + expected.size());
    auto session = Session::create(model, model->config(), options);
    ASSERT_TRUE(session) << session.error().line();
    const auto result = generate(*session, nullptr, request);
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(result->ids, expected);
  }
}

}  // namespace
}  // namespace orthros
