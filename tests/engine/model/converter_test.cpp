// Conversion: the same weights and tokenizer under another architecture, or nothing at all.
#include "engine/model/converter.h"

#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/formats/mapped_file.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;
using test::evaluate_rows;
using test::fixtures;
using test::LogitRows;
using test::max_difference;

std::shared_ptr<const Model> load(const fs::path& path) {
  auto files = open_model(path);
  if (!files) {
    ADD_FAILURE() << files.error().line();
    return nullptr;
  }
  auto model = Model::load(std::move(*files), test::exact());
  EXPECT_TRUE(model) << model.error().line();
  return model ? *model : nullptr;
}

Result<ConvertReport> convert(const fs::path& source, const fs::path& target, const ConvertOptions& options,
                              const StopToken& stop = {}) {
  auto files = open_model(source);
  if (!files) return fail(files.error());
  return convert_model(*files, target, options, stop);
}

class Converter : public ::testing::TestWithParam<const char*> {};

// GGUF or folder -> Orthros -> Transformer gives the first logits again, and Orthros those of reading it so.
TEST_P(Converter, WeightsSurviveBothWays) {
  const test::TempFolder folder;
  const fs::path source = fixtures() / "tiny" / GetParam();
  const auto original = load(source);
  ASSERT_NE(original, nullptr);
  ConvertOptions options;
  options.window = {4, 2};
  options.dtype = ScalarType::float32;
  ASSERT_TRUE(convert(source, folder.path() / "orthros", options));
  const auto orthros = load(folder.path() / "orthros");
  ASSERT_NE(orthros, nullptr);
  EXPECT_EQ(orthros->config().model_type, "orthros");
  EXPECT_TRUE(orthros->config().has_output_stream());

  EvaluateRequest request;
  for (int64_t i = 0; i < 33; ++i) request.ids.push_back((i * 37 + 5) % original->config().vocab_size);
  const auto read_so = with_architecture(original->config(), Architecture::orthros, options.window);
  ASSERT_TRUE(read_so);
  const LogitRows expected = evaluate_rows(original, *read_so, request);
  EXPECT_EQ(max_difference(evaluate_rows(orthros, orthros->config(), request), expected), 0);
  const LogitRows plain = evaluate_rows(original, original->config(), request);
  EXPECT_GT(max_difference(plain, expected), 1e-3);

  options.to = Architecture::transformer;
  ASSERT_TRUE(convert(folder.path() / "orthros", folder.path() / "back", options));
  const auto back = load(folder.path() / "back");
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(back->config().model_type, original->config().model_type);
  EXPECT_EQ(max_difference(evaluate_rows(back, back->config(), request), plain), 0);
}

INSTANTIATE_TEST_SUITE_P(Sources, Converter,
                         ::testing::Values("llama-mha", "qwen3-gqa", "llama-gqa-bf16-sharded",
                                           "gguf/llama-mha-f32.gguf", "gguf/llama-tokenizer-mixed.gguf"));

// Trained scale-offset vectors are part of Orthros alone: to read a model as a Transformer is to convert it.
TEST(ConverterArchitectures, ReadingAsATransformerEqualsConvertingToOne) {
  const test::TempFolder folder;
  for (const char* name : {"orthros-llama-w4-s0-so", "orthros-qwen3-w4-s2-so"}) {
    const fs::path source = fixtures() / "tiny" / name;
    const auto orthros = load(source);
    ASSERT_NE(orthros, nullptr);
    ConvertOptions options;
    options.to = Architecture::transformer;
    options.dtype = ScalarType::float32;
    ASSERT_TRUE(convert(source, folder.path() / name, options));
    const auto converted = load(folder.path() / name);
    ASSERT_NE(converted, nullptr);
    const auto read_so = with_architecture(orthros->config(), Architecture::transformer, {});
    ASSERT_TRUE(read_so);
    EvaluateRequest request;
    for (int64_t i = 0; i < 33; ++i) request.ids.push_back((i * 37 + 5) % orthros->config().vocab_size);
    const LogitRows expected = evaluate_rows(converted, converted->config(), request);
    EXPECT_EQ(max_difference(evaluate_rows(orthros, *read_so, request), expected), 0) << name;
    // The vectors matter: with them the answer is another.
    ModelConfig with_vectors = *read_so;
    for (LayerSpec& layer : with_vectors.layers) layer.scale_offset = true;
    EXPECT_GT(max_difference(evaluate_rows(orthros, with_vectors, request), expected), 1e-3) << name;
  }
}

TEST(ConverterFiles, TokenizerAndStopTokensComeAlong) {
  const test::TempFolder folder;
  const fs::path source = fixtures() / "tiny/gguf/llama-tokenizer-mixed.gguf";
  ASSERT_TRUE(convert(source, folder.path() / "out", {}));
  const auto before = open_model(source);
  const auto after = open_model(folder.path() / "out");
  ASSERT_TRUE(before && after);
  ASSERT_TRUE(before->tokenizer && after->tokenizer) << after->tokenizer.error().line();
  const std::string text = "Hello  world, 12345 times \n\n <|im_start|>user";
  EXPECT_EQ(before->tokenizer->encode(text).value(), after->tokenizer->encode(text).value());
  EXPECT_EQ(before->eos, after->eos);
  EXPECT_EQ(before->chat_template, after->chat_template);
  const Json conversion = after->config.source["conversion"];
  EXPECT_EQ(conversion["source"], "llama-tokenizer-mixed.gguf");
  EXPECT_EQ(conversion["source_sha256"].get<std::string>().size(), 64u);
}

