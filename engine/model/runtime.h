// Runtime: threads and device of the compute library, for programs that do not include it.
// Threads: call before the first use of the engine, from the engine thread. Public: no torch.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace orthros {

/// 0 keeps the default (the number of cores). invalid_argument below 0 or above 1024.
Result<void> set_num_threads(int threads);
int num_threads();

/// "cpu" is always there; "cuda" needs the plug-in and a device: unsupported says which is missing.
Result<void> check_device(std::string_view device);

std::string torch_version();

}  // namespace orthros
