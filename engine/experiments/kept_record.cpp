#include "engine/experiments/kept_record.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/experiments/kept_experiment.h"
#include "engine/experiments/kept_queries.h"
#include "engine/experiments/kept_steps.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

constexpr double kRowTolerance = 1e-5;       // invariant 8, fp32
constexpr double kToleranceBfloat16 = 2e-2;  // o itself is rounded to bfloat16
constexpr int64_t kMostShareRows = 200'000;
constexpr const char* kSum = "row sum";
constexpr const char* kOutput = "row times V";
constexpr const char* kSupport = "support";

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string location_of(int64_t layer, int64_t head, StreamKind stream) {
  return fmt::format("layer {} head {} {}", layer, head, stream == StreamKind::output ? "output" : "base");
}

template <class F>
void each_head(const AttentionRecord& record, const F& f) {
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    if (stream == StreamKind::output && !record.has_output) continue;
    for (int64_t layer = 0; layer < record.layers; ++layer) {
      for (int64_t head = 0; head < record.heads; ++head) f(stream, layer, head);
    }
  }
}

store::AttnStepRecord step_of(const KeptRecord& kept) {
  const AttentionRecord& record = kept.record;
  store::AttnStepRecord step;
  const bool every = record.level != CaptureLevel::c1;
  step.regime = to_string(every ? Regime::pt : Regime::prefill);
  step.t_in = every ? 0 : record.num_keys - 1;
  step.t_out = every ? record.num_keys : 1;
  const auto count = std::ssize(record.share_positions);
  each_head(record, [&](StreamKind stream, int64_t layer, int64_t head) {
    const bool output = stream == StreamKind::output;
    const auto& positions = record.rows[static_cast<size_t>(layer)].positions;
    for (const int64_t position : positions)
      step.exact_rows.push_back({layer, head, output, position, record.row(stream, layer, head, position)});
    const auto& shares = output ? record.output_shares : record.base_shares;
    for (int64_t p = 0; p < count; ++p) {
      const int64_t position = record.share_positions[static_cast<size_t>(p)];
      if (std::ranges::binary_search(positions, position)) continue;  // follows from the row
      const RowShares& own = shares[static_cast<size_t>((layer * record.heads + head) * count + p)];
      const Json scalars = {own.sink, own.window, own.beyond, own.entropy};
      step.head_rows.push_back({layer, head, output, position, 0, scalars.dump(), {}, {}});
    }
  });
  step.queries = kept_queries(record);
  return step;
}

// ---- reading ----

struct Shape {
  Json json;
  int64_t get(const char* key, int64_t fallback = 0) const {
    return json.is_object() && json.contains(key) && json[key].is_number_integer() ? json[key].get<int64_t>()
                                                                                   : fallback;
  }
  std::optional<std::vector<int64_t>> numbers(const char* key) const {
    if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return {};
    std::vector<int64_t> all;
    for (const Json& one : json[key]) {
      if (one.is_number_integer()) all.push_back(one.get<int64_t>());
    }
    std::ranges::sort(all);
    return all;
  }
  bool flag(const char* key) const {
    return json.is_object() && json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
  }
};

// What was predicted after each share position; nothing of it in captures kept before it was written down.
Result<void> take_predictions(const Json& spec, KeptRecord& kept) {
  if (!spec.contains("predictions")) return {};
  const Json& all = spec["predictions"];
  bool sound = all.is_array() && all.size() == kept.record.share_positions.size();
  for (size_t i = 0; sound && i < all.size(); ++i) {
    const Json& one = all[i];
    sound = one.is_array() && one.size() == 3 && one[0].is_number_integer() &&
            (one[1].is_number() || one[1].is_null()) && one[2].is_string();
    if (!sound) break;
    const float probability =  // what was no number is null
        one[1].is_number() ? one[1].get<float>() : std::numeric_limits<float>::quiet_NaN();
    kept.record.predictions.push_back({one[0].get<TokenId>(), probability});
    kept.predicted.push_back(bytes_of(one[2].get<std::string>()));
  }
  if (!sound) return fail(ErrorCode::corrupt_file, "the kept predictions do not fit their capture");
  return {};
}

