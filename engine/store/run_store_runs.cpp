// Experiments, runs and cells: their states and who owns a running run.
#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/owner.h"
#include "engine/store/run_store_impl.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;
using detail::TextOrNull;

namespace detail {

void add_event(Connection& c, RowId run, std::string_view kind, std::string_view detail) {
  c.query("INSERT INTO run_event(run_id, utc, kind, detail) VALUES(?,?,?,?)")
      .bind(run, utc_now(), kind, detail)
      .run();
}

void release_run(Connection& c, RowId run, RunStatus status, std::string_view error) {
  c.query("UPDATE cell SET status = 'pending' WHERE run_id = ? AND status = 'running'").bind(run).run();
  c.query("UPDATE run SET status = ?, owner_token = NULL, ended_utc = ?, error = ? WHERE id = ?")
      .bind(to_string(status), utc_now(), TextOrNull{error}, run)
      .run();
}

void touch_run(Connection& c, RowId run) {
  const int64_t changed =
      c.query("UPDATE run SET heartbeat_utc = ? WHERE id = ? AND (owner_token IS NULL OR owner_token = ?)")
          .bind(utc_now(), run, own_token())
          .run();
  if (changed != 0) return;
  if (!c.query("SELECT 1 FROM run WHERE id = ?").bind(run).step()) {
    refuse(ErrorCode::not_found, "the store has no run {}", run);
  }
  refuse(ErrorCode::invalid_argument, "run {} belongs to another process", run);
}

void touch_cell(Connection& c, RowId cell) {
  RowId run = 0;
  {
    Query found = c.query("SELECT run_id FROM cell WHERE id = ?");
    if (!found.bind(cell).step()) refuse(ErrorCode::not_found, "the store has no cell {}", cell);
    found.into(run);
  }
  touch_run(c, run);
}

void insert_cell(Connection& c, RowId run, const CellRecord& cell) {
  if (cell.status == CellStatus::running) {
    refuse(ErrorCode::invalid_argument, "cell {} cannot start as running: begin it", cell.key);
  }
  c.query(
       "INSERT INTO cell(run_id, cell_key, variant, ordinal, ctx_len, depth_ppm, out_len, batch, planned, "
       "status, error_class, error_text) VALUES(?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(run_id, cell_key) DO "
       "NOTHING")
      .bind(run, cell.key, cell.variant, cell.ordinal, cell.ctx_len, cell.depth_ppm, cell.out_len, cell.batch,
            cell.planned, to_string(cell.status), TextOrNull{cell.error_class}, TextOrNull{cell.error_text})
      .run();
}

}  // namespace detail

namespace {

struct Owner {
  RunStatus status = RunStatus::queued;
  std::string token, heartbeat;

  bool alive() const { return status == RunStatus::running && detail::owner_lives(token, heartbeat); }
};

Owner owner_of(Connection& c, RowId run) {
  Owner owner;
  Query found = c.query("SELECT status, owner_token, heartbeat_utc FROM run WHERE id = ?");
  if (!found.bind(run).step()) refuse(ErrorCode::not_found, "the store has no run {}", run);
  found.into(owner.status, owner.token, owner.heartbeat);
  return owner;
}

void refuse_others(const Owner& owner, RowId run) {
  if (owner.token != detail::own_token() && owner.alive()) {
    refuse(ErrorCode::invalid_argument, "run {} is running in another process", run);
  }
}

const char* event_of(RunStatus status) {
  switch (status) {
    case RunStatus::paused:
      return "pause";
    case RunStatus::cancelled:
      return "cancel";
    case RunStatus::failed:
      return "fail";
    default:
      return to_string(status);
  }
}

void insert_run(Connection& c, const RunRecord& run) {
  c.query(
       "INSERT INTO run(uuid, experiment_id, environment_id, model_id, tokenizer_id, arm, arm_label, device, "
       "dtype, weights, kv_dtype, attn_impl, settings_json, n_threads, seed, status) "
       "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'queued')")
      .bind(run.uuid, run.experiment_id, run.environment_id, run.model_id, run.tokenizer_id, run.arm,
            run.arm_label, run.device, run.dtype, run.weights, run.kv_dtype, run.attn_impl, run.settings_json,
            run.n_threads, run.seed)
      .run();
}

}  // namespace

Result<ExperimentRecord> RunStore::create_experiment(const ExperimentRecord& experiment) {
  return impl_->write("cannot store the experiment", [&](Connection& c) {
    ExperimentRecord e = experiment;
    detail::require_json(e.spec_json, "the experiment's spec_json");
    if (e.uuid.empty()) e.uuid = detail::make_uuid();
    if (e.spec_sha256.empty()) e.spec_sha256 = sha256_hex(e.spec_json);
    if (e.created_utc.empty()) e.created_utc = detail::utc_now();
    c.query(
         "INSERT INTO experiment(uuid, kind, name, spec_json, spec_sha256, created_utc, note, tags, starred) "
         "VALUES(?,?,?,?,?,?,?,?,?)")
        .bind(e.uuid, to_string(e.kind), e.name, e.spec_json, e.spec_sha256, e.created_utc, e.note, e.tags,
              e.starred)
        .run();
    e.id = c.last_id();
    return e;
  });
}

