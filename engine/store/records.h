// Records: one plain struct for each table of the run store, as written and read. Schema and reasons:
// schema.h. Units: integers in ns, bytes, tokens and ppm (1,000,000 = the whole); times are UTC ISO-8601
// text. Derived rates are never stored: views and code compute them. Private data (user, host, absolute
// paths) never enters a record. Public: no torch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros::store {

using RowId = int64_t;

enum class ExperimentKind { niah, latency, prompt, attention, training, convert };
enum class RunStatus { queued, running, paused, interrupted, cancelled, failed, done };
enum class CellStatus { pending, running, done, oom, timeout, error, skipped, cancelled };
const char* to_string(ExperimentKind kind);
const char* to_string(RunStatus status);
const char* to_string(CellStatus status);
Result<ExperimentKind> parse_experiment_kind(std::string_view text);

/// Where and with what build a run was made.
struct EnvironmentRecord {
  std::string os, kernel, cpu_model, cpu_flags, governor;
  int64_t cores = 0, ram_bytes = 0;
  std::string gpu_name, gpu_driver, cuda;
  int64_t gpu_count = 0, gpu_memory_bytes = 0;
  std::string libtorch, qt, sqlite, compiler, build_type, app_version, git_commit;
  bool git_dirty = false;
  std::string extra_json = "{}";  // thread counts and OMP, MKL, CUDA variables of an allow-list
};

struct TokenizerRecord {
  std::string sha256, kind, label;
  int64_t vocab_size = 0;
  bool adds_bos = false;
};

/// Weights read as one architecture: the same file as Transformer and as Orthros is two models.
struct ModelRecord {
  std::string weights_sha256, architecture, config_sha256, config_json, label;
  int64_t params_total = 0, params_linear = 0;
  bool trained = false;
  std::string provenance_json = "{}";
};

struct ExperimentRecord {
  RowId id = 0;
  std::string uuid;  // empty on creation: the store makes one
  ExperimentKind kind = ExperimentKind::niah;
  std::string name, spec_json, spec_sha256, created_utc, note, tags;
  bool starred = false;
};

/// One arm of an experiment in one environment. Resuming in another environment adds a run for the same arm.
struct RunRecord {
  RowId id = 0;
  std::string uuid;
  RowId experiment_id = 0, environment_id = 0;
  std::optional<RowId> model_id, tokenizer_id;
  int64_t arm = 0;        // ordinal of the arm in the spec
  std::string arm_label;  // "Orthros w=128 s=4"
  std::string device, dtype, weights, kv_dtype, attn_impl, settings_json = "{}";
  int64_t n_threads = 0, seed = 0;  // seed: the bits of a uint64; above 2^63 - 1 it is negative here
  RunStatus status = RunStatus::queued;
  std::string heartbeat_utc, started_utc, ended_utc, error;
};

/// One point of a map or sweep. `key` is the canonical text of all coordinates, unique in its run.
struct CellRecord {
  RowId id = 0, run_id = 0;
  std::string key, variant;
  int64_t ordinal = 0, ctx_len = 0, out_len = 0, batch = 1, planned = 1;
  std::optional<int64_t> depth_ppm;
  CellStatus status = CellStatus::pending;
  int64_t attempts = 0;
  std::string error_class, error_text, started_utc, ended_utc;
};

struct NeedleRecord {
  bool distractor = false;
  std::string key, value;
  int64_t tok_begin = 0, tok_end = 0;  // ids [begin, end) of the prompt
  int64_t depth_actual_ppm = 0;
};

/// Ids fed to a model; the same ids are stored once whoever reads them.
struct PromptRecord {
  RowId id = 0;
  std::string ids_sha256;    // of the ids as little-endian int64; filled by the store when empty
  std::vector<int64_t> ids;  // stored compressed; empty with a hash given: only the hash is kept
  int64_t n_tokens = 0;      // filled from ids where they are given
  std::string generator, params_json = "{}", question, text;
  int64_t generator_version = 0, seed = 0;
  std::vector<NeedleRecord> needles;
};

