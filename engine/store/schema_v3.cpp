// Version 3 of the schema: queries of captured rows. Released: never edit, add a migration.
#include "engine/store/schema.h"

namespace orthros::store::detail {

const std::string_view kSchemaV3 = R"sql(
CREATE TABLE attn_query(
  step_id INTEGER NOT NULL REFERENCES attn_step(id) ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK(layer >= 0),
  output_stream INTEGER NOT NULL CHECK(output_stream IN (0, 1)),
  position INTEGER NOT NULL CHECK(position >= 0),
  projected BLOB NOT NULL, -- before scale-offset: float32 [heads, head_dim], little-endian
  scaled BLOB NOT NULL,    -- after it
  PRIMARY KEY(step_id, layer, output_stream, position)
) STRICT;
)sql";

}  // namespace orthros::store::detail
