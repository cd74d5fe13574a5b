#include "app/studio/pages/prompt/kept_prompts.h"

#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include "app/studio/kept_runs.h"
#include "app/studio/text.h"
#include "engine/formats/json.h"
#include "engine/store/run_reader.h"

namespace orthros::studio {
namespace {

Json parsed(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

double numberOf(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0.0;
}

QString textOf(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? toQt(json[key].get<std::string>())
                                                                         : QString();
}

KeptRow rowOf(const store::ExperimentSummary& summary) {
  KeptRow row;
  row.uuid = toQt(summary.experiment.uuid);
  row.name = toQt(summary.experiment.name);
  row.arm = summary.arms.empty() ? QString() : toQt(summary.arms.front());
  row.created = localTime(summary.experiment.created_utc);
  row.status = toQt(to_string(summary.status));
  return row;
}

widgets::TokenChip chipOf(const store::GenTokenRecord& token) {
  widgets::TokenChip chip;
  chip.id = token.token_id;
  chip.bytes = QByteArray::fromStdString(token.bytes);
  chip.probability = token.probability;
  chip.elapsedMs = static_cast<double>(token.elapsed_ns) / 1e6;
  const Json alternatives = parsed(token.alternatives_json);
  if (!alternatives.is_array()) return chip;
  for (const Json& pair : alternatives) {
    if (pair.is_array() && pair.size() == 2 && pair[0].is_number_integer() && pair[1].is_number())
      chip.alternatives.append({pair[0].get<int64_t>(), {}, pair[1].get<double>()});
  }
  return chip;
}

// The store keeps bytes of the tokens that came; those that could have come get them where the same id came
// once.
void nameAlternatives(QList<widgets::TokenChip>& tokens) {
  QHash<qint64, QByteArray> known;
  for (const widgets::TokenChip& chip : tokens) known.insert(chip.id, chip.bytes);
  for (widgets::TokenChip& chip : tokens) {
    for (widgets::TokenAlternative& other : chip.alternatives)
      other.bytes = known.value(other.id, QByteArray("#") + QByteArray::number(other.id));
  }
}

QString keyOfLabel(const QString& label) {
  if (label.contains(u"Orthros")) return QStringLiteral("orthros");
  return label.contains(u"SWA") ? QStringLiteral("swa") : QStringLiteral("transformer");
}

// "Orthros w=128 s=4"
WindowSpec windowOfLabel(const QString& label) {
  static const QRegularExpression pattern(QStringLiteral("w=?(\\d+)(?:\\D+s=?(\\d+))?"));
  const QRegularExpressionMatch match = pattern.match(label.section(QStringLiteral(", "), 1));
  return match.hasMatch() ? WindowSpec{match.captured(1).toLongLong(), match.captured(2).toLongLong()}
                          : WindowSpec::full();
}

GenerateRequest requestOf(const Json& spec) {
  GenerateRequest request;
  request.max_tokens = std::max<int64_t>(1, static_cast<int64_t>(numberOf(spec, "max_tokens")));
  request.sampling.temperature =
      static_cast<decltype(request.sampling.temperature)>(numberOf(spec, "temperature"));
  request.sampling.top_k = static_cast<decltype(request.sampling.top_k)>(numberOf(spec, "top_k"));
  request.sampling.top_p = static_cast<decltype(request.sampling.top_p)>(numberOf(spec, "top_p"));
  request.sampling.min_p = static_cast<decltype(request.sampling.min_p)>(numberOf(spec, "min_p"));
  // Not by way of double, which holds 53 bits.
  if (spec.is_object() && spec.contains("seed") && spec["seed"].is_number_integer())
    request.sampling.seed = spec["seed"].get<uint64_t>();
  if (spec.is_object() && spec.contains("stop") && spec["stop"].is_array()) {
    for (const Json& stop : spec["stop"]) {
      if (stop.is_string()) request.stop.push_back(stop.get<std::string>());
    }
  }
  return request;
}

}  // namespace

Result<QList<KeptRow>> readKeptRows(const QString& storePath) {
  if (!QFileInfo::exists(storePath)) return QList<KeptRow>();
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto summaries, reader->experiments(store::ExperimentKind::prompt));
  QList<KeptRow> rows;
  for (const store::ExperimentSummary& summary : summaries) rows.append(rowOf(summary));
  return rows;
}

Result<KeptRun> readKeptRun(const QString& storePath, const QString& uuid) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto experiment, reader->find_experiment(toStd(uuid)));
  ORTHROS_TRY(const auto runs, reader->runs(experiment.id));
  if (runs.empty()) return fail(ErrorCode::not_found, "the experiment has no run");
  const store::RunRecord& run = runs.front();
  ORTHROS_TRY(const auto tokens, reader->tokens(run.id));
  const Json spec = parsed(experiment.spec_json);
  const Json settings = parsed(run.settings_json);
  KeptRun kept;
  kept.row.uuid = uuid;
  kept.row.name = toQt(experiment.name);
  kept.row.arm = toQt(run.arm_label);
  kept.row.created = localTime(experiment.created_utc);
  kept.text = textOf(spec, "text");
  kept.chat = spec.is_object() && spec.value("chat", false);
  kept.armKey = keyOfLabel(kept.row.arm);
  kept.window = windowOfLabel(kept.row.arm);
  kept.request = requestOf(spec);
  kept.figures.ttftMs = numberOf(settings, "ttft_ms");
  kept.figures.prefillTokS = numberOf(settings, "prefill_tok_s");
  kept.figures.decodeTokS = numberOf(settings, "decode_tok_s");
  kept.figures.kvBytes = static_cast<qint64>(numberOf(settings, "kv_bytes"));
  kept.figures.promptTokens = static_cast<qint64>(numberOf(settings, "prompt_tokens"));
  kept.figures.backend = toQt(run.attn_impl);
  kept.modelName = kept.row.arm.section(QStringLiteral(", "), 0, 0);
  for (const store::GenTokenRecord& token : tokens) kept.tokens.append(chipOf(token));
  if (!tokens.empty()) {
    ORTHROS_TRY(const auto prompt, reader->prompt(tokens.front().prompt_id));
    kept.prompt.assign(prompt.ids.begin(), prompt.ids.end());
  }
  nameAlternatives(kept.tokens);
  return kept;
}

void KeptPrompts::setRows(const QList<KeptRow>& rows) {
  beginResetModel();
  m_rows = rows;
  endResetModel();
}

int KeptPrompts::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant KeptPrompts::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const KeptRow& row = m_rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return row.name;
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2\n%3, %4").arg(row.name, row.arm, row.created, row.status);
    case UuidRole:
      return row.uuid;
    case ArmRole:
      return row.arm;
    case CreatedRole:
      return row.created;
    default:
      return {};
  }
}

}  // namespace orthros::studio
