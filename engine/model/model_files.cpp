#include "engine/model/model_files.h"

#include <algorithm>
#include <set>

#include "engine/formats/json.h"
#include "engine/formats/mapped_file.h"

namespace orthros {
namespace {

constexpr int64_t kMaxJsonBytes = int64_t{100} << 20;

// Null when the file is absent; an error when it is there and broken.
Result<Json> read_optional_json(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Json();
  ORTHROS_TRY(const std::string text, read_text(path, kMaxJsonBytes));
  return parse_json(text, path.filename().string());
}

void add_eos(std::set<TokenId>& eos, const Json& config) {
  if (!config.is_object()) return;
  const auto at = config.find("eos_token_id");
  if (at == config.end()) return;
  for (const Json& id : at->is_array() ? *at : Json::array({*at})) {
    if (id.is_number_integer() && id.get<int64_t>() >= 0) eos.insert(id.get<int64_t>());
  }
}

std::string token_text(const Json& config, const char* key) {
  if (!config.is_object()) return {};
  const auto at = config.find(key);
  if (at == config.end()) return {};
  if (at->is_string()) return at->get<std::string>();
  if (at->is_object() && at->contains("content") && (*at)["content"].is_string()) return (*at)["content"];
  return {};
}

// "chat_template" is a string, or a list of named templates of which "default" counts.
std::string template_of(const Json& config) {
  if (!config.is_object() || !config.contains("chat_template")) return {};
  const Json& value = config["chat_template"];
  if (value.is_string()) return value;
  if (!value.is_array()) return {};
  for (const Json& entry : value) {
    if (entry.is_object() && entry.value("name", "") == "default" && entry.contains("template") &&
        entry["template"].is_string()) {
      return entry["template"];
    }
  }
  return {};
}

std::string piece_or_empty(const Result<Tokenizer>& tokenizer, std::optional<TokenId> id) {
  if (!tokenizer || !id) return {};
  return tokenizer->piece(*id).value_or(std::string());
}

void unite_eos(ModelFiles& files, std::set<TokenId> eos) {
  eos.insert(files.config.eos_token_ids.begin(), files.config.eos_token_ids.end());
  if (files.tokenizer) {
    for (const TokenId id : files.tokenizer->eos()) eos.insert(id);
  }
  std::erase_if(eos, [&](TokenId id) { return id < 0 || id >= files.config.vocab_size; });
  files.eos.assign(eos.begin(), eos.end());
}

Result<ModelFiles> open_gguf(const std::filesystem::path& path) {
  ModelFiles files;
  files.path = path;
  files.is_gguf = true;
  ORTHROS_TRY(GgufFile file, GgufFile::open(path));
  ORTHROS_TRY(files.config, model_config_from_gguf(file));
  files.tokenizer = Tokenizer::from_gguf(file);
  if (auto text = file.text("tokenizer.chat_template")) files.chat_template = *text;
  const auto id_text = [&](const char* key) {
    const auto id = file.integer(key);
    return id ? piece_or_empty(files.tokenizer, *id) : std::string();
  };
  files.bos_token = id_text("tokenizer.ggml.bos_token_id");
  files.eos_token = id_text("tokenizer.ggml.eos_token_id");
  unite_eos(files, {});
  ORTHROS_TRY(files.weights, open_gguf_weights(std::move(file), files.config));
  return files;
}

Result<void> read_tokenizer(ModelFiles& files, const Json& tokenizer_config) {
  const std::filesystem::path path = files.path / "tokenizer.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    if (std::filesystem::exists(files.path / "tokenizer.model", ignored)) {
      files.tokenizer =
          fail(Error{ErrorCode::unsupported, "SentencePiece tokenizers (tokenizer.model) are not read",
                     "the model works with --ids"});
    }
    return {};
  }
  ORTHROS_TRY(const std::string text, read_text(path, kMaxJsonBytes));
  ORTHROS_TRY(const Json json, parse_json(text, "tokenizer.json"));
  files.tokenizer = Tokenizer::from_json(json, tokenizer_config);
  return {};
}

bool has_weight_files(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path / "model.safetensors", ignored) ||
         std::filesystem::exists(path / "model.safetensors.index.json", ignored);
}

Result<ModelFiles> open_folder(const std::filesystem::path& path, WeightsNeeded needed) {
  ModelFiles files;
  files.path = path;
  std::error_code ignored;
  if (!std::filesystem::exists(path / "config.json", ignored)) {
    return fail(Error{ErrorCode::not_found, fmt::format("{} has no config.json", path.string()),
                      "name a model folder in the layout of Hugging Face, or a .gguf file"});
  }
  ORTHROS_TRY(const Json config, read_optional_json(path / "config.json"));
  ORTHROS_TRY(files.config, parse_model_config(config));
  ORTHROS_TRY(const Json tokenizer_config, read_optional_json(path / "tokenizer_config.json"));
  ORTHROS_TRY(files.generation_config, read_optional_json(path / "generation_config.json"));
  ORTHROS_TRY_VOID(read_tokenizer(files, tokenizer_config));
  if (std::filesystem::exists(path / "chat_template.jinja", ignored)) {
    ORTHROS_TRY(files.chat_template, read_text(path / "chat_template.jinja", int64_t{1} << 20));
  } else {
    files.chat_template = template_of(tokenizer_config);
  }
  files.bos_token = token_text(tokenizer_config, "bos_token");
  files.eos_token = token_text(tokenizer_config, "eos_token");
  std::set<TokenId> eos;
  add_eos(eos, files.generation_config);
  unite_eos(files, std::move(eos));
  auto weights = open_safetensors_weights(path);
  files.has_weights = weights.has_value();
  if (!weights && (needed == WeightsNeeded::yes || has_weight_files(path)))
    return fail(std::move(weights).error());
  files.weights = weights ? std::move(*weights) : config_only_weights(files.config);
  return files;
}

}  // namespace

Result<ModelFiles> open_model(const std::filesystem::path& path, WeightsNeeded needed) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return fail(Error{ErrorCode::not_found, fmt::format("no such model: {}", path.string()),
                      "name a model folder or a .gguf file"});
  }
  if (std::filesystem::is_directory(status)) return open_folder(path, needed);
  auto opened = open_gguf(path);
  if (!opened && path.extension() == ".safetensors") {
    return fail(Error{ErrorCode::unsupported, fmt::format("{} holds weights alone", path.string()),
                      "name the folder that it lies in, with its config.json"});
  }
  return opened;
}

}  // namespace orthros
