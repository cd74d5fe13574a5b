#include "app/studio/pages/niah/niah_trials.h"

#include <algorithm>
#include <unordered_map>

#include "app/studio/text.h"
#include "engine/formats/json.h"
#include "engine/store/run_reader.h"

namespace orthros::studio {
namespace {

constexpr qint64 kAround = 48;    // ids of the prompt before and after the needle
constexpr qint64 kQuestion = 24;  // and at its end

QString expectedText(const std::string& json) {
  const Json values = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  QStringList texts;
  if (values.is_array()) {
    for (const Json& value : values) {
      if (value.is_string()) texts.append(toQt(value.get<std::string>()));
    }
  }
  return texts.join(QStringLiteral(", "));
}

NiahTrial trialOf(const store::NiahTrialRecord& record) {
  NiahTrial trial;
  trial.number = record.trial_no;
  trial.prompt = record.prompt_id;
  trial.answer = toQt(record.output_text);
  trial.expected = expectedText(record.expected_json);
  trial.finish = toQt(record.finish);
  trial.scorer = toQt(record.primary.scorer);
  trial.score = record.primary.score;
  trial.logProbability = record.answer_logprob.value_or(NiahTrial::kNone);
  trial.rankedFirst = record.answer_rank1.value_or(NiahTrial::kNone);
  trial.mass = record.attn_mass.value_or(NiahTrial::kNone);
  trial.uniform = record.attn_uniform.value_or(NiahTrial::kNone);
  trial.prefillNs = record.prefill_ns;
  trial.decodeNs = record.decode_ns;
  return trial;
}

// SQLite gives layer and head of the row that MAX chose.
Result<void> addStrongestHeads(const store::RunReader& reader, store::RowId cell,
                               const std::unordered_map<store::RowId, size_t>& index,
                               std::vector<NiahTrial>& trials) {
  ORTHROS_TRY(
      const store::Table table,
      reader.query(fmt::format("SELECT t.id, p.layer, p.head, MAX(p.mass) FROM niah_trial t "
                               "JOIN attn_probe p ON p.trial_id = t.id WHERE t.cell_id = {} GROUP BY t.id",
                               cell)));
  for (const auto& row : table.rows) {
    const auto found = index.find(std::stoll(row[0]));
    if (found == index.end()) continue;
    NiahTrial& trial = trials[found->second];
    trial.layer = std::stoi(row[1]);
    trial.head = std::stoi(row[2]);
    trial.headMass = std::stod(row[3]);
  }
  return {};
}

}  // namespace

Result<std::vector<NiahTrial>> readNiahTrials(const QString& storePath, const QString& uuid, qint64 arm,
                                              qint64 length, qint64 depthPpm) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto experiment, reader->find_experiment(toStd(uuid)));
  ORTHROS_TRY(const auto runs, reader->runs(experiment.id));
  std::vector<NiahTrial> trials;
  for (const store::RunRecord& run : runs) {
    if (run.arm != arm) continue;
    ORTHROS_TRY(const auto cells, reader->cells(run.id));
    const auto cell = std::ranges::find_if(cells, [&](const store::CellRecord& one) {
      return one.ctx_len == length && one.depth_ppm == depthPpm;
    });
    if (cell == cells.end()) continue;
    ORTHROS_TRY(const auto records, reader->trials(run.id));
    std::unordered_map<store::RowId, size_t> index;
    for (const store::NiahTrialRecord& record : records) {
      if (record.cell_id != cell->id) continue;
      index[record.id] = trials.size();
      trials.push_back(trialOf(record));
    }
    ORTHROS_TRY_VOID(addStrongestHeads(*reader, cell->id, index, trials));
  }
  std::ranges::sort(trials, {}, &NiahTrial::number);
  return trials;
}

Result<NiahPrompt> readNiahPrompt(const QString& storePath, store::RowId id,
                                  const std::shared_ptr<const Model>& model) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const store::PromptRecord record, reader->prompt(id));
  NiahPrompt prompt;
  prompt.ids = record.ids;
  for (const store::NeedleRecord& needle : record.needles) {
    if (needle.distractor) continue;
    prompt.begin = needle.tok_begin;
    prompt.end = needle.tok_end;
    prompt.key = toQt(needle.key);
    prompt.value = toQt(needle.value);
    break;
  }
  if (!model || !model->files().tokenizer) return prompt;
  const auto text = [&](qint64 begin, qint64 end) -> QString {
    const qint64 size = std::ssize(prompt.ids);
    begin = std::clamp<qint64>(begin, 0, size);
    end = std::clamp<qint64>(end, begin, size);
    return toQt(model->files()
                    .tokenizer->decode({prompt.ids.begin() + begin, prompt.ids.begin() + end})
                    .value_or(std::string()));
  };
  const qint64 size = std::ssize(prompt.ids);
  prompt.text = text(0, size);
  const qint64 asked = std::max(prompt.end, size - kQuestion);
  prompt.before = text(prompt.begin - kAround, prompt.begin);
  prompt.needle = text(prompt.begin, prompt.end);
  prompt.after = text(prompt.end, std::min(prompt.end + kAround, asked));
  prompt.question = text(asked, size);
  return prompt;
}

}  // namespace orthros::studio
