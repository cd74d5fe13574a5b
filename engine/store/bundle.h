// The bundle of one experiment: a run store file with one table more, bundle_manifest, whose one row is JSON:
// format, schema, app version, experiment uuid, rows and sha256 of every table. Private to engine/store.
#pragma once

#include <string>
#include <vector>

#include "engine/store/connection.h"
#include "engine/store/content_digest.h"

namespace orthros::store::detail {

inline constexpr const char* kBundleTable =
    "CREATE TABLE bundle_manifest(id INTEGER PRIMARY KEY CHECK(id = 1), json TEXT NOT NULL) STRICT";
inline constexpr const char* kBundleFormat = "orthros experiment bundle";

void write_manifest(Connection& bundle, const std::string& experiment_uuid);

/// A file from elsewhere: its identity, schema, integrity, hashes and blobs. Returns a connection to its
/// content in the newest schema. Throws corrupt_file or unsupported with `name` in the message.
std::unique_ptr<Connection> open_checked_bundle(const std::filesystem::path& path);

}  // namespace orthros::store::detail