constexpr int64_t kMostHeads = 1'000'000;
constexpr int64_t kMostOpenedBytes = 2'000'000'000;

Result<AttentionRecord> shape_of(const Shape& shape, const store::AttnStepRecord& step, int64_t tokens,
                                 const Shape& config) {
  AttentionRecord record;
  record.num_keys = tokens;
  record.layers = shape.get("layers", config.get("num_hidden_layers"));
  record.heads = shape.get("heads", config.get("num_attention_heads"));
  record.window = {shape.get("window", config.get("window_size")),
                   shape.get("sinks", config.get("num_sink_tokens"))};
  record.level = static_cast<CaptureLevel>(std::clamp<int64_t>(shape.get("level", 1), 0, 3));
  record.has_output = shape.flag("has_output");
  record.last_base_used = shape.flag("last_base_used");
  record.head_dim = std::max<int64_t>(0, shape.get("head_dim"));
  record.scale_offset_layers = shape.numbers("scale_offset_layers");
  bool sound = true;
  for (const store::AttnHeadRowRecord& row : step.head_rows)
    sound = sound && row.position >= 0 && row.position < tokens;
  for (const store::AttnExactRowRecord& row : step.exact_rows) {
    sound = sound && row.layer >= 0 && row.head >= 0 && row.position >= 0 && row.position < tokens;
    record.layers = std::max(record.layers, row.layer + 1);
    record.heads = std::max(record.heads, row.head + 1);
    record.has_output = record.has_output || row.output_stream;
  }
  sound = sound && record.layers > 0 && record.heads > 0 && record.layers * record.heads <= kMostHeads &&
          record.window.window >= 0 && record.window.sinks >= 0 && tokens > 0;
  if (!sound) return fail(ErrorCode::corrupt_file, "the kept capture has no sound shape");
  const int64_t bytes = record.heads * std::ssize(step.exact_rows) * tokens * 4;  // at most
  if (bytes > kMostOpenedBytes && !shape.json.contains("layers")) {
    return fail(Error{ErrorCode::out_of_memory,
                      fmt::format("this capture would take up to {}", format_bytes(bytes)),
                      "keep fewer rows of the head (--rows)"});
  }
  return record;
}

void make_room(AttentionRecord& record, const store::AttnStepRecord& step) {
  constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
  record.rows.resize(static_cast<size_t>(record.layers));
  for (const store::AttnExactRowRecord& row : step.exact_rows)
    record.rows[static_cast<size_t>(row.layer)].positions.push_back(row.position);
  for (LayerRows& rows : record.rows) {
    std::ranges::sort(rows.positions);
    rows.positions.erase(std::unique(rows.positions.begin(), rows.positions.end()), rows.positions.end());
    const auto count = static_cast<size_t>(record.heads * std::ssize(rows.positions));
    rows.base.assign(count * static_cast<size_t>(record.band_width()), kMissing);
    if (record.has_output) rows.output.assign(count * static_cast<size_t>(record.num_keys), kMissing);
  }
  std::vector<int64_t>& positions = record.share_positions;
  for (const LayerRows& rows : record.rows)
    positions.insert(positions.end(), rows.positions.begin(), rows.positions.end());
  for (const store::AttnHeadRowRecord& row : step.head_rows) positions.push_back(row.position);
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  const auto heads = static_cast<size_t>(record.layers * record.heads);
  const RowShares unknown{kMissing, kMissing, kMissing, kMissing};
  record.base_shares.assign(heads * positions.size(), unknown);
  if (record.has_output) record.output_shares.assign(heads * positions.size(), unknown);
  record.base_errors.resize(heads);
  record.output_errors.resize(heads);
}

