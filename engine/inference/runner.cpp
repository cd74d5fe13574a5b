#include "engine/inference/runner.h"

#include <ATen/ATen.h>

#include "engine/mixers/compute_profile.h"
#include "engine/mixers/torch_guard.h"

namespace orthros {
namespace {

ComputePolicy policy_of(const Model& model) {
  ComputePolicy policy;
  policy.compute_type = to_torch(model.report().compute_type);
  policy.mkldnn_float32 = policy.compute_type == at::kFloat && compute_profile().prefers_mkldnn_float32();
  return policy;
}

Result<void> check_options(const SessionOptions& options) {
  if (options.batch < 1) return fail(ErrorCode::invalid_argument, "batch {} is below 1", options.batch);
  if (options.capacity < 1)
    return fail(ErrorCode::invalid_argument, "capacity {} is below 1", options.capacity);
  if (options.chunk < 1) return fail(ErrorCode::invalid_argument, "chunk {} is below 1", options.chunk);
  return {};
}

}  // namespace

Result<std::unique_ptr<Runner>> Runner::create(std::shared_ptr<const Model> model, const ModelConfig& config,
                                               const SessionOptions& options) {
  ORTHROS_TRY_VOID(check_options(options));
  MemoryRequest request;
  request.compute_type = model->report().compute_type;
  request.kv_type = model->report().kv_type;
  request.batch = options.batch;
  request.tokens = options.capacity;
  request.chunk = options.chunk;
  ORTHROS_TRY_VOID(
      check_fits(plan_memory(config, request), fmt::format("a run of {} tokens", options.capacity)));
  return run_guarded("opening the session", [&]() -> Result<std::unique_ptr<Runner>> {
    const c10::InferenceMode inference;
    Decoder decoder(model->weights(), config, policy_of(*model));
    std::unique_ptr<Runner> runner(new Runner(model, std::move(decoder), options));
    runner->states_ = runner->decoder_.make_states(options.batch, options.capacity, options.chunk,
                                                   request.kv_type, options.keep_all_keys);
    return runner;
  });
}

Result<void> Runner::check_batch(const Batch& batch) const {
  if (static_cast<int64_t>(batch.size()) != options_.batch) {
    return fail(ErrorCode::invalid_argument, "{} sequences given to a session of {}", batch.size(),
                options_.batch);
  }
  const size_t length = batch.front().size();
  if (length == 0) {
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  }
  const int64_t vocabulary = decoder_.config().vocab_size;
  for (const auto& ids : batch) {
    if (ids.size() != length) {
      return fail(Error{ErrorCode::invalid_argument, "sequences of a batch must have equal lengths",
                        "run them one by one, or pad the prompts yourself"});
    }
    for (const TokenId id : ids) {
      if (id < 0 || id >= vocabulary) {
        return fail(ErrorCode::invalid_argument, "token id {} is outside the vocabulary (0 to {})", id,
                    vocabulary - 1);
      }
    }
  }
  if (this->length() + static_cast<int64_t>(length) > options_.capacity) {
    return fail(ErrorCode::invalid_argument, "{} tokens after {} exceed the session's capacity of {}", length,
                this->length(), options_.capacity);
  }
  return {};
}

Result<at::Tensor> Runner::advance(const Batch& batch, int64_t begin, int64_t count, const Advance& how,
                                   const StopToken& stop) {
  auto result = run_guarded("running the model", [&]() -> Result<at::Tensor> {
    const c10::InferenceMode inference;
    ChunkInput input;
    input.ids = at::empty({options_.batch, count}, at::kLong);
    auto* ids = input.ids.data_ptr<int64_t>();
    for (const auto& sequence : batch) ids = std::copy_n(sequence.begin() + begin, count, ids);
    input.wanted = how.wanted;
    input.pair = how.pair;
    input.output_on = how.output_on;
    input.observer = how.observer;
    input.stop = stop;
    return decoder_.forward(input, states_);
  });
  // A chunk that ended early has advanced some layers and not others.
  if (!result) clear();
  return result;
}

int64_t Runner::kv_bytes() const {
  int64_t total = 0;
  for (const LayerState& state : states_) total += state.kv.bytes();
  return total;
}

Result<void> Runner::rewind(int64_t length) {
  if (length < 0 || length > this->length()) {
    return fail(ErrorCode::invalid_argument, "cannot go back to {} tokens: the session has {}", length,
                this->length());
  }
  // Every layer forgets alike or not at all, so the first refusal comes before anything was cut.
  for (LayerState& state : states_) {
    if (!state.kv.truncate(length)) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("the cache no longer holds what {} tokens would read", length),
                        "open the session with keep_all_keys"});
    }
  }
  return {};
}

void Runner::clear() {
  for (LayerState& state : states_) state.kv.clear();
}

}  // namespace orthros
