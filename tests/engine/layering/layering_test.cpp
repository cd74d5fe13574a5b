// Layering: who may include whom (DESIGN.md "Direction"), where torch and Qt may be seen. Reads the source
// tree; the same checks run on invented trees, so that a check that finds nothing is noticed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthros {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What each file includes, both by path from the source root.
using Includes = std::map<std::string, std::vector<std::string>>;

/// Engine folders and the others that each may include, besides itself.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::map<std::string, std::set<std::string>> table = [] {
    std::map<std::string, std::set<std::string>> result{{"base", {}}};
    const std::set<std::string> second{"formats", "kernels", "store", "distributed", "tasks"};
    for (const std::string& folder : second) result[folder] = {"base"};
    std::set<std::string> below = second;
    below.insert("base");
    for (const std::vector<std::string>& rank : std::vector<std::vector<std::string>>{
             {"mixers"}, {"model"}, {"inference", "training"}, {"experiments", "lessons"}}) {
      for (const std::string& folder : rank) result[folder] = below;
      below.insert(rank.begin(), rank.end());
    }
    result["cuda"] = {"base", "kernels", "mixers"};  // a plug-in: nobody includes it
    return result;
  }();
  return table;
}

bool starts(const std::string& text, const std::string& prefix) {
  return text.starts_with(prefix);
}

std::string engine_folder(const std::string& path) {
  if (!starts(path, "engine/")) return {};
  const size_t end = path.find('/', 7);
  return end == std::string::npos ? std::string() : path.substr(7, end - 7);
}

bool is_torch(const std::string& header) {
  return starts(header, "ATen/") || starts(header, "c10/") || starts(header, "torch/");
}
bool is_qt(const std::string& header) {
  return starts(header, "Qt") || starts(header, "qcustomplot") ||
         (header.size() > 1 && header[0] == 'Q' && header[1] >= 'A' && header[1] <= 'Z');
}
bool is_header(const std::string& path) {
  return path.ends_with(".h");
}
bool is_studio(const std::string& path) {
  return starts(path, "app/studio/") || starts(path, "widgets/");
}

/// Headers whose types are tensors.
bool may_show_torch(const std::string& path) {
  static const std::set<std::string> headers{
      "engine/model/decoder.h",       "engine/training/losses.h",        "engine/training/differentiable.h",
      "engine/training/parameters.h", "engine/training/train_model.h",   "engine/training/optimizer.h",
      "engine/training/checkpoint.h", "engine/training/answer_score.h",  "engine/training/gradient_sum.h",
      "engine/inference/row_check.h", "engine/training/answer_samples.h"};
  return starts(path, "engine/mixers/") || starts(path, "engine/cuda/") || headers.contains(path);
}

/// Folders that build without LibTorch.
bool is_torch_free(const std::string& path) {
  static const std::set<std::string> folders{"base", "formats", "kernels", "store", "distributed", "tasks"};
  return folders.contains(engine_folder(path)) || starts(path, "app/") || starts(path, "widgets/");
}

std::vector<std::string> direction_violations(const Includes& includes) {
  std::vector<std::string> found;
  for (const auto& [path, headers] : includes) {
    const std::string folder = engine_folder(path);
    if (!folder.empty() && !allowed().contains(folder)) {
      found.push_back(path + ": folder engine/" + folder + " has no place in this test's table");
      continue;
    }
    for (const std::string& header : headers) {
      const std::string target = engine_folder(header);
      const bool own = target == folder;
      const bool up = starts(header, "app/") || starts(header, "widgets/") || starts(header, "tests/");
      bool wrong = false;
      if (!folder.empty()) wrong = up || (!target.empty() && !own && !allowed().at(folder).contains(target));
      if (starts(path, "widgets/"))
        wrong = !target.empty() || starts(header, "app/") || starts(header, "tests/");
      if (starts(path, "app/")) wrong = target == "cuda" || starts(header, "tests/");
      if (starts(path, "app/cli/")) wrong = wrong || is_studio(header);
      if (wrong) found.push_back(path + " includes " + header);
    }
  }
  return found;
}

std::vector<std::string> toolkit_violations(const Includes& includes) {
  std::vector<std::string> found;
  for (const auto& [path, headers] : includes) {
    for (const std::string& header : headers) {
      const bool hidden = !is_header(path) && !is_torch_free(path);
      if (is_torch(header) && !hidden && !may_show_torch(path)) found.push_back(path + " includes " + header);
      if (is_qt(header) && !is_studio(path)) found.push_back(path + " includes " + header);
    }
  }
  return found;
}

/// Adds all that path includes, directly or not.
void reach(const Includes& includes, const std::string& path, std::set<std::string>& seen) {
  const auto entry = includes.find(path);
  if (entry == includes.end()) return;
  for (const std::string& header : entry->second) {
    if (seen.insert(header).second) reach(includes, header, seen);
  }
}

