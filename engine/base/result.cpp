#include "engine/base/result.h"

namespace orthros {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::corrupt_file: return "corrupt_file";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::io: return "io";
    case ErrorCode::internal: return "internal";
  }
  return "unknown";
}

std::string Error::line() const {
  std::string text = hint.empty() ? message : message + " (" + hint + ")";
  for (char& c : text) {
    // A file's own text may stand in a message; it must not move the cursor or start a new line.
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace orthros
