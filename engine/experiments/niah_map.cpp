#include "engine/experiments/niah_map.h"

#include <algorithm>
#include <map>

namespace orthros {
namespace {

using store::CellStatus;

class ArmReader {
 public:
  ArmReader(const NiahSpec& spec, NiahArmMap& arm) : spec_(spec), arm_(arm) {
    arm.cells.assign(spec.lengths.size(), std::vector<NiahShare>(spec.depths_ppm.size()));
    arm.by_length.assign(spec.lengths.size(), {});
    arm.by_depth.assign(spec.depths_ppm.size(), {});
    arm.no_needle.assign(spec.lengths.size(), {});
  }

  Result<void> read(const store::RunReader& reader, const store::RunRecord& run) {
    ORTHROS_TRY(const auto cells, reader.cells(run.id));
    std::map<store::RowId, const store::CellRecord*> by_id;
    for (const store::CellRecord& cell : cells) {
      by_id[cell.id] = &cell;
      NiahShare* share = find(cell);
      if (share == nullptr) continue;
      // Of several runs of an arm, the one that got furthest says how the cell stands.
      if (share->status != CellStatus::done && cell.status != CellStatus::pending) {
        share->status = cell.status;
        share->error = cell.error_text;
      }
    }
    ORTHROS_TRY(const auto trials, reader.trials(run.id));
    for (const store::NiahTrialRecord& trial : trials) {
      const store::CellRecord& cell = *by_id.at(trial.cell_id);
      if (NiahShare* share = find(cell)) add(*share, trial);
      // Controls show that the test can fail; they are no part of the comparison.
      if (!cell.depth_ppm) continue;
      MapCell& map_cell = map_cells_[cell.key];
      map_cell.variant = cell.variant;
      map_cell.ctx_len = cell.ctx_len;
      map_cell.depth_ppm = *cell.depth_ppm;
      map_cell.trials.push_back({trial.trial_no, trial.prompt_id, trial.primary.score});
    }
    return read_depths(reader, run);
  }

  void sum_up(double threshold) {
    for (size_t l = 0; l < spec_.lengths.size(); ++l) {
      for (size_t d = 0; d < spec_.depths_ppm.size(); ++d) {
        for (NiahShare* margin : {&arm_.by_length[l], &arm_.by_depth[d], &arm_.all})
          margin->add(arm_.cells[l][d]);
      }
    }
    std::vector<LengthScore> scores;
    for (size_t l = 0; l < spec_.lengths.size(); ++l) {
      scores.push_back({spec_.lengths[l], arm_.by_length[l].accuracy(), arm_.by_length[l].n});
    }
    arm_.effective_context = effective_context(scores, threshold);
    for (auto& [key, cell] : map_cells_) arm_.map_cells.push_back(std::move(cell));
  }

 private:
  // The first target stands where asked for, the others anywhere.
  Result<void> read_depths(const store::RunReader& reader, const store::RunRecord& run) {
    ORTHROS_TRY(const store::Table table,
                reader.query(fmt::format("SELECT c.ctx_len, c.depth_ppm, n.depth_actual_ppm, "
                                         "SUM(c.ctx_len - n.tok_begin), COUNT(*) FROM cell c "
                                         "JOIN niah_trial t ON t.cell_id = c.id "
                                         "JOIN needle n ON n.prompt_id = t.prompt_id AND n.idx = 0 "
                                         "WHERE c.run_id = {} AND c.depth_ppm IS NOT NULL "
                                         "GROUP BY 1, 2, 3",
                                         run.id),
                             1'000'000));
    for (const auto& row : table.rows) {
      store::CellRecord cell;
      cell.ctx_len = std::stoll(row[0]);
      cell.depth_ppm = std::stoll(row[1]);
      if (NiahShare* share = find(cell))
        share->place(std::stoll(row[2]), std::stoll(row[3]), std::stoll(row[4]));
    }
    return {};
  }

