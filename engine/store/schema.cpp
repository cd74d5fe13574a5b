#include "engine/store/schema.h"

#include <array>

#include "engine/store/digest.h"

namespace orthros::store::detail {

std::string Migration::sha256() const {
  return sha256_hex(sql);
}

std::span<const Migration> migrations() {
  static const std::array all{Migration{1, "runs, needles, latency, prompts", kSchemaV1},
                              Migration{2, "tags, attention capture, training", kSchemaV2},
                              Migration{3, "queries of captured rows", kSchemaV3}};
  return all;
}

int64_t schema_version() {
  return migrations().back().version;
}

}  // namespace orthros::store::detail
