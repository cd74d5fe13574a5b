// Moving runs: what is exported, deleted and imported is the same again; what is foreign, damaged or hostile
// is refused and leaves nothing behind.
#include "engine/store/transfer.h"

#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "engine/store/bundle.h"
#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct TransferTest : StoreTest {
  std::filesystem::path bundle = folder / "bundle.orthros";

  /// All view rows of an experiment without ids, which an import gives anew.
  std::vector<std::string> view_values(const std::filesystem::path& database, const std::string& uuid) const {
    std::vector<std::string> all;
    for (const View& view : views()) {
      std::string columns;
      for (const ViewColumn& column : view.columns) {
        if (!column.name.ends_with("_id")) columns += (columns.empty() ? "" : ",") + column.name;
      }
      const auto open = value_of(RunReader::open(database));
      for (const auto& row :
           value_of(open->query("SELECT " + columns + " FROM " + view.name + " WHERE experiment_uuid = '" +
                                uuid + "' ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"))
               .rows) {
        std::string line = view.name;
        for (const std::string& value : row) line += "|" + value;
        all.push_back(line);
      }
    }
    return all;
  }

  /// The bundle, changed by SQL.
  void change_bundle(const std::string& sql) const {
    SQLite::Database db(bundle.string(), SQLite::OPEN_READWRITE);
    db.exec(sql);
  }
  /// Makes the manifest fit the changed content.
  void sign_bundle() const {
    detail::Connection db(bundle, detail::Connection::Mode::write);
    db.exec("DELETE FROM bundle_manifest");
    detail::write_manifest(db, "");
  }
  Result<ImportReport> export_then_import(const std::string& uuid, RunStore& target) const {
    ok(export_bundle(path, uuid, bundle, true));
    return import_bundle(target, bundle);
  }
  Error import_error(RunStore& target) const {
    const auto result = import_bundle(target, bundle);
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }
  int64_t total_rows(const std::filesystem::path& database) const {
    int64_t total = 0;
    for (const char* table :
         {"experiment", "run", "cell", "prompt", "needle", "niah_trial", "model", "environment"}) {
      const auto open = value_of(RunReader::open(database));
      total += std::stoll(value_of(open->query(std::string("SELECT count(*) FROM ") + table)).rows[0][0]);
    }
    return total;
  }
};

TEST_F(TransferTest, ExportDeleteImportGivesTheSameViews) {
  const std::string other = fill_every_table();
  const std::string uuid = fill_every_table();
  const auto before = view_values(path, uuid);
  const auto other_before = view_values(path, other);
  ASSERT_FALSE(before.empty());
  ok(export_bundle(path, uuid, bundle));
  ok(store->delete_experiment(value_of(reader()->find_experiment(uuid)).id));
  EXPECT_THAT(view_values(path, uuid), IsEmpty());

  const ImportReport report = value_of(import_bundle(*store, bundle));
  EXPECT_EQ(report.experiments_added, 1);
  EXPECT_EQ(report.runs_added, 2);
  EXPECT_EQ(report.cells_added, 4);
  EXPECT_EQ(report.results_added, 8 + 4 + 2 + 2 + 2);
  EXPECT_EQ(view_values(path, uuid), before);
  EXPECT_EQ(view_values(path, other), other_before);
  EXPECT_EQ(folder.num_files(), 4U);  // database, WAL, its index, bundle
}

TEST_F(TransferTest, AnotherStoreGetsAllOfIt) {
  const std::string uuid = fill_every_table();
  ok(export_bundle(path, uuid, bundle));
  const auto target_path = folder / "other.sqlite";
  const auto target = value_of(RunStore::open(target_path));
  // Ids differ here, so that a reference that is not mapped is noticed.
  value_of(target->put_model(sample_model("gla")));
  value_of(target->put_prompt(sample_prompt(77), {}));
  value_of(target->put_environment({}));
  value_of(import_bundle(*target, bundle));
  EXPECT_EQ(view_values(target_path, uuid), view_values(path, uuid));
  const auto open = value_of(RunReader::open(target_path));
  const auto run_id = value_of(open->runs(value_of(open->find_experiment(uuid)).id)).at(1).id;
  const NiahTrialRecord trial = value_of(open->trials(run_id, true)).at(0);
  EXPECT_EQ(trial.others.size(), 2U);
  EXPECT_EQ(trial.probes.size(), 2U);
  EXPECT_EQ(value_of(open->prompt(trial.prompt_id)).ids, sample_prompt(1).ids);
  EXPECT_EQ(value_of(open->prompt(trial.prompt_id)).needles.size(), 2U);
  EXPECT_EQ(value_of(open->attention_steps(run_id)).at(0).exact_rows.size(), 1U);
  EXPECT_EQ(value_of(open->tokens(run_id)).size(), 1U);
  EXPECT_EQ(value_of(open->invariants(run_id)).size(), 1U);
  EXPECT_THAT(value_of(open->query("PRAGMA foreign_key_check")).rows, IsEmpty());
}

