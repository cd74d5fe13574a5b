#include "engine/store/overview.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace orthros::store {
namespace {

using Row = std::vector<std::string>;
using ById = std::unordered_map<RowId, Overview*>;

// Each arm by its newest run. Times at work: from each start or resume to what ended it; a run whose program
// died was at work until its last sign of life.
constexpr const char* kArms = R"sql(
WITH event AS (
  SELECT run_id, kind, utc, lead(utc) OVER w AS next, lead(kind) OVER w AS next_kind
  FROM run_event WHERE kind NOT IN ('note', 'oom') WINDOW w AS (PARTITION BY run_id ORDER BY id)
), busy AS (
  SELECT e.run_id AS run_id, sum(max(0, julianday(
    CASE WHEN next IS NULL OR next_kind = 'recover' THEN ifnull(r.heartbeat_utc, utc) ELSE next END)
    - julianday(utc))) * 86400 AS seconds
  FROM event e JOIN run r ON r.id = e.run_id WHERE kind IN ('start', 'resume') GROUP BY e.run_id
)
SELECT r.experiment_id, r.arm, r.arm_label, coalesce(m.architecture, CASE WHEN json_valid(r.settings_json)
  THEN json_extract(r.settings_json, '$.architecture') END, ''), r.status, ifnull(r.error, ''),
  ifnull(b.seconds, 0), ifnull(r.ended_utc, ifnull(r.heartbeat_utc, '')),
  CASE WHEN json_valid(r.settings_json) THEN json_extract(r.settings_json, '$.decode_tok_s') END
FROM run r LEFT JOIN model m ON m.id = r.model_id LEFT JOIN busy b ON b.run_id = r.id
ORDER BY r.experiment_id, r.arm, r.id)sql";

// Controls have no depth.
constexpr const char* kAccuracy = R"sql(
SELECT r.experiment_id, r.arm, c.ctx_len, sum(t.score >= 1), count(*)
FROM niah_trial t JOIN cell c ON c.id = t.cell_id JOIN run r ON r.id = c.run_id
WHERE c.depth_ppm IS NOT NULL
GROUP BY r.experiment_id, r.arm, c.ctx_len ORDER BY 1, 2, 3)sql";

// One cell a length: the first of a grid.
constexpr const char* kLatency = R"sql(
WITH sample AS (
  SELECT c.id AS cell_id, s.prefill_ns > 0 AS is_prefill,
    CASE WHEN s.prefill_ns > 0 THEN s.prefill_ns / 1e6 ELSE s.step_median_ns / 1e6 END AS x
  FROM latency_sample s JOIN cell c ON c.id = s.cell_id
  WHERE s.warmup = 0 AND s.cold = 0 AND s.excluded IS NULL
), ranked AS (
  SELECT cell_id, is_prefill, x, row_number() OVER (PARTITION BY cell_id ORDER BY x) AS i,
    count(*) OVER (PARTITION BY cell_id) AS n FROM sample WHERE x IS NOT NULL
), median AS (
  SELECT cell_id, max(is_prefill) AS is_prefill, avg(x) AS x FROM ranked
  WHERE i IN ((n + 1) / 2, (n + 2) / 2) GROUP BY cell_id
)
SELECT r.experiment_id, r.arm, c.ctx_len, m.x, m.is_prefill, min(c.ordinal)
FROM median m JOIN cell c ON c.id = m.cell_id JOIN run r ON r.id = c.run_id
GROUP BY r.experiment_id, r.arm, c.ctx_len ORDER BY 1, 2, 3)sql";

// A resumed training is a run of its own in the same experiment.
constexpr const char* kLoss = R"sql(
WITH point AS (
  SELECT r.experiment_id AS experiment_id, r.arm AS arm, p.step AS step, p.loss AS loss
  FROM train_point p JOIN run r ON r.id = p.run_id
), last AS (SELECT experiment_id, arm, max(step) AS step FROM point GROUP BY experiment_id, arm)
SELECT p.experiment_id, p.arm, max(p.step), avg(p.loss)
FROM point p JOIN last l ON l.experiment_id = p.experiment_id AND l.arm = p.arm
GROUP BY p.experiment_id, p.arm, p.step * 48 / (l.step + 1) ORDER BY 1, 2, 3)sql";

constexpr const char* kTokens = R"sql(
SELECT r.experiment_id, r.arm, max(p.n_tokens) FROM attn_step s JOIN run r ON r.id = s.run_id
JOIN prompt p ON p.id = s.prompt_id GROUP BY r.experiment_id, r.arm)sql";

