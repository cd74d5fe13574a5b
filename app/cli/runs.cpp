// orthros runs: what was run, kept in the run database.
#include <array>
#include <iostream>

#include <unistd.h>

#include "app/cli/experiment.h"
#include "engine/experiments/rescore.h"
#include "engine/store/transfer.h"

namespace orthros::cli {
namespace {

struct Options {
  StoreOptions store;
  bool json = false, yes = false, all = false;
  std::string kind, id, other, out, view, format = "csv", file;
  double threshold = 0.85;
};

Json summary_json(const store::ExperimentSummary& summary) {
  const store::ExperimentRecord& e = summary.experiment;
  return {{"uuid", e.uuid},
          {"kind", to_string(e.kind)},
          {"name", e.name},
          {"note", e.note},
          {"tags", e.tags},
          {"starred", e.starred},
          {"created", e.created_utc},
          {"status", to_string(summary.status)},
          {"arms", summary.arms},
          {"cells", summary.cells},
          {"cells_done", summary.cells_done},
          {"results", summary.results}};
}

Result<void> list(const Options& options) {
  std::optional<store::ExperimentKind> kind;
  if (!options.kind.empty()) {
    ORTHROS_TRY(kind, store::parse_experiment_kind(options.kind));
  }
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const auto summaries, reader->experiments(kind));
  if (options.json) {
    Json json = Json::array();
    for (const auto& summary : summaries) json.push_back(summary_json(summary));
    print_json({{"experiments", json}});
    return {};
  }
  if (summaries.empty()) {
    print("no runs yet: orthros niah, orthros latency and orthros generate --keep make some\n");
    return {};
  }
  TextTable table({"id", "kind", "created (UTC)", "status", "cells", "results", "name", "arms"}, 8);
  for (const auto& summary : summaries) {
    const store::ExperimentRecord& e = summary.experiment;
    const std::string model = common_model(summary.arms);
    std::string arms = model.empty() ? std::string() : model.substr(0, model.size() - 2) + ":";
    for (const std::string& arm : short_labels(summary.arms))
      arms += (arms.empty() || arms.ends_with(':') ? " " : ", ") + arm;
    table.add({e.uuid.substr(0, 8), to_string(e.kind), e.created_utc.substr(0, 16), to_string(summary.status),
               fmt::format("{}/{}", summary.cells_done, summary.cells), fmt::format("{}", summary.results),
               (e.starred ? "* " : "") + one_line(e.name, 24), one_line(arms, 60)});
  }
  print("{}", table.text());
  return {};
}

Result<Json> figures_json(const store::RunReader& reader, const store::ExperimentRecord& experiment,
                          double threshold) {
  if (experiment.kind == store::ExperimentKind::niah) {
    ORTHROS_TRY(const NiahMap map, read_niah_map(reader, experiment, threshold));
    return niah_json(map);
  }
  if (experiment.kind == store::ExperimentKind::latency) {
    ORTHROS_TRY(const LatencyReport report, read_latency_report(reader, experiment));
    return latency_json(report);
  }
  return Json();
}

Result<void> print_figures(const store::RunReader& reader, const store::ExperimentRecord& experiment,
                           double threshold) {
  if (experiment.kind == store::ExperimentKind::niah) {
    ORTHROS_TRY(const NiahMap map, read_niah_map(reader, experiment, threshold));
    print_niah(map);
  } else if (experiment.kind == store::ExperimentKind::latency) {
    ORTHROS_TRY(const LatencyReport report, read_latency_report(reader, experiment));
    print_latency(report);
  }
  return {};
}

Json run_json(const store::RunRecord& run) {
  return {{"uuid", run.uuid},           {"arm", run.arm},
          {"label", run.arm_label},     {"status", to_string(run.status)},
          {"device", run.device},       {"dtype", run.dtype},
          {"weights", run.weights},     {"kv_dtype", run.kv_dtype},
          {"attention", run.attn_impl}, {"threads", run.n_threads},
          {"started", run.started_utc}, {"ended", run.ended_utc},
          {"error", run.error}};
}

void print_runs(const std::vector<store::RunRecord>& runs) {
  std::vector<std::string> labels;
  for (const store::RunRecord& run : runs) labels.push_back(run.arm_label);
  const std::vector<std::string> names = short_labels(labels);
  for (size_t i = 0; i < runs.size(); ++i) {
    const store::RunRecord& run = runs[i];
    print("  {}: {}, {} thread{}, {}{}\n", one_line(names[i]), to_string(run.status), run.n_threads,
          run.n_threads == 1 ? "" : "s", one_line(run.attn_impl.empty() ? run.dtype : run.attn_impl),
          run.error.empty() ? "" : "; " + one_line(run.error));
  }
}

Result<void> show(const Options& options) {
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const store::ExperimentRecord e, reader->find_experiment(options.id));
  ORTHROS_TRY(const auto runs, reader->runs(e.id));
  if (options.json) {
    Json json = {{"uuid", e.uuid},
                 {"kind", to_string(e.kind)},
                 {"name", e.name},
                 {"note", e.note},
                 {"tags", e.tags},
                 {"created", e.created_utc},
                 {"spec", Json::parse(e.spec_json, nullptr, false)},
                 {"spec_sha256", e.spec_sha256},
                 {"runs", Json::array()}};
    for (const store::RunRecord& run : runs) json["runs"].push_back(run_json(run));
    ORTHROS_TRY(json["figures"], figures_json(*reader, e, options.threshold));
    print_json(json);
    return {};
  }
  print("{}  {}  {}  {}\n", e.uuid, to_string(e.kind), e.created_utc, one_line(e.name));
  if (!e.note.empty()) print("{}\n", one_line(e.note));
  print_runs(runs);
  print("\n");
  return print_figures(*reader, e, options.threshold);
}

