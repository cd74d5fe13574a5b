#include "engine/mixers/torch_guard.h"

#include <string>

#include <ATen/ATen.h>

namespace orthros {
namespace {

constexpr const char* kMemoryHint =
    "close other programs, use a shorter prompt, or a smaller weight or cache type";

bool speaks_of_memory(const std::string& message) {
  // The CPU allocator reports a failed allocation as a plain c10::Error with this text.
  return message.find("not enough memory") != std::string::npos ||
         message.find("can't allocate memory") != std::string::npos;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

Error error_from_exception(std::string_view what) {
  try {
    throw;
  } catch (const c10::OutOfMemoryError& error) {
    return {ErrorCode::out_of_memory, fmt::format("{}: out of device memory", what), kMemoryHint};
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    if (speaks_of_memory(message)) {
      return {ErrorCode::out_of_memory, fmt::format("{}: out of memory", what), kMemoryHint};
    }
    return {ErrorCode::internal, fmt::format("{}: {}", what, first_line(message)),
            "this is a defect, please report it"};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::out_of_memory, fmt::format("{}: out of memory", what), kMemoryHint};
  } catch (const std::exception& error) {
    return {ErrorCode::internal, fmt::format("{}: {}", what, first_line(error.what())),
            "this is a defect, please report it"};
  } catch (...) {
    return {ErrorCode::internal, fmt::format("{}: unknown exception", what),
            "this is a defect, please report it"};
  }
}

}  // namespace orthros
