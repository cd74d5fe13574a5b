// Result: a value or an Error, at every public entry of the engine; it must be read.
// Errors: messages name the thing and what is wrong with it; hints say what to do. One line each.
// Threads: plain values.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace orthros {

enum class ErrorCode {
  invalid_argument,  // the caller asked for something that cannot be
  not_found,         // file, tensor or token that is not there
  corrupt_file,      // the file breaks its own format
  unsupported,       // well formed, but nothing here can use it
  out_of_memory,     // predicted by a plan or reported by an allocator
  cancelled,         // a StopToken fired
  io,                // the operating system refused
  internal,          // a defect of this program
};

const char* to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string hint;

  /// "message (hint)" in one line, control characters replaced.
  std::string line() const;
};

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

/// fail(ErrorCode::io, "cannot open {}", path)
template <class... Args>
tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...), {}});
}

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace orthros

#define ORTHROS_CONCAT_IMPL(a, b) a##b
#define ORTHROS_CONCAT(a, b) ORTHROS_CONCAT_IMPL(a, b)

/// ORTHROS_TRY(auto x, f());  binds the value or returns the error to the caller.
#define ORTHROS_TRY(declaration, expression) \
  ORTHROS_TRY_IMPL(ORTHROS_CONCAT(orthros_result_, __LINE__), declaration, expression)
#define ORTHROS_TRY_IMPL(name, declaration, expression)          \
  auto name = (expression);                                      \
  if (!name) return tl::unexpected(std::move(name).error());     \
  declaration = std::move(*name)

/// ORTHROS_TRY_VOID(f());  for Result<void>.
#define ORTHROS_TRY_VOID(expression)                                                 \
  do {                                                                               \
    if (auto orthros_r = (expression); !orthros_r)                                   \
      return tl::unexpected(std::move(orthros_r).error());                           \
  } while (false)
