// Results of runs. Children of many rows are read by one statement each and merged by their parent's id.
#include "engine/store/blobs.h"
#include "engine/store/run_reader_impl.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;

namespace {

/// Calls add(parent index) for each child row, whose column 0 is the parent's id; parents are in the same
/// order.
template <class Parents, class Add>
void merge_children(Query& rows, Parents& parents, Add add) {
  std::unordered_map<RowId, size_t> index;
  index.reserve(parents.size());
  for (size_t i = 0; i < parents.size(); ++i) index.emplace(parents[i].id, i);
  while (rows.step()) {
    const auto found = index.find(rows.get<RowId>(0));
    if (found != index.end()) add(parents[found->second]);
  }
}

void read_trial(Query& row, NiahTrialRecord& t) {
  std::string output_ids;
  row.into(t.id, t.cell_id, t.prompt_id, t.trial_no, output_ids, t.output_text, t.expected_json, t.finish,
           t.primary.scorer, t.primary.score, t.answer_logprob, t.answer_rank1, t.attn_mass, t.attn_uniform,
           t.prefill_ns, t.decode_ns, t.done_utc);
  t.output_ids = detail::decode_ids(output_ids);
}

void read_scores(Connection& c, RowId run, std::vector<NiahTrialRecord>& trials) {
  Query rows = c.query(
      "SELECT s.trial_id, s.scorer, s.score FROM cell c JOIN niah_trial t ON t.cell_id = c.id "
      "JOIN rescore s ON s.trial_id = t.id WHERE c.run_id = ?");
  rows.bind(run);
  merge_children(rows, trials, [&](NiahTrialRecord& trial) {
    trial.others.push_back({rows.get<std::string>(1), rows.get<double>(2)});
  });
}

void read_probes(Connection& c, RowId run, std::vector<NiahTrialRecord>& trials) {
  Query rows = c.query(
      "SELECT p.trial_id, p.layer, p.head, p.mass FROM cell c JOIN niah_trial t ON t.cell_id = c.id "
      "JOIN attn_probe p ON p.trial_id = t.id WHERE c.run_id = ?");
  rows.bind(run);
  merge_children(rows, trials, [&](NiahTrialRecord& trial) {
    trial.probes.push_back({rows.get<int64_t>(1), rows.get<int64_t>(2), rows.get<double>(3)});
  });
}

void read_sample(Query& row, LatencySampleRecord& s) {
  std::string steps;
  row.into(s.id, s.cell_id, s.prompt_id, s.rep_no, s.warmup, s.cold, s.seq_no, s.n_in, s.n_out, s.prefill_ns,
           s.ttft_ns, s.e2e_ns, steps, s.device_prefill_ns, s.peak_bytes, s.kv_bytes, s.clock_mhz, s.temp_c,
           s.load_avg, s.throttle, s.excluded, s.done_utc);
  s.step_ns = detail::decode_int64(steps);
}

std::vector<NeedleRecord> read_needles(Connection& c, RowId prompt) {
  std::vector<NeedleRecord> needles;
  Query rows = c.query(
      "SELECT role = 'distractor', key, value, tok_begin, tok_end, depth_actual_ppm FROM needle "
      "WHERE prompt_id = ? ORDER BY idx");
  rows.bind(prompt);
  while (rows.step()) {
    NeedleRecord& n = needles.emplace_back();
    rows.into(n.distractor, n.key, n.value, n.tok_begin, n.tok_end, n.depth_actual_ppm);
  }
  return needles;
}

/// A step with its row id, for merging.
struct StoredStep {
  RowId id = 0;
  AttnStepRecord record;
};

void read_head_rows(Connection& c, RowId run, std::vector<StoredStep>& steps) {
  Query rows = c.query(
      "SELECT h.step_id, h.layer, h.head, h.output_stream, h.position, h.support, h.scalars_json, h.bins, "
      "h.top_k "
      "FROM attn_step s JOIN attn_head_row h ON h.step_id = s.id WHERE s.run_id = ? "
      "ORDER BY s.step, h.layer, h.head, h.output_stream, h.position");
  rows.bind(run);
  merge_children(rows, steps, [&](StoredStep& step) {
    AttnHeadRowRecord& h = step.record.head_rows.emplace_back();
    RowId id = 0;
    rows.into(id, h.layer, h.head, h.output_stream, h.position, h.support, h.scalars_json, h.bins, h.top_k);
  });
}

void read_exact_rows(Connection& c, RowId run, std::vector<StoredStep>& steps) {
  Query rows = c.query(
      "SELECT x.step_id, x.layer, x.head, x.output_stream, x.position, x.weights "
      "FROM attn_step s JOIN attn_exact_row x ON x.step_id = s.id WHERE s.run_id = ? "
      "ORDER BY s.step, x.layer, x.head, x.output_stream, x.position");
  rows.bind(run);
  merge_children(rows, steps, [&](StoredStep& step) {
    AttnExactRowRecord& x = step.record.exact_rows.emplace_back();
    RowId id = 0;
    std::string weights;
    rows.into(id, x.layer, x.head, x.output_stream, x.position, weights);
    x.weights = detail::decode_float32(weights);
  });
}

void read_queries(Connection& c, RowId run, std::vector<StoredStep>& steps) {
  Query rows = c.query(
      "SELECT q.step_id, q.layer, q.output_stream, q.position, q.projected, q.scaled "
      "FROM attn_step s JOIN attn_query q ON q.step_id = s.id WHERE s.run_id = ? "
      "ORDER BY s.step, q.layer, q.output_stream, q.position");
  rows.bind(run);
  merge_children(rows, steps, [&](StoredStep& step) {
    AttnQueryRecord& q = step.record.queries.emplace_back();
    RowId id = 0;
    std::string projected, scaled;
    rows.into(id, q.layer, q.output_stream, q.position, projected, scaled);
    q.projected = detail::decode_float32(projected);
    q.scaled = detail::decode_float32(scaled);
  });
}

}  // namespace

