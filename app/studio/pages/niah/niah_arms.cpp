#include "app/studio/pages/niah/niah_arms.h"

#include <QDir>
#include <QRegularExpression>
#include <algorithm>

#include "app/studio/text.h"
#include "engine/base/sha256.h"
#include "engine/model/model_identity.h"

namespace orthros::studio {
namespace {

constexpr int64_t kLongestContext = 1 << 20;

std::string labelOf(const Model& model, const ModelConfig& config) {
  return model_name(model.files()) + ", " + architecture_label(config);
}

Result<ModelConfig> readAs(const ModelConfig& config, const NiahArmChoice& choice) {
  if (!choice.architecture) return config;
  return with_architecture(config, *choice.architecture, window_for(config, choice.window, choice.sinks));
}

std::string textOf(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                         : std::string();
}

// The label says window and sinks: "Orthros w=128 s=4".
std::vector<NiahArmChoice> readingsOf(quint64 model, const std::string& label) {
  std::vector<NiahArmChoice> readings{{model, {}, {}, {}}, {model, Architecture::transformer, {}, {}}};
  static const QRegularExpression pattern(QStringLiteral("w=(\\d+) s=(\\d+)"));
  const QRegularExpressionMatch match = pattern.match(toQt(label));
  if (!match.hasMatch()) return readings;
  for (const Architecture architecture : {Architecture::swa, Architecture::orthros}) {
    readings.push_back({model, architecture, match.captured(1).toLongLong(), match.captured(2).toLongLong()});
  }
  return readings;
}

// As it was before equal labels were told apart: "model #3fa1c2, SWA w=8 s=0 (2)".
std::string plainLabel(const std::string& label) {
  static const QRegularExpression added(QStringLiteral(" #[0-9a-f]{6}(?=, )| \\(\\d+\\)$"));
  return toStd(toQt(label).remove(added));
}

}  // namespace

QList<NiahArmChoice> defaultArms(const ModelLibrary& library) {
  QList<NiahArmChoice> arms;
  for (const OpenedModel& model : library.models()) {
    if (model.state == OpenedModel::State::Ready && arms.size() < kMostNiahArms)
      arms.append({model.id, {}, {}, {}});
  }
  if (arms.size() != 1) return arms;
  const quint64 model = arms.front().model;
  const bool isOrthros = library.find(model)->model->config().has_output_stream();
  arms.clear();
  for (const Architecture architecture :
       {Architecture::transformer, Architecture::swa, Architecture::orthros}) {
    // Weights that were trained as two streams answer nothing as one that sees all.
    if (!isOrthros || architecture != Architecture::transformer) arms.append({model, architecture, {}, {}});
  }
  return arms;
}

Result<NiahArmSource> sourceOf(const ModelLibrary& library, const NiahArmChoice& choice) {
  const OpenedModel* model = library.find(choice.model);
  if (model == nullptr || !model->model) return fail(ErrorCode::not_found, "the model is not open any more");
  ORTHROS_TRY(ModelConfig config, readAs(model->model->config(), choice));
  return NiahArmSource{model->model, std::move(config), {}, {}};
}

QString armLabel(const ModelLibrary& library, const NiahArmChoice& choice) {
  const auto source = sourceOf(library, choice);
  return source ? toQt(labelOf(*source->model, source->config)) : toQt(source.error());
}

QString armText(const ModelLibrary& library, const NiahArmChoice& choice) {
  const OpenedModel* model = library.find(choice.model);
  const auto same = [model](const OpenedModel& other) {
    return model != nullptr && other.id != model->id && other.name() == model->name();
  };
  const QString label = armLabel(library, choice);
  if (std::ranges::none_of(library.models(), same)) return label;
  return QDir(model->path).absolutePath().section(u'/', -2, -2) + u'/' + label;
}

Result<NiahArmSource> findArm(const ModelLibrary& library, const Json& spec, size_t index) {
  if (!spec.is_object() || !spec.contains("arms") || !spec["arms"].is_array() || spec["arms"].size() <= index)
    return fail(ErrorCode::corrupt_file, "the experiment's arms cannot be read");
  const Json& arm = spec["arms"][index];
  const std::string label = plainLabel(textOf(arm, "label"));
  const std::string sha256 = textOf(arm, "config_sha256");
  std::optional<NiahArmSource> found;
  for (const OpenedModel& model : library.models()) {
    if (model.state != OpenedModel::State::Ready) continue;
    for (const NiahArmChoice& reading : readingsOf(model.id, label)) {
      auto source = sourceOf(library, reading);
      if (!source || sha256_hex(architecture_json(source->config).dump()) != sha256) continue;
      if (labelOf(*source->model, source->config) != label) continue;
      if (found) {
        found->others.push_back(source->model);
      } else {
        found = std::move(*source);
      }
      break;
    }
  }
  if (found) {
    found->weightsSha256 = textOf(arm, "weights_sha256");
    return std::move(*found);
  }
  const std::string name = label.substr(0, label.rfind(", "));
  return fail(Error{ErrorCode::not_found, fmt::format("{} is not open", name),
                    "open it on the Models page, then try again"});
}

Result<std::vector<NiahArmSource>> findArms(const ModelLibrary& library, const Json& spec) {
  std::vector<NiahArmSource> sources;
  if (!spec.is_object() || !spec.contains("arms") || !spec["arms"].is_array())
    return fail(ErrorCode::corrupt_file, "the experiment's arms cannot be read");
  for (size_t arm = 0; arm < spec["arms"].size(); ++arm) {
    ORTHROS_TRY(NiahArmSource source, findArm(library, spec, arm));
    sources.push_back(std::move(source));
  }
  return sources;
}

Result<QList<NiahArmChoice>> findArmChoices(const ModelLibrary& library, const Json& spec) {
  ORTHROS_TRY(const std::vector<NiahArmSource> sources, findArms(library, spec));
  QList<NiahArmChoice> choices;
  for (size_t arm = 0; arm < sources.size(); ++arm) {
    const Json wanted = architecture_json(sources[arm].config);
    const std::string label = plainLabel(textOf(spec["arms"][arm], "label"));
    for (const OpenedModel& model : library.models()) {
      if (model.model != sources[arm].model) continue;
      for (const NiahArmChoice& reading : readingsOf(model.id, label)) {
        const auto source = sourceOf(library, reading);
        if (!source || architecture_json(source->config) != wanted) continue;
        choices.append(reading);
        break;
      }
    }
  }
  return choices;
}

int64_t contextLimit(const std::vector<NiahArmSource>& arms) {
  int64_t limit = kLongestContext;
  for (const NiahArmSource& arm : arms) {
    if (arm.config.max_position_embeddings > 0) limit = std::min(limit, arm.config.max_position_embeddings);
  }
  return limit;
}

}  // namespace orthros::studio