/// Files of torch-free folders that see torch through other headers.
std::vector<std::string> hidden_torch_violations(const Includes& includes) {
  std::vector<std::string> found;
  for (const auto& [path, headers] : includes) {
    if (!is_torch_free(path)) continue;
    std::set<std::string> seen;
    reach(includes, path, seen);
    const auto torch = std::find_if(seen.begin(), seen.end(), is_torch);
    if (torch != seen.end()) found.push_back(path + " reaches " + *torch);
  }
  return found;
}

std::vector<std::string> includes_of(const std::filesystem::path& file) {
  std::vector<std::string> headers;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const size_t begin = line.find_first_of("<\"", word);
    const size_t end = begin == std::string::npos ? begin : line.find_first_of(">\"", begin + 1);
    if (end != std::string::npos) headers.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return headers;
}

Includes read_tree() {
  namespace fs = std::filesystem;
  const fs::path root = ORTHROS_SOURCE;
  Includes result;
  for (const char* top : {"engine", "app", "widgets"}) {
    if (!fs::exists(root / top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string kind = entry.path().extension();
      if (kind != ".h" && kind != ".cpp" && kind != ".cu") continue;
      result[entry.path().lexically_relative(root).generic_string()] = includes_of(entry.path());
    }
  }
  return result;
}

TEST(Layering, TreeIsRead) {
  const Includes tree = read_tree();
  EXPECT_GT(tree.size(), 50U);
  EXPECT_THAT(tree.at("engine/mixers/mixer.h"), testing::Contains(testing::StartsWith("ATen/")));
}

TEST(Layering, NothingPointsBack) {
  EXPECT_THAT(direction_violations(read_tree()), IsEmpty());
}

TEST(Layering, TorchAndQtStayWhereTheyBelong) {
  const Includes tree = read_tree();
  EXPECT_THAT(toolkit_violations(tree), IsEmpty());
  EXPECT_THAT(hidden_torch_violations(tree), IsEmpty());
}

TEST(LayeringCheck, FindsEachWrongDirection) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"engine/base/a.h", "engine/formats/b.h"},
      {"engine/formats/a.cpp", "engine/kernels/b.h"},
      {"engine/mixers/a.h", "engine/model/b.h"},
      {"engine/model/a.h", "engine/inference/b.h"},
      {"engine/inference/a.h", "engine/training/b.h"},
      {"engine/training/a.h", "engine/experiments/b.h"},
      {"engine/model/a.cpp", "app/cli/b.h"},
      {"engine/model/a.cpp", "engine/cuda/b.h"},
      {"widgets/a.h", "engine/base/b.h"},
      {"widgets/a.h", "app/studio/b.h"},
      {"app/cli/a.cpp", "widgets/b.h"},
      {"engine/base/a.cpp", "tests/support/b.h"}};
  for (const auto& [from, to] : wrong) {
    EXPECT_THAT(direction_violations({{from, {to}}}), ElementsAre(from + " includes " + to));
  }
  EXPECT_THAT(direction_violations({{"engine/novel/a.h", {}}}), ElementsAre(HasSubstr("no place")));
}

TEST(LayeringCheck, AcceptsTheRightDirection) {
  EXPECT_THAT(
      direction_violations({{"engine/experiments/a.h", {"engine/training/b.h", "engine/base/c.h", "vector"}},
                            {"engine/model/a.h", {"engine/model/b.h", "engine/formats/c.h"}},
                            {"app/studio/a.h", {"widgets/b.h", "engine/inference/c.h", "QWidget"}},
                            {"widgets/a.h", {"widgets/b.h", "QWidget"}}}),
      IsEmpty());
}

TEST(LayeringCheck, FindsTorchAndQtInTheWrongPlace) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"engine/model/model.h", "ATen/ATen.h"},
                                                        {"engine/kernels/a.cpp", "c10/util/b.h"},
                                                        {"app/cli/a.cpp", "torch/torch.h"},
                                                        {"engine/base/a.h", "QString"},
                                                        {"app/cli/a.cpp", "QtCore/QFile"}}) {
    EXPECT_THAT(toolkit_violations({{from, {to}}}), ElementsAre(from + " includes " + to));
  }
  EXPECT_THAT(toolkit_violations(
                  {{"engine/mixers/a.h", {"ATen/ATen.h"}}, {"engine/inference/a.cpp", {"ATen/ATen.h"}}}),
              IsEmpty());
}

TEST(LayeringCheck, FindsTorchBehindAnotherHeader) {
  const Includes tree{{"app/cli/a.cpp", {"engine/inference/b.h"}},
                      {"engine/inference/b.h", {"engine/model/decoder.h"}},
                      {"engine/model/decoder.h", {"ATen/ATen.h"}}};
  EXPECT_THAT(hidden_torch_violations(tree), ElementsAre("app/cli/a.cpp reaches ATen/ATen.h"));
}

}  // namespace
}  // namespace orthros
