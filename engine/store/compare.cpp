// Experiments side by side: only the keys that differ.
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/store/run_reader.h"
#include "engine/store/transfer.h"

namespace orthros::store {
namespace {

/// Everything of one experiment as sorted "path" -> text.
using Facts = std::map<std::string, std::string>;

void add_json(Facts& facts, const std::string& path, const nlohmann::json& value) {
  if (value.is_object()) {
    for (const auto& [key, child] : value.items()) add_json(facts, path + "/" + key, child);
  } else {
    // Arrays stay whole: "lengths: [256,512] | [512]" says more than its elements.
    facts[path] = value.is_string() ? value.get<std::string>()
                                    : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void add_text(Facts& facts, const std::string& path, const std::string& json) {
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  parsed.is_discarded() ? void(facts[path] = json) : add_json(facts, path, parsed);
}

void add_environment(Facts& facts, const std::string& path, const EnvironmentRecord& e) {
  const auto add = [&](const char* key, const std::string& value) { facts[path + "/" + key] = value; };
  add("os", e.os);
  add("kernel", e.kernel);
  add("cpu_model", e.cpu_model);
  add("cpu_flags", e.cpu_flags);
  add("governor", e.governor);
  add("cores", fmt::format("{}", e.cores));
  add("ram_bytes", fmt::format("{}", e.ram_bytes));
  add("gpu_name", e.gpu_name);
  add("gpu_driver", e.gpu_driver);
  add("gpu_count", fmt::format("{}", e.gpu_count));
  add("gpu_memory_bytes", fmt::format("{}", e.gpu_memory_bytes));
  add("cuda", e.cuda);
  add("libtorch", e.libtorch);
  add("qt", e.qt);
  add("sqlite", e.sqlite);
  add("compiler", e.compiler);
  add("build_type", e.build_type);
  add("app_version", e.app_version);
  add("git_commit", e.git_commit + (e.git_dirty ? " with changes" : ""));
  add_text(facts, path, e.extra_json);
}

void add_run(Facts& facts, const std::string& path, const RunRecord& r) {
  facts[path] = r.arm_label;
  facts[path + "/device"] = r.device;
  facts[path + "/dtype"] = r.dtype;
  facts[path + "/weights"] = r.weights;
  facts[path + "/kv_dtype"] = r.kv_dtype;
  facts[path + "/attn_impl"] = r.attn_impl;
  facts[path + "/n_threads"] = fmt::format("{}", r.n_threads);
  facts[path + "/seed"] = fmt::format("{}", r.seed);
  add_text(facts, path + "/settings", r.settings_json);
}

void add_model(Facts& facts, const std::string& path, const ModelRecord& m) {
  facts[path] = m.label;
  facts[path + "/architecture"] = m.architecture;
  facts[path + "/weights_sha256"] = m.weights_sha256;
  facts[path + "/trained"] = m.trained ? "yes" : "no";
  facts[path + "/params_total"] = fmt::format("{}", m.params_total);
  add_text(facts, path + "/config", m.config_json);
}

Result<Facts> facts_of(const RunReader& reader, std::string_view uuid) {
  ORTHROS_TRY(const ExperimentRecord experiment, reader.find_experiment(uuid));
  Facts facts;
  facts["kind"] = to_string(experiment.kind);
  add_text(facts, "spec", experiment.spec_json);
  ORTHROS_TRY(const std::vector<RunRecord> runs, reader.runs(experiment.id));
  for (const RunRecord& run : runs) {  // a later run of an arm takes the place of the earlier one
    const std::string path = fmt::format("arm {}", run.arm);
    add_run(facts, path, run);
    ORTHROS_TRY(const EnvironmentRecord environment, reader.environment(run.environment_id));
    add_environment(facts, path + "/environment", environment);
    if (run.model_id) {
      ORTHROS_TRY(const ModelRecord model, reader.model(*run.model_id));
      add_model(facts, path + "/model", model);
    }
    if (run.tokenizer_id) {
      ORTHROS_TRY(const TokenizerRecord tokenizer, reader.tokenizer(*run.tokenizer_id));
      facts[path + "/tokenizer"] = tokenizer.label + " " + tokenizer.sha256.substr(0, 12);
    }
  }
  return facts;
}

std::string value_at(const Facts& facts, const std::string& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? "(none)" : found->second;
}

}  // namespace

Result<std::vector<Difference>> compare_experiments(const std::filesystem::path& database,
                                                    std::span<const std::string> uuids) {
  ORTHROS_TRY(const std::unique_ptr<RunReader> reader, RunReader::open(database));
  std::vector<Facts> all;
  Facts keys;
  for (const std::string& uuid : uuids) {
    ORTHROS_TRY(Facts facts, facts_of(*reader, uuid));
    keys.insert(facts.begin(), facts.end());
    all.push_back(std::move(facts));
  }
  std::vector<Difference> differences;
  for (const auto& [key, ignored] : keys) {
    Difference difference{key, {}};
    for (const Facts& facts : all) difference.values.push_back(value_at(facts, key));
    const auto& values = difference.values;
    if (std::ranges::any_of(values, [&](const std::string& value) { return value != values.front(); }))
      differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace orthros::store
