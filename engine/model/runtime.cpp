#include "engine/model/runtime.h"

#include <ATen/Parallel.h>
#include <torch/headeronly/version.h>

namespace orthros {

Result<void> set_num_threads(int threads) {
  if (threads < 0 || threads > 1024) {
    return fail(ErrorCode::invalid_argument, "{} threads asked for; give 0 (all cores) to 1024", threads);
  }
  if (threads > 0) at::set_num_threads(threads);
  return {};
}

int num_threads() { return at::get_num_threads(); }

Result<void> check_device(std::string_view device) {
  if (device == "cpu") return {};
  if (device == "cuda") {
    return fail(Error{ErrorCode::unsupported, "the CUDA plug-in is not part of this build", "use --device cpu"});
  }
  return fail(ErrorCode::invalid_argument, "unknown device '{}': cpu or cuda", device);
}

std::string torch_version() { return TORCH_VERSION; }

}  // namespace orthros
