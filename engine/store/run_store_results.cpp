// Results, as runs make them: each call one transaction and the heartbeat of its run.
#include <algorithm>

#include "engine/store/blobs.h"
#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/run_store_impl.h"

namespace orthros::store {

using detail::Blob;
using detail::Connection;
using detail::Query;
using detail::refuse;
using detail::TextOrNull;

namespace {

std::string or_now(const std::string& utc) {
  return utc.empty() ? detail::utc_now() : utc;
}

std::optional<int64_t> median(std::vector<int64_t> values) {
  if (values.empty()) return std::nullopt;
  const size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle), values.end());
  if (values.size() % 2 == 1) return values[middle];
  const int64_t below = *std::max_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle));
  return below + (values[middle] - below) / 2;
}

void insert_trial(Connection& c, const NiahTrialRecord& t, const std::string& output_ids) {
  c.query(
       "INSERT INTO niah_trial(cell_id, trial_no, prompt_id, output_ids, output_text, expected_json, finish, "
       "scorer, score, answer_logprob, answer_rank1, attn_mass, attn_uniform, prefill_ns, decode_ns, "
       "done_utc) "
       "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(t.cell_id, t.trial_no, t.prompt_id, Blob{output_ids}, t.output_text, t.expected_json, t.finish,
            t.primary.scorer, t.primary.score, t.answer_logprob, t.answer_rank1, t.attn_mass, t.attn_uniform,
            t.prefill_ns, t.decode_ns, or_now(t.done_utc))
      .run();
}

void insert_score(Connection& c, RowId trial, const ScoreRecord& score) {
  c.query("INSERT INTO rescore(trial_id, scorer, score, done_utc) VALUES(?,?,?,?)")
      .bind(trial, score.scorer, score.score, detail::utc_now())
      .run();
}

/// The score this scorer gave, in the trial itself or beside it.
std::optional<double> stored_score(Connection& c, RowId trial, const std::string& scorer) {
  Query found = c.query(
      "SELECT score FROM niah_trial WHERE id = ?1 AND scorer = ?2 "
      "UNION ALL SELECT score FROM rescore WHERE trial_id = ?1 AND scorer = ?2");
  if (!found.bind(trial, scorer).step()) return std::nullopt;
  return found.get<double>(0);
}

void require_step_count(const LatencySampleRecord& s) {
  const int64_t steps = static_cast<int64_t>(s.step_ns.size());
  if (steps != 0 && steps != s.n_out - 1) {
    refuse(ErrorCode::invalid_argument,
           "{} step times do not fit {} generated ids: the first comes from the prefill", steps, s.n_out);
  }
}

void insert_head_row(Connection& c, RowId step, const AttnHeadRowRecord& row) {
  c.query(
       "INSERT INTO attn_head_row(step_id, layer, head, output_stream, position, support, scalars_json, "
       "bins, "
       "top_k) VALUES(?,?,?,?,?,?,?,?,?)")
      .bind(step, row.layer, row.head, row.output_stream, row.position, row.support, row.scalars_json,
            Blob{row.bins}, Blob{row.top_k})
      .run();
}

void insert_exact_row(Connection& c, RowId step, const AttnExactRowRecord& row) {
  const std::string weights = detail::encode_float32(row.weights);
  c.query(
       "INSERT INTO attn_exact_row(step_id, layer, head, output_stream, position, weights) "
       "VALUES(?,?,?,?,?,?)")
      .bind(step, row.layer, row.head, row.output_stream, row.position, Blob{weights})
      .run();
}

void insert_query(Connection& c, RowId step, const AttnQueryRecord& query) {
  const std::string projected = detail::encode_float32(query.projected);
  const std::string scaled = detail::encode_float32(query.scaled);
  c.query(
       "INSERT INTO attn_query(step_id, layer, output_stream, position, projected, scaled) "
       "VALUES(?,?,?,?,?,?)")
      .bind(step, query.layer, query.output_stream, query.position, Blob{projected}, Blob{scaled})
      .run();
}

}  // namespace

Result<RowId> RunStore::add_trial(const NiahTrialRecord& trial) {
  const std::string output_ids = detail::encode_ids(trial.output_ids);
  const std::string what = fmt::format("cannot store trial {} of cell {}", trial.trial_no, trial.cell_id);
  return impl_->write(what, [&](Connection& c) {
    detail::require_json(trial.expected_json, "the trial's expected_json");
    detail::touch_cell(c, trial.cell_id);
    insert_trial(c, trial, output_ids);
    const RowId id = c.last_id();
    for (const ScoreRecord& score : trial.others) insert_score(c, id, score);
    for (const AttnProbeRecord& probe : trial.probes) {
      c.query("INSERT INTO attn_probe(trial_id, layer, head, mass) VALUES(?,?,?,?)")
          .bind(id, probe.layer, probe.head, probe.mass)
          .run();
    }
    return id;
  });
}

