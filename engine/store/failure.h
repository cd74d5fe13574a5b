// How the store's inside fails: SQLite::Exception and Refusal are thrown within a transaction, so that it
// rolls back, and become an Error once, in guarded(), at each public entry. Private to engine/store.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include "engine/base/result.h"

namespace orthros::store::detail {

/// A rule of the store was broken; carries the text for the user.
struct Refusal {
  Error error;
};

template <class... Args>
[[noreturn]] void refuse(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Refusal{Error{code, fmt::format(format, std::forward<Args>(args)...), {}}};
}

/// `what` names the thing that was tried: "cannot store trial 3".
Error error_of(const SQLite::Exception& exception, std::string_view what);
Error error_of_current_exception(std::string_view what);

template <class F>
auto guarded(std::string_view what, F&& body) -> Result<std::invoke_result_t<F>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      body();
      return {};
    } else {
      return body();
    }
  } catch (...) {
    return fail(error_of_current_exception(what));
  }
}

}  // namespace orthros::store::detail
