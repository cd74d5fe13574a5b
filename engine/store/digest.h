// Small values every row needs: sha256 of text, a random UUID, the time now. Threads: any.
// Private to engine/store.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace orthros::store::detail {

std::string sha256_hex(std::string_view bytes);
/// Version 4, from the system's random source.
std::string make_uuid();
/// "2026-01-31T23:59:59.123Z": text order is time order.
std::string utc_of(std::chrono::system_clock::time_point time);
std::string utc_now();

}  // namespace orthros::store::detail
