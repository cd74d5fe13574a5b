// LineChannel: JSON objects, one a line, over file descriptors of this process (pipe or socket). Size and
// depth of what comes in are bounded, and nothing is allocated ahead of its bytes. Errors: cancelled within
// 20 ms of a stop; io (the other side is gone); corrupt_file (not a JSON object, a line without end).
// Threads: one caller; the descriptors stay the caller's. Public: no torch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/job_control.h"
#include "engine/formats/json.h"

namespace orthros {

class LineChannel {
 public:
  /// A non-blocking descriptor is what makes a stop be heard while the other side does not read.
  LineChannel(int in_fd, int out_fd) : in_(in_fd), out_(out_fd) {}

  Result<void> send(const Json& message, const StopToken& stop = {}) const;
  /// nullopt: the other side is gone, between two lines.
  Result<std::optional<Json>> receive(const StopToken& stop = {});

 private:
  Result<bool> read_more(const StopToken& stop);

  int in_, out_;
  std::string buffer_;
  size_t searched_ = 0;  // no line ends before here
};

}  // namespace orthros
