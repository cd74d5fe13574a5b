// Schema of the run store: one for the whole product (needle maps, latency, prompts, attention, training,
// conversion), as numbered migrations that are never edited once released; their sha256 is recorded in the
// file. Trimmed from the first draft: a token table (prompt.ids_z and gen_token hold the same), free notes of
// a step, a coding column of exact rows (float32 only). Added: latency_sample.step_median_ns, derived,
// because SQL cannot read the blob. Keys of text are NOT NULL; what may be absent is NULL, "" in records.
// Source: niah-and-latency.md 6.3, attention-explorer.md 5.1. Private to engine/store.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orthros::store::detail {

/// "Orth" in the file's header, so that file(1) and we know whose it is.
inline constexpr int64_t kApplicationId = 0x4f727468;

struct Migration {
  int64_t version = 0;
  std::string_view name;
  std::string_view sql;

  std::string sha256() const;
};

/// Versions 1, 2, ... in order.
std::span<const Migration> migrations();
int64_t schema_version();

extern const std::string_view kSchemaV1;
extern const std::string_view kSchemaV2;
extern const std::string_view kSchemaV3;

}  // namespace orthros::store::detail
