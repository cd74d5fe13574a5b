#include "engine/inference/query_watch.h"

#include <algorithm>

namespace orthros {

void QueryWatch::take(const TensorEvent& event) {
  if (event.what == PassTensor::projected_query)  // the pass rotates it in place
    projected_ = event.rows.to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true).contiguous();
  if (event.what == PassTensor::scaled_query) scaled_ = event.rows.to(at::kCPU);
}

void QueryWatch::put(int64_t from, int64_t to, QueryRows& kept) const {
  TORCH_CHECK(projected_.defined() && scaled_.defined() && projected_.sizes() == scaled_.sizes() &&
                  from < projected_.size(0),
              "an attention call without the queries that it was made with");
  const int64_t columns = projected_.size(1);
  std::copy_n(projected_.const_data_ptr<float>() + from * columns, columns,
              kept.projected.data() + to * columns);
  std::copy_n(scaled_.const_data_ptr<float>() + from * columns, columns, kept.scaled.data() + to * columns);
}

}  // namespace orthros