template <class T>
T number(const std::string& text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

constexpr int64_t kAllRows = int64_t{1} << 40;

/// `take(overview, arm, row)` of every row whose first two columns are an experiment that is listed and its
/// arm. Others were made since the list was read: the next look shows them.
template <class Take>
Result<void> each_arm(const RunReader& reader, ById& by_id, const char* sql, const Take& take) {
  ORTHROS_TRY(const Table table, reader.query(sql, kAllRows));
  for (const Row& row : table.rows) {
    const auto found = by_id.find(number<RowId>(row[0]));
    if (found == by_id.end()) continue;
    const auto arm = number<size_t>(row[1]);
    if (arm < found->second->arms.size()) take(*found->second, found->second->arms[arm], row);
  }
  return {};
}

void take_run(Overview& overview, const Row& row) {
  const auto arm = number<size_t>(row[1]);
  if (arm >= 64) return;  // no experiment has so many: a damaged row
  if (overview.arms.size() <= arm) overview.arms.resize(arm + 1);
  ArmOverview& one = overview.arms[arm];
  one.label = row[2];
  one.architecture = row[3];
  overview.problem = row[4] == "failed" ? row[5] : overview.problem;
  overview.busy_seconds = std::max(overview.busy_seconds, number<double>(row[6]));
  overview.last_utc = std::max(overview.last_utc, row[7]);
  if (overview.summary.experiment.kind == ExperimentKind::prompt && !row[8].empty()) {
    overview.kind = FigureKind::decode_tps;
    one.figure = number<double>(row[8]);
  }
}

Result<void> read_runs(const RunReader& reader, ById& by_id) {
  ORTHROS_TRY(const Table table, reader.query(kArms, kAllRows));
  for (const Row& row : table.rows) {
    const auto found = by_id.find(number<RowId>(row[0]));
    if (found != by_id.end()) take_run(*found->second, row);
  }
  return {};
}

Result<void> read_accuracy(const RunReader& reader, ById& by_id) {
  std::map<const ArmOverview*, std::pair<double, double>> totals;
  return each_arm(reader, by_id, kAccuracy, [&](Overview& overview, ArmOverview& arm, const Row& row) {
    auto& [hits, trials] = totals[&arm];
    hits += number<double>(row[3]);
    trials += number<double>(row[4]);
    overview.kind = FigureKind::accuracy;
    arm.figure = hits / trials;
    arm.x.push_back(number<double>(row[2]));
    arm.y.push_back(number<double>(row[3]) / number<double>(row[4]));
  });
}

Result<void> read_latency(const RunReader& reader, ById& by_id) {
  ORTHROS_TRY_VOID(
      each_arm(reader, by_id, kLatency, [](Overview& overview, ArmOverview& arm, const Row& row) {
        overview.kind = row[4] == "1" ? FigureKind::prefill_ms : FigureKind::step_ms;
        arm.x.push_back(number<double>(row[2]));
        arm.y.push_back(number<double>(row[3]));
      }));
  // Arms are compared at the longest length that all of them have.
  for (auto& [id, overview] : by_id) {
    if (overview->kind != FigureKind::prefill_ms && overview->kind != FigureKind::step_ms) continue;
    double at = 0;
    for (const double x : overview->arms.front().x) {
      const bool shared = std::ranges::all_of(overview->arms, [x](const ArmOverview& arm) {
        return arm.x.empty() || std::ranges::find(arm.x, x) != arm.x.end();
      });
      if (shared) at = x;
    }
    overview->at = static_cast<int64_t>(at);
    for (ArmOverview& arm : overview->arms) {
      const auto found = std::ranges::find(arm.x, at);
      if (found != arm.x.end()) arm.figure = arm.y[static_cast<size_t>(found - arm.x.begin())];
    }
  }
  return {};
}

Result<void> read_loss(const RunReader& reader, ById& by_id) {
  return each_arm(reader, by_id, kLoss, [](Overview& overview, ArmOverview& arm, const Row& row) {
    overview.kind = FigureKind::loss;
    if (row[3].empty()) return;  // all of them no numbers
    overview.at = number<int64_t>(row[2]);
    arm.figure = number<double>(row[3]);
    arm.x.push_back(number<double>(row[2]));
    arm.y.push_back(*arm.figure);
  });
}

Result<void> read_tokens(const RunReader& reader, ById& by_id) {
  return each_arm(reader, by_id, kTokens, [](Overview& overview, ArmOverview& arm, const Row& row) {
    overview.kind = FigureKind::tokens;
    arm.figure = number<double>(row[2]);
  });
}

}  // namespace

Result<std::vector<Overview>> read_overviews(const RunReader& reader) {
  ORTHROS_TRY(auto summaries, reader.experiments());
  std::vector<Overview> overviews(summaries.size());
  ById by_id;
  for (size_t i = 0; i < summaries.size(); ++i) {
    overviews[i].summary = std::move(summaries[i]);
    by_id[overviews[i].summary.experiment.id] = &overviews[i];
  }
  ORTHROS_TRY_VOID(read_runs(reader, by_id));
  for (const auto read : {read_accuracy, read_latency, read_loss, read_tokens}) {
    ORTHROS_TRY_VOID(read(reader, by_id));
  }
  return overviews;
}

}  // namespace orthros::store
