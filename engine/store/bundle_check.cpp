// A bundle may come from anywhere: nothing of it is trusted before these checks, and its rows pass the
// store's own constraints again when they are copied.
#include <nlohmann/json.hpp>

#include "engine/store/app_version.h"
#include "engine/store/blobs.h"
#include "engine/store/bundle.h"
#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/migrate.h"
#include "engine/store/run_store_impl.h"
#include "engine/store/schema.h"

namespace orthros::store::detail {
namespace {

/// Views, triggers and tables must be exactly those of its version: nothing else gets to run.
void check_schema(Connection& bundle, int64_t version, const std::string& name) {
  Connection expected("", Connection::Mode::temporary);
  for (const Migration& migration : migrations()) {
    if (migration.version <= version) expected.exec(std::string(migration.sql));
  }
  expected.exec(kBundleTable);
  if (schema_text(bundle) != schema_text(expected)) {
    refuse(ErrorCode::corrupt_file, "{} is no experiment bundle: its tables are not those of schema {}", name,
           version);
  }
}

void check_integrity(Connection& bundle, const std::string& name) {
  Query integrity = bundle.query("PRAGMA integrity_check(1)");
  const std::string verdict = integrity.step() ? integrity.get<std::string>(0) : "no answer";
  if (verdict != "ok") refuse(ErrorCode::corrupt_file, "{} is damaged ({})", name, verdict);
  Query dangling = bundle.query("PRAGMA foreign_key_check");
  if (dangling.step()) {
    refuse(ErrorCode::corrupt_file, "{} is damaged: rows of {} refer to nothing", name,
           dangling.get<std::string>(0));
  }
}

void check_hashes(Connection& bundle, const std::string& name) {
  Query row = bundle.query("SELECT json FROM bundle_manifest");
  const std::string text = row.step() ? row.get<std::string>(0) : std::string();
  const auto manifest = nlohmann::json::parse(text, nullptr, false);
  if (!manifest.is_object() || manifest.value("format", nlohmann::json()) != kBundleFormat ||
      !manifest.contains("tables")) {
    refuse(ErrorCode::corrupt_file, "{} has no readable manifest", name);
  }
  nlohmann::json tables = nlohmann::json::array();
  for (const TableDigest& table : whole_digests(bundle)) {
    tables.push_back({{"name", table.name}, {"rows", table.rows}, {"sha256", table.sha256}});
  }
  if (tables != manifest["tables"]) {
    refuse(ErrorCode::corrupt_file, "{} is damaged: its content does not have the hashes of its manifest",
           name);
  }
}

void check_blobs(Connection& bundle) {
  Query prompts = bundle.query("SELECT ids_z, n_tokens, ids_sha256 FROM prompt WHERE ids_z IS NOT NULL");
  while (prompts.step()) {
    const auto ids = decompress_ids(prompts.get<std::string>(0), prompts.get<int64_t>(1));
    if (ids_sha256(ids) != prompts.get<std::string>(2)) {
      refuse(ErrorCode::corrupt_file, "a prompt's ids do not have the hash they are stored under");
    }
  }
  Query trials = bundle.query("SELECT output_ids FROM niah_trial");
  while (trials.step()) (void)decode_ids(trials.get<std::string>(0));
  if (bundle.scalar("SELECT count(*) FROM latency_sample WHERE length(step_ns) % 8 != 0") != 0) {
    refuse(ErrorCode::corrupt_file, "a sample's step times are no array of int64");
  }
}

void check_json(Connection& bundle) {
  for (const char* sql : {"SELECT spec_json FROM experiment", "SELECT settings_json FROM run",
                          "SELECT expected_json FROM niah_trial", "SELECT config_json FROM model"}) {
    Query rows = bundle.query(sql);
    while (rows.step()) require_json(rows.get<std::string>(0), std::string("what the bundle has for ") + sql);
  }
}

FileIdentity identify_bundle(Connection& bundle, const std::string& name) {
  const FileIdentity identity = identify(bundle, name);
  if (identity.empty) refuse(ErrorCode::corrupt_file, "{} is empty, no experiment bundle", name);
  if (identity.version > schema_version()) {
    throw Refusal{
        Error{ErrorCode::unsupported,
              fmt::format("{} was exported by a newer version of the program (schema {}; this one reads "
                          "up to {})",
                          name, identity.version, schema_version()),
              "update the program"}};
  }
  if (bundle.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'bundle_manifest'") == 0) {
    refuse(ErrorCode::unsupported,
           "{} is a whole run store, no bundle of one experiment: open it, or export the experiment from it",
           name);
  }
  return identity;
}

}  // namespace

void write_manifest(Connection& bundle, const std::string& experiment_uuid) {
  nlohmann::ordered_json manifest{
      {"format", kBundleFormat},       {"schema", schema_version()},
      {"app_version", app_version()},  {"created_utc", utc_now()},
      {"experiment", experiment_uuid}, {"tables", nlohmann::ordered_json::array()}};
  for (const TableDigest& table : whole_digests(bundle)) {
    manifest["tables"].push_back({{"name", table.name}, {"rows", table.rows}, {"sha256", table.sha256}});
  }
  bundle.query("INSERT INTO bundle_manifest(id, json) VALUES(1, ?)").bind(manifest.dump(2)).run();
}

std::unique_ptr<Connection> open_checked_bundle(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (!std::filesystem::exists(path)) refuse(ErrorCode::not_found, "there is no bundle {}", name);
  if (!std::filesystem::is_regular_file(path)) refuse(ErrorCode::corrupt_file, "{} is no file", name);
  auto bundle = std::make_unique<Connection>(path, Connection::Mode::immutable);
  const FileIdentity identity = identify_bundle(*bundle, name);
  check_migrations(*bundle, name);
  check_schema(*bundle, identity.version, name);
  check_integrity(*bundle, name);
  check_hashes(*bundle, name);
  if (identity.version < schema_version()) {
    auto copy = std::make_unique<Connection>("", Connection::Mode::temporary);
    copy_database(*bundle, *copy);
    apply_migrations(*copy);
    bundle = std::move(copy);
  }
  check_blobs(*bundle);
  check_json(*bundle);
  return bundle;
}

}  // namespace orthros::store::detail
