// What breaks a program: closed streams, full disks, kills, hostile names, numbers that are none.
#include <sys/stat.h>

#include "tests/app/cli_fixture.h"

namespace orthros::test {
namespace {

TEST_F(Cli, MistakesOfTheCommandLineAreUsageErrors) {
  const std::string model = kTiny + "llama-mha", text = kTiny + "llama-tokenizer";
  refuses(2, "generate " + model, "give one of --prompt, --ids (try: orthros generate --help)");
  refuses(2, "generate " + text + " --ids 1 --prompt x", "give only one of --prompt, --ids");
  refuses(2, "generate " + text + " --chat --ids 1", "--chat needs --prompt");
  refuses(2, "generate " + text + " --system x --prompt y", "--system needs --chat");
  refuses(2, "attention " + model + " --layer 0 --head 0 --out a.csv", "--prompt, --ids");
  refuses(2, "perplexity " + text, "--file, --ids");
  refuses(2, "tokenize " + text + " --text x --decode 1", "--text, --file, --decode");
  refuses(2, "perplexity " + model + " --ids 1,2,3 --ranges 5,1", "--ranges");
  refuses(2, "perplexity " + model + " --ids 1,2,3 --ranges 5", "--ranges");
  refuses(2, "--json info " + model, "'--json' stands before the subcommand");
}

TEST_F(Cli, NumbersArePlainDecimalsInTheirRange) {
  const std::string generate = "generate " + kTiny + "llama-mha --ids 1 --max-tokens 2";
  for (const char* wrong :
       {"--seed -1", "--seed 18446744073709551616", "--seed x", "--top-k -1", "--top-k 1.5",
        "--top-k 99999999999999999999", "--temperature -1", "--temperature nan", "--temperature inf",
        "--top-p 1.1", "--min-p nan", "--threads 1025", "--chunk 0x10", "--as swa --window 4294967297"}) {
    const std::string option = std::string(wrong).substr(0, std::string(wrong).rfind(' '));
    refuses(2, generate + " " + wrong, option.substr(option.rfind("--")));
  }
  for (const char* seed : {"18446744073709551615", "9223372036854775808", "007"})
    EXPECT_EQ(run(generate + " --seed " + seed).exit_code, 0) << seed;
  // A message is a line to read, not 308 digits.
  EXPECT_LT(run(generate + " --temperature -1").err.size(), 120u);
  // 010 is ten, not eight.
  EXPECT_EQ(json_of("info " + kTiny + "llama-mha --as swa --window 010")["layers"][0]["window"], 10);
}

TEST_F(Cli, OptionsThatWouldBeIgnoredAreRefused) {
  const std::string model = kTiny + "llama-mha", ids = " --ids 1,2,3";
  refuses(1, "perplexity " + model + ids + " --as transformer --window 4", "no window");
  refuses(1, "convert " + model + " out --to transformer --sinks 4", "no window");
  refuses(1, "perplexity " + model + ids + " --regime transformer --as orthros", "contradict");
  refuses(1, "logits " + model + ids + " --prompt-length 2 --out f.safetensors", "--regime sft");
  refuses(1, "info " + model + " --device cuda", "CUDA");
  refuses(1, "tokenize " + kTiny + "llama-tokenizer --text x --device cuda", "CUDA");
}

TEST_F(Cli, RegimeTransformerIsShortForReadingTheModelSo) {
  const std::string perplexity =
      "perplexity " + kTiny + "orthros-llama-w4-s0 --ids 1,2,3,4,5,6,7,8,9,10,11,12";
  const double plain = json_of(perplexity + " --as transformer")["mean_nll"];
  EXPECT_EQ(json_of(perplexity + " --regime transformer")["mean_nll"], plain);
  EXPECT_NE(json_of(perplexity)["mean_nll"], plain);
}

TEST_F(Cli, AStopStringDoesNotSwallowWhatFollows) {
  EXPECT_EQ(
      run("generate --stop a --stop b " + kTiny + "llama-tokenizer --prompt hi --max-tokens 2").exit_code, 0);
}

TEST_F(Cli, WhereToWriteIsCheckedFirst) {
  for (const char* command : {"logits nowhere --ids 1", "attention nowhere --ids 1 --layer 0 --head 0"}) {
    refuses(1, std::string(command) + " --out none/f.csv", "there is no folder none");
  }
}

TEST_F(Cli, MessagesNameTheOptionThatIsWrong) {
  refuses(1, "tokenize " + kTiny + "llama-tokenizer --decode ''", "--decode holds no id");
  refuses(1, "generate " + kTiny + "llama-mha --ids @", "no file is named");
}

TEST_F(Cli, AResultThatCannotFitIsRefusedBeforeTheWork) {
  std::string ids;
  for (int i = 0; i < 3'000'000; ++i) ids += "1 ";
  std::ofstream(folder_.path() / "ids") << ids;
  const Outcome outcome = run("attention " + kTiny +
                              "llama-mha --ids @ids --layer 0 --head 0 --stream base --rows all --out a.npy");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("3000000 rows of 3000000 keys would take"), std::string::npos) << outcome.err;
}

// The rows go to the disk one by one: 269 MB here would be 138 GB for a real vocabulary.
TEST_F(Cli, LogitsOfALongTextDoNotGrowInMemory) {
  std::string ids;
  for (int i = 0; i < 700'000; ++i) ids += std::to_string(i % 90) + " ";
  std::ofstream(folder_.path() / "ids") << ids;
  const Outcome outcome =
      run("logits " + kTiny + "llama-mha --as swa --window 4 --ids @ids --out f.safetensors --threads 1",
          "ulimit -d 250000;");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(fs::file_size(folder_.path() / "f.safetensors"), 700'000u * 96 * 4);
}

TEST_F(Cli, OutputThatIsLostIsAnError) {
  const std::string info = "info " + kTiny + "llama-mha --tensors";
  for (const char* streams : {">&-", ">/dev/full"}) {
    const Outcome outcome = run(info, "", streams);
    EXPECT_EQ(outcome.exit_code, 1) << streams;
    const std::string why = std::string(streams) == ">&-" ? "Bad file descriptor" : "No space left on device";
    EXPECT_EQ(outcome.err, "orthros: cannot write the output: " + why + "\n") << streams;
  }
  // Text that was already on its way while the program ran on.
  const Outcome generated =
      run("generate " + kTiny + "llama-tokenizer --prompt hi --max-tokens 2", "", ">/dev/full");
  EXPECT_EQ(generated.exit_code, 1);
  EXPECT_NE(generated.err.find("cannot write the output: No space left on device"), std::string::npos)
      << generated.err;
  EXPECT_EQ(run("--help", "", ">/dev/full").exit_code, 1);
  // Nobody to tell, but the exit code.
  EXPECT_EQ(run("info nowhere", "", "2>/dev/full").exit_code, 1);
  EXPECT_EQ(run("info nowhere", "", "2>&-").exit_code, 1);
  EXPECT_EQ(run(info, "", "2>&-").exit_code, 0);
}

// A file opened while stdout is closed gets stdout's number: the report must not end up in it.
TEST_F(Cli, ClosedStreamsDoNotLeakIntoFiles) {
  const std::string logits = "logits " + kTiny + "llama-mha --ids 1,2,3 --out ";
  ASSERT_EQ(run(logits + "open.safetensors").exit_code, 0);
  EXPECT_EQ(run(logits + "closed.safetensors", "", "<&- >&- 2>&-").exit_code, 1);
  EXPECT_EQ(read_text(folder_ / "closed.safetensors", 1 << 20).value(),
            read_text(folder_ / "open.safetensors", 1 << 20).value());
}

TEST_F(Cli, NamesWithAnyBytesStandInJson) {
  const Json json = json_of("convert " + kTiny + "llama-mha \"$(printf 'a\\377b')\" --to swa");
  EXPECT_EQ(json["out"],
            "a\xef\xbf\xbd"
            "b");
}

TEST_F(Cli, NothingButAFileIsReplaced) {
  const std::string logits = "logits " + kTiny + "llama-mha --ids 1 --out ";
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  for (const char* target : {"pipe", "folder", "folder/", ".", "''"}) {
    EXPECT_EQ(run(logits + target).exit_code, 1) << target;
  }
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  EXPECT_EQ(left_behind().size(), 2u);
}

TEST_F(Cli, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  for (const std::string& arguments :
       {"convert " + kTiny + "llama-mha out --to swa",
        "logits " + kTiny + "llama-mha --ids 1,2,3,4,5,6 --out f.safetensors"}) {
    const Outcome outcome = run(arguments, "ulimit -f 1;");  // kB; a test's own output is shorter
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.err.find("nothing was left behind"), std::string::npos) << outcome.err;
    EXPECT_EQ(left_behind(), std::vector<std::string>()) << arguments;
  }
}

TEST_F(Cli, AKilledConversionIsTidiedByTheNext) {
  const fs::path part = folder_ / ".other.part-123-0", foreign = folder_ / ".mine.part-7";
  fs::create_directory(part);
  std::ofstream(part / "config.json") << "{}";
  std::ofstream(part / "model.safetensors.part-123-1") << "half";
  fs::create_directory(foreign);
  std::ofstream(foreign / "thesis.txt") << "not ours";
  ASSERT_EQ(run("convert " + kTiny + "llama-mha out --to swa").exit_code, 0);
  EXPECT_FALSE(fs::exists(part));
  EXPECT_TRUE(fs::exists(foreign / "thesis.txt"));
}

TEST_F(Cli, AClosedTerminalStopsAsCtrlCDoes) {
  std::string ids;
  for (int i = 0; i < 60'000; ++i) ids += std::to_string(i % 90) + " ";
  std::ofstream(folder_.path() / "ids") << ids;
  for (const char* signal : {"HUP", "TERM"}) {
    // The signal comes once the file has been begun, however slow the machine is.
    const std::string command = fmt::format(
        "cd '{}'; '{}' logits {} --ids @ids --out f.safetensors >/dev/null 2>&1 & p=$!; n=0; "
        "until ls '{}'/f.safetensors.part-* >/dev/null 2>&1 || [ $n -ge 1200 ]; do sleep 0.05; n=$((n+1)); "
        "done; "
        "kill -{} $p; wait $p",
        folder_.path().string(), ORTHROS_PROGRAM, kTiny + "llama-mha", folder_.path().string(), signal);
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130) << signal;
    EXPECT_EQ(left_behind(), std::vector<std::string>{"ids"}) << signal;
  }
}

// The frame of a handler on the stack of a thread that multiplies could be written into the heap: see
// install_signal_handlers. So the first thread blocks the signals and none of them has a handler.
TEST_F(Cli, NoComputingThreadTakesASignal) {
  const std::string script = fmt::format(
      "cd '{}'; '{}' haystack --sentences 1000000000 >/dev/null & p=$!; "
      "for i in $(seq 200); do grep -q '^SigBlk:.*[4-7c-f]...$' /proc/$p/status && break; sleep 0.05; done; "
      "cp /proc/$p/status status; kill -TERM $p; wait $p; echo $? >code",
      folder_.path().string(), ORTHROS_PROGRAM);
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(read_text(folder_ / "code", 100).value_or(""), "130\n");
  const std::string status = read_text(folder_ / "status", 1 << 16).value_or("");
  const auto mask = [&](const std::string& name) {
    const size_t at = status.find(name + ":");
    EXPECT_NE(at, std::string::npos) << status;
    return at == std::string::npos ? 0 : std::stoull(status.substr(at + name.size() + 1), nullptr, 16);
  };
  constexpr uint64_t kHangup = 1U << 0, kTerminate = 1U << 14;
  EXPECT_EQ(mask("SigBlk") & (kHangup | kTerminate), kHangup | kTerminate) << status;
  EXPECT_EQ(mask("SigCgt") & (kHangup | kTerminate), 0U) << status;
}

TEST_F(Cli, LogitsThatAreNoNumbersAreAnError) {
  fs::copy(kTiny + "llama-mha", folder_ / "model");
  std::string weights = read_text(folder_ / "model/model.safetensors", 1 << 26).value();
  weights.replace(weights.size() / 2, weights.size() / 2, weights.size() / 2, '\xff');  // NaN
  std::ofstream(folder_ / "model/model.safetensors", std::ios::binary) << weights;
  for (const char* arguments :
       {"perplexity model --ids 1,2,3", "generate model --ids 1,2,3 --max-tokens 2",
        "attention model --ids 1,2,3 --layer 1 --head 0 --stream base --out rows.npy"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.err.find("not numbers"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Cli, DestinationsAreNormalisedAndNeverReplaced) {
  const std::string convert = "convert " + kTiny + "llama-mha ";
  ASSERT_EQ(run(convert + "out/ --to swa").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "out/config.json"));
  for (const char* taken : {"out", "./out/", ".", "/"})
    EXPECT_EQ(run(convert + taken + " --to swa").exit_code, 1) << taken;
  EXPECT_NE(run(convert + "'' --to swa").err.find("cannot name a new folder"), std::string::npos);
  EXPECT_EQ(left_behind(), std::vector<std::string>{"out"});
}

TEST_F(Cli, AWeightFileAloneIsToldFromAModel) {
  const Outcome outcome = run("generate " + kTiny + "llama-mha/model.safetensors --ids 1");
  EXPECT_NE(outcome.err.find("name the folder"), std::string::npos) << outcome.err;
  fs::copy(kTiny + "llama-mha", folder_ / "model.safetensors");
  EXPECT_EQ(json_of("info model.safetensors")["model_type"], "llama");
}

}  // namespace
}  // namespace orthros::test
