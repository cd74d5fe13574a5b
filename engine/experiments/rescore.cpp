#include "engine/experiments/rescore.h"

#include <algorithm>

#include "engine/formats/json.h"
#include "engine/store/run_reader.h"

namespace orthros {
namespace {

Result<std::vector<std::string>> expected_values(const store::NiahTrialRecord& trial) {
  const Json json = Json::parse(trial.expected_json, nullptr, false);
  std::vector<std::string> values;
  if (!json.is_array())
    return fail(ErrorCode::corrupt_file, "trial {} does not say what was expected", trial.id);
  for (const Json& value : json) {
    if (!value.is_string())
      return fail(ErrorCode::corrupt_file, "trial {} expects what is no text", trial.id);
    values.push_back(value.get<std::string>());
  }
  return values;
}

bool has_score(const store::NiahTrialRecord& trial, const std::string& scorer) {
  return trial.primary.scorer == scorer ||
         std::ranges::any_of(trial.others,
                             [&](const store::ScoreRecord& score) { return score.scorer == scorer; });
}

}  // namespace

Result<RescoreReport> rescore(store::RunStore& store, store::RowId experiment, const StopToken& stop,
                              const ProgressSink& progress) {
  RescoreReport report;
  ORTHROS_TRY(const auto reader, store::RunReader::open(store.path()));
  ORTHROS_TRY(const auto runs, reader->runs(experiment));
  for (const store::RunRecord& run : runs) {
    ORTHROS_TRY(const auto trials, reader->trials(run.id));
    for (const store::NiahTrialRecord& trial : trials) {
      ORTHROS_TRY_VOID(stop.check("re-scoring"));
      ORTHROS_TRY(const std::vector<std::string> expected, expected_values(trial));
      for (const Scorer scorer : all_scorers()) {
        if (has_score(trial, scorer_id(scorer))) continue;
        ORTHROS_TRY_VOID(store.add_score(
            trial.id, {scorer_id(scorer), score_output(scorer, trial.output_text, expected)}));
        ++report.added;
      }
      ++report.trials;
      orthros::report(progress, "rescore", report.trials, std::ssize(trials));
    }
  }
  return report;
}

}  // namespace orthros
