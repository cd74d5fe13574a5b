// Logits against Hugging Face transformers (plain models) and an independent float64 program (Orthros).
#include <gtest/gtest.h>

#include "engine/formats/model_config.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

using test::evaluate_rows;
using test::Expected;
using test::load_fixture;
using test::max_difference;
using test::read_expected;

constexpr double kTolerance = 5e-4;

struct Case {
  const char* model;
  const char* expected;  // file, relative to the fixtures
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.model;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class ReferenceLogits : public ::testing::TestWithParam<Case> {
 protected:
  std::shared_ptr<const Model> model_ = load_fixture(std::string("tiny/") + GetParam().model);
  Expected expected_ = read_expected(test::fixtures() / "tiny" / GetParam().expected);

  void SetUp() override { ASSERT_NE(model_, nullptr); }

  double difference(const ModelConfig& config, const EvaluateRequest& request, size_t b) {
    EvaluateRequest with_ids = request;
    with_ids.ids = expected_.ids[b];
    return max_difference(evaluate_rows(model_, config, with_ids), expected_.logits[b]);
  }
};

TEST_P(ReferenceLogits, EveryPositionAgreesInAnyChunking) {
  for (size_t b = 0; b < expected_.ids.size(); ++b) {
    for (const int64_t chunk : {1, 3, 17, 18, 512}) {
      EvaluateRequest request;
      request.chunk = chunk;
      EXPECT_LT(difference(model_->config(), request, b), kTolerance) << "chunk " << chunk;
    }
  }
}

TEST_P(ReferenceLogits, TokenByTokenAgrees) {
  EvaluateRequest request;
  request.regime = Regime::decode;
  EXPECT_LT(difference(model_->config(), request, 0), kTolerance);
}

TEST_P(ReferenceLogits, PrefillAndAnswerRowsAgree) {
  EvaluateRequest request;
  request.regime = Regime::prefill;
  request.chunk = 7;
  EXPECT_LT(difference(model_->config(), request, 0), kTolerance);
  request.regime = Regime::sft;
  request.prompt_length = 11;
  EXPECT_LT(difference(model_->config(), request, 0), kTolerance);
}

// The comparison must see one key more or less.
TEST_P(ReferenceLogits, AWrongWindowShows) {
  const ModelConfig& config = model_->config();
  const WindowSpec& window = config.layers.front().window;
  const bool full = window.is_full();
  const Architecture architecture =
      config.has_output_stream() ? Architecture::orthros : Architecture::swa;
  const int64_t right = full ? static_cast<int64_t>(expected_.ids[0].size()) : window.window;
  for (const int64_t wrong : {right - 1, full ? right - 2 : right + 1}) {
    const auto mutant = with_architecture(config, architecture, WindowSpec{wrong, window.sinks});
    ASSERT_TRUE(mutant) << mutant.error().line();
    EXPECT_GT(difference(*mutant, {}, 0), 4 * kTolerance) << "window " << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(
    HuggingFace, ReferenceLogits,
    ::testing::Values(Case{"llama-mha", "llama-mha/logits.safetensors"},
                      Case{"llama-gqa-bf16-sharded", "llama-gqa-bf16-sharded/logits.safetensors"},
                      Case{"llama3-rope", "llama3-rope/logits.safetensors"},
                      Case{"llama-f16", "llama-f16/logits.safetensors"},
                      Case{"qwen3-gqa", "qwen3-gqa/logits.safetensors"},
                      Case{"qwen3-yarn", "qwen3-yarn/logits.safetensors"},
                      Case{"qwen3-tied-v5", "qwen3-tied-v5/logits.safetensors"},
                      Case{"mistral-window", "mistral-window/logits.safetensors"},
                      Case{"llama-tokenizer", "llama-tokenizer/logits.safetensors"},
                      Case{"gguf/llama-mha-f32.gguf", "llama-mha/logits.safetensors"},
                      Case{"gguf/qwen3-gqa-f32.gguf", "qwen3-gqa/logits.safetensors"},
                      Case{"gguf/llama-tokenizer-mixed.gguf", "gguf/llama-tokenizer-mixed.logits.safetensors"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Orthros, ReferenceLogits,
    ::testing::Values(Case{"orthros-llama-w4-s0", "orthros-llama-w4-s0/logits.safetensors"},
                      Case{"orthros-llama-w4-s0-so", "orthros-llama-w4-s0-so/logits.safetensors"},
                      Case{"orthros-llama-w4-s2", "orthros-llama-w4-s2/logits.safetensors"},
                      Case{"orthros-llama-w4-s2-so", "orthros-llama-w4-s2-so/logits.safetensors"},
                      Case{"orthros-qwen3-w4-s0", "orthros-qwen3-w4-s0/logits.safetensors"},
                      Case{"orthros-qwen3-w4-s0-so", "orthros-qwen3-w4-s0-so/logits.safetensors"},
                      Case{"orthros-qwen3-w4-s2", "orthros-qwen3-w4-s2/logits.safetensors"},
                      Case{"orthros-qwen3-w4-s2-so", "orthros-qwen3-w4-s2-so/logits.safetensors"}),
    case_name);

// The same weights read as the other two architectures.
TEST(ReferenceArchitectures, SwaAndTransformerReadingsAgree) {
  for (const char* name : {"orthros-llama-w4-s0", "orthros-llama-w4-s2", "orthros-qwen3-w4-s0", "orthros-qwen3-w4-s2"}) {
    const auto model = load_fixture(std::string("tiny/") + name);
    ASSERT_NE(model, nullptr);
    const auto path = test::fixtures() / "tiny" / name / "logits.safetensors";
    const WindowSpec window = model->config().layers.front().window;
    for (const auto& [architecture, tensor] : {std::pair{Architecture::swa, "logits_swa"},
                                               std::pair{Architecture::transformer, "logits_transformer"}}) {
      const auto config = with_architecture(model->config(), architecture, window);
      ASSERT_TRUE(config) << config.error().line();
      const Expected expected = read_expected(path, tensor);
      for (const int64_t chunk : {5, 512}) {
        EvaluateRequest request;
        request.ids = expected.ids[0];
        request.chunk = chunk;
        EXPECT_LT(max_difference(evaluate_rows(model, *config, request), expected.logits[0]), kTolerance)
            << name << " " << tensor;
      }
      EvaluateRequest decode;
      decode.ids = expected.ids[0];
      decode.regime = Regime::decode;
      EXPECT_LT(max_difference(evaluate_rows(model, *config, decode), expected.logits[0]), kTolerance)
          << name << " " << tensor << " token by token";
    }
  }
}

}  // namespace
}  // namespace orthros