/// How a scorer judged a trial: the primary one stands in the trial, others and later ones beside it.
struct ScoreRecord {
  std::string scorer;  // "value_match/1": name and version
  double score = 0;    // 0..1
};

struct AttnProbeRecord {
  int64_t layer = 0, head = 0;
  double mass = 0;
};

struct NiahTrialRecord {
  RowId id = 0, cell_id = 0, prompt_id = 0;
  int64_t trial_no = 0;
  std::vector<int64_t> output_ids;
  std::string output_text, expected_json = "[]", finish;  // budget, eos, stop
  ScoreRecord primary;
  std::vector<ScoreRecord> others;
  std::optional<double> answer_logprob;           // nats, mean over answer ids, teacher forced
  std::optional<double> answer_rank1;             // share of answer ids that were the most probable
  std::optional<double> attn_mass, attn_uniform;  // mean over layers and heads; span / keys
  std::vector<AttnProbeRecord> probes;
  int64_t prefill_ns = 0, decode_ns = 0;
  std::string done_utc;
};

struct LatencySampleRecord {
  RowId id = 0, cell_id = 0;
  std::optional<RowId> prompt_id;
  int64_t rep_no = 0;
  bool warmup = false, cold = false;
  int64_t seq_no = 0;  // true order within the experiment
  int64_t n_in = 0, n_out = 0;
  int64_t prefill_ns = 0, ttft_ns = 0, e2e_ns = 0;
  std::vector<int64_t> step_ns;
  std::optional<int64_t> device_prefill_ns;
  int64_t peak_bytes = 0, kv_bytes = 0;
  std::optional<double> clock_mhz, temp_c, load_avg;
  bool throttle = false;
  std::string excluded;  // reason; empty: counted
  std::string done_utc;
};

/// One generated token of a prompt run, with what else could have come.
struct GenTokenRecord {
  RowId prompt_id = 0;  // filled when read
  int64_t step = 0, token_id = 0;
  std::string bytes;
  double probability = 0;
  std::string alternatives_json = "[]";  // [[id, probability], ...], best first
  int64_t elapsed_ns = 0;
};

/// A step of an attention capture (attention-explorer.md 5.1) and the rows kept of it.
struct AttnHeadRowRecord {
  int64_t layer = 0, head = 0;
  bool output_stream = false;
  int64_t position = 0, support = 0;
  std::string scalars_json = "{}";
  std::string bins;   // blob: float32 pairs (max, sum)
  std::string top_k;  // blob: int32 key, float32 weight
};
struct AttnExactRowRecord {
  int64_t layer = 0, head = 0;
  bool output_stream = false;
  int64_t position = 0;
  std::vector<float> weights;
};
/// The queries of one row before and after scale-offset, all heads.
struct AttnQueryRecord {
  int64_t layer = 0;
  bool output_stream = false;
  int64_t position = 0;
  std::vector<float> projected, scaled;
};
struct AttnStepRecord {
  int64_t step = 0, t_in = 0, t_out = 0, elapsed_ns = 0;
  std::string regime;
  std::vector<AttnHeadRowRecord> head_rows;
  std::vector<AttnExactRowRecord> exact_rows;
  std::optional<RowId> prompt_id;  // whose ids were read: makes the step readable without the model
  std::vector<AttnQueryRecord> queries;
};

struct InvariantRecord {
  std::string name, location;
  bool pass = false;
  double worst = 0;
};

struct TrainPointRecord {
  int64_t step = 0;
  double loss = 0, lr = 0, grad_norm = 0, tok_s = 0;
};

/// A value printed in a paper, for overlays: exhibits are never mixed on one axis.
struct PaperPointRecord {
  std::string source, exhibit, series;  // "Orthros paper", "Table 4", "Transformer"
  int64_t ctx_len = 0, out_len = 0;
  int64_t batch = 0, devices = 0;  // 0: not given
  std::string metric, unit;
  double value = 0;
  std::string read_from = "table";  // text, table, axis
};

struct EventRecord {
  std::string utc, kind, detail;  // start, pause, resume, cancel, recover, oom, note
};

}  // namespace orthros::store
