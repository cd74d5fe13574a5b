#include "engine/training/train_config.h"

#include <set>
#include <span>

#include "engine/base/sha256.h"
#include "engine/distributed/comm.h"
#include "engine/formats/mapped_file.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;

/// Reads the keys of one object; those that nobody asked for are unknown.
class Keys {
 public:
  Keys(const Json& json, std::string where, const fs::path& folder)
      : json_(json), where_(std::move(where)), folder_(folder) {}

  bool has(const char* key) const { return json_.contains(key); }
  const Json* find(const char* key) {
    known_.insert(key);
    const auto at = json_.find(key);
    return at == json_.end() ? nullptr : &*at;
  }
  void integer(const char* key, int64_t low, int64_t& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_number_integer() || json->get<int64_t>() < low)
      return wrong(key, fmt::format("a whole number from {}", low));
    value = json->get<int64_t>();
  }
  void number(const char* key, double low, double high, double& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    const double given = json->is_number() ? json->get<double>() : low - 1;
    if (!(given >= low && given <= high)) return wrong(key, fmt::format("a number from {} to {}", low, high));
    value = given;
  }
  void boolean(const char* key, bool& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_boolean()) return wrong(key, "true or false");
    value = json->get<bool>();
  }
  void text(const char* key, std::string& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_string()) return wrong(key, "a string");
    value = json->get<std::string>();
  }
  void path(const char* key, fs::path& value) {
    std::string given;
    text(key, given);
    if (!given.empty()) value = (folder_ / given).lexically_normal();
  }
  /// One whole number or a list of them.
  void integers(const char* key, int64_t low, std::vector<int64_t>& values) {
    const Json* json = find(key);
    if (json == nullptr) return;
    values.clear();
    for (const Json& item : json->is_array() ? *json : Json::array({*json})) {
      if (!item.is_number_integer() || item.get<int64_t>() < low) {
        return wrong(key, fmt::format("a whole number from {}, or a list of them", low));
      }
      values.push_back(item.get<int64_t>());
    }
    if (values.empty()) wrong(key, "at least one number");
  }
  /// A list of strings that holds at least one.
  void words(const char* key, std::vector<std::string>& values) {
    const Json* json = find(key);
    if (json == nullptr) return;
    values.clear();
    for (const Json& item : *json) {
      if (item.is_string()) values.push_back(item.get<std::string>());
    }
    if (!json->is_array() || values.empty() || values.size() != json->size()) wrong(key, "a list of strings");
  }
  template <class T>
  void choice(const char* key, const std::vector<std::pair<std::string, T>>& choices, T& value) {
    std::string given;
    text(key, given);
    if (given.empty()) return;
    for (const auto& [name, result] : choices) {
      if (name == given) {
        value = result;
        return;
      }
    }
    std::string names;
    for (const auto& [name, result] : choices) names += (names.empty() ? "" : ", ") + name;
    wrong(key, "one of " + names);
  }
  void required(const char* key) {
    if (!has(key)) keep({ErrorCode::invalid_argument, fmt::format("{} has no '{}'", where_, key), {}});
  }
  void wrong(const char* key, const std::string& what) {
    keep({ErrorCode::invalid_argument, fmt::format("'{}' of {} must be {}", key, where_, what), {}});
  }
  void keep(Error error) {
    if (error_.message.empty()) error_ = std::move(error);
  }
  Result<void> finish() {
    for (const auto& [key, value] : json_.items()) {
      if (!known_.contains(key)) {
        keep({ErrorCode::invalid_argument, fmt::format("{} has an unknown key '{}'", where_, key),
              "see engine/training/train_config.h for all keys"});
      }
    }
    if (!error_.message.empty()) return fail(error_);
    return {};
  }

 private:
  const Json& json_;
  std::string where_;
  const fs::path& folder_;
  std::set<std::string> known_;
  Error error_;
};

Result<Json> object_of(const Json& json, const std::string& where) {
  if (json.is_object()) return json;
  return fail(ErrorCode::invalid_argument, "{} must be an object", where);
}

const std::vector<std::pair<std::string, ScalarType>> kTypes{{"float32", ScalarType::float32},
                                                             {"bfloat16", ScalarType::bfloat16}};
const std::vector<std::pair<std::string, NeedleGrammar>> kGrammars{
    {"pair", NeedleGrammar::pair}, {"word", NeedleGrammar::word}, {"number", NeedleGrammar::number}};

