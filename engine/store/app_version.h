// Version and commit of this build. Private to engine/store; others read current_environment().
#pragma once

namespace orthros::store::detail {

const char* app_version();
const char* git_commit();  // 40 hex digits; "unknown" outside a checkout
bool git_dirty();          // tracked files differ from the commit

}  // namespace orthros::store::detail