TEST_F(TransferTest, ASecondImportChangesNothing) {
  const std::string uuid = fill_every_table();
  ok(export_bundle(path, uuid, bundle));
  const auto check = [&](RunStore& target, const std::filesystem::path& target_path) {
    const auto rows_before = total_rows(target_path);
    const ImportReport again = value_of(import_bundle(target, bundle));
    EXPECT_EQ(again.experiments_present, 1);
    EXPECT_EQ(again.experiments_added + again.runs_added + again.cells_added + again.results_added, 0);
    EXPECT_EQ(total_rows(target_path), rows_before);
  };
  check(*store, path);  // where it came from
  const auto target_path = folder / "other.sqlite";
  const auto target = value_of(RunStore::open(target_path));
  value_of(target->put_prompt(sample_prompt(1), {}));
  value_of(import_bundle(*target, bundle));
  check(*target, target_path);
  // What a user adds afterwards is no other content.
  const auto open = value_of(RunReader::open(target_path));
  const RowId id = value_of(open->find_experiment(uuid)).id;
  ok(target->set_note(id, "mine"));
  ok(target->set_starred(id, true));
  ok(target->set_name(id, "my name for it"));
  const RowId run_id = value_of(open->runs(id)).at(0).id;
  ok(target->exclude_sample(value_of(open->samples(run_id)).at(0).id, "noisy"));
  ok(target->add_score(value_of(open->trials(run_id)).at(0).id, {"new/1", 0.5}));
  check(*target, target_path);
  EXPECT_EQ(value_of(open->find_experiment(uuid)).note, "mine");
}

TEST_F(TransferTest, TheOrderOfSharedRowsInAStoreIsNoContent) {
  const RunRecord r = run(experiment(ExperimentKind::prompt).id, "orthros", 0, {});
  const GenTokenRecord token;
  for (const int64_t first_id : {1, 2, 3}) {
    ok(store->add_tokens(r.id, prompt(first_id), std::vector{token}));
  }
  ok(export_bundle(path, value_of(reader()->find_experiment("last")).uuid, bundle));
  const auto target = value_of(RunStore::open(folder / "other.sqlite"));
  const RowId tokenizer = value_of(target->put_tokenizer({std::string(64, 'd'), "bpe", "tiny", 512, true}));
  for (const int64_t first_id : {3, 1, 2}) value_of(target->put_prompt(sample_prompt(first_id), tokenizer));
  EXPECT_EQ(value_of(import_bundle(*target, bundle)).results_added, 3);
  EXPECT_EQ(value_of(import_bundle(*target, bundle)).experiments_present, 1);
}

TEST_F(TransferTest, OtherContentUnderTheSameUuidIsRefused) {
  const std::string uuid = fill_every_table();
  ok(export_bundle(path, uuid, bundle));
  const auto open = reader();
  const RowId cell =
      cells_of(value_of(open->runs(value_of(open->find_experiment(uuid)).id)).at(0).id).at(0).id;
  value_of(store->add_trial(sample_trial(cell, prompt(), 7)));
  const auto rows_before = total_rows(path);
  const Error error = import_error(*store);
  EXPECT_EQ(error.code, ErrorCode::invalid_argument);
  EXPECT_THAT(error.line(), HasSubstr("other content"));
  EXPECT_EQ(total_rows(path), rows_before);
}

TEST_F(TransferTest, ARunThatGoesOnArrivesInterrupted) {
  const ExperimentRecord e = experiment();
  const RunRecord r = run(e.id, "orthros", 0, {sample_cell("a", 256, 0)});
  ok(store->begin_run(r.id));
  ok(store->begin_cell(cells_of(r.id)[0].id));
  ok(export_bundle(path, e.uuid, bundle));
  const auto target = value_of(RunStore::open(folder / "other.sqlite"));
  value_of(import_bundle(*target, bundle));
  const auto open = value_of(RunReader::open(folder / "other.sqlite"));
  const RunRecord arrived = value_of(open->runs(value_of(open->find_experiment(e.uuid)).id)).at(0);
  EXPECT_EQ(arrived.status, RunStatus::interrupted);
  EXPECT_EQ(value_of(open->cells(arrived.id)).at(0).status, CellStatus::pending);
  EXPECT_EQ(value_of(reader()->runs(e.id)).at(0).status, RunStatus::running);
  EXPECT_EQ(value_of(import_bundle(*store, bundle)).experiments_present, 1);
}