void read_grammars(Keys& keys, StageConfig& stage) {
  const Json* json = keys.find("grammar");
  if (json == nullptr) return;
  stage.grammars.clear();
  for (const Json& item : json->is_array() ? *json : Json::array({*json})) {
    for (const auto& [name, grammar] : kGrammars) {
      if (item == name) stage.grammars.push_back(grammar);
    }
  }
  const size_t given = json->is_array() ? json->size() : 1;
  if (stage.grammars.empty() || stage.grammars.size() != given)
    keys.wrong("grammar", "pair, word or number, or a list of them");
}

// A step's activations are kept at once: far beyond this no machine holds them.
constexpr int64_t kMaxTokensPerStep = int64_t{1} << 26;

Result<StageConfig> parse_stage(const Json& json, const std::string& where, const fs::path& folder) {
  ORTHROS_TRY(const Json object, object_of(json, where));
  StageConfig stage;
  Keys keys(object, where, folder);
  for (const char* key : {"task", "max_steps", "length"}) keys.required(key);
  keys.choice<StageTask>("task",
                         {{"needle", StageTask::needle},
                          {"recall", StageTask::recall},
                          {"repeat", StageTask::repeat},
                          {"pairs", StageTask::pairs},
                          {"text", StageTask::text},
                          {"tokens", StageTask::tokens}},
                         stage.task);
  keys.integer("max_steps", 1, stage.max_steps);
  keys.integer("min_steps", 1, stage.min_steps);
  keys.integers("length", 4, stage.lengths);
  keys.integer("tokens_per_step", 1, stage.tokens_per_step);
  keys.integer("batch", 0, stage.batch);
  keys.integer("window", 0, stage.window);
  keys.number("leave_at", 0, 2, stage.leave_at);
  if (stage.task == StageTask::needle) {
    keys.required("needles");
    keys.integers("needles", 1, stage.needles);
    keys.integer("questions", 0, stage.questions);
    keys.choice<QuestionPlace>("questions_at",
                               {{"end", QuestionPlace::end},
                                {"scattered", QuestionPlace::scattered},
                                {"mixed", QuestionPlace::mixed},
                                {"near", QuestionPlace::near}},
                               stage.place);
    read_grammars(keys, stage);
    keys.integer("digits", 1, stage.digits);
    keys.integer("names", 0, stage.names);
    keys.choice<HaystackKind>(
        "haystack",
        {{"filler", HaystackKind::filler}, {"noise", HaystackKind::noise}, {"folder", HaystackKind::folder}},
        stage.haystack);
    keys.path("haystack_folder", stage.haystack_folder);
    keys.number("first_digit_weight", 0, 100, stage.first_digit_weight);
    if (stage.digits > 18) keys.wrong("digits", "at most 18");
  }
  if (stage.task == StageTask::recall || stage.task == StageTask::repeat) {
    keys.integer("keys", 2, stage.keys);
  }
  if (stage.task == StageTask::repeat) {
    keys.required("period");
    keys.integers("period", 2, stage.periods);
  }
  if (stage.task == StageTask::pairs) {
    for (const char* key : {"keys", "values", "fillers", "needles"}) keys.required(key);
    keys.words("keys", stage.key_words);
    keys.words("values", stage.value_words);
    keys.words("fillers", stage.filler_words);
    keys.integers("needles", 1, stage.needles);
    keys.integer("questions", 0, stage.questions);
  }
  if (stage.task == StageTask::text || stage.task == StageTask::tokens) {
    keys.required("file");
    keys.path("file", stage.file);
  }
  ORTHROS_TRY_VOID(keys.finish());
  for (const int64_t length : stage.lengths) {
    const int64_t sequences =
        stage.batch > 0 ? stage.batch : std::max<int64_t>(1, stage.tokens_per_step / length);
    if (length <= kMaxTokensPerStep && sequences <= kMaxTokensPerStep / length) continue;
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("{}: {} sequences of {} tokens are more than {} a step", where, sequences,
                                  length, kMaxTokensPerStep),
                      "use shorter or fewer sequences, and accumulate for larger steps"});
  }
  return stage;
}

Result<ModelSource> parse_model(const Json& json, const fs::path& folder) {
  ORTHROS_TRY(const Json object, object_of(json, "model"));
  ModelSource source;
  if (!object.contains("from")) {
    source.config = object;
    return source;
  }
  Keys keys(object, "model", folder);
  keys.path("from", source.from);
  keys.text("as", source.as);
  keys.integer("window", 1, source.window);
  keys.integer("sinks", 0, source.sinks);
  keys.boolean("scale_offset", source.scale_offset);
  ORTHROS_TRY_VOID(keys.finish());
  return source;
}

constexpr double kBelowOne = 0.9999999;

