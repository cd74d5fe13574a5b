// WeightLoader: fills the held matrices from a weight file, in row blocks, on all threads.
// Memory: the held weights and one fp32 row block a thread. Errors: as WeightFile; cancelled.
// Private: includes torch.
#pragma once

#include <memory>

#include "engine/base/job_control.h"
#include "engine/model/decoder.h"
#include "engine/model/weight_plan.h"

namespace orthros {

class WeightLoader {
 public:
  WeightLoader(const ModelConfig& config, const WeightFile& file, const WeightPlan& plan, const StopToken& stop,
               const ProgressSink& progress)
      : config_(config), file_(file), plan_(plan), stop_(stop), progress_(progress) {}

  Result<std::shared_ptr<ModelWeights>> load();
  /// Adds the copies in the compute type to the layers' matrices.
  Result<void> expand(ModelWeights& weights, at::ScalarType compute_type) const;

 private:
  Result<Linear> matrix(const MatrixPlan& plan);
  Result<void> fill(Linear& held, int64_t first_row, const WeightRows& source) const;
  Result<at::Tensor> vector(const std::string& name, int64_t size) const;
  Result<LayerWeights> layer(int64_t index);

  const ModelConfig& config_;
  const WeightFile& file_;
  const WeightPlan& plan_;
  const StopToken& stop_;
  const ProgressSink& progress_;
  int64_t done_bytes_ = 0;
};

}  // namespace orthros
