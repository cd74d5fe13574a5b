// GradientSum: makes the gradients of all ranks into their sum, on every rank the same bits. Errors: as Comm.
// Threads: one object a rank. Private: includes torch.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "engine/distributed/comm.h"
#include "engine/training/parameters.h"

namespace orthros::training {

class GradientSum {
 public:
  /// Of the parameters that want gradients now.
  explicit GradientSum(const Parameters& parameters);

  /// A gradient that a rank does not have, since it had no sequence, counts as zero.
  Result<void> run(Comm& comm);

 private:
  std::vector<at::Tensor> parameters_;
  at::Tensor buffer_;  // all gradients one after the other: one call instead of one for each
};

}  // namespace orthros::training
