#include "engine/lessons/quantity.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "engine/formats/model_config.h"

namespace orthros {
namespace {

// What each name needs and may have besides the setting's own arguments.
struct Shape {
  std::vector<std::string> needs, may;
};

const std::map<std::string, Shape>& shapes() {
  static const std::map<std::string, Shape> table{
      {"tokens", {{}, {}}},
      {"window", {{}, {}}},
      {"heads", {{}, {}}},
      {"layers", {{}, {}}},
      {"width", {{}, {}}},
      {"reads", {{"row", "stream"}, {"layer"}}},
      {"support", {{"row", "stream"}, {"layer"}}},
      {"readers", {{"key", "stream"}, {"layer"}}},
      {"output_rows", {{}, {}}},
      {"rows", {{"stream"}, {"layer"}}},
      {"scores", {{"stream"}, {"layer"}}},
      {"full_scores", {{}, {}}},
      {"shelf_keys", {{}, {"layer"}}},
      {"shelf_bytes", {{}, {}}},
      {"shelf_hash", {{}, {}}},
      {"same_shelf", {{}, {}}},
      {"writer", {{"key"}, {}}},
      {"weight", {{"row", "key", "stream"}, {"layer", "head"}}},
      {"top_key", {{"row", "stream"}, {"layer", "head"}}},
      {"beyond", {{"row"}, {"layer", "head"}}},
      {"value", {{"tensor", "row", "column", "stream"}, {"layer"}}},
      {"token", {{"row"}, {}}},
      {"predicted", {{"row"}, {}}},
      {"probability", {{"row"}, {"token"}}},
      {"flop", {{}, {"part"}}}};
  return table;
}

const std::set<std::string> kSettingArguments{"regime", "output", "scale_offset", "prompt"};
const std::map<std::string, std::vector<std::string>> kWords{
    {"stream", {"base", "output"}},
    {"output", {"on", "off"}},
    {"scale_offset", {"on", "off"}},
    {"regime", {"pt", "sft", "prefill", "decode"}},
    {"part", {"total", "matrices", "base_scores", "output_scores"}}};

std::optional<int64_t> number_of(const std::string& text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1) return {};
  return value;
}

Result<void> check_argument(const std::string& key, const std::string& value) {
  if (const auto words = kWords.find(key); words != kWords.end()) {
    if (std::ranges::find(words->second, value) != words->second.end()) return {};
    return fail(ErrorCode::invalid_argument, "{}={} is not one of {}", key, value,
                fmt::join(words->second, ", "));
  }
  if (key == "tensor") {
    if (std::ranges::find(kPassTensorNames, value) != kPassTensorNames.end()) return {};
    return fail(ErrorCode::invalid_argument, "there is no tensor '{}': {}", value,
                fmt::join(kPassTensorNames, ", "));
  }
  if (key == "token" || number_of(value)) return {};
  return fail(ErrorCode::invalid_argument, "{}={} is no number from 1 on", key, value);
}

Result<void> check_arguments(const Quantity& quantity) {
  const auto shape = shapes().find(quantity.name);
  if (shape == shapes().end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : shapes()) names.push_back(name);
    return fail(ErrorCode::invalid_argument, "there is no quantity '{}': {}", quantity.name,
                fmt::join(names, ", "));
  }
  for (const std::string& key : shape->second.needs) {
    if (!quantity.arguments.contains(key))
      return fail(ErrorCode::invalid_argument, "'{}' needs {}=", quantity.name, key);
  }
  for (const auto& [key, value] : quantity.arguments) {
    const auto named = [&](const std::vector<std::string>& keys) {
      return std::ranges::find(keys, key) != keys.end();
    };
    if (!named(shape->second.needs) && !named(shape->second.may) && !kSettingArguments.contains(key))
      return fail(ErrorCode::invalid_argument, "'{}' has no argument {}=", quantity.name, key);
    ORTHROS_TRY_VOID(check_argument(key, value));
  }
  return {};
}

class Evaluation {
 public:
  Evaluation(const Quantity& quantity, PassSetting setting, const PassSource& source)
      : quantity_(quantity), setting_(setting), source_(source) {}

  Result<QuantityValue> run() {
    if (has("regime")) setting_.regime = *parse_regime(word("regime"));
    if (has("output")) setting_.output_on = word("output") == "on";
    if (has("scale_offset")) setting_.scale_offset = word("scale_offset") == "on";
    if (has("prompt")) setting_.prompt = *number_of(word("prompt")) - 1;
    ORTHROS_TRY(trace_, source_.trace(setting_));
    ORTHROS_TRY(layer_, index("layer", std::ssize(trace_->layers)));
    ORTHROS_TRY(head_, index("head", trace_->heads));
    ORTHROS_TRY(row_, index("row", trace_->num_tokens()));
    ORTHROS_TRY(key_, index("key", trace_->num_tokens()));
    return by_name();
  }

