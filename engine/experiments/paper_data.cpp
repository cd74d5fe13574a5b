#include <algorithm>
#include <array>
#include <cmath>

#include "engine/experiments/paper.h"
#include "engine/formats/json.h"

namespace orthros {
namespace {

constexpr const char* kWhat = "paper data";
constexpr int64_t kSchema = 1;

tl::unexpected<Error> bad(const std::string& where, std::string_view key, std::string_view needed) {
  return fail(ErrorCode::corrupt_file, "{}: {} needs \"{}\" as {}", kWhat, where, key, needed);
}

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Result<std::string> text_at(const Json& object, const char* key, const std::string& where) {
  const Json* value = member(object, key);
  if (!value || !value->is_string() || value->get_ref<const std::string&>().empty())
    return bad(where, key, "text");
  return value->get<std::string>();
}

Result<std::optional<int64_t>> optional_count_at(const Json& object, const char* key,
                                                 const std::string& where) {
  const Json* value = member(object, key);
  if (value && value->is_null()) return std::optional<int64_t>();
  if (!value || !value->is_number_integer() || value->get<double>() < 1 || value->get<double>() > 1e15) {
    return bad(where, key, "a positive integer, or null where the paper does not say");
  }
  return std::optional(value->get<int64_t>());
}

Result<int64_t> count_at(const Json& object, const char* key, const std::string& where) {
  ORTHROS_TRY(const std::optional<int64_t> count, optional_count_at(object, key, where));
  if (!count) return bad(where, key, "a positive integer");
  return *count;
}

Result<double> value_at(const Json& object, const std::string& where) {
  const Json* value = member(object, "value");
  if (!value || !value->is_number() || !(value->get<double>() > 0))
    return bad(where, "value", "a positive number");
  return value->get<double>();
}

Result<ReadFrom> read_from_at(const Json& object, const std::string& where) {
  ORTHROS_TRY(const std::string text, text_at(object, "read_from", where));
  for (const ReadFrom option : {ReadFrom::text, ReadFrom::table, ReadFrom::axis}) {
    if (text == to_string(option)) return option;
  }
  return bad(where, "read_from", "\"text\", \"table\" or \"axis\"");
}

Result<PaperExhibit> parse_exhibit(const Json& json, const std::string& where) {
  PaperExhibit exhibit;
  ORTHROS_TRY(exhibit.id, text_at(json, "id", where));
  ORTHROS_TRY(exhibit.title, text_at(json, "title", where));
  ORTHROS_TRY(exhibit.protocol, text_at(json, "protocol", where));
  return exhibit;
}

Result<PaperPoint> parse_point(const Json& json, const std::string& where) {
  PaperPoint point;
  ORTHROS_TRY(point.exhibit, text_at(json, "exhibit", where));
  ORTHROS_TRY(point.series, text_at(json, "series", where));
  ORTHROS_TRY(point.ctx_len, count_at(json, "ctx_len", where));
  ORTHROS_TRY(point.devices, count_at(json, "devices", where));
  ORTHROS_TRY(point.out_len, optional_count_at(json, "out_len", where));
  ORTHROS_TRY(point.batch, optional_count_at(json, "batch", where));
  ORTHROS_TRY(point.metric, text_at(json, "metric", where));
  ORTHROS_TRY(point.value, value_at(json, where));
  ORTHROS_TRY(point.unit, text_at(json, "unit", where));
  ORTHROS_TRY(point.read_from, read_from_at(json, where));
  return point;
}

Result<const Json*> array_at(const Json& json, const char* key) {
  const Json* array = member(json, key);
  if (!array || !array->is_array()) return bad("the document", key, "an array");
  return array;
}

}  // namespace

const char* to_string(ReadFrom read_from) {
  constexpr std::array<const char*, 3> names{"text", "table", "axis"};
  return names.at(static_cast<size_t>(read_from));
}

Result<PaperData> parse_paper_data(std::string_view text) {
  ORTHROS_TRY(const Json json, parse_json(text, kWhat));
  const Json* schema = member(json, "schema");
  if (!schema || *schema != kSchema) return bad("the document", "schema", "1");
  PaperData data;
  ORTHROS_TRY(data.source, text_at(json, "source", "the document"));
  ORTHROS_TRY(const Json* exhibits, array_at(json, "exhibits"));
  for (size_t i = 0; i < exhibits->size(); ++i) {
    ORTHROS_TRY(PaperExhibit exhibit, parse_exhibit((*exhibits)[i], fmt::format("exhibit {}", i)));
    data.exhibits.push_back(std::move(exhibit));
  }
  ORTHROS_TRY(const Json* points, array_at(json, "points"));
  for (size_t i = 0; i < points->size(); ++i) {
    const std::string where = fmt::format("point {}", i);
    ORTHROS_TRY(PaperPoint point, parse_point((*points)[i], where));
    const bool known = std::any_of(data.exhibits.begin(), data.exhibits.end(),
                                   [&](const PaperExhibit& exhibit) { return exhibit.id == point.exhibit; });
    if (!known) return bad(where, "exhibit", "the id of one of the exhibits");
    data.points.push_back(std::move(point));
  }
  return data;
}

const Result<PaperData>& paper_data() {
  static const Result<PaperData> data = parse_paper_data(embedded_paper_json());
  return data;
}

}  // namespace orthros
