// Nothing of the person or the machine's name is in a store, a bundle or an export: their bytes are searched.
#include <cstdlib>
#include <fstream>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <unistd.h>

#include "engine/store/environment.h"
#include "engine/store/transfer.h"
#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::IsEmpty;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What must not be found: user, host, home, and anything like an absolute path.
std::vector<std::string> findings(const std::string& bytes) {
  std::vector<std::string> found;
  std::vector<std::string> names;
  const auto add = [&](const char* text) {
    if (text != nullptr && std::string(text).size() >= 2) names.emplace_back(text);
  };
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  add(host);
  add(std::getenv("HOME"));
  add(std::getenv("USER"));
  add(std::getenv("LOGNAME"));
  if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) {
    add(entry->pw_name);
    add(entry->pw_dir);
  }
  for (const std::string& name : names) {
    // As a word: "root" may stand within another one.
    for (size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
      const auto is_word = [&](size_t i) {
        return i < bytes.size() && std::isalnum(static_cast<unsigned char>(bytes[i]));
      };
      if (!is_word(at - 1) && !is_word(at + name.size())) found.push_back(name);
    }
  }
  // Two parts at least; n/a and 1/2 are none. Windows and home short forms too.
  static const std::regex kPath(R"((^|[^\w/.)])(/[A-Za-z_][\w.+-]*){2,}|[A-Za-z]:\\[\w]|~/[\w.])");
  for (std::sregex_iterator match(bytes.begin(), bytes.end(), kPath), end; match != end; ++match) {
    found.push_back(match->str());
  }
  return found;
}

struct PrivacyTest : StoreTest {
  std::string fill() {
    const RowId environment = value_of(store->put_environment(current_environment()));
    const std::string uuid = fill_every_table();
    const RowId id = value_of(reader()->find_experiment(uuid)).id;
    RunRecord r;
    r.experiment_id = id;
    r.environment_id = environment;
    r.arm = 2;
    const RowId run_id = value_of(store->create_run(r, std::vector<CellRecord>{sample_cell("x", 1, 0)})).id;
    ok(store->begin_run(run_id));  // an owner token is in the file now
    return uuid;
  }
};

TEST_F(PrivacyTest, TheSearchFindsWhatItMustFind) {
  EXPECT_THAT(findings("nothing here: 3/4 of n/a, a/b, 1.0e/2"), IsEmpty());
  for (const char* text :
       {"x /home/someone/y", "\"/usr/lib/libx.so\"", "C:\\Users", "~/models", "=/tmp/w/x"}) {
    EXPECT_FALSE(findings(text).empty()) << text;
  }
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  EXPECT_FALSE(findings(std::string("on ") + host + ".").empty());
}

TEST_F(PrivacyTest, NoTableAndNoExportNamesUserHostOrPaths) {
  const std::string uuid = fill();
  const auto bundle = folder / "bundle", copy = folder / "copy";
  ok(export_bundle(path, uuid, bundle));
  ok(export_database(path, copy));
  std::vector<std::filesystem::path> files{path, folder / "runs.sqlite-wal", bundle, copy};
  for (const View& view : views()) {
    for (const TextFormat format : {TextFormat::csv, TextFormat::jsonl}) {
      files.push_back(folder.path() / (view.name + (format == TextFormat::csv ? ".csv" : ".jsonl")));
      ok(export_view(path, view.name, "", format, files.back()));
    }
  }
  store.reset();
  for (const auto& file : files) {
    if (std::filesystem::exists(file)) {
      EXPECT_THAT(findings(read_file(file)), IsEmpty()) << file.filename();
    }
  }
  EXPECT_GT(read_file(copy).size(), 10'000U);
}

TEST(Environment, SaysWhatTheMachineAndTheBuildAre) {
  const EnvironmentRecord e = current_environment();
  EXPECT_FALSE(e.os.empty());
  EXPECT_FALSE(e.kernel.empty());
  EXPECT_GT(e.cores, 0);
  EXPECT_GT(e.ram_bytes, 1 << 20);
  EXPECT_FALSE(e.sqlite.empty());
  EXPECT_FALSE(e.compiler.empty());
  EXPECT_FALSE(e.app_version.empty());
  EXPECT_TRUE(e.git_commit == "unknown" || std::regex_match(e.git_commit, std::regex("[0-9a-f]{40}")));
}

TEST(Environment, VariablesOfTheListAreRecordedUnlessTheyArePaths) {
  ::setenv("OMP_NUM_THREADS", "3", 1);
  ::setenv("OMP_TOOL_LIBRARIES", "/opt/tool/libx.so", 1);
  ::setenv("CUDA_VISIBLE_DEVICES", "0,1", 1);
  ::setenv("SECRET_TOKEN", "abc", 1);
  const auto variables = nlohmann::json::parse(current_environment().extra_json).at("variables");
  EXPECT_EQ(variables.at("OMP_NUM_THREADS"), "3");
  EXPECT_EQ(variables.at("CUDA_VISIBLE_DEVICES"), "0,1");
  EXPECT_FALSE(variables.contains("OMP_TOOL_LIBRARIES"));
  EXPECT_FALSE(variables.contains("SECRET_TOKEN"));
  EXPECT_FALSE(variables.contains("HOME"));

  EXPECT_TRUE(may_record_variable("KMP_AFFINITY", "granularity=fine,compact,1,0"));
  EXPECT_TRUE(may_record_variable("MKL_NUM_THREADS", "8"));
  EXPECT_FALSE(may_record_variable("KMP_SETTINGS", "C:\\Users\\x"));
  EXPECT_FALSE(may_record_variable("OMP_X", "~someone"));
  EXPECT_FALSE(may_record_variable("OMP_X", std::string(500, 'x')));
  EXPECT_FALSE(may_record_variable("CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"));
  EXPECT_FALSE(may_record_variable("PATH", "1"));
}

}  // namespace
}  // namespace orthros::store::test
