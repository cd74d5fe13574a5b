#include "engine/experiments/worker_protocol.h"

#include "engine/experiments/field_reader.h"
#include "engine/formats/utf8.h"
#include "engine/model/model_identity.h"

namespace orthros::worker {
namespace {

// 30 years: sums of a sample's times stay far from overflow.
constexpr int64_t kMaxNs = 1'000'000'000'000'000'000;

constexpr std::pair<const char*, Architecture> kArchitectures[] = {{"transformer", Architecture::transformer},
                                                                   {"swa", Architecture::swa},
                                                                   {"orthros", Architecture::orthros}};
constexpr std::pair<const char*, ErrorCode> kCodes[] = {{"invalid_argument", ErrorCode::invalid_argument},
                                                        {"not_found", ErrorCode::not_found},
                                                        {"corrupt_file", ErrorCode::corrupt_file},
                                                        {"unsupported", ErrorCode::unsupported},
                                                        {"out_of_memory", ErrorCode::out_of_memory},
                                                        {"cancelled", ErrorCode::cancelled},
                                                        {"io", ErrorCode::io},
                                                        {"internal", ErrorCode::internal}};

template <class Enum, size_t N>
Json name_of(const std::optional<Enum>& value, const std::pair<const char*, Enum> (&table)[N]) {
  for (const auto& [name, meaning] : table) {
    if (value == meaning) return name;
  }
  return nullptr;
}
Json number_of(const std::optional<int64_t>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const store::ModelRecord& record) {
  return {{"weights_sha256", record.weights_sha256},
          {"architecture", record.architecture},
          {"config_sha256", record.config_sha256},
          {"config_json", record.config_json},
          {"label", record.label},
          {"params_total", record.params_total},
          {"params_linear", record.params_linear},
          {"trained", record.trained},
          {"provenance_json", record.provenance_json}};
}

Result<store::ModelRecord> model_record(const Json& json) {
  store::ModelRecord record;
  FieldReader fields(json);
  fields.read("weights_sha256", record.weights_sha256);
  fields.read("architecture", record.architecture);
  fields.read("config_sha256", record.config_sha256);
  fields.read("config_json", record.config_json);
  fields.read("label", record.label);
  fields.read("params_total", record.params_total);
  fields.read("params_linear", record.params_linear);
  fields.read("trained", record.trained);
  fields.read("provenance_json", record.provenance_json);
  ORTHROS_TRY_VOID(fields.end());
  return record;
}

Json tokenizer_json(const std::optional<store::TokenizerRecord>& record) {
  if (!record) return nullptr;
  return {{"sha256", record->sha256},
          {"kind", record->kind},
          {"label", record->label},
          {"vocab_size", record->vocab_size},
          {"adds_bos", record->adds_bos}};
}

Result<std::optional<store::TokenizerRecord>> tokenizer_record(const Json* json) {
  std::optional<store::TokenizerRecord> record;
  if (json == nullptr) return record;
  record.emplace();
  FieldReader fields(*json);
  fields.read("sha256", record->sha256);
  fields.read("kind", record->kind);
  fields.read("label", record->label);
  fields.read("vocab_size", record->vocab_size);
  fields.read("adds_bos", record->adds_bos);
  ORTHROS_TRY_VOID(fields.end());
  return record;
}

Result<void> check_times(const LatencyMeasurement& m, bool decode_only) {
  bool ordered =
      m.prefill_ns >= 0 && m.ttft_ns >= m.prefill_ns && m.e2e_ns >= m.ttft_ns && m.e2e_ns <= kMaxNs;
  int64_t sum = ordered ? m.ttft_ns : 0;
  for (size_t i = 0; ordered && i < m.step_ns.size(); ++i) {
    ordered = m.step_ns[i] >= 0 && m.step_ns[i] <= m.e2e_ns - sum;
    sum += m.step_ns[i];
  }
  if (!ordered || sum != m.e2e_ns || (decode_only && m.ttft_ns != 0)) {
    return fail(ErrorCode::corrupt_file, "the sample's times do not add up");
  }
  if (m.kv_bytes < 0 || m.peak_bytes < 0) return fail(ErrorCode::corrupt_file, "bytes below 0");
  return {};
}

}  // namespace

Result<Json> to_json(const OpenArm& request) {
  const ArmSpec& spec = request.spec;
  const LoadOptions& load = request.defaults;
  if (find_invalid_utf8(spec.model) != std::string::npos) {
    return fail(Error{ErrorCode::invalid_argument,
                      "the model's path is no UTF-8: a worker cannot be told of it",
                      "rename it, or measure without --isolate"});
  }
  return Json{{"open_arm",
               {{"model", spec.model},
                {"architecture", name_of(spec.architecture, kArchitectures)},
                {"window", number_of(spec.window)},
                {"sinks", number_of(spec.sinks)},
                {"dtype", name_of(spec.dtype, kComputeTypes)},
                {"kv_dtype", name_of(spec.kv_dtype, kComputeTypes)},
                {"weights", name_of(spec.weights, kWeightFormats)},
                {"default_dtype", name_of(load.compute_type, kComputeTypes)},
                {"default_weights", name_of(load.weight_format, kWeightFormats)},
                {"default_kv_dtype", name_of(load.kv_type, kComputeTypes)},
                {"plan_tokens", load.plan_tokens},
                {"expand_for_prefill", load.expand_for_prefill},
                {"threads", request.threads}}}};
}

Result<OpenArm> open_arm_from_json(const Json& json) {
  OpenArm request;
  FieldReader fields(json);
  fields.read("model", request.spec.model);
  fields.read("architecture", request.spec.architecture, kArchitectures);
  fields.read("window", request.spec.window);
  fields.read("sinks", request.spec.sinks);
  fields.read("dtype", request.spec.dtype, kComputeTypes);
  fields.read("kv_dtype", request.spec.kv_dtype, kComputeTypes);
  fields.read("weights", request.spec.weights, kWeightFormats);
  fields.read("default_dtype", request.defaults.compute_type, kComputeTypes);
  fields.read("default_weights", request.defaults.weight_format, kWeightFormats);
  fields.read("default_kv_dtype", request.defaults.kv_type, kComputeTypes);
  fields.read("plan_tokens", request.defaults.plan_tokens);
  fields.read("expand_for_prefill", request.defaults.expand_for_prefill);
  fields.read("threads", request.threads);
  ORTHROS_TRY_VOID(fields.end());
  return request;
}

Json to_json(const Arm& arm) {
  return {{"arm",
           {{"label", arm.label},
            {"config", architecture_json(arm.config)},
            {"record", to_json(arm.record)},
            {"tokenizer", tokenizer_json(arm.tokenizer)},
            {"special_ids", arm.special_ids},
            {"eos", arm.eos},
            {"device", arm.device},
            {"dtype", arm.dtype},
            {"weights", arm.weights},
            {"kv_dtype", arm.kv_dtype},
            {"bytes_per_weight", arm.bytes_per_weight}}}};
}

Result<Arm> arm_from_json(const Json& json) {
  Arm arm;
  const Json* config = json_access::find(json, "config");
  const Json* record = json_access::find(json, "record");
  if (config == nullptr || record == nullptr) return fail(ErrorCode::corrupt_file, "the arm is incomplete");
  ORTHROS_TRY(arm.config, parse_model_config(*config));
  ORTHROS_TRY(arm.record, model_record(*record));
  ORTHROS_TRY(arm.tokenizer, tokenizer_record(json_access::find(json, "tokenizer")));
  FieldReader fields(json);
  fields.read("label", arm.label);
  fields.read("special_ids", arm.special_ids);
  fields.read("eos", arm.eos);
  fields.read("device", arm.device);
  fields.read("dtype", arm.dtype);
  fields.read("weights", arm.weights);
  fields.read("kv_dtype", arm.kv_dtype);
  fields.read("bytes_per_weight", arm.bytes_per_weight);
  ORTHROS_TRY_VOID(fields.end());
  if (std::ssize(arm.special_ids) > arm.config.vocab_size)
    return fail(ErrorCode::corrupt_file, "more special ids than ids");
  return arm;
}

Json to_json(const LatencyRequest& request) {
  return {{"open",
           {{"prompts", request.prompts},
            {"outputs", request.outputs},
            {"decode_only", request.decode_only},
            {"threads", request.threads}}}};
}

Result<LatencyRequest> request_from_json(const Json& json) {
  LatencyRequest request;
  FieldReader fields(json);
  fields.read("prompts", request.prompts);
  fields.read("outputs", request.outputs);
  fields.read("decode_only", request.decode_only);
  fields.read("threads", request.threads);
  ORTHROS_TRY_VOID(fields.end());
  if (request.prompts.empty() || request.prompts.front().empty())
    return fail(ErrorCode::corrupt_file, "there is no prompt");
  return request;
}

Json to_json(const LatencyMeasurement& measured) {
  return {{"sample",
           {{"outputs", measured.outputs},
            {"prefill_ns", measured.prefill_ns},
            {"ttft_ns", measured.ttft_ns},
            {"e2e_ns", measured.e2e_ns},
            {"step_ns", measured.step_ns},
            {"kv_bytes", measured.kv_bytes},
            {"peak_bytes", measured.peak_bytes},
            {"backend", measured.backend}}}};
}

Result<LatencyMeasurement> measurement_from_json(const Json& json, int64_t outputs, bool decode_only) {
  LatencyMeasurement measured;
  FieldReader fields(json);
  fields.read("outputs", measured.outputs);
  fields.read("prefill_ns", measured.prefill_ns);
  fields.read("ttft_ns", measured.ttft_ns);
  fields.read("e2e_ns", measured.e2e_ns);
  fields.read("step_ns", measured.step_ns);
  fields.read("kv_bytes", measured.kv_bytes);
  fields.read("peak_bytes", measured.peak_bytes);
  fields.read("backend", measured.backend);
  ORTHROS_TRY_VOID(fields.end());
  const int64_t given = decode_only ? outputs + 1 : outputs;
  if (measured.outputs != given || std::ssize(measured.step_ns) != given - 1) {
    return fail(ErrorCode::corrupt_file, "{} ids with {} steps where {} ids were asked for", measured.outputs,
                measured.step_ns.size(), given);
  }
  ORTHROS_TRY_VOID(check_times(measured, decode_only));
  return measured;
}

Json to_json(const Error& error) {
  return {{"error", {{"code", to_string(error.code)}, {"message", error.message}, {"hint", error.hint}}}};
}

Error error_from_json(const Json& json) {
  Error error;
  FieldReader fields(json);
  std::optional<ErrorCode> code;
  fields.read("code", code, kCodes);
  fields.read("message", error.message);
  fields.read("hint", error.hint);
  if (!fields.end() || error.message.empty())
    return {ErrorCode::internal, "the worker failed and does not say how", {}};
  error.code = code.value_or(ErrorCode::internal);
  return error;
}

}  // namespace orthros::worker