 private:
  bool has(const std::string& key) const { return quantity_.arguments.contains(key); }
  const std::string& word(const std::string& key) const { return quantity_.arguments.at(key); }

  // 0-based; the first where it is not given.
  Result<int64_t> index(const std::string& key, int64_t count) const {
    const int64_t value = has(key) ? *number_of(word(key)) : 1;
    if (value > count)
      return fail(ErrorCode::invalid_argument, "{}={} is not there: 1 to {}", key, value, count);
    return value - 1;
  }

  const LayerTrace& layer() const { return trace_->layers[static_cast<size_t>(layer_)]; }
  StreamKind kind() const {
    return !has("stream") || word("stream") == "output" ? StreamKind::output : StreamKind::base;
  }
  const StreamTrace& stream() const { return layer().stream(kind()); }

  // Keys that some head of a row pays weight to.
  std::vector<int64_t> keys_of(int64_t row) const {
    std::vector<int64_t> keys;
    for (int64_t key = 0; key < trace_->num_tokens(); ++key) {
      for (int64_t head = 0; head < trace_->heads; ++head) {
        const auto weights = stream().weights_of(row, head, trace_->num_tokens());
        if (weights.empty() || !(weights[static_cast<size_t>(key)] > 0)) continue;
        keys.push_back(key);
        break;
      }
    }
    return keys;
  }

  static QuantityValue number(double value) { return {QuantityValue::Kind::number, value, {}, {}}; }
  static QuantityValue text(std::string value) {
    return {QuantityValue::Kind::text, 0, {}, std::move(value)};
  }
  static QuantityValue positions(std::vector<int64_t> values) {
    for (int64_t& value : values) ++value;
    return {QuantityValue::Kind::positions, 0, std::move(values), {}};
  }

  Result<std::vector<float>> weights() const {
    const auto found = stream().weights_of(row_, head_, trace_->num_tokens());
    if (found.empty()) {
      return fail(ErrorCode::invalid_argument, "the {} stream has no attention row at {} in layer {} ({})",
                  kind() == StreamKind::base ? "base" : "output", row_ + 1, layer_ + 1,
                  to_string(setting_.regime));
    }
    return std::vector<float>(found.begin(), found.end());
  }

  Result<QuantityValue> by_name() const {
    const std::string& name = quantity_.name;
    if (name == "tokens") return number(static_cast<double>(trace_->num_tokens()));
    if (name == "window") return number(static_cast<double>(layer().window.window));
    if (name == "heads") return number(static_cast<double>(trace_->heads));
    if (name == "layers") return number(static_cast<double>(trace_->layers.size()));
    if (name == "width") return number(static_cast<double>(layer().base[PassTensor::x].columns));
    if (name == "token") return text(source_.token(trace_->request.ids[static_cast<size_t>(row_)]));
    if (name == "output_rows") return positions(trace_->output_positions());
    if (name == "rows") return number(static_cast<double>(stream().positions.size()));
    if (name == "reads" || name == "support" || name == "readers" || name == "scores" ||
        name == "full_scores")
      return support(name);
    if (name == "weight" || name == "top_key" || name == "beyond") return attention(name);
    if (name.starts_with("shelf") || name == "same_shelf" || name == "writer") return shelf(name);
    if (name == "value") return tensor();
    if (name == "flop") return flop();
    return prediction(name);
  }

  Result<QuantityValue> support(const std::string& name) const {
    if (name == "full_scores") {
      const auto tokens = static_cast<double>(trace_->num_tokens());
      return number(tokens * (tokens + 1) / 2);
    }
    if (name == "reads") return positions(keys_of(row_));
    if (name == "support") return number(static_cast<double>(keys_of(row_).size()));
    if (name == "scores") {
      size_t sum = 0;
      for (const int64_t row : stream().positions) sum += keys_of(row).size();
      return number(static_cast<double>(sum));
    }
    std::vector<int64_t> readers;
    for (const int64_t row : stream().positions) {
      if (std::ranges::binary_search(keys_of(row), key_)) readers.push_back(row);
    }
    return positions(std::move(readers));
  }

  Result<QuantityValue> attention(const std::string& name) const {
    ORTHROS_TRY(const std::vector<float> row, weights());
    if (name == "weight") return number(row[static_cast<size_t>(key_)]);
    if (name == "top_key") return positions({std::ranges::max_element(row) - row.begin()});
    const int64_t end = layer().window.band(row_).begin;
    return number(std::accumulate(row.begin(), row.begin() + end, 0.0));
  }