TEST_F(TransferTest, ExistingTargetsAreKeptUnlessOverwritten) {
  const std::string uuid = fill_every_table();
  std::ofstream(bundle) << "precious";
  for (const auto& attempt : std::vector<std::function<Result<void>(bool)>>{
           [&](bool over) { return export_bundle(path, uuid, bundle, over); },
           [&](bool over) { return export_database(path, bundle, over); },
           [&](bool over) { return export_view(path, "v_latency", uuid, TextFormat::csv, bundle, over); }}) {
    std::ofstream(bundle) << "precious";
    EXPECT_EQ(attempt(false).error().code, ErrorCode::io);
    EXPECT_EQ(read_file(bundle), "precious");
    ok(attempt(true));
    EXPECT_NE(read_file(bundle), "precious");
  }
  EXPECT_EQ(export_bundle(path, "no such uuid", folder / "x").error().code, ErrorCode::not_found);
  EXPECT_EQ(export_bundle(folder / "absent", uuid, folder / "x").error().code, ErrorCode::not_found);
  EXPECT_EQ(export_bundle(path, uuid, folder / "absent/x").error().code, ErrorCode::io);
  EXPECT_EQ(export_bundle(path, uuid, folder.path()).error().code, ErrorCode::io);
  EXPECT_EQ(export_view(path, "run", uuid, TextFormat::csv, folder / "x").error().code, ErrorCode::not_found);
  EXPECT_EQ(folder.num_files(), 4U);
}

TEST_F(TransferTest, AWholeDatabaseIsExportedWhileAWriterIsActive) {
  const std::string uuid = fill_every_table();
  const auto copy = folder / "copy.sqlite";
  ok(export_database(path, copy));
  EXPECT_EQ(view_values(copy, uuid), view_values(path, uuid));
  const auto reopened = value_of(RunStore::open(copy));
  EXPECT_EQ(import_bundle(*store, copy).error().code, ErrorCode::unsupported);  // no bundle, and says so
}

TEST_F(TransferTest, ABundleOfANewerSchemaIsRefusedWithAClearText) {
  const std::string uuid = fill_every_table();
  ok(export_bundle(path, uuid, bundle));
  change_bundle("PRAGMA user_version = 99");
  const auto rows_before = total_rows(path);
  const Error error = import_error(*store);
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.line(), HasSubstr("newer version"));
  EXPECT_THAT(error.line(), HasSubstr("update the program"));
  EXPECT_EQ(total_rows(path), rows_before);
}

TEST_F(TransferTest, DamagedAndHostileBundlesAreRefusedAndChangeNothing) {
  const std::string uuid = fill_every_table();
  const auto target_path = folder / "other.sqlite";
  const auto target = value_of(RunStore::open(target_path));
  const std::vector<std::pair<const char*, ErrorCode>> changes{
      {"UPDATE niah_trial SET score = 0.5", ErrorCode::corrupt_file},  // hashes
      {"UPDATE experiment SET name = 'x'", ErrorCode::corrupt_file},
      {"DELETE FROM bundle_manifest", ErrorCode::corrupt_file},
      {"UPDATE bundle_manifest SET json = '{}'", ErrorCode::corrupt_file},
      {"UPDATE bundle_manifest SET json = '[1,'", ErrorCode::corrupt_file},
      {"DROP TABLE bundle_manifest", ErrorCode::unsupported},
      {"PRAGMA application_id = 1", ErrorCode::corrupt_file},
      {"CREATE TRIGGER evil AFTER INSERT ON run BEGIN DELETE FROM experiment; END", ErrorCode::corrupt_file},
      {"DROP TABLE needle; CREATE VIEW needle AS SELECT 1 AS prompt_id", ErrorCode::corrupt_file},
      {"ALTER TABLE run ADD COLUMN more TEXT", ErrorCode::corrupt_file},
      {"UPDATE schema_migration SET sha256 = replace(sha256, substr(sha256, 1, 1), 'z')",
       ErrorCode::corrupt_file},
      {"DELETE FROM schema_migration WHERE version = 2", ErrorCode::corrupt_file},
      {"PRAGMA foreign_keys = OFF; DELETE FROM prompt", ErrorCode::corrupt_file},
      {"PRAGMA user_version = 1", ErrorCode::corrupt_file},
      {"PRAGMA user_version = -5", ErrorCode::corrupt_file},
      {"PRAGMA user_version = 0", ErrorCode::corrupt_file},
  };
  for (const auto& [sql, code] : changes) {
    ok(export_bundle(path, uuid, bundle, true));
    change_bundle(sql);
    const Error error = import_error(*target);
    EXPECT_EQ(error.code, code) << sql << ": " << error.line();
    EXPECT_THAT(error.line(), Not(HasSubstr("\n")));
    EXPECT_EQ(total_rows(target_path), 0) << sql;
  }
  EXPECT_EQ(value_of(export_then_import(uuid, *target)).experiments_added, 1);  // unchanged, it is taken
}

