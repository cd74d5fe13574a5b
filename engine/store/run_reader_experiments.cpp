// Experiments, runs, cells and what they refer to.
#include "engine/store/run_reader_impl.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;

namespace {

constexpr const char* kExperimentColumns =
    "e.id, e.uuid, e.kind, e.name, e.spec_json, e.spec_sha256, e.created_utc, e.note, e.tags, e.starred";

void read_experiment(Query& row, ExperimentRecord& e) {
  row.into(e.id, e.uuid, e.kind, e.name, e.spec_json, e.spec_sha256, e.created_utc, e.note, e.tags,
           e.starred);
}

/// Arms and state: of each arm its newest run, the least finished of them.
void read_arms(Connection& c, ExperimentSummary& summary) {
  Query rows =
      c.query("SELECT arm, arm_label, status FROM run WHERE experiment_id = ? ORDER BY arm, id DESC");
  rows.bind(summary.experiment.id);
  int64_t last_arm = -1;
  RunStatus least = RunStatus::done;
  while (rows.step()) {
    ++summary.runs;
    int64_t arm = 0;
    std::string label;
    RunStatus status{};
    rows.into(arm, label, status);
    if (arm == last_arm) continue;
    last_arm = arm;
    summary.arms.push_back(label);
    least = std::min(least, status);
  }
  summary.status = summary.runs == 0 ? RunStatus::queued : least;
}

void read_counts(Connection& c, ExperimentSummary& summary) {
  Query row = c.query(
      "WITH runs AS (SELECT id FROM run WHERE experiment_id = ?1), "
      "cells AS (SELECT id, status FROM cell WHERE run_id IN runs) "
      "SELECT (SELECT count(*) FROM cells), (SELECT count(*) FROM cells WHERE status = 'done'), "
      "(SELECT count(*) FROM niah_trial WHERE cell_id IN (SELECT id FROM cells)) + "
      "(SELECT count(*) FROM latency_sample WHERE cell_id IN (SELECT id FROM cells)) + "
      "(SELECT count(*) FROM gen_token WHERE run_id IN runs) + "
      "(SELECT count(*) FROM attn_step WHERE run_id IN runs) + "
      "(SELECT count(*) FROM train_point WHERE run_id IN runs)");
  row.bind(summary.experiment.id).step();
  row.into(summary.cells, summary.cells_done, summary.results);
}

/// The experiments whose uuid begins so; two are enough to know that it is ambiguous.
std::vector<ExperimentRecord> matching(Connection& c, std::string_view beginning) {
  std::vector<ExperimentRecord> found;
  Query rows = c.query(fmt::format(
      "SELECT {} FROM experiment e WHERE substr(uuid, 1, length(?1)) = ?1 LIMIT 2", kExperimentColumns));
  rows.bind(beginning);
  while (rows.step()) read_experiment(rows, found.emplace_back());
  return found;
}

}  // namespace

Result<std::vector<ExperimentSummary>> RunReader::experiments(std::optional<ExperimentKind> kind) const {
  return impl_->read("cannot list the experiments", [&](Connection& c) {
    std::vector<ExperimentSummary> summaries;
    {
      Query rows =
          c.query(fmt::format("SELECT {} FROM experiment e WHERE ?1 IS NULL OR kind = ?1 "
                              "ORDER BY created_utc DESC, id DESC",
                              kExperimentColumns));
      if (kind) rows.bind(to_string(*kind));
      while (rows.step()) read_experiment(rows, summaries.emplace_back().experiment);
    }
    for (ExperimentSummary& summary : summaries) {
      read_arms(c, summary);
      read_counts(c, summary);
    }
    return summaries;
  });
}

Result<ExperimentRecord> RunReader::find_experiment(std::string_view name,
                                                    std::optional<ExperimentKind> kind) const {
  return impl_->read("cannot look up the experiment", [&](Connection& c) {
    if (name == "last") {
      ExperimentRecord last;
      Query row =
          c.query(fmt::format("SELECT {} FROM experiment e WHERE ?1 IS NULL OR kind = ?1 "
                              "ORDER BY created_utc DESC, id DESC LIMIT 1",
                              kExperimentColumns));
      if (kind) row.bind(to_string(*kind));
      if (!row.step()) {
        refuse(ErrorCode::not_found, "the store has no {}experiment yet",
               kind ? std::string(to_string(*kind)) + ' ' : std::string());
      }
      read_experiment(row, last);
      return last;
    }
    if (name.size() < 4) {
      refuse(ErrorCode::invalid_argument,
             "\"{}\" is too short: give at least 4 characters of the uuid, or \"last\"", name);
    }
    std::vector<ExperimentRecord> found = matching(c, name);
    if (found.empty()) refuse(ErrorCode::not_found, "the store has no experiment {}", name);
    if (found.size() > 1) {
      refuse(ErrorCode::invalid_argument, "more than one experiment begins with {}: give more of its uuid",
             name);
    }
    return found.front();
  });
}

