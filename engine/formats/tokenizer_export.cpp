#include <algorithm>

#include "engine/formats/json_access.h"
#include "engine/formats/tokenizer.h"
#include "engine/formats/tokenizer_impl.h"

namespace orthros {
namespace {

using Merges = std::vector<std::pair<int32_t, int32_t>>;

/// "left right", which every version of HF tokenizers reads; pairs when a token has a space in it, because a
/// list must be of one kind.
Json merges_to_json(const Merges& merges, const Vocabulary& vocabulary) {
  const auto has_space = [&](int32_t id) { return vocabulary.token(id).find(' ') != std::string::npos; };
  const bool as_pairs = std::any_of(merges.begin(), merges.end(), [&](const auto& merge) {
    return has_space(merge.first) || has_space(merge.second);
  });
  Json list = Json::array();
  for (const auto& [left, right] : merges) {
    if (as_pairs) {
      list.push_back(Json::array({vocabulary.token(left), vocabulary.token(right)}));
    } else {
      list.push_back(vocabulary.token(left) + " " + vocabulary.token(right));
    }
  }
  return list;
}

}  // namespace

Json Tokenizer::to_tokenizer_json() const {
  Json result = impl_->shell;
  const Vocabulary& vocabulary = impl_->model.vocabulary();
  Json vocab = Json::object();
  for (int32_t id = 0; id < vocabulary.end_id(); ++id) {
    if (vocabulary.has(id)) vocab[vocabulary.token(id)] = id;
  }
  result["model"]["vocab"] = std::move(vocab);
  result["model"]["merges"] = merges_to_json(impl_->model.merges(), vocabulary);
  return result;
}

Json Tokenizer::to_tokenizer_config_json() const {
  Json config = impl_->config;
  if (!config.contains("tokenizer_class")) config["tokenizer_class"] = "PreTrainedTokenizerFast";
  return config;
}

Json Tokenizer::to_special_tokens_map_json() const {
  Json map = Json::object();
  for (const char* key : {"bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token",
                          "mask_token", "additional_special_tokens"}) {
    if (const Json* value = json_access::find(impl_->config, key)) map[key] = *value;
  }
  return map;
}

}  // namespace orthros