Result<void> export_runs(const Options& options) {
  const std::filesystem::path database = options.store.path();
  if (options.all) {
    if (!options.id.empty() || !options.view.empty()) {
      return fail(ErrorCode::invalid_argument,
                  "--all exports the whole database: give neither an id nor --view");
    }
    ORTHROS_TRY_VOID(store::export_database(database, options.out));
  } else {
    ORTHROS_TRY(const auto reader, open_reader(options.store));
    ORTHROS_TRY(const store::ExperimentRecord e, reader->find_experiment(options.id));
    if (options.view.empty()) {
      ORTHROS_TRY_VOID(store::export_bundle(database, e.uuid, options.out));
    } else {
      const auto format = options.format == "csv" ? store::TextFormat::csv : store::TextFormat::jsonl;
      ORTHROS_TRY_VOID(store::export_view(database, options.view, e.uuid, format, options.out));
    }
  }
  if (options.json) {
    print_json({{"out", options.out}});
  } else {
    print("wrote {}\n", options.out);
  }
  return {};
}

Result<void> import_runs(const Options& options) {
  ORTHROS_TRY(const auto opened, open_store(options.store));
  ORTHROS_TRY(const store::ImportReport report, store::import_bundle(*opened, options.file));
  if (options.json) {
    print_json({{"experiments_added", report.experiments_added},
                {"experiments_present", report.experiments_present},
                {"runs_added", report.runs_added},
                {"cells_added", report.cells_added},
                {"results_added", report.results_added}});
    return {};
  }
  print("{} experiment{} added ({} were there already): {} runs, {} cells, {} results\n",
        report.experiments_added, report.experiments_added == 1 ? "" : "s", report.experiments_present,
        report.runs_added, report.cells_added, report.results_added);
  return {};
}

// Deleting cannot be taken back, so somebody must say yes.
Result<bool> confirmed(const Options& options, const store::ExperimentRecord& experiment) {
  if (options.yes) return true;
  if (isatty(STDIN_FILENO) == 0 || options.json) {
    return fail(Error{ErrorCode::invalid_argument, "deleting needs a yes",
                      "add --yes, and --out FILE to keep a bundle of it first"});
  }
  write_err(fmt::format("delete {} {} '{}' of {}? [y/N] ", to_string(experiment.kind),
                        experiment.uuid.substr(0, 8), one_line(experiment.name), experiment.created_utc));
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

Result<void> delete_runs(const Options& options) {
  ORTHROS_TRY(const auto opened, open_store(options.store));
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const store::ExperimentRecord e, reader->find_experiment(options.id));
  ORTHROS_TRY(const bool yes, confirmed(options, e));
  if (!yes) {
    note("nothing was deleted");
    return {};
  }
  if (!options.out.empty()) ORTHROS_TRY_VOID(store::export_bundle(options.store.path(), e.uuid, options.out));
  ORTHROS_TRY_VOID(opened->delete_experiment(e.id));
  if (options.json) {
    print_json({{"deleted", e.uuid}});
  } else {
    print("deleted {}\n", e.uuid);
  }
  return {};
}

Result<void> rescore_runs(const Options& options) {
  ORTHROS_TRY(const auto opened, open_store(options.store));
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const store::ExperimentRecord e, reader->find_experiment(options.id));
  if (e.kind != store::ExperimentKind::niah) {
    return fail(ErrorCode::invalid_argument, "{} is a {} experiment: only needle trials have scores",
                e.uuid.substr(0, 8), to_string(e.kind));
  }
  ORTHROS_TRY(const RescoreReport report, rescore(*opened, e.id, stop_token(), progress_bar()));
  end_progress_bar();
  if (options.json) {
    print_json({{"trials", report.trials}, {"scores_added", report.added}});
  } else {
    print("{} trials judged, {} scores added; answers unchanged\n", report.trials, report.added);
  }
  return {};
}

