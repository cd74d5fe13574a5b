// The program itself: exit codes, one line of error, one JSON object, files whole or not there.
#include "engine/formats/safetensors.h"
#include "tests/app/cli_fixture.h"

namespace orthros::test {
namespace {

TEST_F(Cli, UsageErrorsExitWithTwo) {
  const std::string model = kTiny + "llama-mha";
  refuses(2, "", "subcommand");
  refuses(2, "nonsense", "nonsense");
  refuses(2, "info " + model + " --unknown", "--unknown");
  refuses(2, "convert " + model + " out --to orthros --window 0", "--window");
  refuses(2, "convert " + model + " out --to orthros --sinks -1", "--sinks");
  refuses(2, "logits " + model + " --ids 1 --regime all --out f.safetensors", "--regime");
  refuses(2, "generate " + model + " --ids 1 --max-tokens 0", "--max-tokens");
  refuses(2, "generate " + model + " --ids 1 --dtype float8", "--dtype");
}

TEST_F(Cli, BadInputExitsWithOneAndOneLine) {
  const std::string model = kTiny + "llama-mha";
  refuses(1, "info nowhere", "no such model");
  refuses(1, "generate " + model + " --ids 1,2,999999", "999999");
  refuses(1, "generate " + model + " --ids 1,x", "'x'");
  refuses(1, "generate " + model + " --ids @missing", "missing");
  refuses(1, "generate " + model + " --prompt hello", "tokenizer");
  refuses(1, "generate " + kTiny + "llama-tokenizer --prompt ''", "empty");
  refuses(1, "generate " + kTiny + "llama-tokenizer --prompt \"$(printf 'a\\377b')\"", "UTF-8");
  refuses(1, "generate " + model + " --ids 1 --max-tokens 99999999999", "needs more memory than there is");
  refuses(1, "attention " + model + " --ids 1,2 --layer 0 --head 0 --stream output --out a.npy",
          "no output stream");
  refuses(1, "attention " + model + " --ids 1,2 --layer 99 --head 0 --stream base --out a.npy", "layer 99");
  refuses(1, "attention " + model + " --ids 1,2 --layer 0 --head 0 --stream base --out a.png",
          ".csv or .npy");
  refuses(1, "logits " + model + " --ids 1,2 --rows 2 --out f.safetensors", "row 2");
  refuses(1, "logits " + model + " --ids 1,2 --out nowhere/f.safetensors", "nowhere");
  refuses(1, "perplexity " + model + " --ids 1", "at least 2");
  refuses(1, "info " + kTiny + "README.md", "README.md");
  refuses(1, "generate " + model + " --ids 1 --device cuda", "CUDA");
}

TEST_F(Cli, TruncatedFilesAreRefused) {
  for (const char* name : {"gguf/llama-mha-f32.gguf", "llama-mha/model.safetensors"}) {
    const std::string whole = read_text(kTiny + name, 1 << 26).value();
    const std::string copy = name[0] == 'g' ? "cut.gguf" : "cut.safetensors";
    for (const size_t length : {size_t{0}, size_t{7}, size_t{100}, whole.size() / 2, whole.size() - 1}) {
      std::ofstream(folder_.path() / copy, std::ios::binary) << whole.substr(0, length);
      const Outcome outcome = run("info " + copy);
      EXPECT_EQ(outcome.exit_code, 1) << copy << " of " << length;
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    }
  }
}

TEST_F(Cli, InfoOfModelsAndTensorFiles) {
  EXPECT_EQ(json_of("info " + kTiny + "orthros-llama-w4-s2")["layers"][0]["window"], 4);
  EXPECT_FALSE(json_of("info " + kTiny + "llama-mha/logits.safetensors")["tensors"].empty());
  const std::string configs = std::string(ORTHROS_FIXTURES) + "/configs/";
  const Json llama = json_of("info " + configs + "llama-3.1-8b --tokens 131072");
  EXPECT_EQ(llama["parameters"], 8'030'261'248);
  EXPECT_EQ(llama["kv_bytes_per_token"]["bfloat16"], 131'072);
  EXPECT_NEAR(
      json_of("info " + configs + "qwen3-8b --tokens 131072")["prefill_flop"]["ratio_paper"].get<double>(),
      3.76, 0.01);
}

TEST_F(Cli, LessonsAreChecked) {
  const std::string source = ORTHROS_SOURCE;
  const Json all =
      json_of("lessons check " + source + "/resources/lessons --model " + source + "/sample_models/lesson");
  ASSERT_GE(all["lessons"].size(), 8u);
  for (const Json& lesson : all["lessons"]) EXPECT_TRUE(lesson["problems"].empty()) << lesson;
  refuses(2, "lessons", "subcommand");
  refuses(1, "lessons check nowhere.json", "nowhere.json");
  refuses(1, "lessons check .", "has no lesson");
  std::string text = read_text(source + "/resources/lessons/02-shelf.json", 1 << 20).value();
  text.replace(text.find("\"step\": \"read\""), 14, "\"step\": \"rear\"");
  std::ofstream(folder_.path() / "broken.json") << text;
  const Outcome broken = run("lessons check broken.json");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.err.find("broken.json: cards[1].step: must be one of copy"), std::string::npos) << broken.err;
  const Outcome json = run("lessons check broken.json --json");
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(parse_json(json.out, "stdout").value()["lessons"][0]["problems"].size(), 1u);
}

TEST_F(Cli, TokenizeBothWays) {
  const std::string model = kTiny + "llama-tokenizer";
  const Json encoded = json_of("tokenize " + model + " --text 'Hello, 123 world'");
  ASSERT_EQ(encoded["ids"].size(), encoded["pieces"].size());
  std::string ids;
  for (const Json& id : encoded["ids"]) ids += (ids.empty() ? "" : ",") + std::to_string(id.get<int64_t>());
  EXPECT_EQ(json_of("tokenize " + model + " --no-special --decode " + ids)["text"], "Hello, 123 world");
}

TEST_F(Cli, ConvertGenerateAndLook) {
  json_of("convert " + kTiny + "llama-tokenizer orthros --to orthros --window 4 --sinks 2");
  const Json generated = json_of("generate orthros --prompt 'Hello world' --max-tokens 5 --ignore-eos");
  EXPECT_EQ(generated["ids"].size(), 5u);
  for (const char* key :
       {"text", "prompt_tokens", "ttft_ms", "prefill_tok_s", "decode_tok_s", "kv_bytes", "backend"}) {
    EXPECT_TRUE(generated.contains(key)) << key;
  }
  const Json attention =
      json_of("attention orthros --prompt 'Hello world' --layer 1 --head 0 --rows all --out a.npy");
  EXPECT_LT(attention["max_sum_error"].get<double>(), 1e-5);
  const size_t rows = attention["rows"].size();
  EXPECT_EQ(fs::file_size(folder_.path() / "a.npy"), 128 + rows * rows * 4);
  json_of("attention orthros --prompt 'Hello world' --layer 1 --head 0 --stream base --out a.csv");
  EXPECT_TRUE(read_text(folder_.path() / "a.csv", 1 << 20).value().starts_with("query,key,weight\n"));
}

TEST_F(Cli, ConvertingAgainKeepsWindowAndSinks) {
  const std::string source = kTiny + "orthros-llama-w4-s2";
  const Json kept = json_of("convert " + source + " swa --to swa");
  EXPECT_EQ(kept["window"], 4);
  EXPECT_EQ(kept["sinks"], 2);
  EXPECT_EQ(json_of("info swa")["layers"][0]["sinks"], 2);
  EXPECT_EQ(json_of("convert " + source + " other --to orthros --sinks 0")["sinks"], 0);
}

TEST_F(Cli, LogitsFileHoldsRowsAndPositions) {
  json_of("logits " + kTiny + "orthros-llama-w4-s2 --ids 1,2,3,4,5 --rows 4,0 --out f.safetensors");
  const auto file = SafetensorsFile::open(folder_.path() / "f.safetensors");
  ASSERT_TRUE(file) << file.error().line();
  EXPECT_EQ(file->find("positions")->shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(file->find("positions")->dtype, "I64");
  EXPECT_EQ(file->find("logits")->shape[0], 2);
  json_of("logits " + kTiny +
          "orthros-llama-w4-s2 --ids 1,2,3,4,5 --regime prefill --rows all --out g.safetensors");
  EXPECT_EQ(SafetensorsFile::open(folder_.path() / "g.safetensors")->find("logits")->shape[0], 1);
}

// Ctrl-C in the middle of a long run: exit 130, and no file.
TEST_F(Cli, InterruptStopsCleanly) {
  std::string ids;
  for (int i = 0; i < 60'000; ++i) ids += std::to_string(i % 90) + " ";
  std::ofstream(folder_.path() / "ids") << ids;
  // timeout(1) sends the signal; --preserve-status keeps the program's own exit code.
  const std::string command =
      fmt::format("cd '{}' && timeout --preserve-status -s INT 0.7 '{}' perplexity {} --ids @ids",
                  folder_.path().string(), ORTHROS_PROGRAM, kTiny + "llama-mha");
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace orthros::test