Result<std::vector<NiahTrialRecord>> RunReader::trials(RowId run, bool with_probes) const {
  return impl_->read("cannot read the trials", [&](Connection& c) {
    std::vector<NiahTrialRecord> trials;
    {
      Query rows = c.query(
          "SELECT t.id, t.cell_id, t.prompt_id, t.trial_no, t.output_ids, t.output_text, t.expected_json, "
          "t.finish, "
          "t.scorer, t.score, t.answer_logprob, t.answer_rank1, t.attn_mass, t.attn_uniform, t.prefill_ns, "
          "t.decode_ns, t.done_utc FROM cell c JOIN niah_trial t ON t.cell_id = c.id WHERE c.run_id = ? "
          "ORDER BY c.ordinal, c.id, t.trial_no");
      rows.bind(run);
      while (rows.step()) read_trial(rows, trials.emplace_back());
    }
    read_scores(c, run, trials);
    if (with_probes) read_probes(c, run, trials);
    return trials;
  });
}

Result<std::vector<LatencySampleRecord>> RunReader::samples(RowId run) const {
  return impl_->read("cannot read the samples", [&](Connection& c) {
    std::vector<LatencySampleRecord> samples;
    Query rows = c.query(
        "SELECT s.id, s.cell_id, s.prompt_id, s.rep_no, s.warmup, s.cold, s.seq_no, s.n_in, s.n_out, "
        "s.prefill_ns, "
        "s.ttft_ns, s.e2e_ns, s.step_ns, s.device_prefill_ns, s.peak_bytes, s.kv_bytes, s.clock_mhz, "
        "s.temp_c, "
        "s.load_avg, s.throttle, s.excluded, s.done_utc FROM cell c JOIN latency_sample s ON s.cell_id = "
        "c.id "
        "WHERE c.run_id = ? ORDER BY c.ordinal, c.id, s.seq_no, s.id");
    rows.bind(run);
    while (rows.step()) read_sample(rows, samples.emplace_back());
    return samples;
  });
}