Result<void> compare(const Options& options) {
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const store::ExperimentRecord a, reader->find_experiment(options.id));
  ORTHROS_TRY(const store::ExperimentRecord b, reader->find_experiment(options.other));
  ORTHROS_TRY(const auto differences,
              store::compare_experiments(options.store.path(), std::array{a.uuid, b.uuid}));
  if (options.json) {
    Json json = {{"a", a.uuid}, {"b", b.uuid}, {"differences", Json::array()}};
    for (const auto& d : differences)
      json["differences"].push_back({{"key", d.key}, {"a", d.values[0]}, {"b", d.values[1]}});
    ORTHROS_TRY(json["figures_a"], figures_json(*reader, a, options.threshold));
    ORTHROS_TRY(json["figures_b"], figures_json(*reader, b, options.threshold));
    print_json(json);
    return {};
  }
  TextTable table({"what differs", a.uuid.substr(0, 8), b.uuid.substr(0, 8)}, 3);
  for (const auto& d : differences) table.add({d.key, d.values[0], d.values[1]});
  if (differences.empty()) {
    print("spec, models and environment are the same\n");
  } else {
    print("{}", table.text());
  }
  for (const auto* e : {&a, &b}) {
    print("\n== {} {}\n", e->uuid.substr(0, 8), one_line(e->name));
    ORTHROS_TRY_VOID(print_figures(*reader, *e, options.threshold));
  }
  return {};
}

CLI::App* add_command(CLI::App& runs, const std::string& name, const std::string& description,
                      const std::shared_ptr<Options>& options, Command& command,
                      Result<void> (*function)(const Options&)) {
  CLI::App* sub = runs.add_subcommand(name, description);
  add_store_option(*sub, options->store);
  sub->add_flag("--json", options->json, "One JSON object on stdout, nothing else");
  sub->callback(
      [options, &command, function] { command = [options, function] { return function(*options); }; });
  return sub;
}

}  // namespace

void add_runs(CLI::App& app, Command& command) {
  CLI::App* runs = app.add_subcommand("runs", "List, show, compare, export, import and delete stored runs");
  runs->require_subcommand(1);
  auto options = std::make_shared<Options>();
  const auto add_threshold = [&](CLI::App* sub) {
    sub->add_option("--threshold", options->threshold, "Accuracy that effective context asks for")
        ->transform(real_number(0, 1))
        ->capture_default_str();
  };
  const std::string id_help = "Id, a beginning of it, or last";

  add_command(*runs, "list", "Experiments, newest first", options, command, list)
      ->add_option("--kind", options->kind, "Only niah, latency, prompt, attention, training or convert");
  CLI::App* show_sub = add_command(*runs, "show", "One experiment and its figures", options, command, show);
  show_sub->add_option("id", options->id, id_help)->required();
  add_threshold(show_sub);
  CLI::App* export_sub =
      add_command(*runs, "export", "An experiment as a bundle, a view as text, or the whole database",
                  options, command, export_runs);
  CLI::Option* id = export_sub->add_option("id", options->id, id_help);
  CLI::Option* all = export_sub->add_flag("--all", options->all, "The whole database");
  CLI::Option* view = export_sub->add_option(
      "--view", options->view, "A view as text: v_niah_cell, v_niah_trial, v_latency, v_train, v_table4 ...");
  export_sub->add_option("--format", options->format, "csv or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->needs(view)
      ->capture_default_str();
  export_sub->add_option("--out", options->out, "File to write")->required();
  export_sub->callback([options, id, all, &command] {
    require_one_of({id, all});
    command = [options] { return export_runs(*options); };
  });
  add_command(*runs, "import", "A bundle; what is there already is left alone", options, command, import_runs)
      ->add_option("file", options->file, "Bundle file")
      ->required();
  CLI::App* delete_sub =
      add_command(*runs, "delete", "An experiment with all its runs", options, command, delete_runs);
  delete_sub->add_option("id", options->id, id_help)->required();
  delete_sub->add_flag("--yes", options->yes, "Do not ask");
  delete_sub->add_option("--out", options->out, "First export a bundle to this file");
  add_command(*runs, "rescore", "Judge stored answers by this program's scorers; adds, never edits", options,
              command, rescore_runs)
      ->add_option("id", options->id, id_help)
      ->required();
  CLI::App* compare_sub = add_command(*runs, "compare", "Two experiments: what differs, then their figures",
                                      options, command, compare);
  compare_sub->add_option("a", options->id, id_help)->required();
  compare_sub->add_option("b", options->other, id_help)->required();
  add_threshold(compare_sub);
}

}  // namespace orthros::cli