Result<void> put_row(AttentionRecord& record, const store::AttnExactRowRecord& row) {
  if (row.layer < 0 || row.head < 0 || row.position < 0 || row.position >= record.num_keys ||
      std::ssize(row.weights) < row.position + 1) {
    return fail(ErrorCode::corrupt_file, "a kept row does not fit its capture");
  }
  LayerRows& rows = record.rows[static_cast<size_t>(row.layer)];
  const auto index = std::ranges::lower_bound(rows.positions, row.position) - rows.positions.begin();
  const int64_t columns = row.output_stream ? record.num_keys : record.band_width();
  float* to = (row.output_stream ? rows.output : rows.base).data() +
              (row.head * std::ssize(rows.positions) + index) * columns;
  std::fill_n(to, columns, 0.0f);
  if (row.output_stream) {
    std::copy_n(row.weights.begin(), row.position + 1, to);
    return {};
  }
  for (int64_t column = 0; column < columns; ++column) {
    const int64_t key = record.band_key(row.position, column);
    if (key >= 0) to[column] = row.weights[static_cast<size_t>(key)];
  }
  return {};
}

void put_shares(AttentionRecord& record, bool output, int64_t layer, int64_t head, int64_t position,
                const RowShares& shares) {
  const auto at = std::ranges::lower_bound(record.share_positions, position) - record.share_positions.begin();
  const auto index = (layer * record.heads + head) * std::ssize(record.share_positions) + at;
  (output ? record.output_shares : record.base_shares)[static_cast<size_t>(index)] = shares;
}

Result<void> put_kept_shares(AttentionRecord& record, const store::AttnHeadRowRecord& row) {
  const Json scalars = Json::parse(row.scalars_json, nullptr, false);
  const bool sound =
      scalars.is_array() && scalars.size() == 4 &&
      std::all_of(scalars.begin(), scalars.end(), [](const Json& one) { return one.is_number(); }) &&
      row.layer < record.layers && row.head < record.heads && row.layer >= 0 && row.head >= 0;
  if (!sound) return fail(ErrorCode::corrupt_file, "kept shares do not fit their capture");
  put_shares(
      record, row.output_stream, row.layer, row.head, row.position,
      {scalars[0].get<float>(), scalars[1].get<float>(), scalars[2].get<float>(), scalars[3].get<float>()});
  return {};
}

void put_errors(AttentionRecord& record, const std::vector<store::InvariantRecord>& invariants) {
  std::map<std::string, std::vector<const store::InvariantRecord*>> by_place;
  for (const store::InvariantRecord& one : invariants) by_place[one.location].push_back(&one);
  each_head(record, [&](StreamKind stream, int64_t layer, int64_t head) {
    const auto index = static_cast<size_t>(layer * record.heads + head);
    RowErrorsOfHead& errors =
        (stream == StreamKind::output ? record.output_errors : record.base_errors)[index];
    const auto found = by_place.find(location_of(layer, head, stream));
    // Runs with one head alone name no place.
    const auto& own = found != by_place.end() ? found->second : by_place[""];
    for (const store::InvariantRecord* one : own) {
      if (one->name == kSum) errors.sum = one->worst;
      if (one->name == kOutput) errors.output = one->worst;
      if (one->name == kSupport) errors.outside = static_cast<int64_t>(one->worst);
    }
    const auto& positions = record.rows[static_cast<size_t>(layer)].positions;
    errors = record.matrix(stream, layer, head).empty() ||
                     record.row(stream, layer, head, positions.back()).empty()
                 ? RowErrorsOfHead{}  // nothing was kept of this head: nothing is said of it
                 : errors;
    errors.rows = std::ranges::count_if(
        positions, [&](int64_t position) { return !record.row(stream, layer, head, position).empty(); });
  });
}

std::vector<std::string> pieces_of(const Json& spec) {
  std::vector<std::string> pieces;
  if (!spec.contains("pieces") || !spec["pieces"].is_array()) return pieces;
  for (const Json& piece : spec["pieces"])
    pieces.push_back(piece.is_string() ? bytes_of(piece.get<std::string>()) : std::string());
  return pieces;
}

