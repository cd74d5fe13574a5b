// Small values every row needs: a random UUID, the time now. Threads: any.
// Private to engine/store.
#pragma once

#include <chrono>
#include <string>

#include "engine/base/sha256.h"

namespace orthros::store::detail {

/// Version 4, from the system's random source.
std::string make_uuid();
/// "2026-01-31T23:59:59.123Z": text order is time order.
std::string utc_of(std::chrono::system_clock::time_point time);
std::string utc_now();

}  // namespace orthros::store::detail
