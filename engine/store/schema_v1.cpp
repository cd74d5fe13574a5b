// Version 1 of the schema. Released: never edit, add a migration (tests/fixtures/store/v1.sqlite holds its
// hash). run.seed holds the bits of a uint64: one above 2^63 - 1 is negative. Runs that were kept before this
// was so have half of their seed there, and the seed itself in spec_json.
#include "engine/store/schema.h"

namespace orthros::store::detail {

const std::string_view kSchemaV1 = R"sql(
CREATE TABLE schema_migration(
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK(length(sha256) = 64),
  app_version TEXT NOT NULL,
  applied_utc TEXT NOT NULL
) STRICT;

CREATE TABLE environment(
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE CHECK(length(fingerprint) = 64),
  os TEXT NOT NULL,
  kernel TEXT NOT NULL,
  cpu_model TEXT NOT NULL,
  cpu_flags TEXT NOT NULL,
  governor TEXT NOT NULL,
  cores INTEGER NOT NULL CHECK(cores >= 0),
  ram_bytes INTEGER NOT NULL CHECK(ram_bytes >= 0),
  gpu_name TEXT NOT NULL,
  gpu_driver TEXT NOT NULL,
  cuda TEXT NOT NULL,
  gpu_count INTEGER NOT NULL CHECK(gpu_count >= 0),
  gpu_memory_bytes INTEGER NOT NULL CHECK(gpu_memory_bytes >= 0),
  libtorch TEXT NOT NULL,
  qt TEXT NOT NULL,
  sqlite TEXT NOT NULL,
  compiler TEXT NOT NULL,
  build_type TEXT NOT NULL,
  app_version TEXT NOT NULL,
  git_commit TEXT NOT NULL,
  git_dirty INTEGER NOT NULL CHECK(git_dirty IN (0, 1)),
  extra_json TEXT NOT NULL
) STRICT;

CREATE TABLE tokenizer(
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE CHECK(length(sha256) > 0),
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  vocab_size INTEGER NOT NULL CHECK(vocab_size >= 0),
  adds_bos INTEGER NOT NULL CHECK(adds_bos IN (0, 1))
) STRICT;

CREATE TABLE model(
  id INTEGER PRIMARY KEY,
  weights_sha256 TEXT NOT NULL,
  architecture TEXT NOT NULL CHECK(length(architecture) > 0),
  config_sha256 TEXT NOT NULL,
  config_json TEXT NOT NULL,
  label TEXT NOT NULL,
  params_total INTEGER NOT NULL CHECK(params_total >= 0),
  params_linear INTEGER NOT NULL CHECK(params_linear >= 0),
  trained INTEGER NOT NULL CHECK(trained IN (0, 1)),
  provenance_json TEXT NOT NULL,
  UNIQUE(weights_sha256, architecture, config_sha256)
) STRICT;

CREATE TABLE experiment(
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- a deleted id never comes back as another experiment
  uuid TEXT NOT NULL UNIQUE CHECK(length(uuid) = 36),
  kind TEXT NOT NULL CHECK(kind IN ('niah', 'latency', 'prompt', 'attention', 'training', 'convert')),
  name TEXT NOT NULL,
  spec_json TEXT NOT NULL,
  spec_sha256 TEXT NOT NULL CHECK(length(spec_sha256) = 64),
  created_utc TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE run(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK(length(uuid) = 36),
  experiment_id INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,
  environment_id INTEGER NOT NULL REFERENCES environment(id),
  model_id INTEGER REFERENCES model(id),
  tokenizer_id INTEGER REFERENCES tokenizer(id),
  arm INTEGER NOT NULL CHECK(arm >= 0),
  arm_label TEXT NOT NULL,
  device TEXT NOT NULL,
  dtype TEXT NOT NULL,
  weights TEXT NOT NULL,
  kv_dtype TEXT NOT NULL,
  attn_impl TEXT NOT NULL,
  settings_json TEXT NOT NULL,
  n_threads INTEGER NOT NULL CHECK(n_threads >= 0),
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK(status IN
    ('queued', 'running', 'paused', 'interrupted', 'cancelled', 'failed', 'done')),
  owner_token TEXT,
  heartbeat_utc TEXT,
  started_utc TEXT,
  ended_utc TEXT,
  error TEXT,
  CHECK((status = 'running') = (owner_token IS NOT NULL))
) STRICT;
CREATE INDEX run_by_experiment ON run(experiment_id, arm);
CREATE INDEX run_running ON run(status) WHERE status = 'running';

CREATE TABLE cell(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  cell_key TEXT NOT NULL CHECK(length(cell_key) > 0),
  variant TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  ctx_len INTEGER NOT NULL CHECK(ctx_len >= 0),
  depth_ppm INTEGER CHECK(depth_ppm BETWEEN 0 AND 1000000),
  out_len INTEGER NOT NULL CHECK(out_len >= 0),
  batch INTEGER NOT NULL CHECK(batch >= 1),
  planned INTEGER NOT NULL CHECK(planned >= 0),
  status TEXT NOT NULL CHECK(status IN
    ('pending', 'running', 'done', 'oom', 'timeout', 'error', 'skipped', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK(attempts >= 0),
  error_class TEXT,
  error_text TEXT,
  started_utc TEXT,
  ended_utc TEXT,
  UNIQUE(run_id, cell_key)
) STRICT;

CREATE TABLE prompt(
  id INTEGER PRIMARY KEY,
  tokenizer_id INTEGER REFERENCES tokenizer(id),
  ids_sha256 TEXT NOT NULL CHECK(length(ids_sha256) = 64),
  n_tokens INTEGER NOT NULL CHECK(n_tokens BETWEEN 0 AND 16777216),
  ids_z BLOB, -- zlib of zigzag varints; NULL: only the hash is kept
  generator TEXT NOT NULL,
  generator_version INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  params_json TEXT NOT NULL,
  question TEXT,
  text TEXT
) STRICT;
CREATE UNIQUE INDEX prompt_identity ON prompt(ids_sha256, ifnull(tokenizer_id, 0));

CREATE TABLE needle(
  prompt_id INTEGER NOT NULL REFERENCES prompt(id) ON DELETE CASCADE,
  idx INTEGER NOT NULL CHECK(idx >= 0),
  role TEXT NOT NULL CHECK(role IN ('target', 'distractor')),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tok_begin INTEGER NOT NULL CHECK(tok_begin >= 0),
  tok_end INTEGER NOT NULL CHECK(tok_end >= tok_begin),
  depth_actual_ppm INTEGER NOT NULL CHECK(depth_actual_ppm BETWEEN 0 AND 1000000),
  PRIMARY KEY(prompt_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE niah_trial(
  id INTEGER PRIMARY KEY,
  cell_id INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
  trial_no INTEGER NOT NULL CHECK(trial_no >= 0),
  prompt_id INTEGER NOT NULL REFERENCES prompt(id),
  output_ids BLOB NOT NULL, -- zigzag varints
  output_text TEXT NOT NULL,
  expected_json TEXT NOT NULL,
  finish TEXT NOT NULL CHECK(finish IN ('budget', 'eos', 'stop', '')),
  scorer TEXT NOT NULL CHECK(length(scorer) > 0),
  score REAL NOT NULL CHECK(score BETWEEN 0 AND 1),
  answer_logprob REAL CHECK(answer_logprob <= 1e-6),
  answer_rank1 REAL CHECK(answer_rank1 BETWEEN 0 AND 1),
  attn_mass REAL CHECK(attn_mass BETWEEN 0 AND 1.0001), -- sums of float32 may exceed 1 a little
  attn_uniform REAL CHECK(attn_uniform BETWEEN 0 AND 1.0001),
  prefill_ns INTEGER NOT NULL CHECK(prefill_ns >= 0),
  decode_ns INTEGER NOT NULL CHECK(decode_ns >= 0),
  done_utc TEXT NOT NULL,
  UNIQUE(cell_id, trial_no)
) STRICT;
CREATE INDEX niah_trial_by_prompt ON niah_trial(prompt_id);

CREATE TABLE rescore(
  trial_id INTEGER NOT NULL REFERENCES niah_trial(id) ON DELETE CASCADE,
  scorer TEXT NOT NULL CHECK(length(scorer) > 0),
  score REAL NOT NULL CHECK(score BETWEEN 0 AND 1),
  done_utc TEXT NOT NULL,
  PRIMARY KEY(trial_id, scorer)
) STRICT, WITHOUT ROWID;

CREATE TABLE attn_probe(
  trial_id INTEGER NOT NULL REFERENCES niah_trial(id) ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK(layer >= 0),
  head INTEGER NOT NULL CHECK(head >= 0),
  mass REAL NOT NULL CHECK(mass BETWEEN 0 AND 1.0001),
  PRIMARY KEY(trial_id, layer, head)
) STRICT, WITHOUT ROWID;

CREATE TABLE latency_sample(
  id INTEGER PRIMARY KEY,
  cell_id INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
  prompt_id INTEGER REFERENCES prompt(id),
  rep_no INTEGER NOT NULL CHECK(rep_no >= 0),
  warmup INTEGER NOT NULL CHECK(warmup IN (0, 1)),
  cold INTEGER NOT NULL CHECK(cold IN (0, 1)),
  seq_no INTEGER NOT NULL,
  n_in INTEGER NOT NULL CHECK(n_in >= 0),   -- per sequence
  n_out INTEGER NOT NULL CHECK(n_out >= 0), -- per sequence; the first one comes from the prefill
  prefill_ns INTEGER NOT NULL CHECK(prefill_ns >= 0),
  ttft_ns INTEGER NOT NULL CHECK(ttft_ns >= 0),
  e2e_ns INTEGER NOT NULL CHECK(e2e_ns >= ttft_ns),
  step_ns BLOB NOT NULL, -- int64 little-endian, one a decode step
  step_median_ns INTEGER CHECK(step_median_ns >= 0),
  device_prefill_ns INTEGER CHECK(device_prefill_ns >= 0),
  peak_bytes INTEGER NOT NULL CHECK(peak_bytes >= 0),
  kv_bytes INTEGER NOT NULL CHECK(kv_bytes >= 0),
  clock_mhz REAL,
  temp_c REAL,
  load_avg REAL,
  throttle INTEGER NOT NULL CHECK(throttle IN (0, 1)),
  excluded TEXT, -- the reason; NULL: counted
  done_utc TEXT NOT NULL,
  UNIQUE(cell_id, rep_no, warmup, cold)
) STRICT;
CREATE INDEX latency_sample_by_prompt ON latency_sample(prompt_id);

CREATE TABLE gen_token(
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  prompt_id INTEGER NOT NULL REFERENCES prompt(id),
  step INTEGER NOT NULL CHECK(step >= 0),
  token_id INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  probability REAL NOT NULL CHECK(probability BETWEEN 0 AND 1.0001),
  alternatives_json TEXT NOT NULL,
  elapsed_ns INTEGER NOT NULL CHECK(elapsed_ns >= 0),
  PRIMARY KEY(run_id, prompt_id, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX gen_token_by_prompt ON gen_token(prompt_id);

CREATE TABLE run_event(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  utc TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(length(kind) > 0),
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX run_event_by_run ON run_event(run_id);

CREATE TABLE paper_point(
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  exhibit TEXT NOT NULL,
  series TEXT NOT NULL,
  ctx_len INTEGER NOT NULL CHECK(ctx_len >= 0),
  out_len INTEGER NOT NULL CHECK(out_len >= 0),
  batch INTEGER NOT NULL CHECK(batch >= 0),     -- 0: not given
  devices INTEGER NOT NULL CHECK(devices >= 0), -- 0: not given
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  unit TEXT NOT NULL,
  read_from TEXT NOT NULL CHECK(read_from IN ('text', 'table', 'axis')),
  UNIQUE(source, exhibit, series, ctx_len, out_len, batch, devices, metric)
) STRICT;

CREATE VIEW v_niah_trial AS
SELECT e.uuid AS experiment_uuid, e.name AS experiment, r.id AS run_id, r.arm AS arm, r.arm_label AS arm_label,
  ifnull(m.architecture, '') AS architecture, ifnull(m.label, '') AS model,
  c.id AS cell_id, c.variant AS variant, c.ctx_len AS ctx_len, c.depth_ppm / 1e6 AS depth,
  t.id AS trial_id, t.trial_no AS trial_no, p.n_tokens AS n_tokens, p.ids_sha256 AS ids_sha256,
  (SELECT n.depth_actual_ppm / 1e6 FROM needle n WHERE n.prompt_id = t.prompt_id AND n.role = 'target'
   ORDER BY n.idx LIMIT 1) AS depth_actual,
  t.scorer AS scorer, t.score AS score, t.finish AS finish,
  t.finish = 'budget' AND t.score = 0 AS truncated,
  t.expected_json AS expected, t.output_text AS output,
  t.answer_logprob AS answer_logprob, t.answer_rank1 AS answer_rank1,
  t.attn_mass AS attn_mass, t.attn_uniform AS attn_uniform,
  t.prefill_ns / 1e6 AS prefill_ms, t.decode_ns / 1e6 AS decode_ms, t.done_utc AS done_utc
FROM niah_trial t
JOIN cell c ON c.id = t.cell_id
JOIN run r ON r.id = c.run_id
JOIN experiment e ON e.id = r.experiment_id
JOIN prompt p ON p.id = t.prompt_id
LEFT JOIN model m ON m.id = r.model_id;

CREATE VIEW v_niah_cell AS
SELECT e.uuid AS experiment_uuid, e.name AS experiment, r.id AS run_id, r.arm AS arm, r.arm_label AS arm_label,
  ifnull(m.architecture, '') AS architecture, ifnull(m.label, '') AS model,
  c.id AS cell_id, c.variant AS variant, c.ctx_len AS ctx_len, c.depth_ppm / 1e6 AS depth,
  c.status AS status, c.planned AS planned, count(t.id) AS n, count(CASE WHEN t.score >= 1 THEN 1 END) AS k,
  avg(t.score) AS mean_score, avg(t.attn_mass) AS mean_mass, avg(t.attn_uniform) AS mean_uniform,
  avg(t.answer_logprob) AS mean_logprob,
  count(CASE WHEN t.finish = 'budget' AND t.score = 0 THEN 1 END) AS truncated
FROM cell c
JOIN run r ON r.id = c.run_id
JOIN experiment e ON e.id = r.experiment_id AND e.kind = 'niah'
LEFT JOIN model m ON m.id = r.model_id
LEFT JOIN niah_trial t ON t.cell_id = c.id
GROUP BY c.id;

CREATE VIEW v_latency AS
SELECT e.uuid AS experiment_uuid, e.name AS experiment, r.id AS run_id, r.arm AS arm, r.arm_label AS arm_label,
  ifnull(m.architecture, '') AS architecture, ifnull(m.label, '') AS model, r.device AS device, r.dtype AS dtype,
  c.id AS cell_id, c.ctx_len AS ctx_len, c.out_len AS out_len, c.batch AS batch,
  s.id AS sample_id, s.rep_no AS rep_no, s.seq_no AS seq_no, s.warmup AS warmup, s.cold AS cold,
  s.excluded AS excluded, s.warmup = 0 AND s.cold = 0 AND s.excluded IS NULL AS counted,
  s.n_in AS n_in, s.n_out AS n_out,
  nullif(s.prefill_ns, 0) / 1e6 AS prefill_ms,
  nullif(s.ttft_ns, 0) / 1e9 AS ttft_s,
  -- Decoding at depth has no timed prefill, so no TTFT: what includes it is not known.
  CASE WHEN s.ttft_ns > 0 THEN s.e2e_ns / 1e9 END AS e2e_s,
  CASE WHEN s.ttft_ns > 0 THEN c.batch * s.n_out * 1e9 / s.e2e_ns END AS output_tps,
  CASE WHEN s.n_out > 1 THEN c.batch * (s.n_out - 1) * 1e9 / nullif(s.e2e_ns - s.ttft_ns, 0) END AS decode_tps,
  CASE WHEN s.n_out > 1 AND s.ttft_ns > 0 THEN c.batch * s.n_out * 1e9 / nullif(s.e2e_ns - s.ttft_ns, 0) END
    AS decode_tps_all,
  CASE WHEN s.n_out > 1 THEN c.batch * 1e9 / nullif(s.step_median_ns, 0) END AS decode_tps_step,
  CASE WHEN s.n_out > 1 THEN (s.e2e_ns - s.ttft_ns) / 1e6 / (s.n_out - 1) END AS tpot_ms,
  c.batch * s.n_in * 1e9 / nullif(s.prefill_ns, 0) AS prefill_tps,
  s.step_median_ns / 1e6 AS step_median_ms,
  s.device_prefill_ns / 1e6 AS device_prefill_ms,
  s.peak_bytes AS peak_bytes, s.kv_bytes AS kv_bytes, s.clock_mhz AS clock_mhz, s.temp_c AS temp_c,
  s.load_avg AS load_avg, s.throttle AS throttle, s.done_utc AS done_utc
FROM latency_sample s
JOIN cell c ON c.id = s.cell_id
JOIN run r ON r.id = c.run_id
JOIN experiment e ON e.id = r.experiment_id
LEFT JOIN model m ON m.id = r.model_id;

CREATE VIEW v_latency_cell AS
WITH long(cell_id, metric, x) AS (
  SELECT cell_id, 'prefill_ms', prefill_ms FROM v_latency WHERE counted
  UNION ALL SELECT cell_id, 'ttft_s', ttft_s FROM v_latency WHERE counted
  UNION ALL SELECT cell_id, 'e2e_s', e2e_s FROM v_latency WHERE counted
  UNION ALL SELECT cell_id, 'output_tps', output_tps FROM v_latency WHERE counted
  UNION ALL SELECT cell_id, 'decode_tps', decode_tps FROM v_latency WHERE counted
  UNION ALL SELECT cell_id, 'tpot_ms', tpot_ms FROM v_latency WHERE counted
), ranked AS (
  SELECT cell_id, metric, x, row_number() OVER (PARTITION BY cell_id, metric ORDER BY x) AS i,
    count(*) OVER (PARTITION BY cell_id, metric) AS n
  FROM long WHERE x IS NOT NULL
), medians AS (
  SELECT cell_id, metric, avg(x) AS x FROM ranked WHERE i IN ((n + 1) / 2, (n + 2) / 2) GROUP BY cell_id, metric
), wide AS (
  SELECT cell_id,
    max(CASE metric WHEN 'prefill_ms' THEN x END) AS prefill_ms,
    max(CASE metric WHEN 'ttft_s' THEN x END) AS ttft_s,
    max(CASE metric WHEN 'e2e_s' THEN x END) AS e2e_s,
    max(CASE metric WHEN 'output_tps' THEN x END) AS output_tps,
    max(CASE metric WHEN 'decode_tps' THEN x END) AS decode_tps,
    max(CASE metric WHEN 'tpot_ms' THEN x END) AS tpot_ms
  FROM medians GROUP BY cell_id
)
SELECT e.uuid AS experiment_uuid, e.name AS experiment, r.id AS run_id, r.arm AS arm, r.arm_label AS arm_label,
  ifnull(m.architecture, '') AS architecture, ifnull(m.label, '') AS model, r.device AS device, r.dtype AS dtype,
  c.id AS cell_id, c.ctx_len AS ctx_len, c.out_len AS out_len, c.batch AS batch, c.status AS status,
  (SELECT count(*) FROM latency_sample s
   WHERE s.cell_id = c.id AND s.warmup = 0 AND s.cold = 0 AND s.excluded IS NULL) AS n,
  w.prefill_ms AS prefill_ms, w.ttft_s AS ttft_s, w.e2e_s AS e2e_s, w.output_tps AS output_tps,
  w.decode_tps AS decode_tps, w.tpot_ms AS tpot_ms
FROM cell c
JOIN run r ON r.id = c.run_id
JOIN experiment e ON e.id = r.experiment_id AND e.kind = 'latency'
LEFT JOIN model m ON m.id = r.model_id
LEFT JOIN wide w ON w.cell_id = c.id;

CREATE VIEW v_table4 AS
WITH medians AS MATERIALIZED (SELECT * FROM v_latency_cell)
SELECT a.experiment_uuid AS experiment_uuid, a.experiment AS experiment,
  a.ctx_len AS ctx_len, a.out_len AS out_len, a.batch AS batch,
  a.arm AS arm, a.arm_label AS arm_label, a.architecture AS architecture, a.n AS n,
  a.prefill_ms AS prefill_ms, a.ttft_s AS ttft_s, a.e2e_s AS e2e_s, a.output_tps AS output_tps, a.decode_tps AS decode_tps,
  b.prefill_ms / a.prefill_ms AS prefill_speedup, b.ttft_s / a.ttft_s AS ttft_speedup,
  b.e2e_s / a.e2e_s AS e2e_speedup
FROM medians a
LEFT JOIN medians b ON b.cell_id = (
  SELECT x.cell_id FROM medians x
  WHERE x.experiment_uuid = a.experiment_uuid AND x.ctx_len = a.ctx_len AND x.out_len = a.out_len
    AND x.batch = a.batch AND x.architecture = 'transformer' AND x.n > 0
  ORDER BY x.arm, x.run_id LIMIT 1)
ORDER BY a.ctx_len, a.out_len, a.batch, a.arm;
)sql";

}  // namespace orthros::store::detail