  NiahShare* find(const store::CellRecord& cell) {
    if (cell.variant == to_string(NeedleControl::needle_only)) return &arm_.needle_only;
    const auto length = std::ranges::find(spec_.lengths, cell.ctx_len);
    if (length == spec_.lengths.end()) return nullptr;
    const auto l = static_cast<size_t>(length - spec_.lengths.begin());
    if (cell.variant == to_string(NeedleControl::no_needle)) return &arm_.no_needle[l];
    const auto depth = std::ranges::find(spec_.depths_ppm, cell.depth_ppm.value_or(-1));
    if (depth == spec_.depths_ppm.end()) return nullptr;
    return &arm_.cells[l][static_cast<size_t>(depth - spec_.depths_ppm.begin())];
  }

  static void add(NiahShare& share, const store::NiahTrialRecord& trial) {
    ++share.n;
    const bool hit = trial.primary.score >= kSuccessScore;
    share.hits += hit ? 1 : 0;
    share.score_sum += trial.primary.score;
    share.logprob_sum += trial.answer_logprob.value_or(0);
    share.rank1_sum += trial.answer_rank1.value_or(0);
    if (trial.attn_mass) {
      ++share.probed;
      share.mass_sum += *trial.attn_mass;
      share.uniform_sum += trial.attn_uniform.value_or(0);
    }
    if (!hit && trial.finish == "budget" && trial.primary.score == 0) ++share.cut;
  }

  const NiahSpec& spec_;
  NiahArmMap& arm_;
  std::map<std::string, MapCell> map_cells_;  // by key, over the arm's runs
};

}  // namespace

void NiahShare::add(const NiahShare& other) {
  hits += other.hits;
  n += other.n;
  score_sum += other.score_sum;
  logprob_sum += other.logprob_sum;
  rank1_sum += other.rank1_sum;
  mass_sum += other.mass_sum;
  uniform_sum += other.uniform_sum;
  probed += other.probed;
  cut += other.cut;
  if (other.depth_low_ppm >= 0) {
    place(other.depth_low_ppm, 0, 0);
    place(other.depth_high_ppm, other.from_end_sum, other.placed);
  }
}

void NiahShare::place(int64_t depth_ppm, int64_t from_end, int64_t count) {
  from_end_sum += from_end;
  placed += count;
  depth_low_ppm = depth_low_ppm < 0 ? depth_ppm : std::min(depth_low_ppm, depth_ppm);
  depth_high_ppm = std::max(depth_high_ppm, depth_ppm);
}

Result<NiahMap> read_niah_map(const store::RunReader& reader, const store::ExperimentRecord& experiment,
                              double threshold) {
  NiahMap map;
  map.threshold = threshold;
  const Json json = Json::parse(experiment.spec_json, nullptr, false);
  ORTHROS_TRY(map.spec, niah_spec_from_json(json));
  ORTHROS_TRY(const auto runs, reader.runs(experiment.id));
  int64_t arms = 0;
  for (const store::RunRecord& run : runs) arms = std::max(arms, run.arm + 1);
  map.arms.resize(static_cast<size_t>(arms));
  for (int64_t index = 0; index < arms; ++index) {
    NiahArmMap& arm = map.arms[static_cast<size_t>(index)];
    ArmReader arm_reader(map.spec, arm);
    std::optional<store::RowId> environment;
    for (const store::RunRecord& run : runs) {
      if (run.arm != index) continue;
      arm.label = run.arm_label;
      arm.mixed_environments = arm.mixed_environments || (environment && *environment != run.environment_id);
      environment = run.environment_id;
      ORTHROS_TRY_VOID(arm_reader.read(reader, run));
    }
    arm_reader.sum_up(threshold);
  }
  for (size_t b = 1; b < map.arms.size(); ++b) {
    map.pairs.push_back({0, b, delta_map(map.arms[0].map_cells, map.arms[b].map_cells)});
  }
  return map;
}

}  // namespace orthros