Result<RunRecord> RunStore::create_run(const RunRecord& run, std::span<const CellRecord> cells) {
  return impl_->write("cannot store the run", [&](Connection& c) {
    RunRecord r = run;
    detail::require_json(r.settings_json, "the run's settings_json");
    if (r.uuid.empty()) r.uuid = detail::make_uuid();
    if (r.status != RunStatus::queued) {
      refuse(ErrorCode::invalid_argument, "a run starts as queued, not as {}", to_string(r.status));
    }
    insert_run(c, r);
    r.id = c.last_id();
    for (const CellRecord& cell : cells) detail::insert_cell(c, r.id, cell);
    return r;
  });
}

Result<void> RunStore::add_cells(RowId run, std::span<const CellRecord> cells) {
  return impl_->write("cannot store the cells", [&](Connection& c) {
    detail::touch_run(c, run);
    for (const CellRecord& cell : cells) detail::insert_cell(c, run, cell);
  });
}

Result<void> RunStore::begin_run(RowId run) {
  return impl_->write("cannot begin the run", [&](Connection& c) {
    const Owner owner = owner_of(c, run);
    refuse_others(owner, run);
    if (owner.status == RunStatus::running) detail::release_run(c, run, RunStatus::interrupted, {});
    const std::string now = detail::utc_now();
    c.query(
         "UPDATE run SET status = 'running', owner_token = ?, heartbeat_utc = ?, "
         "started_utc = ifnull(started_utc, ?), ended_utc = NULL, error = NULL WHERE id = ?")
        .bind(detail::own_token(), now, now, run)
        .run();
    detail::add_event(c, run, owner.status == RunStatus::queued ? "start" : "resume", {});
  });
}

Result<void> RunStore::end_run(RowId run, RunStatus status, std::string_view error) {
  return impl_->write("cannot end the run", [&](Connection& c) {
    if (status == RunStatus::running) {
      refuse(ErrorCode::invalid_argument, "a run does not end as running: begin it");
    }
    refuse_others(owner_of(c, run), run);
    detail::release_run(c, run, status, error);
    detail::add_event(c, run, event_of(status), error);
  });
}

Result<void> RunStore::set_attn_impl(RowId run, std::string_view attn_impl) {
  return impl_->write("cannot store the attention back end", [&](Connection& c) {
    detail::touch_run(c, run);
    c.query("UPDATE run SET attn_impl = ? WHERE id = ?").bind(attn_impl, run).run();
  });
}

Result<void> RunStore::begin_cell(RowId cell) {
  return impl_->write("cannot begin the cell", [&](Connection& c) {
    detail::touch_cell(c, cell);
    c.query(
         "UPDATE cell SET status = 'running', attempts = attempts + 1, started_utc = ?, ended_utc = NULL, "
         "error_class = NULL, error_text = NULL WHERE id = ?")
        .bind(detail::utc_now(), cell)
        .run();
  });
}

Result<void> RunStore::end_cell(RowId cell, CellStatus status, std::string_view error_class,
                                std::string_view error_text) {
  return impl_->write("cannot end the cell", [&](Connection& c) {
    if (status == CellStatus::running) {
      refuse(ErrorCode::invalid_argument, "a cell does not end as running: begin it");
    }
    detail::touch_cell(c, cell);
    c.query("UPDATE cell SET status = ?, ended_utc = ?, error_class = ?, error_text = ? WHERE id = ?")
        .bind(to_string(status), detail::utc_now(), TextOrNull{error_class}, TextOrNull{error_text}, cell)
        .run();
  });
}

Result<std::vector<RowId>> RunStore::recover() {
  return impl_->write("cannot recover interrupted runs", [](Connection& c) {
    std::vector<RowId> dead;
    {
      Query running =
          c.query("SELECT id, owner_token, heartbeat_utc FROM run WHERE status = 'running' ORDER BY id");
      while (running.step()) {
        RowId id = 0;
        std::string token, heartbeat;
        running.into(id, token, heartbeat);
        if (!detail::owner_lives(token, heartbeat)) dead.push_back(id);
      }
    }
    for (const RowId run : dead) {
      detail::release_run(c, run, RunStatus::interrupted, "the program ended while the run was going on");
      detail::add_event(c, run, "recover", "the owner is gone");
    }
    return dead;
  });
}

}  // namespace orthros::store