  Result<QuantityValue> shelf(const std::string& name) const {
    if (name == "shelf_keys") return number(static_cast<double>(layer().keys.rows()));
    if (name == "shelf_hash") return text(trace_->shelf_sha256.substr(0, 12));
    if (name == "shelf_bytes") {
      size_t numbers = 0;
      for (const LayerTrace& traced : trace_->layers)
        numbers += traced.keys.values.size() + traced.values.values.size();
      return number(static_cast<double>(numbers * sizeof(float)));
    }
    if (name == "same_shelf") {
      PassSetting other = setting_;
      other.output_on = !other.output_on;
      ORTHROS_TRY(const PassTrace* without, source_.trace(other));
      return text(without->shelf_sha256 == trace_->shelf_sha256 ? "yes" : "no");
    }
    // Who made the row that lies on the shelf: its bits are compared with what each stream projected.
    const auto on_shelf = layer().values.row(key_);
    for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
      const StreamTrace& made = layer().stream(stream);
      const int64_t row = made.row_of(key_);
      if (row < 0 || made[PassTensor::value].rows() <= row) continue;
      if (std::ranges::equal(made[PassTensor::value].row(row), on_shelf))
        return text(stream == StreamKind::base ? "x" : "x'");
    }
    return text("earlier");
  }

  Result<QuantityValue> tensor() const {
    const auto what = std::ranges::find(kPassTensorNames, word("tensor")) - kPassTensorNames.begin();
    const TraceTensor& values = stream().tensors[static_cast<size_t>(what)];
    const int64_t row = stream().row_of(row_);
    if (row < 0 || row >= values.rows()) {
      return fail(ErrorCode::invalid_argument, "the pass makes no {} for position {} in this stream",
                  word("tensor"), row_ + 1);
    }
    ORTHROS_TRY(const int64_t column, index("column", values.columns));
    return number(values.row(row)[static_cast<size_t>(column)]);
  }

  Result<QuantityValue> flop() const {
    const PassFlop flop = count_flop(*source_.config, *trace_);
    const std::string part = has("part") ? word("part") : "total";
    if (part == "matrices") return number(flop.matrices);
    if (part == "base_scores") return number(flop.base_scores);
    if (part == "output_scores") return number(flop.output_scores);
    return number(flop.total());
  }

  Result<QuantityValue> prediction(const std::string& name) const {
    const auto all = trace_->candidates(row_, static_cast<size_t>(source_.config->vocab_size));
    if (all.empty())
      return fail(ErrorCode::invalid_argument, "nothing is predicted at position {}", row_ + 1);
    if (name == "predicted") return text(source_.token(all.front().id));
    if (!has("token")) return number(all.front().probability);
    for (const Candidate& candidate : all) {
      if (source_.token(candidate.id) == word("token")) return number(candidate.probability);
    }
    return fail(ErrorCode::invalid_argument, "there is no token '{}'", word("token"));
  }

  const Quantity& quantity_;
  PassSetting setting_;
  const PassSource& source_;
  const PassTrace* trace_ = nullptr;
  int64_t layer_ = 0, head_ = 0, row_ = 0, key_ = 0;
};

}  // namespace

Result<Quantity> parse_quantity(std::string_view text) {
  Quantity quantity;
  size_t at = 0;
  while (at < text.size()) {
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find(' ', begin), text.size());
    const std::string word(text.substr(begin, at - begin));
    const size_t equal = word.find('=');
    if (quantity.name.empty()) {
      quantity.name = word;
    } else if (equal == std::string::npos) {
      return fail(ErrorCode::invalid_argument, "'{}' is no argument: NAME=VALUE", word);
    } else if (!quantity.arguments.emplace(word.substr(0, equal), word.substr(equal + 1)).second) {
      return fail(ErrorCode::invalid_argument, "{}= is given twice", word.substr(0, equal));
    }
  }
  if (quantity.name.empty()) return fail(ErrorCode::invalid_argument, "a quantity is missing");
  ORTHROS_TRY_VOID(check_arguments(quantity));
  return quantity;
}

Result<QuantityValue> evaluate(const Quantity& quantity, const PassSetting& setting,
                               const PassSource& source) {
  return Evaluation(quantity, setting, source).run();
}

Result<std::vector<LivePart>> split_live_text(std::string_view text) {
  std::vector<LivePart> parts;
  size_t at = 0;
  while (at < text.size()) {
    const size_t open = std::min(text.find('{', at), text.size());
    if (open > at) parts.push_back({std::string(text.substr(at, open - at)), {}});
    if (open == text.size()) break;
    const size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      return fail(ErrorCode::corrupt_file, "'{{' at character {} is not closed", open + 1);
    parts.push_back({{}, std::string(text.substr(open + 1, close - open - 1))});
    at = close + 1;
  }
  return parts;
}

}  // namespace orthros
