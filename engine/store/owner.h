// Who owns a running run: a token of boot, pid namespace, pid and start time of the process, from /proc; a
// pid alone may be reused. The boot id enters hashed: it would name the machine. Elsewhere than on Linux the
// start time is not known. Threads: any. Private to engine/store.
#pragma once

#include <string>
#include <string_view>

namespace orthros::store::detail {

/// "boot:namespace:pid:start" of this process.
const std::string& own_token();

enum class OwnerState {
  alive,
  dead,
  unknown,  // in another container: only its heartbeat can tell
};
OwnerState owner_state(std::string_view token);

/// Alive, or unknown with a heartbeat of the last ten minutes.
bool owner_lives(std::string_view token, std::string_view heartbeat_utc);

}  // namespace orthros::store::detail
