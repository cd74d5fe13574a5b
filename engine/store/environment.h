// The machine and build of this process as an EnvironmentRecord: no host name, user or path. LibTorch, Qt and
// GPU fields are the caller's to fill. Of environment variables only the allow-list OMP_*, MKL_*, KMP_*,
// CUDA_VISIBLE_DEVICES enters extra_json, and only with values that are neither paths nor device ids.
// Threads: reads the environment; call before others change it. Public: no torch.
#pragma once

#include <string>
#include <string_view>

#include "engine/store/records.h"

namespace orthros::store {

EnvironmentRecord current_environment();

/// Whether a variable may be recorded.
bool may_record_variable(std::string_view name, std::string_view value);

}  // namespace orthros::store