Result<RowId> RunStore::add_sample(const LatencySampleRecord& s) {
  const std::string steps = detail::encode_int64(s.step_ns);
  const std::optional<int64_t> step_median = median(s.step_ns);
  const std::string what = fmt::format("cannot store sample {} of cell {}", s.rep_no, s.cell_id);
  return impl_->write(what, [&](Connection& c) {
    require_step_count(s);
    detail::touch_cell(c, s.cell_id);
    c.query(
         "INSERT INTO latency_sample(cell_id, prompt_id, rep_no, warmup, cold, seq_no, n_in, n_out, "
         "prefill_ns, "
         "ttft_ns, e2e_ns, step_ns, step_median_ns, device_prefill_ns, peak_bytes, kv_bytes, clock_mhz, "
         "temp_c, "
         "load_avg, throttle, excluded, done_utc) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        .bind(s.cell_id, s.prompt_id, s.rep_no, s.warmup, s.cold, s.seq_no, s.n_in, s.n_out, s.prefill_ns,
              s.ttft_ns, s.e2e_ns, Blob{steps}, step_median, s.device_prefill_ns, s.peak_bytes, s.kv_bytes,
              s.clock_mhz, s.temp_c, s.load_avg, s.throttle, TextOrNull{s.excluded}, or_now(s.done_utc))
        .run();
    return c.last_id();
  });
}

Result<void> RunStore::add_tokens(RowId run, RowId prompt, std::span<const GenTokenRecord> tokens) {
  return impl_->write("cannot store the tokens", [&](Connection& c) {
    detail::touch_run(c, run);
    for (const GenTokenRecord& t : tokens) {
      c.query(
           "INSERT INTO gen_token(run_id, prompt_id, step, token_id, bytes, probability, alternatives_json, "
           "elapsed_ns) VALUES(?,?,?,?,?,?,?,?)")
          .bind(run, prompt, t.step, t.token_id, Blob{t.bytes}, t.probability, t.alternatives_json,
                t.elapsed_ns)
          .run();
    }
  });
}

Result<void> RunStore::add_attention_step(RowId run, const AttnStepRecord& step) {
  return impl_->write(fmt::format("cannot store attention step {}", step.step), [&](Connection& c) {
    detail::touch_run(c, run);
    c.query(
         "INSERT INTO attn_step(run_id, step, regime, t_in, t_out, elapsed_ns, prompt_id) "
         "VALUES(?,?,?,?,?,?,?)")
        .bind(run, step.step, step.regime, step.t_in, step.t_out, step.elapsed_ns, step.prompt_id)
        .run();
    const RowId id = c.last_id();
    for (const AttnHeadRowRecord& row : step.head_rows) insert_head_row(c, id, row);
    for (const AttnExactRowRecord& row : step.exact_rows) insert_exact_row(c, id, row);
    for (const AttnQueryRecord& query : step.queries) insert_query(c, id, query);
  });
}

Result<void> RunStore::add_invariants(RowId run, std::span<const InvariantRecord> invariants) {
  return impl_->write("cannot store the invariants", [&](Connection& c) {
    detail::touch_run(c, run);
    for (const InvariantRecord& i : invariants) {
      c.query("INSERT INTO invariant(run_id, name, location, pass, worst) VALUES(?,?,?,?,?)")
          .bind(run, i.name, i.location, i.pass, i.worst)
          .run();
    }
  });
}

Result<void> RunStore::add_train_points(RowId run, std::span<const TrainPointRecord> points) {
  return impl_->write("cannot store the training steps", [&](Connection& c) {
    detail::touch_run(c, run);
    for (const TrainPointRecord& p : points) {
      c.query("INSERT INTO train_point(run_id, step, loss, lr, grad_norm, tok_s) VALUES(?,?,?,?,?,?)")
          .bind(run, p.step, p.loss, p.lr, p.grad_norm, p.tok_s)
          .run();
    }
  });
}

Result<void> RunStore::add_event(RowId run, std::string_view kind, std::string_view detail) {
  return impl_->write("cannot store the event", [&](Connection& c) {
    detail::touch_run(c, run);
    detail::add_event(c, run, kind, detail);
  });
}

Result<void> RunStore::add_score(RowId trial, const ScoreRecord& score) {
  return impl_->write("cannot store the score", [&](Connection& c) {
    if (!c.query("SELECT 1 FROM niah_trial WHERE id = ?").bind(trial).step()) {
      refuse(ErrorCode::not_found, "the store has no trial {}", trial);
    }
    const std::optional<double> stored = stored_score(c, trial, score.scorer);
    if (stored && *stored == score.score) return;
    if (stored) {
      refuse(ErrorCode::invalid_argument,
             "trial {} has the score {} of {} already: a changed scorer needs a new version in its name",
             trial, *stored, score.scorer);
    }
    insert_score(c, trial, score);
  });
}

Result<void> RunStore::exclude_sample(RowId sample, std::string_view reason) {
  return impl_->write("cannot exclude the sample", [&](Connection& c) {
    if (reason.empty())
      refuse(ErrorCode::invalid_argument, "a sample is excluded for a reason: none is given");
    if (c.query("UPDATE latency_sample SET excluded = ? WHERE id = ?").bind(reason, sample).run() == 0) {
      refuse(ErrorCode::not_found, "the store has no sample {}", sample);
    }
  });
}

}  // namespace orthros::store
