// orthros lessons: what a teacher's lesson files lack.
#include <algorithm>
#include <filesystem>

#include "app/cli/cli.h"
#include "engine/lessons/lesson_passes.h"

namespace orthros::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  CommonOptions common;
  std::string path, model;
};

struct Checked {
  std::string file;
  std::vector<std::string> problems;
  size_t cards = 0, questions = 0;
};

Result<std::vector<fs::path>> files_of(const std::string& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) {
    if (!fs::exists(path, problem)) return fail(ErrorCode::not_found, "there is no file or folder {}", path);
    return std::vector<fs::path>{path};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, problem)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (problem) return fail(ErrorCode::io, "cannot read {}: {}", path, problem.message());
  if (files.empty())
    return fail(Error{ErrorCode::not_found, fmt::format("{} has no lesson", path), "a lesson ends in .json"});
  std::ranges::sort(files);
  return files;
}

Result<Checked> check(const fs::path& file, const std::shared_ptr<const Model>& model) {
  Checked checked{file.string(), {}, 0, 0};
  const auto lesson = read_lesson(file, &checked.problems);
  if (!lesson) return checked;
  checked.cards = lesson->cards.size();
  checked.questions = lesson->questions.size();
  if (model == nullptr) return checked;
  const auto passes = LessonPasses::make(model, *lesson, stop_token());
  if (!passes) {
    if (passes.error().code == ErrorCode::cancelled) return fail(passes.error());
    checked.problems.push_back(passes.error().line());
  } else {
    checked.problems = check_lesson_numbers(*lesson, passes->source());
  }
  return checked;
}

Result<void> run(const Options& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  ORTHROS_TRY(const auto files, files_of(options.path));
  std::shared_ptr<const Model> model;
  if (!options.model.empty()) {
    ORTHROS_TRY(model, load(options.model, options.common));
  }
  Json json = Json::array();
  size_t wrong = 0, problems = 0;
  for (const fs::path& file : files) {
    ORTHROS_TRY(const Checked checked, check(file, model));
    wrong += checked.problems.empty() ? 0 : 1;
    problems += checked.problems.size();
    json.push_back({{"file", checked.file},
                    {"cards", checked.cards},
                    {"questions", checked.questions},
                    {"problems", checked.problems}});
    if (options.common.json) continue;
    if (checked.problems.empty())
      print("{}: {} cards, {} questions\n", checked.file, checked.cards, checked.questions);
    for (const std::string& problem : checked.problems)
      write_err(fmt::format("{}: {}\n", checked.file, problem));
  }
  if (options.common.json) print_json({{"lessons", json}});
  if (wrong == 0) return {};
  return fail(Error{ErrorCode::corrupt_file,
                    fmt::format("{} of {} lessons {} wrong: {} problems", wrong, files.size(),
                                wrong == 1 ? "is" : "are", problems),
                    "the format stands in resources/lessons/README.md"});
}

}  // namespace

void add_lessons(CLI::App& app, Command& command) {
  CLI::App* lessons = app.add_subcommand("lessons", "Lessons of the Studio, as files");
  lessons->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  CLI::App* sub =
      lessons->add_subcommand("check", "Name every problem of a lesson file, or of all in a folder");
  sub->add_option("path", options->path, "FILE.json or a folder")->required();
  sub->add_option("--model", options->model,
                  "Lesson model: also evaluates every number and question (sample_models/lesson)");
  add_common_options(*sub, options->common);
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
