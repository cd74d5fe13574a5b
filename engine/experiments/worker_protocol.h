// What an experiment and its latency workers say to each other, as JSON. Requests: {"open_arm"}, {"open"},
// {"sample"}, {"close"}; answers: {"progress"} any number of times, then {"arm"}, {"done"}, {"sample"} or
// {"error"}. Whatever comes in is checked against what was asked. Units: ns, bytes. Errors: corrupt_file
// naming the field. Threads: pure functions. Public: no torch.
#pragma once

#include "engine/experiments/arm.h"
#include "engine/experiments/latency_target.h"

namespace orthros::worker {

struct OpenArm {
  ArmSpec spec;
  LoadOptions defaults;
  int64_t threads = 0;
};
/// invalid_argument: a path that is no UTF-8 cannot stand in JSON.
Result<Json> to_json(const OpenArm& request);
Result<OpenArm> open_arm_from_json(const Json& json);

/// Everything but the model itself and the tokenizer's functions.
Json to_json(const Arm& arm);
Result<Arm> arm_from_json(const Json& json);

Json to_json(const LatencyRequest& request);
Result<LatencyRequest> request_from_json(const Json& json);

Json to_json(const LatencyMeasurement& measured);
/// `outputs` as asked of sample(): another number of steps, or times that do not add up, are refused.
Result<LatencyMeasurement> measurement_from_json(const Json& json, int64_t outputs, bool decode_only);

Json to_json(const Error& error);
Error error_from_json(const Json& json);

}  // namespace orthros::worker
