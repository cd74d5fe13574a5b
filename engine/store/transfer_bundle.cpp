// Whole databases and bundles: out and in.
#include <SQLiteCpp/Transaction.h>

#include "engine/store/bundle.h"
#include "engine/store/experiment_copy.h"
#include "engine/store/failure.h"
#include "engine/store/migrate.h"
#include "engine/store/run_reader_impl.h"
#include "engine/store/run_store_impl.h"
#include "engine/store/target_file.h"
#include "engine/store/transfer.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;

namespace {

std::optional<RowId> find_uuid(Connection& connection, std::string_view uuid) {
  Query found = connection.query("SELECT id FROM experiment WHERE uuid = ?");
  if (!found.bind(uuid).step()) return std::nullopt;
  return found.get<RowId>(0);
}

struct NamedExperiment {
  RowId id = 0;
  std::string uuid;
};

std::vector<NamedExperiment> experiments_of(Connection& connection) {
  std::vector<NamedExperiment> all;
  Query rows = connection.query("SELECT id, uuid FROM experiment ORDER BY id");
  while (rows.step()) {
    NamedExperiment& experiment = all.emplace_back();
    rows.into(experiment.id, experiment.uuid);
  }
  return all;
}

void import_one(Connection& bundle, Connection& store, const NamedExperiment& experiment,
                ImportReport& report) {
  if (const auto present = find_uuid(store, experiment.uuid)) {
    if (detail::experiment_digests(store, *present) != detail::experiment_digests(bundle, experiment.id)) {
      refuse(ErrorCode::invalid_argument,
             "experiment {} is in the store already with other content: nothing was imported",
             experiment.uuid);
    }
    ++report.experiments_present;
    return;
  }
  detail::ExperimentCopy copy(bundle, store);
  copy.copy(experiment.id);
  ++report.experiments_added;
  report.runs_added += copy.added("run");
  report.cells_added += copy.added("cell");
  for (const char* table : {"niah_trial", "latency_sample", "gen_token", "attn_step", "train_point"}) {
    report.results_added += copy.added(table);
  }
}

}  // namespace

Result<void> export_database(const std::filesystem::path& database, const std::filesystem::path& target,
                             bool overwrite) {
  return detail::guarded("cannot export to " + target.filename().string(), [&] {
    const auto source = detail::open_for_reading(database);
    detail::TargetFile file(target, overwrite);
    // The target is opened by the same connection, as a database of its own.
    source->exec("PRAGMA query_only = OFF");
    source->query("VACUUM INTO ?").bind(std::filesystem::absolute(file.unfinished()).string()).run();
    file.finish();
  });
}

Result<void> export_bundle(const std::filesystem::path& database, std::string_view experiment_uuid,
                           const std::filesystem::path& target, bool overwrite) {
  return detail::guarded("cannot export to " + target.filename().string(), [&] {
    const auto source = detail::open_for_reading(database);
    const SQLite::Transaction snapshot(source->database());  // all of it as of one moment
    const auto experiment = find_uuid(*source, experiment_uuid);
    if (!experiment) refuse(ErrorCode::not_found, "the store has no experiment {}", experiment_uuid);
    detail::TargetFile file(target, overwrite);
    {
      Connection bundle(file.unfinished(), Connection::Mode::create);
      detail::apply_migrations(bundle);
      bundle.exec(detail::kBundleTable);
      SQLite::Transaction transaction(bundle.database());
      detail::ExperimentCopy(*source, bundle).copy(*experiment);
      detail::write_manifest(bundle, std::string(experiment_uuid));
      transaction.commit();
    }
    file.finish();
  });
}

Result<ImportReport> import_bundle(RunStore& store, const std::filesystem::path& bundle) {
  const std::string what = "cannot import " + bundle.filename().string();
  ORTHROS_TRY(const std::unique_ptr<Connection> checked,
              detail::guarded(what, [&] { return detail::open_checked_bundle(bundle); }));
  return StoreAccess::impl(store).write(what, [&](Connection& c) {
    ImportReport report;
    for (const NamedExperiment& experiment : experiments_of(*checked))
      import_one(*checked, c, experiment, report);
    return report;
  });
}

}  // namespace orthros::store
