// Two layers of the true shapes of Llama-3.1-8B and Qwen3-8B, random weights: convert, prefill, decode.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "engine/formats/mapped_file.h"
#include "engine/inference/generate.h"
#include "engine/model/converter.h"
#include "engine/model/weight_plan.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

// bfloat16 weights of N(0, 0.02), norms of 1, from a small fast generator.
Result<void> write_random_model(const fs::path& folder, const ModelConfig& config) {
  std::vector<TensorToWrite> tensors;
  for (const TensorSpec& spec : checkpoint_tensors(config)) {
    TensorToWrite tensor{spec.name, "BF16", {}, {}};
    tensor.shape = spec.is_vector ? std::vector<int64_t>{spec.columns} : std::vector<int64_t>{spec.rows, spec.columns};
    tensor.produce = [spec](ByteSink& sink) -> Result<void> {
      std::minstd_rand engine(static_cast<uint32_t>(std::hash<std::string>{}(spec.name)));
      std::vector<uint16_t> row(static_cast<size_t>(spec.columns), float_to_bf16(1.0f));
      for (int64_t r = 0; r < spec.rows; ++r) {
        for (uint16_t& value : row) {
          if (!spec.is_vector) value = float_to_bf16((static_cast<float>(engine()) / 1.0737e9f - 1.0f) * 0.035f);
        }
        ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span<const uint16_t>(row))));
      }
      return {};
    };
    tensors.push_back(std::move(tensor));
  }
  return write_safetensors(folder / "model.safetensors", tensors);
}

class LayerShapes : public ::testing::TestWithParam<const char*> {};

TEST_P(LayerShapes, ConvertPrefillAndDecode) {
  const test::TempFolder folder;
  const fs::path source = folder.path() / "source";
  fs::create_directories(source);
  Json json = parse_json(read_text(test::fixtures() / "configs" / GetParam() / "config.json", 1 << 20).value(),
                         "config.json").value();
  json["num_hidden_layers"] = 2;
  // The layers are what differs between models; a short vocabulary keeps the files below a gigabyte.
  json["vocab_size"] = 4096;
  for (const char* key : {"bos_token_id", "eos_token_id"}) json[key] = 0;
  std::ofstream(source / "config.json") << json.dump();
  const auto config = parse_model_config(json);
  ASSERT_TRUE(config) << config.error().line();
  ASSERT_TRUE(write_random_model(source, *config));

  ConvertOptions options;
  options.window = {128, 4};
  const auto files = open_model(source);
  ASSERT_TRUE(files) << files.error().line();
  const auto report = convert_model(*files, folder.path() / "orthros", options);
  ASSERT_TRUE(report) << report.error().line();
  EXPECT_EQ(report->dtype, ScalarType::bfloat16);
  auto converted = open_model(folder.path() / "orthros");
  ASSERT_TRUE(converted) << converted.error().line();
  const auto model = Model::load(std::move(*converted), {});
  ASSERT_TRUE(model) << model.error().line();

  // Prefill and then decode agree with one prefill of everything, in the machine's own choice of types.
  std::vector<TokenId> ids;
  for (int64_t i = 0; i < 300; ++i) ids.push_back((i * 7919 + 11) % 4096);
  SessionOptions session_options;
  session_options.capacity = 320;
  session_options.chunk = 128;
  auto whole = Session::create(*model, (*model)->config(), session_options);
  auto parts = Session::create(*model, (*model)->config(), session_options);
  ASSERT_TRUE(whole && parts);
  ASSERT_TRUE(whole->prefill({ids}));
  ASSERT_TRUE(parts->prefill({{ids.begin(), ids.end() - 3}}));
  for (size_t i = ids.size() - 3; i < ids.size(); ++i) ASSERT_TRUE(parts->step({ids[i]}));
  double dot = 0, a2 = 0, b2 = 0;
  for (size_t i = 0; i < whole->logits().size(); ++i) {
    const double a = whole->logits()[i], b = parts->logits()[i];
    ASSERT_TRUE(std::isfinite(a) && std::isfinite(b));
    dot += a * b;
    a2 += a * a;
    b2 += b * b;
  }
  EXPECT_GT(dot / std::sqrt(a2 * b2), 0.999);
}

INSTANTIATE_TEST_SUITE_P(EightBillion, LayerShapes, ::testing::Values("llama-3.1-8b", "qwen3-8b"),
                         [](const auto& info) { return info.index == 0 ? "Llama" : "Qwen"; });

}  // namespace
}  // namespace orthros