TEST_F(TransferTest, BytesFlippedOrCutAnywhereNeverCrash) {
  const std::string uuid = fill_every_table();
  ok(export_bundle(path, uuid, bundle));
  const std::string whole = read_file(bundle);
  const auto target_path = folder / "other.sqlite";
  const auto target = value_of(RunStore::open(target_path));
  const auto write = [&](const std::string& bytes) {
    std::ofstream out(bundle, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  const auto expected = view_values(path, uuid);
  int64_t refused = 0;
  for (size_t i = 0; i < 60; ++i) {
    std::string bytes = whole;
    if (i % 6 == 0) {
      bytes.resize(whole.size() * i / 60);
    } else {
      size_t at = (i * 104'729) % (whole.size() - 1);
      while (at + 1 < whole.size() && bytes[at] == 0) ++at;  // most of a page is empty
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (i % 8)));
    }
    write(bytes);
    const auto result = import_bundle(*target, bundle);
    if (!result) {
      ++refused;
      EXPECT_EQ(total_rows(target_path), 0);
      EXPECT_THAT(result.error().line(), Not(HasSubstr("\n")));
    } else {  // a bit that SQLite does not read
      EXPECT_EQ(view_values(target_path, uuid), expected);
      ok(target->delete_experiment(
          value_of(value_of(RunReader::open(target_path))->find_experiment(uuid)).id));
      SQLite::Database(target_path.string(), SQLite::OPEN_READWRITE)
          .exec("DELETE FROM environment; DELETE FROM model; DELETE FROM tokenizer");
    }
  }
  EXPECT_GT(refused, 30);
}

TEST_F(TransferTest, ForgedHashesDoNotGetPastTheStoresRules) {
  // An attacker can sign anything; the content must still be sound.
  const std::string uuid = fill_every_table();
  const auto target_path = folder / "other.sqlite";
  const auto target = value_of(RunStore::open(target_path));
  for (const char* sql :
       {"UPDATE prompt SET ids_z = x'00'", "UPDATE prompt SET ids_sha256 = lower(hex(zeroblob(32)))",
        "UPDATE prompt SET n_tokens = 16777216", "UPDATE niah_trial SET output_ids = x'ff'",
        "UPDATE latency_sample SET step_ns = x'00'", "UPDATE experiment SET spec_json = '{'",
        "PRAGMA ignore_check_constraints = ON; UPDATE niah_trial SET score = 7"}) {
    ok(export_bundle(path, uuid, bundle, true));
    change_bundle(sql);
    sign_bundle();
    EXPECT_THAT(import_error(*target).code,
                ::testing::AnyOf(ErrorCode::corrupt_file, ErrorCode::invalid_argument))
        << sql;
    EXPECT_EQ(total_rows(target_path), 0) << sql;
  }
}

TEST_F(TransferTest, FilesThatAreNoBundlesAreRefused) {
  EXPECT_EQ(import_error(*store).code, ErrorCode::not_found);
  std::ofstream(bundle) << "";
  EXPECT_EQ(import_error(*store).code, ErrorCode::corrupt_file);
  std::ofstream(bundle) << std::string(5000, 'x');
  EXPECT_EQ(import_error(*store).code, ErrorCode::corrupt_file);
  std::filesystem::remove(bundle);
  SQLite::Database(bundle.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t(x)");
  EXPECT_EQ(import_error(*store).code, ErrorCode::corrupt_file);
  EXPECT_EQ(import_bundle(*store, folder.path()).error().code, ErrorCode::corrupt_file);
  EXPECT_EQ(import_bundle(*store, "/dev/zero").error().code, ErrorCode::corrupt_file);
}

TEST_F(TransferTest, CsvHasUnitsFormulasAndQuotedText) {
  const ExperimentRecord e = experiment(ExperimentKind::niah, "a \"quoted\", name\nwith lines");
  const RunRecord r = run(e.id, "orthros", 0, {sample_cell("a", 256, 0)});
  value_of(store->add_trial(sample_trial(cells_of(r.id)[0].id, prompt(), 0)));
  const auto csv = folder / "trials.csv";
  ok(export_view(path, "v_niah_trial", e.uuid, TextFormat::csv, csv));
  const std::string text = read_file(csv);
  EXPECT_THAT(text, HasSubstr("# attn_uniform [share] = those needle ids / keys\n"));
  EXPECT_THAT(text, HasSubstr(",ctx_len [tokens],depth [share],"));
  EXPECT_THAT(text, HasSubstr("\"a \"\"quoted\"\", name\nwith lines\""));
  EXPECT_THAT(text, HasSubstr(",value_match/1,1,eos,0,"));
  EXPECT_EQ(export_view(path, "v_niah_trial", "absent", TextFormat::csv, folder / "x").error().code,
            ErrorCode::not_found);
}

TEST_F(TransferTest, JsonlSaysUnitsFirstThenOneObjectARow) {
  const ExperimentRecord e = experiment();
  const RunRecord r = run(e.id, "orthros", 0, {sample_cell("a", 256, 0)});
  NiahTrialRecord trial = sample_trial(cells_of(r.id)[0].id, prompt(), 0);
  trial.output_text = "broken \xff text";
  trial.answer_logprob.reset();
  value_of(store->add_trial(trial));
  const auto file = folder / "trials.jsonl";
  ok(export_view(path, "v_niah_trial", "", TextFormat::jsonl, file));
  std::ifstream in(file);
  std::string first, second, third;
  std::getline(in, first);
  std::getline(in, second);
  EXPECT_FALSE(std::getline(in, third));
  const auto head = nlohmann::json::parse(first);
  EXPECT_EQ(head["view"], "v_niah_trial");
  EXPECT_EQ(head["columns"].size(), nlohmann::json::parse(second).size());
  const auto row = nlohmann::json::parse(second);
  EXPECT_EQ(row["ctx_len"], 256);
  EXPECT_EQ(row["attn_mass"], 0.375);
  EXPECT_TRUE(row["answer_logprob"].is_null());
}

TEST_F(TransferTest, ComparingShowsOnlyWhatDiffers) {
  ExperimentRecord a, b;
  a.spec_json = R"({"lengths":[256,512],"trials":4,"nested":{"same":1,"other":2}})";
  b.spec_json = R"({"lengths":[512],"trials":4,"nested":{"same":1,"other":3},"more":true})";
  a = value_of(store->create_experiment(a));
  b = value_of(store->create_experiment(b));
  run(a.id, "orthros", 0, {});
  RunRecord r = run(b.id, "orthros", 0, {});
  EnvironmentRecord environment = sample_environment();
  environment.governor = "powersave";
  r.environment_id = value_of(store->put_environment(environment));
  r.uuid.clear();
  value_of(store->create_run(r, {}));
  run(b.id, "transformer", 1, {});

  std::vector<std::string> lines;
  for (const Difference& d : value_of(compare_experiments(path, std::array{a.uuid, b.uuid}))) {
    if (!d.key.starts_with("arm 1")) lines.push_back(d.key + ": " + d.values[0] + " | " + d.values[1]);
  }
  EXPECT_THAT(lines, ElementsAre("arm 0/environment/governor: performance | powersave",
                                 "spec/lengths: [256,512] | [512]", "spec/more: (none) | true",
                                 "spec/nested/other: 2 | 3"));
  EXPECT_THAT(value_of(compare_experiments(path, std::array{a.uuid, a.uuid})), IsEmpty());
  const std::array three{a.uuid, a.uuid, b.uuid};
  EXPECT_EQ(value_of(compare_experiments(path, three)).back().values,
            (std::vector<std::string>{"2", "2", "3"}));
  EXPECT_EQ(compare_experiments(path, std::array{a.uuid, std::string("nothing like it")}).error().code,
            ErrorCode::not_found);
}

TEST_F(TransferTest, TheListOfViewsIsThatOfTheSchema) {
  std::set<std::string> described, actual;
  for (const View& view : views()) {
    described.insert(view.name);
    std::vector<std::string> columns;
    for (const ViewColumn& column : view.columns) columns.push_back(column.name);
    EXPECT_EQ(value_of(reader()->query("SELECT * FROM " + view.name)).columns, columns) << view.name;
  }
  for (const auto& row : rows("SELECT name FROM sqlite_schema WHERE type = 'view'")) actual.insert(row[0]);
  EXPECT_EQ(described, actual);
}

}  // namespace
}  // namespace orthros::store::test