// Of each head as they were kept at the end; a recording that never ended has those of its steps, for all
// heads alike.
void put_step_errors(AttentionRecord& record, const std::vector<store::InvariantRecord>& invariants) {
  RowErrorsOfHead worst;
  for (const DecodeStepPointer& step : record.steps) {
    worst.sum = std::max(worst.sum, step->check.sum);
    worst.output = std::max(worst.output, step->check.output);
    worst.outside += step->check.outside;
  }
  worst.rows = std::ssize(record.steps);
  const auto heads = static_cast<size_t>(record.layers * record.heads);
  record.base_errors.assign(heads, worst);
  record.output_errors.assign(heads, worst);
  std::map<std::string, RowErrorsOfHead*> places;
  each_head(record, [&](StreamKind stream, int64_t layer, int64_t head) {
    auto& all = stream == StreamKind::output ? record.output_errors : record.base_errors;
    places[location_of(layer, head, stream)] = &all[static_cast<size_t>(layer * record.heads + head)];
  });
  for (const store::InvariantRecord& one : invariants) {
    const auto found = places.find(one.location);
    if (found == places.end()) continue;
    if (one.name == kSum) found->second->sum = one.worst;
    if (one.name == kOutput) found->second->output = one.worst;
    if (one.name == kSupport) found->second->outside = static_cast<int64_t>(one.worst);
  }
}

}  // namespace

Json record_spec(const KeptRecord& kept) {
  const AttentionRecord& record = kept.record;
  Json pieces = Json::array();
  for (const std::string& piece : kept.pieces) pieces.push_back(hex_of(piece));
  Json spec = {{"text", kept.text},
               {"model", kept.model},
               {"pieces", pieces},
               {"record",
                {{"layers", record.layers},
                 {"heads", record.heads},
                 {"head_dim", record.head_dim},
                 {"keys", record.num_keys},
                 {"window", record.window.window},
                 {"sinks", record.window.sinks},
                 {"level", static_cast<int>(record.level)},
                 {"has_output", record.has_output},
                 {"decode", !record.steps.empty()},
                 {"last_base_used", record.last_base_used},
                 {"heads_per_group", kept.heads_per_group},
                 {"kv_bytes_per_token", kept.kv_bytes_per_token},
                 {"bfloat16", kept.bfloat16}}}};
  if (record.scale_offset_layers) spec["record"]["scale_offset_layers"] = *record.scale_offset_layers;
  if (!kept.predicted.empty()) {
    Json& predictions = spec["predictions"] = Json::array();
    for (size_t i = 0; i < kept.predicted.size(); ++i) {
      const TokenPrediction& one = record.predictions[i];
      predictions.push_back({one.id, one.probability, hex_of(kept.predicted[i])});
    }
  }
  return spec;
}

std::vector<store::InvariantRecord> record_invariants(const KeptRecord& kept) {
  std::vector<store::InvariantRecord> all;
  const double tolerance = kept.bfloat16 ? kToleranceBfloat16 : kRowTolerance;
  each_head(kept.record, [&](StreamKind stream, int64_t layer, int64_t head) {
    const RowErrorsOfHead& errors = kept.record.errors(stream, layer, head);
    const std::string where = location_of(layer, head, stream);
    all.push_back({kSum, where, errors.sum <= kRowTolerance, errors.sum});
    all.push_back({kOutput, where, errors.output <= tolerance, errors.output});
    all.push_back({kSupport, where, errors.outside == 0, static_cast<double>(errors.outside)});
  });
  return all;
}

Result<store::ExperimentRecord> keep_record(store::RunStore& store, const Arm& arm, const KeptRecord& kept) {
  int64_t bytes = 0;
  for (const LayerRows& rows : kept.record.rows) {
    for (const int64_t position : rows.positions) bytes += (position + 1) * 4 * kept.record.heads * 2;
    bytes += rows.base_queries.bytes() + rows.output_queries.bytes();
  }
  const AttentionRecord& record = kept.record;
  const int64_t share_rows = record.level == CaptureLevel::c0 || record.level == CaptureLevel::c2
                                 ? record.layers * record.heads * std::ssize(record.share_positions) * 2
                                 : 0;
  if (bytes > kMaxKeptRecordBytes || share_rows > kMostShareRows) {
    return fail(Error{
        ErrorCode::out_of_memory,
        fmt::format("this capture would add {} and {} rows of shares to the run store; at most {} and {}",
                    format_bytes(bytes), share_rows, format_bytes(kMaxKeptRecordBytes), kMostShareRows),
        "look again with C1 and keep that"});
  }
  const auto fill = [&](ExperimentRuns& runs) -> Result<void> {
    store::AttnStepRecord step = step_of(kept);
    ORTHROS_TRY(step.prompt_id, put_ids(runs, kept.ids, kept.text, "prompt"));
    ORTHROS_TRY_VOID(runs.store().add_attention_step(runs.run(0), step));
    return runs.store().add_invariants(runs.run(0), record_invariants(kept));
  };
  return keep_experiment(
      store, arm, {store::ExperimentKind::attention, kept.name, record_spec(kept), Json::object(), 0, ""},
      fill);
}