Result<std::vector<RunRecord>> RunReader::runs(RowId experiment) const {
  return impl_->read("cannot list the runs", [&](Connection& c) {
    std::vector<RunRecord> runs;
    Query rows = c.query(
        "SELECT id, uuid, experiment_id, environment_id, model_id, tokenizer_id, arm, arm_label, device, "
        "dtype, "
        "weights, kv_dtype, attn_impl, settings_json, n_threads, seed, status, heartbeat_utc, started_utc, "
        "ended_utc, error FROM run WHERE experiment_id = ? ORDER BY arm, id");
    rows.bind(experiment);
    while (rows.step()) {
      RunRecord& r = runs.emplace_back();
      rows.into(r.id, r.uuid, r.experiment_id, r.environment_id, r.model_id, r.tokenizer_id, r.arm,
                r.arm_label, r.device, r.dtype, r.weights, r.kv_dtype, r.attn_impl, r.settings_json,
                r.n_threads, r.seed, r.status, r.heartbeat_utc, r.started_utc, r.ended_utc, r.error);
    }
    return runs;
  });
}

Result<std::vector<CellRecord>> RunReader::cells(RowId run) const {
  return impl_->read("cannot list the cells", [&](Connection& c) {
    std::vector<CellRecord> cells;
    Query rows = c.query(
        "SELECT id, run_id, cell_key, variant, ordinal, ctx_len, out_len, batch, planned, depth_ppm, status, "
        "attempts, error_class, error_text, started_utc, ended_utc FROM cell WHERE run_id = ? ORDER BY "
        "ordinal, id");
    rows.bind(run);
    while (rows.step()) {
      CellRecord& cell = cells.emplace_back();
      rows.into(cell.id, cell.run_id, cell.key, cell.variant, cell.ordinal, cell.ctx_len, cell.out_len,
                cell.batch, cell.planned, cell.depth_ppm, cell.status, cell.attempts, cell.error_class,
                cell.error_text, cell.started_utc, cell.ended_utc);
    }
    return cells;
  });
}

Result<std::vector<EventRecord>> RunReader::events(RowId run) const {
  return impl_->read("cannot list the events", [&](Connection& c) {
    std::vector<EventRecord> events;
    Query rows = c.query("SELECT utc, kind, detail FROM run_event WHERE run_id = ? ORDER BY id");
    rows.bind(run);
    while (rows.step()) {
      EventRecord& event = events.emplace_back();
      rows.into(event.utc, event.kind, event.detail);
    }
    return events;
  });
}

Result<EnvironmentRecord> RunReader::environment(RowId environment) const {
  return impl_->read("cannot read the environment", [&](Connection& c) {
    Query row = c.query(
        "SELECT os, kernel, cpu_model, cpu_flags, governor, cores, ram_bytes, gpu_name, gpu_driver, cuda, "
        "gpu_count, "
        "gpu_memory_bytes, libtorch, qt, sqlite, compiler, build_type, app_version, git_commit, git_dirty, "
        "extra_json FROM environment WHERE id = ?");
    if (!row.bind(environment).step())
      refuse(ErrorCode::not_found, "the store has no environment {}", environment);
    EnvironmentRecord e;
    row.into(e.os, e.kernel, e.cpu_model, e.cpu_flags, e.governor, e.cores, e.ram_bytes, e.gpu_name,
             e.gpu_driver, e.cuda, e.gpu_count, e.gpu_memory_bytes, e.libtorch, e.qt, e.sqlite, e.compiler,
             e.build_type, e.app_version, e.git_commit, e.git_dirty, e.extra_json);
    return e;
  });
}

Result<ModelRecord> RunReader::model(RowId model) const {
  return impl_->read("cannot read the model", [&](Connection& c) {
    Query row = c.query(
        "SELECT weights_sha256, architecture, config_sha256, config_json, label, params_total, "
        "params_linear, "
        "trained, provenance_json FROM model WHERE id = ?");
    if (!row.bind(model).step()) refuse(ErrorCode::not_found, "the store has no model {}", model);
    ModelRecord m;
    row.into(m.weights_sha256, m.architecture, m.config_sha256, m.config_json, m.label, m.params_total,
             m.params_linear, m.trained, m.provenance_json);
    return m;
  });
}

Result<TokenizerRecord> RunReader::tokenizer(RowId tokenizer) const {
  return impl_->read("cannot read the tokenizer", [&](Connection& c) {
    Query row = c.query("SELECT sha256, kind, label, vocab_size, adds_bos FROM tokenizer WHERE id = ?");
    if (!row.bind(tokenizer).step()) refuse(ErrorCode::not_found, "the store has no tokenizer {}", tokenizer);
    TokenizerRecord t;
    row.into(t.sha256, t.kind, t.label, t.vocab_size, t.adds_bos);
    return t;
  });
}

Result<std::vector<PaperPointRecord>> RunReader::paper_points() const {
  return impl_->read("cannot list the paper's values", [](Connection& c) {
    std::vector<PaperPointRecord> points;
    Query rows = c.query(
        "SELECT source, exhibit, series, ctx_len, out_len, batch, devices, metric, value, unit, read_from "
        "FROM paper_point ORDER BY id");
    while (rows.step()) {
      PaperPointRecord& p = points.emplace_back();
      rows.into(p.source, p.exhibit, p.series, p.ctx_len, p.out_len, p.batch, p.devices, p.metric, p.value,
                p.unit, p.read_from);
    }
    return points;
  });
}

}  // namespace orthros::store
