#include "engine/experiments/kept_steps.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/experiments/kept_experiment.h"
#include "engine/experiments/kept_queries.h"

namespace orthros {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian");

constexpr int64_t kWholeBins = kernels::kDigestBins;  // rows up to here are kept as stretches of one key

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T value_at(const std::string& bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

Json json_of(const RowScalars& s) {
  return {s.shares.sink, s.shares.window, s.shares.beyond, s.shares.entropy,
          s.first,       s.self,          s.previous,      s.distance};
}

Json json_of(const DecodeStep& step) {
  const StepCheck& check = step.check;
  return {{"record_ms", step.record_ms},
          {"check", {check.sum, check.output, check.outside, check.rows, check.output_rows}}};
}

void put_head(store::AttnStepRecord& record, const DecodeStep& step, StreamKind stream, int64_t layer,
              int64_t head) {
  const StepStream& from = step.of(stream);
  const int64_t support = from.window.support(step.position);
  const bool is_output = stream == StreamKind::output;
  store::AttnHeadRowRecord row{layer, head, is_output, step.position, support, {}, {}, {}};
  Json scalars{{"scalars", json_of(step.scalars(stream, layer, head))}};
  // What belongs to the step stands in its first row: one transaction holds all.
  if (layer == 0 && head == 0 && !is_output) scalars["step"] = json_of(step);
  row.scalars_json = scalars.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (const kernels::RowDigest* digest = step.digest(stream, layer, head)) {
    for (size_t i = 0; i < digest->max.size(); ++i) {
      append(row.bins, digest->max[i]);
      append(row.bins, digest->sum[i]);
    }
    for (size_t i = 0; i < digest->index.size(); ++i) {
      append(row.top_k, digest->index[i]);
      append(row.top_k, digest->weight[i]);
    }
  } else if (step.is_exact(stream, layer)) {
    const auto place = std::ranges::lower_bound(from.exact_layers, layer) - from.exact_layers.begin();
    const float* weights = from.exact.data() + (place * step.heads + head) * support;
    if (support <= kWholeBins) {
      for (int64_t i = 0; i < support; ++i) {
        append(row.bins, weights[i]);
        append(row.bins, weights[i]);
      }
    } else {
      record.exact_rows.push_back({layer, head, is_output, step.position, step.row(stream, layer, head)});
    }
  }
  record.head_rows.push_back(std::move(row));
}

// ---- reading ----

bool read_numbers(const Json& from, size_t count, std::vector<double>& to) {
  to.clear();
  if (!from.is_array() || from.size() != count) return false;
  for (const Json& one : from) {
    // What was no number is null.
    if (!one.is_number() && !one.is_null()) return false;
    to.push_back(one.is_number() ? one.get<double>() : std::numeric_limits<double>::quiet_NaN());
  }
  return true;
}

/// One stored step as it was recorded; empty when it is not sound.
class StepReader {
 public:
  StepReader(const store::AttnStepRecord& from, const AttentionRecord& shape, int64_t position)
      : from_(from), shape_(shape), step_(std::make_shared<DecodeStep>()) {
    step_->position = position;
    step_->layers = shape.layers;
    step_->heads = shape.heads;
    step_->sinks_and_window = shape.window;
    step_->ms = static_cast<double>(from.elapsed_ns) / 1e6;
    prepare(step_->base, shape.window);
    if (shape.has_output) prepare(step_->output, WindowSpec::full());
  }

  std::shared_ptr<DecodeStep> read() {
    const int64_t streams = shape_.has_output ? 2 : 1;
    if (std::ssize(from_.head_rows) != shape_.layers * shape_.heads * streams) return nullptr;
    // In the order of layers, so that what is kept of a stream grows in the order it is looked up.
    std::vector<const store::AttnHeadRowRecord*> rows;
    for (const store::AttnHeadRowRecord& row : from_.head_rows) rows.push_back(&row);
    std::ranges::sort(rows, {}, [](const auto* row) { return std::pair(row->layer, row->head); });
    for (const store::AttnHeadRowRecord* row : rows) {
      if (!take(*row)) return nullptr;
    }
    for (const store::AttnExactRowRecord& row : from_.exact_rows) {
      if (!take(row)) return nullptr;
    }
    if (!put_queries(*step_, shape_, from_.queries)) return nullptr;
    return step_;
  }

 private:
  void prepare(StepStream& stream, const WindowSpec& window) const {
    stream.window = window;
    stream.scalars.resize(static_cast<size_t>(shape_.layers * shape_.heads));
  }

  bool fits(int64_t layer, int64_t head, bool output, int64_t position) const {
    return layer >= 0 && layer < shape_.layers && head >= 0 && head < shape_.heads &&
           position == step_->position && (!output || shape_.has_output);
  }

  float* exact_room(StepStream& stream, int64_t layer, int64_t head) const {
    const int64_t support = stream.window.support(step_->position);
    const auto place = std::ranges::lower_bound(stream.exact_layers, layer);
    const auto index = place - stream.exact_layers.begin();
    if (place == stream.exact_layers.end() || *place != layer) {
      stream.exact.insert(stream.exact.begin() + index * shape_.heads * support,
                          static_cast<size_t>(shape_.heads * support), 0.0f);
      stream.exact_layers.insert(place, layer);
    }
    return stream.exact.data() + (index * shape_.heads + head) * support;
  }

  bool take(const store::AttnHeadRowRecord& row) {
    if (!fits(row.layer, row.head, row.output_stream, row.position)) return false;
    StepStream& stream = row.output_stream ? step_->output : step_->base;
    const int64_t support = stream.window.support(step_->position);
    const Json json = Json::parse(row.scalars_json, nullptr, false);
    std::vector<double> numbers;
    if (!json.is_object() || row.support != support || !json.contains("scalars") ||
        !read_numbers(json["scalars"], 8, numbers))
      return false;
    const auto number = [&numbers](size_t i) { return static_cast<float>(numbers[i]); };
    stream.scalars[static_cast<size_t>(row.layer * shape_.heads + row.head)] = {
        {number(0), number(1), number(2), number(3)}, number(4), number(5), number(6), number(7)};
    if (json.contains("step") && !take_step(json["step"])) return false;
    if (row.bins.empty()) return true;
    if (support <= kWholeBins) {
      if (std::ssize(row.bins) != support * 8) return false;
      float* to = exact_room(stream, row.layer, row.head);
      for (int64_t i = 0; i < support; ++i) to[i] = value_at<float>(row.bins, static_cast<size_t>(2 * i));
      return true;
    }
    return take_digest(row, stream, support);
  }

  bool take_digest(const store::AttnHeadRowRecord& row, StepStream& stream, int64_t support) const {
    if (row.bins.size() != 8 * size_t{kernels::kDigestBins} ||
        row.top_k.size() != 8 * size_t{kernels::kDigestTop})
      return false;
    if (stream.digest_layers.empty() || stream.digest_layers.back() != row.layer) {
      stream.digest_layers.push_back(row.layer);
      stream.digests.resize(stream.digest_layers.size() * static_cast<size_t>(shape_.heads));
    }
    kernels::RowDigest& digest =
        stream.digests[(stream.digest_layers.size() - 1) * static_cast<size_t>(shape_.heads) +
                       static_cast<size_t>(row.head)];
    for (size_t i = 0; i < digest.max.size(); ++i) {
      digest.max[i] = value_at<float>(row.bins, 2 * i);
      digest.sum[i] = value_at<float>(row.bins, 2 * i + 1);
    }
    int32_t last = -1;
    for (size_t i = 0; i < digest.index.size(); ++i) {
      digest.index[i] = value_at<int32_t>(row.top_k, 2 * i);
      digest.weight[i] = value_at<float>(row.top_k, 2 * i + 1);
      if (digest.index[i] <= last || digest.index[i] >= support) return false;
      last = digest.index[i];
    }
    return true;
  }

  bool take(const store::AttnExactRowRecord& row) const {
    if (!fits(row.layer, row.head, row.output_stream, row.position) ||
        std::ssize(row.weights) != step_->position + 1)
      return false;
    StepStream& stream = row.output_stream ? step_->output : step_->base;
    float* to = exact_room(stream, row.layer, row.head);
    for (const KeyRange range : {stream.window.sink(step_->position), stream.window.band(step_->position)}) {
      std::copy_n(row.weights.begin() + range.begin, range.size(), to);
      to += range.size();
    }
    return true;
  }

  bool take_step(const Json& json) const {
    std::vector<double> numbers;
    if (!json.is_object() || !json.contains("check") || !read_numbers(json["check"], 5, numbers))
      return false;
    step_->check = {numbers[0], numbers[1], static_cast<int64_t>(numbers[2]),
                    static_cast<int64_t>(numbers[3]), static_cast<int64_t>(numbers[4])};
    step_->record_ms = json.value("record_ms", 0.0);
    return true;
  }

  const store::AttnStepRecord& from_;
  const AttentionRecord& shape_;
  std::shared_ptr<DecodeStep> step_;
};

}  // namespace

struct StepKeeper::Impl {
  std::optional<ExperimentRuns> runs;
  KeptRecord kept;
  store::RowId prompt = 0;
  int64_t count = 0;
};

StepKeeper::StepKeeper(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StepKeeper::~StepKeeper() = default;

Result<std::unique_ptr<StepKeeper>> StepKeeper::begin(store::RunStore& store, const Arm& arm,
                                                      const KeptRecord& kept) {
  auto impl = std::make_unique<Impl>();
  impl->kept = kept;
  Json spec = record_spec(kept);
  spec["record"]["decode"] = true;
  spec["arm"] = arm.identity();
  store::ExperimentRecord record;
  record.kind = store::ExperimentKind::attention;
  record.name = kept.name;
  record.spec_json = spec.dump(-1, ' ', false, Json::error_handler_t::replace);
  record.spec_sha256 = sha256_hex(record.spec_json);
  ORTHROS_TRY(ExperimentRuns runs, ExperimentRuns::create(store, record, {arm}, {}, {}));
  impl->runs.emplace(std::move(runs));
  ORTHROS_TRY(impl->prompt, put_ids(*impl->runs, kept.ids, kept.text, "prompt"));
  ORTHROS_TRY_VOID(impl->runs->begin());
  return std::unique_ptr<StepKeeper>(new StepKeeper(std::move(impl)));
}

int64_t StepKeeper::count() const {
  return impl_->count;
}

Result<void> StepKeeper::add(const DecodeStep& step, const GeneratedToken& said) {
  if (step.position != std::ssize(impl_->kept.ids) - 1 + impl_->count) {
    return fail(ErrorCode::invalid_argument, "step {} of the recording is at position {}, not {}",
                impl_->count, step.position, std::ssize(impl_->kept.ids) - 1 + impl_->count);
  }
  store::AttnStepRecord record;
  record.step = impl_->count;
  record.regime = to_string(impl_->count == 0 ? Regime::prefill : Regime::decode);
  record.t_in = step.position;
  record.t_out = 1;
  record.elapsed_ns = static_cast<int64_t>(step.ms * 1e6);
  record.prompt_id = impl_->prompt;
  for (int64_t layer = 0; layer < step.layers; ++layer) {
    for (int64_t head = 0; head < step.heads; ++head) {
      put_head(record, step, StreamKind::base, layer, head);
      if (!step.output.scalars.empty()) put_head(record, step, StreamKind::output, layer, head);
    }
  }
  record.queries = kept_queries(step);
  store::GenTokenRecord token;
  token.step = impl_->count;
  token.token_id = said.id;
  token.bytes = said.bytes;
  token.probability = said.probability;
  token.elapsed_ns = record.elapsed_ns;
  // The token first: a step without what it said would be a step without its next key.
  store::RunStore& store = impl_->runs->store();
  ORTHROS_TRY_VOID(store.add_tokens(impl_->runs->run(0), impl_->prompt, std::vector{token}));
  ORTHROS_TRY_VOID(store.add_attention_step(impl_->runs->run(0), record));
  ++impl_->count;
  return {};
}

Result<store::ExperimentRecord> StepKeeper::end(const AttentionRecord& record) {
  KeptRecord all = impl_->kept;
  all.record.base_errors = record.base_errors;
  all.record.output_errors = record.output_errors;
  ORTHROS_TRY_VOID(impl_->runs->store().add_invariants(impl_->runs->run(0), record_invariants(all)));
  ORTHROS_TRY_VOID(impl_->runs->end({}, {}));
  return impl_->runs->experiment();
}

Result<void> read_steps(const store::RunReader& reader, store::RowId run,
                        const std::vector<store::AttnStepRecord>& steps, KeptRecord& kept) {
  const auto prompt = std::ssize(kept.ids);
  ORTHROS_TRY(const auto tokens, reader.tokens(run));
  for (size_t i = 0; i < steps.size() && i < tokens.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const int64_t position = prompt - 1 + index;
    if (steps[i].step != index || tokens[i].step != index)
      return fail(ErrorCode::corrupt_file, "step {} of the kept decode is missing", i);
    const auto step = StepReader(steps[i], kept.record, position).read();
    if (!step) return fail(ErrorCode::corrupt_file, "step {} of the kept decode does not fit its capture", i);
    step->id = kept.ids.back();
    kept.record.steps.push_back(step);
    kept.said.push_back({tokens[i].token_id, tokens[i].bytes, tokens[i].probability});
    const bool more = i + 1 < steps.size() && i + 1 < tokens.size();
    if (!more) break;
    kept.ids.push_back(tokens[i].token_id);
    kept.pieces.push_back(tokens[i].bytes);
  }
  kept.record.num_keys = std::ssize(kept.ids);
  return {};
}

}  // namespace orthros
