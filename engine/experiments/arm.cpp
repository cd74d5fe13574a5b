#include "engine/experiments/arm.h"

#include <map>

#include "engine/model/cost_model.h"
#include "engine/model/model_identity.h"

namespace orthros {
namespace {

struct Loaded {
  ArmSpec spec;
  std::shared_ptr<const Model> model;
  std::string weights_sha256;
};

LoadOptions load_options(const ArmSpec& spec, const LoadOptions& defaults) {
  LoadOptions options = defaults;
  if (spec.dtype) options.compute_type = spec.dtype;
  if (spec.kv_dtype) options.kv_type = spec.kv_dtype;
  if (spec.weights) options.weight_format = spec.weights;
  return options;
}

bool same_load(const ArmSpec& a, const ArmSpec& b) {
  return a.model == b.model && a.dtype == b.dtype && a.kv_dtype == b.kv_dtype && a.weights == b.weights;
}

Result<ModelConfig> read_as(const ModelConfig& config, const ArmSpec& spec) {
  if (!spec.architecture) {
    if (!spec.window && !spec.sinks) return config;
    if (!config.has_output_stream()) {
      return fail(Error{ErrorCode::invalid_argument, "w and s say how to read the model as another one",
                        "write MODEL:orthros,w=128,s=4 or MODEL:swa,w=128,s=4"});
    }
  }
  return with_architecture(config, spec.architecture.value_or(Architecture::orthros),
                           window_for(config, spec.window, spec.sinks));
}

store::TokenizerRecord tokenizer_record(const Tokenizer& tokenizer, const std::string& label) {
  store::TokenizerRecord record;
  record.sha256 = tokenizer_sha256(tokenizer);
  record.kind = "byte-level BPE";
  record.label = label;
  record.vocab_size = tokenizer.vocab_size();
  const auto empty = tokenizer.encode("", true);
  record.adds_bos = empty && !empty->empty();
  return record;
}

store::ModelRecord model_record(const Loaded& loaded, const ModelConfig& config, const std::string& label) {
  store::ModelRecord record;
  record.weights_sha256 = loaded.weights_sha256;
  record.architecture = architecture_name(config);
  record.config_json = architecture_json(config).dump();
  record.config_sha256 = sha256_hex(record.config_json);
  record.label = label;
  const ParameterCount count = count_parameters(config);
  record.params_total = count.total();
  record.params_linear = count.layers;
  const Json& source = loaded.model->config().source;
  if (source.is_object() && source.contains("conversion")) {
    record.provenance_json = source["conversion"].dump();
    record.trained =
        source["conversion"].is_object() && source["conversion"].value("training", "none") != "none";
  }
  return record;
}

Arm make_arm(const Loaded& loaded, const ModelConfig& config) {
  Arm arm;
  const Model& model = *loaded.model;
  arm.config = config;
  const std::string name = std::filesystem::path(model_name(model.files())).string();
  arm.label = name + ", " + architecture_label(arm.config);
  arm.model = make_language_model(loaded.model, arm.config);
  arm.record = model_record(loaded, arm.config, arm.label);
  arm.eos = model.files().eos;
  arm.special_ids = arm.eos;
  if (model.files().tokenizer) {
    const Tokenizer& tokenizer = *model.files().tokenizer;
    arm.tokenizer = tokenizer_record(tokenizer, name);
    arm.codec = text_codec(tokenizer);
    arm.special_ids.clear();
    for (TokenId id = 0; id < tokenizer.vocab_size(); ++id) {
      if (tokenizer.is_special(id)) arm.special_ids.push_back(id);
    }
  }
  const LoadReport& report = model.report();
  arm.dtype = to_string(report.compute_type);
  arm.weights = report.weights;
  arm.kv_dtype = to_string(report.kv_type);
  const ParameterCount count = count_parameters(config);
  arm.bytes_per_weight = static_cast<double>(report.held_bytes) /
                         static_cast<double>(count.embedding + count.layers + count.lm_head);
  return arm;
}

}  // namespace

Json Arm::identity() const {
  return {{"label", label},
          {"weights_sha256", record.weights_sha256},
          {"config_sha256", record.config_sha256},
          {"architecture", record.architecture},
          {"device", device},
          {"dtype", dtype},
          {"weights", weights},
          {"kv_dtype", kv_dtype}};
}

void tell_apart(const std::vector<Arm*>& arms) {
  constexpr size_t kDigits = 6;
  std::vector<std::string> labels;
  for (const Arm* arm : arms) labels.push_back(arm->label);
  for (size_t i = 0; i < arms.size(); ++i) {
    for (size_t j = 0; j < arms.size(); ++j) {
      if (labels[i] != labels[j] || arms[i]->record.weights_sha256 == arms[j]->record.weights_sha256)
        continue;
      const size_t name = std::min(labels[i].find(", "), labels[i].size());
      arms[i]->label = fmt::format("{} #{}{}", labels[i].substr(0, name),
                                   arms[i]->record.weights_sha256.substr(0, kDigits), labels[i].substr(name));
      break;
    }
  }
  std::map<std::string, int> seen;
  for (Arm* arm : arms) {
    const int number = ++seen[arm->label];
    if (number > 1) arm->label += fmt::format(" ({})", number);
    arm->record.label = arm->label;
  }
}

TextCodec text_codec(const Tokenizer& tokenizer) {
  TextCodec codec;
  codec.encode = [tokenizer](std::string_view text) -> Result<std::vector<int64_t>> {
    return tokenizer.encode(text, /*add_special=*/false);
  };
  codec.decode = [tokenizer](const std::vector<int64_t>& ids) -> Result<std::string> {
    return tokenizer.decode(ids);
  };
  codec.prefix = tokenizer.encode("", /*add_special=*/true).value_or(std::vector<TokenId>());
  return codec;
}

Result<std::vector<Arm>> open_arms(const std::vector<ArmSpec>& specs, const LoadOptions& defaults,
                                   const StopToken& stop, const ProgressSink& progress) {
  std::vector<Loaded> loaded;
  std::vector<Arm> arms;
  for (const ArmSpec& spec : specs) {
    const Loaded* found = nullptr;
    for (const Loaded& one : loaded) found = same_load(one.spec, spec) ? &one : found;
    if (found == nullptr) {
      Loaded one{spec, nullptr, {}};
      ORTHROS_TRY(ModelFiles files, open_model(spec.model));
      ORTHROS_TRY(one.weights_sha256, weights_sha256(*files.weights, stop, progress));
      ORTHROS_TRY(one.model, Model::load(std::move(files), load_options(spec, defaults), stop, progress));
      loaded.push_back(std::move(one));
      found = &loaded.back();
    }
    ORTHROS_TRY(const ModelConfig config, read_as(found->model->config(), spec));
    Arm arm = make_arm(*found, config);
    if (spec.dtype) arm.label += fmt::format(", {}", to_string(*spec.dtype));
    if (spec.weights) arm.label += fmt::format(", {} weights", to_string(*spec.weights));
    if (spec.kv_dtype) arm.label += fmt::format(", {} cache", to_string(*spec.kv_dtype));
    arm.record.label = arm.label;
    arms.push_back(std::move(arm));
  }
  return arms;
}

Result<Arm> arm_of(std::shared_ptr<const Model> model, const ModelConfig& config, const StopToken& stop,
                   const ProgressSink& progress) {
  Loaded loaded{{}, std::move(model), {}};
  ORTHROS_TRY(loaded.weights_sha256, weights_sha256(*loaded.model->files().weights, stop, progress));
  return make_arm(loaded, config);
}

}  // namespace orthros