Result<OptimizerConfig> parse_optimizer(const Json& json, const fs::path& folder) {
  ORTHROS_TRY(const Json object, object_of(json, "optimizer"));
  OptimizerConfig o;
  Keys keys(object, "optimizer", folder);
  keys.number("lr", 0, 10, o.rate.peak);
  keys.choice<ScheduleKind>(
      "schedule", {{"constant", ScheduleKind::constant}, {"cosine", ScheduleKind::cosine}}, o.rate.kind);
  keys.integer("warmup_steps", 0, o.rate.warmup_steps);
  keys.number("hold", 0, 1, o.rate.hold);
  keys.number("final_share", 0, 1, o.rate.final_share);
  keys.number("beta1", 0, kBelowOne, o.beta1);
  keys.number("beta2", 0, kBelowOne, o.beta2);
  keys.number("eps", 1e-30, 1, o.eps);
  keys.number("weight_decay", 0, 10, o.weight_decay);
  keys.number("clip_norm", 0, 1e9, o.clip_norm);
  keys.boolean("decay_embedding", o.decay_embedding);
  ORTHROS_TRY_VOID(keys.finish());
  return o;
}

Result<void> parse_initialisation(const Json& json, const fs::path& folder, TrainConfig& config) {
  ORTHROS_TRY(const Json object, object_of(json, "initialisation"));
  Keys keys(object, "initialisation", folder);
  keys.number("embedding", 0, 100, config.embedding_deviation);
  keys.number("head", 0, 100, config.head_deviation);
  return keys.finish();
}

constexpr int64_t kMaxAccumulate = 65'536;

std::string hash_of(Json json) {
  json.erase("output");
  return sha256_hex(json.dump());
}

}  // namespace

int64_t TrainConfig::total_steps() const {
  if (budget_steps > 0) return budget_steps;
  int64_t total = 0;
  for (const StageConfig& stage : stages) total += stage.max_steps;
  return total;
}

Result<TrainConfig> parse_train_config(const Json& json, const fs::path& folder) {
  ORTHROS_TRY(const Json object, object_of(json, "the training config"));
  TrainConfig config;
  Keys keys(object, "the training config", folder);
  for (const char* key : {"model", "tokenizer", "output", "stages"}) keys.required(key);
  keys.path("tokenizer", config.tokenizer);
  keys.path("output", config.output);
  keys.integer("seed", 0, config.seed);
  keys.integer("ranks", 1, config.ranks);
  if (config.ranks > kMaxThreadRanks) keys.wrong("ranks", fmt::format("at most {}", kMaxThreadRanks));
  keys.integer("accumulate", 1, config.accumulate);
  if (config.accumulate > kMaxAccumulate) keys.wrong("accumulate", fmt::format("at most {}", kMaxAccumulate));
  keys.integer("checkpoint_every", 1, config.checkpoint_every);
  keys.integer("total_steps", 0, config.budget_steps);
  keys.choice("dtype", kTypes, config.dtype);
  keys.choice("save_dtype", kTypes, config.save_dtype);
  keys.boolean("recompute_layers", config.recompute_layers);
  keys.text("trainable", config.trainable);
  keys.choice<LossKind>(
      "loss", {{"next_token", LossKind::next_token}, {"distillation", LossKind::distillation}}, config.loss);
  const Json *model = keys.find("model"), *stages = keys.find("stages");
  if (stages != nullptr && (!stages->is_array() || stages->empty())) keys.wrong("stages", "a list of stages");
  if (const Json* optimizer = keys.find("optimizer")) {
    ORTHROS_TRY(config.optimizer, parse_optimizer(*optimizer, folder));
  }
  if (const Json* initialisation = keys.find("initialisation")) {
    ORTHROS_TRY_VOID(parse_initialisation(*initialisation, folder, config));
  }
  ORTHROS_TRY_VOID(keys.finish());
  ORTHROS_TRY(config.model, parse_model(*model, folder));
  for (size_t i = 0; i < stages->size(); ++i) {
    ORTHROS_TRY(StageConfig stage, parse_stage((*stages)[i], fmt::format("stage {}", i), folder));
    config.stages.push_back(std::move(stage));
  }
  if (config.loss == LossKind::distillation && config.model.from.empty()) {
    return fail(ErrorCode::invalid_argument,
                "distillation needs a model to learn from: give \"model\": {{\"from\": …}}");
  }
  config.sha256 = hash_of(object);
  return config;
}

Result<TrainConfig> read_train_config(const fs::path& path) {
  ORTHROS_TRY(const std::string text, read_text(path, int64_t{16} << 20));
  ORTHROS_TRY(const Json json, parse_json(text, path.filename().string()));
  return parse_train_config(json, path.parent_path());
}

}  // namespace orthros::training