Result<KeptRecord> read_record(const store::RunReader& reader, std::string_view uuid) {
  ORTHROS_TRY(const auto experiment, reader.find_experiment(uuid, store::ExperimentKind::attention));
  ORTHROS_TRY(const auto runs, reader.runs(experiment.id));
  if (runs.empty()) return fail(ErrorCode::not_found, "the experiment has no run");
  ORTHROS_TRY(const auto steps, reader.attention_steps(runs.front().id));
  if (steps.empty()) return fail(ErrorCode::not_found, "nothing of the capture was kept");
  const store::AttnStepRecord& step = steps.front();
  KeptRecord kept;
  kept.name = experiment.name;
  kept.created_utc = experiment.created_utc;
  if (!step.prompt_id) return fail(ErrorCode::corrupt_file, "the kept capture does not say what was read");
  ORTHROS_TRY(const auto prompt, reader.prompt(*step.prompt_id));
  kept.ids = prompt.ids;
  Shape config{Json::object()};
  if (runs.front().model_id) {
    ORTHROS_TRY(const auto model, reader.model(*runs.front().model_id));
    config.json = Json::parse(model.config_json, nullptr, false);
    kept.model = model.label;
  }
  const Json spec = Json::parse(experiment.spec_json, nullptr, false);
  if (!spec.is_object()) return fail(ErrorCode::corrupt_file, "the kept capture's spec is no JSON object");
  const auto text_of = [&spec](const char* key, const std::string& fallback) {
    return spec.contains(key) && spec[key].is_string() ? spec[key].get<std::string>() : fallback;
  };
  kept.text = text_of("text", prompt.text);
  kept.model = text_of("model", kept.model);
  const Shape shape{spec.value("record", Json::object())};
  ORTHROS_TRY(kept.record, shape_of(shape, step, std::ssize(kept.ids), config));
  kept.heads_per_group = std::max<int64_t>(1, shape.get("heads_per_group", 1));
  kept.kv_bytes_per_token = shape.get("kv_bytes_per_token");
  kept.bfloat16 = shape.json.is_object() && shape.json.contains("bfloat16")
                      ? shape.flag("bfloat16")
                      : runs.front().dtype == "bfloat16";
  const bool is_decode = shape.flag("decode");
  if (is_decode) {
    kept.pieces = pieces_of(spec);
    kept.record.rows.resize(static_cast<size_t>(kept.record.layers));
    ORTHROS_TRY_VOID(read_steps(reader, runs.front().id, steps, kept));
    ORTHROS_TRY(const auto invariants, reader.invariants(runs.front().id));
    put_step_errors(kept.record, invariants);
    return kept;
  }
  make_room(kept.record, step);
  for (const store::AttnExactRowRecord& row : step.exact_rows) {
    ORTHROS_TRY_VOID(put_row(kept.record, row));
    put_shares(kept.record, row.output_stream, row.layer, row.head, row.position,
               shares_of_row(row.weights, row.position, kept.record.window));
  }
  for (const store::AttnHeadRowRecord& row : step.head_rows)
    ORTHROS_TRY_VOID(put_kept_shares(kept.record, row));
  ORTHROS_TRY_VOID(put_queries(kept.record, step.queries));
  ORTHROS_TRY_VOID(take_predictions(spec, kept));
  ORTHROS_TRY(const auto invariants, reader.invariants(runs.front().id));
  put_errors(kept.record, invariants);
  kept.pieces = pieces_of(spec);
  return kept;
}

}  // namespace orthros
