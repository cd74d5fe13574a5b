#include "engine/model/model.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <array>
#include <chrono>

#include "engine/mixers/compute_profile.h"
#include "engine/mixers/torch_guard.h"
#include "engine/model/decoder.h"
#include "engine/model/weight_loader.h"
#include "engine/model/weight_plan.h"

namespace orthros {
namespace {

ScalarType choose_compute_type(const LoadOptions& options, const WeightPlan& plan) {
  if (options.compute_type) return *options.compute_type;
  return plan.at_most_bfloat16 && compute_profile().prefers_bfloat16() ? ScalarType::bfloat16 : ScalarType::float32;
}

std::string describe_formats(const WeightPlan& plan) {
  std::array<int, 4> counts{};
  for (const MatrixPlan* matrix : plan.matrices()) ++counts[static_cast<size_t>(matrix->format)];
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", to_string(static_cast<WeightFormat>(i)), counts[i],
                        counts[i] == 1 ? "matrix" : "matrices");
  }
  return text;
}

// Bytes of the copies in the compute type that spare prefill the expansion of quantised layers.
int64_t expansion_bytes(const WeightPlan& plan, ScalarType compute_type) {
  const WeightFormat dense =
      compute_type == ScalarType::float32 ? WeightFormat::float32 : WeightFormat::bfloat16;
  int64_t total = 0;
  for (const LayerPlan& layer : plan.layers) {
    for (const MatrixPlan* matrix : {&layer.qkv, &layer.o, &layer.gate_up, &layer.down}) {
      if (matrix->format != dense) total += matrix->total_rows() * matrix->columns * size_bytes(compute_type);
    }
  }
  return total;
}

}  // namespace

Result<std::shared_ptr<const Model>> Model::load(ModelFiles files, const LoadOptions& options, const StopToken& stop,
                                                 const ProgressSink& progress) {
  const auto start = std::chrono::steady_clock::now();
  return run_guarded("loading the model", [&]() -> Result<std::shared_ptr<const Model>> {
    const c10::InferenceMode inference;
    if (!files.has_weights) return fail(ErrorCode::not_found, "the model folder holds no weights");
    ORTHROS_TRY(const WeightPlan plan, make_weight_plan(files.config, *files.weights, options));
    LoadReport report;
    report.compute_type = choose_compute_type(options, plan);
    report.kv_type = options.kv_type.value_or(report.compute_type);
    report.weights = describe_formats(plan);
    MemoryRequest request;
    request.compute_type = report.compute_type;
    request.kv_type = report.kv_type;
    request.weight_bytes = plan.held_bytes();
    request.tokens = options.plan_tokens;
    report.plan = plan_memory(files.config, request);
    ORTHROS_TRY_VOID(check_fits(report.plan, "the model"));
    // A second copy is a luxury: only where it takes no more than half of what is left.
    const int64_t spare = report.plan.available_bytes - report.plan.total_bytes();
    const int64_t extra = expansion_bytes(plan, report.compute_type);
    const bool expand = options.expand_for_prefill && extra > 0 && extra < spare / 2;
    if (expand) {
      request.weight_bytes += extra;
      report.plan = plan_memory(files.config, request);
    }
    WeightLoader loader(files.config, *files.weights, plan, stop, progress);
    ORTHROS_TRY(std::shared_ptr<ModelWeights> weights, loader.load());
    if (expand) ORTHROS_TRY_VOID(loader.expand(*weights, to_torch(report.compute_type)));
    std::shared_ptr<Model> model(new Model(std::move(files)));
    report.held_bytes = plan.held_bytes();
    report.expanded_bytes = expand ? extra : 0;
    model->weights_ = std::move(weights);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    model->report_ = report;
    return std::shared_ptr<const Model>(std::move(model));
  });
}

}  // namespace orthros