TEST(ConverterFiles, AnExistingFolderIsLeftAlone) {
  const test::TempFolder folder;
  fs::create_directories(folder.path() / "out");
  const auto result = convert(fixtures() / "tiny/llama-mha", folder.path() / "out", {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(fs::is_empty(folder.path() / "out"));
}

TEST(ConverterFiles, StoppedOrFailedLeavesNothing) {
  const test::TempFolder folder;
  const StopSource stop;
  stop.request_stop();
  const auto stopped = convert(fixtures() / "tiny/llama-mha", folder.path() / "out", {}, stop.token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  ConvertOptions bad;
  bad.window = {0, 0};
  EXPECT_FALSE(convert(fixtures() / "tiny/llama-mha", folder.path() / "out", bad));
  EXPECT_FALSE(convert(fixtures() / "tiny/llama-mha", folder.path() / "nowhere/out", {}));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// A lock, not a process number, tells a living conversion: numbers are used again, and mean nothing to other machines.
TEST(ConverterFiles, OnlyPartsThatNobodyHoldsAreTidied) {
  const test::TempFolder folder;
  const fs::path part = folder.path() / ".other.part-1-0";
  fs::create_directory(part);
  std::ofstream(part / "model.safetensors.part-1-1") << "half";
  const int held = ::open(part.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ASSERT_TRUE(convert(fixtures() / "tiny/llama-mha", folder.path() / "first", {}));
  EXPECT_TRUE(fs::exists(part / "model.safetensors.part-1-1"));
  ::close(held);
  ASSERT_TRUE(convert(fixtures() / "tiny/llama-mha", folder.path() / "second", {}));
  EXPECT_FALSE(fs::exists(part));
  EXPECT_EQ(folder.num_files(), 2u);
}

TEST(ConverterFiles, ATargetThatCameIntoBeingMeanwhileIsLeftAlone) {
  const test::TempFolder folder;
  const fs::path target = folder.path() / "out";
  auto files = open_model(fixtures() / "tiny/llama-mha");
  ASSERT_TRUE(files);
  const ProgressSink another_process = [&](const Progress&) {
    fs::create_directories(target);
    std::ofstream(target / "theirs") << "whole";
  };
  const auto result = convert_model(*files, target, {}, {}, another_process);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(read_text(target / "theirs", 100).value(), "whole");
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(BrokenModels, MissingPartsAreNamed) {
  const test::TempFolder folder;
  const fs::path model = folder.path() / "model";
  fs::copy(fixtures() / "tiny/llama-gqa-bf16-sharded", model);
  std::vector<fs::path> shards;
  for (const auto& entry : fs::directory_iterator(model)) {
    if (entry.path().extension() == ".safetensors" && entry.path().filename().string().starts_with("model-")) {
      shards.push_back(entry.path());
    }
  }
  ASSERT_EQ(shards.size(), 2u);
  fs::remove(shards[0]);
  const auto missing = open_model(model);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_NE(missing.error().message.find(shards[0].filename().string()), std::string::npos);

  std::ofstream(model / "config.json") << "{\"model_type\": \"llama\"";
  EXPECT_EQ(open_model(model).error().code, ErrorCode::corrupt_file);
  fs::remove(model / "config.json");
  EXPECT_EQ(open_model(model).error().code, ErrorCode::not_found);
  EXPECT_EQ(open_model(folder.path() / "nothing").error().code, ErrorCode::not_found);
}

TEST(BrokenModels, AShardNameThatLeavesTheFolderIsRefused) {
  const test::TempFolder folder;
  const fs::path model = folder.path() / "model";
  fs::copy(fixtures() / "tiny/llama-gqa-bf16-sharded", model);
  std::ofstream(model / "model.safetensors.index.json")
      << R"({"weight_map": {"model.norm.weight": "../model.safetensors"}})";
  const auto result = open_model(model);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::corrupt_file);
}

TEST(BrokenModels, AWrongShapeIsNamed) {
  const test::TempFolder folder;
  const fs::path model = folder.path() / "model";
  fs::copy(fixtures() / "tiny/llama-mha", model);
  auto config = parse_json(read_text(model / "config.json", 1 << 20).value(), "config.json").value();
  config["intermediate_size"] = config["intermediate_size"].get<int64_t>() + 1;
  std::ofstream(model / "config.json") << config.dump();
  auto files = open_model(model);
  ASSERT_TRUE(files);
  const auto loaded = Model::load(std::move(*files), test::exact());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::corrupt_file);
  EXPECT_NE(loaded.error().message.find("gate_proj"), std::string::npos) << loaded.error().message;
}

}  // namespace
}  // namespace orthros