Result<PromptRecord> RunReader::prompt(RowId prompt) const {
  return impl_->read("cannot read the prompt", [&](Connection& c) {
    PromptRecord p;
    std::string ids_z;
    bool has_ids = false;
    {
      Query row = c.query(
          "SELECT id, ids_sha256, n_tokens, ids_z, ids_z IS NOT NULL, generator, params_json, question, "
          "text, "
          "generator_version, seed FROM prompt WHERE id = ?");
      if (!row.bind(prompt).step()) refuse(ErrorCode::not_found, "the store has no prompt {}", prompt);
      row.into(p.id, p.ids_sha256, p.n_tokens, ids_z, has_ids, p.generator, p.params_json, p.question, p.text,
               p.generator_version, p.seed);
    }
    if (has_ids) p.ids = detail::decompress_ids(ids_z, p.n_tokens);
    p.needles = read_needles(c, prompt);
    return p;
  });
}

Result<std::optional<RowId>> RunReader::find_prompt(std::string_view ids_sha256) const {
  return impl_->read("cannot look up the prompt", [&](Connection& c) -> std::optional<RowId> {
    Query row = c.query("SELECT id FROM prompt WHERE ids_sha256 = ? ORDER BY id LIMIT 1");
    if (!row.bind(ids_sha256).step()) return std::nullopt;
    return row.get<RowId>(0);
  });
}

Result<std::vector<GenTokenRecord>> RunReader::tokens(RowId run) const {
  return impl_->read("cannot read the tokens", [&](Connection& c) {
    std::vector<GenTokenRecord> tokens;
    Query rows = c.query(
        "SELECT prompt_id, step, token_id, bytes, probability, alternatives_json, elapsed_ns FROM gen_token "
        "WHERE run_id = ? ORDER BY prompt_id, step");
    rows.bind(run);
    while (rows.step()) {
      GenTokenRecord& t = tokens.emplace_back();
      rows.into(t.prompt_id, t.step, t.token_id, t.bytes, t.probability, t.alternatives_json, t.elapsed_ns);
    }
    return tokens;
  });
}

Result<std::vector<AttnStepRecord>> RunReader::attention_steps(RowId run) const {
  return impl_->read("cannot read the attention steps", [&](Connection& c) {
    std::vector<StoredStep> steps;
    {
      Query rows = c.query(
          "SELECT id, step, t_in, t_out, elapsed_ns, regime, prompt_id FROM attn_step WHERE run_id = ? ORDER "
          "BY step");
      rows.bind(run);
      while (rows.step()) {
        StoredStep& s = steps.emplace_back();
        rows.into(s.id, s.record.step, s.record.t_in, s.record.t_out, s.record.elapsed_ns, s.record.regime,
                  s.record.prompt_id);
      }
    }
    read_head_rows(c, run, steps);
    read_exact_rows(c, run, steps);
    read_queries(c, run, steps);
    std::vector<AttnStepRecord> records;
    records.reserve(steps.size());
    for (StoredStep& step : steps) records.push_back(std::move(step.record));
    return records;
  });
}

Result<std::vector<InvariantRecord>> RunReader::invariants(RowId run) const {
  return impl_->read("cannot read the invariants", [&](Connection& c) {
    std::vector<InvariantRecord> invariants;
    Query rows = c.query("SELECT name, location, pass, worst FROM invariant WHERE run_id = ? ORDER BY id");
    rows.bind(run);
    while (rows.step()) {
      InvariantRecord& i = invariants.emplace_back();
      rows.into(i.name, i.location, i.pass, i.worst);
    }
    return invariants;
  });
}

Result<std::vector<TrainPointRecord>> RunReader::train_points(RowId run) const {
  return impl_->read("cannot read the training steps", [&](Connection& c) {
    std::vector<TrainPointRecord> points;
    Query rows =
        c.query("SELECT step, loss, lr, grad_norm, tok_s FROM train_point WHERE run_id = ? ORDER BY step");
    rows.bind(run);
    while (rows.step()) {
      TrainPointRecord& p = points.emplace_back();
      rows.into(p.step, p.loss, p.lr, p.grad_norm, p.tok_s);
    }
    return points;
  });
}

}  // namespace orthros::store
