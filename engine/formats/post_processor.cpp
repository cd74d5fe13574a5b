#include "engine/formats/post_processor.h"

#include <utility>

#include "engine/formats/json_access.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr int kMaxDepth = 8;
constexpr size_t kMaxAddedIds = 64;

/// Ids of one special token of a template.
Result<std::vector<int64_t>> ids_of(const Json& config, const std::string& name) {
  const Json* tokens = json_access::find(config, "special_tokens");
  const Json* token = tokens == nullptr ? nullptr : json_access::find(*tokens, name);
  if (token == nullptr) {
    return fail(ErrorCode::corrupt_file, "TemplateProcessing does not define its special token {}",
                quote(name));
  }
  ORTHROS_TRY(const Json* ids, json_access::array(*token, "ids"));
  std::vector<int64_t> result;
  if (ids == nullptr) return result;
  for (const Json& id : *ids) {
    if (!id.is_number_integer()) {
      return fail(ErrorCode::corrupt_file, "TemplateProcessing: an id of {} is no integer", quote(name));
    }
    result.push_back(id.get<int64_t>());
  }
  return result;
}

}  // namespace

Result<void> PostProcessor::add_template(const Json& config) {
  ORTHROS_TRY(const Json* items, json_access::array(config, "single"));
  if (items == nullptr) return fail(ErrorCode::corrupt_file, "TemplateProcessing has no template");
  std::vector<int64_t> before, after;
  bool seen_text = false;
  for (const Json& item : *items) {
    if (json_access::find(item, "Sequence") != nullptr) {
      if (std::exchange(seen_text, true)) {
        return fail(ErrorCode::unsupported, "TemplateProcessing that repeats the text is not supported");
      }
      continue;
    }
    const Json* special = json_access::find(item, "SpecialToken");
    if (special == nullptr) return fail(ErrorCode::corrupt_file, "TemplateProcessing has an unknown item");
    ORTHROS_TRY(const std::optional<std::string> name, json_access::text(*special, "id"));
    if (!name) return fail(ErrorCode::corrupt_file, "TemplateProcessing has a special token without an id");
    ORTHROS_TRY(const std::vector<int64_t> ids, ids_of(config, *name));
    std::vector<int64_t>& side = seen_text ? after : before;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (!seen_text) {
    return fail(ErrorCode::unsupported, "TemplateProcessing that drops the text is not supported");
  }
  // A later processor of a Sequence goes around what the earlier ones made.
  prefix_.insert(prefix_.begin(), before.begin(), before.end());
  suffix_.insert(suffix_.end(), after.begin(), after.end());
  if (prefix_.size() + suffix_.size() > kMaxAddedIds) {
    return fail(ErrorCode::unsupported, "TemplateProcessing adds more than {} ids", kMaxAddedIds);
  }
  return {};
}

Result<void> PostProcessor::add(const Json& config, int depth) {
  ORTHROS_TRY(const std::string type, json_access::type_of(config, "post-processor"));
  if (type == "ByteLevel") return {};
  if (type == "TemplateProcessing") return add_template(config);
  if (type != "Sequence") {
    return fail(ErrorCode::unsupported, "post-processor {} is not supported", quote(type));
  }
  if (depth >= kMaxDepth) return fail(ErrorCode::corrupt_file, "post-processors are nested too deeply");
  ORTHROS_TRY(const Json* parts, json_access::array(config, "processors"));
  if (parts == nullptr) return fail(ErrorCode::corrupt_file, "post-processor Sequence has no processors");
  for (const Json& part : *parts) ORTHROS_TRY_VOID(add(part, depth + 1));
  return {};
}

Result<PostProcessor> PostProcessor::from_json(const Json* config) {
  PostProcessor result;
  if (config != nullptr) ORTHROS_TRY_VOID(result.add(*config, 0));
  return result;
}

}  // namespace orthros
