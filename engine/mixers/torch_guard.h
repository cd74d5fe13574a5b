// run_guarded: turns what torch throws into an Error, once, at a public entry.
// Errors: out_of_memory for allocator failures, internal for everything else torch reports.
#pragma once

#include <exception>
#include <new>
#include <string_view>
#include <type_traits>

#include "engine/base/result.h"

namespace orthros {

/// The Error for an exception in flight; `what` names the work in the message.
Error error_from_exception(std::string_view what);

/// Calls body(), which returns a Result, and converts an exception that leaves it.
template <class Body>
auto run_guarded(std::string_view what, Body&& body) -> std::invoke_result_t<Body> {
  try {
    return body();
  } catch (...) {
    return tl::unexpected<Error>(error_from_exception(what));
  }
}

}  // namespace orthros
