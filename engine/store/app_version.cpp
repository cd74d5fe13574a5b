#include "engine/store/app_version.h"

#include "orthros_git_version.h"  // generated: git_version.cmake

namespace orthros::store::detail {

const char* app_version() {
  return ORTHROS_APP_VERSION;
}

const char* git_commit() {
  return ORTHROS_GIT_COMMIT;
}

bool git_dirty() {
  return ORTHROS_GIT_DIRTY != 0;
}

}  // namespace orthros::store::detail
