// Version 2 of the schema: what the Studio added. Released: never edit, add a migration.
#include "engine/store/schema.h"

namespace orthros::store::detail {

const std::string_view kSchemaV2 = R"sql(
ALTER TABLE experiment ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN starred INTEGER NOT NULL DEFAULT 0 CHECK(starred IN (0, 1));

CREATE TABLE attn_step(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  prompt_id INTEGER REFERENCES prompt(id),
  step INTEGER NOT NULL CHECK(step >= 0),
  regime TEXT NOT NULL,
  t_in INTEGER NOT NULL CHECK(t_in >= 0),
  t_out INTEGER NOT NULL CHECK(t_out >= 0),
  elapsed_ns INTEGER NOT NULL CHECK(elapsed_ns >= 0),
  UNIQUE(run_id, step)
) STRICT;
CREATE INDEX attn_step_by_prompt ON attn_step(prompt_id);

CREATE TABLE attn_head_row(
  step_id INTEGER NOT NULL REFERENCES attn_step(id) ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK(layer >= 0),
  head INTEGER NOT NULL CHECK(head >= 0),
  output_stream INTEGER NOT NULL CHECK(output_stream IN (0, 1)),
  position INTEGER NOT NULL CHECK(position >= 0),
  support INTEGER NOT NULL CHECK(support >= 0),
  scalars_json TEXT NOT NULL,
  bins BLOB NOT NULL,  -- float32 pairs (max, sum), little-endian
  top_k BLOB NOT NULL, -- pairs int32 key, float32 weight, little-endian
  PRIMARY KEY(step_id, layer, head, output_stream, position)
) STRICT;

CREATE TABLE attn_exact_row(
  step_id INTEGER NOT NULL REFERENCES attn_step(id) ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK(layer >= 0),
  head INTEGER NOT NULL CHECK(head >= 0),
  output_stream INTEGER NOT NULL CHECK(output_stream IN (0, 1)),
  position INTEGER NOT NULL CHECK(position >= 0),
  weights BLOB NOT NULL, -- float32, little-endian
  PRIMARY KEY(step_id, layer, head, output_stream, position)
) STRICT;

CREATE TABLE invariant(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  location TEXT NOT NULL,
  pass INTEGER NOT NULL CHECK(pass IN (0, 1)),
  worst REAL -- NULL: not a number
) STRICT;
CREATE INDEX invariant_by_run ON invariant(run_id);

CREATE TABLE train_point(
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  step INTEGER NOT NULL CHECK(step >= 0),
  loss REAL, -- NULL: not a number, the run has diverged
  lr REAL,
  grad_norm REAL,
  tok_s REAL,
  PRIMARY KEY(run_id, step)
) STRICT, WITHOUT ROWID;

CREATE VIEW v_train AS
SELECT e.uuid AS experiment_uuid, e.name AS experiment, r.id AS run_id, r.arm AS arm, r.arm_label AS arm_label,
  ifnull(m.architecture, '') AS architecture, ifnull(m.label, '') AS model,
  p.step AS step, p.loss AS loss, p.lr AS lr, p.grad_norm AS grad_norm, p.tok_s AS tok_s
FROM train_point p
JOIN run r ON r.id = p.run_id
JOIN experiment e ON e.id = r.experiment_id
LEFT JOIN model m ON m.id = r.model_id;
)sql";

}  // namespace orthros::store::detail
