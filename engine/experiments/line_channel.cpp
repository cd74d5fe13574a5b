#include "engine/experiments/line_channel.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace orthros {
namespace {

// Room for the prompts of 20 million tokens.
constexpr int64_t kMaxLineBytes = int64_t{256} << 20;
constexpr int kPollMs = 20;

Result<void> wait_for(int fd, short events, const StopToken& stop) {
  for (;;) {
    ORTHROS_TRY_VOID(stop.check("the conversation with the worker"));
    pollfd watched{fd, events, 0};
    if (::poll(&watched, 1, kPollMs) > 0) return {};
  }
}

// A socket whose other side is gone would end this process by a signal; a pipe is only written by the worker,
// for whom that is right.
ssize_t write_some(int fd, std::string_view bytes) {
  const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? ::write(fd, bytes.data(), bytes.size()) : sent;
}

bool try_again() {
  return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
}

}  // namespace

Result<void> LineChannel::send(const Json& message, const StopToken& stop) const {
  const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (std::ssize(line) > kMaxLineBytes) {
    return fail(Error{ErrorCode::invalid_argument, "the prompts are too long for a worker process",
                      "measure this cell without --isolate"});
  }
  for (std::string_view rest = line; !rest.empty();) {
    ORTHROS_TRY_VOID(wait_for(out_, POLLOUT, stop));
    const ssize_t sent = write_some(out_, rest);
    if (sent > 0) {
      rest.remove_prefix(static_cast<size_t>(sent));
    } else if (!try_again()) {
      return fail(ErrorCode::io, "cannot write to the other side: {}", std::strerror(errno));
    }
  }
  return {};
}

// False: the other side is gone.
Result<bool> LineChannel::read_more(const StopToken& stop) {
  std::array<char, 1 << 16> chunk;
  for (;;) {
    ORTHROS_TRY_VOID(wait_for(in_, POLLIN, stop));
    const ssize_t got = ::read(in_, chunk.data(), chunk.size());
    if (got > 0) {
      buffer_.append(chunk.data(), static_cast<size_t>(got));
      return true;
    }
    if (got == 0 || errno == ECONNRESET) return false;
    if (!try_again()) return fail(ErrorCode::io, "cannot read from the other side: {}", std::strerror(errno));
  }
}

Result<std::optional<Json>> LineChannel::receive(const StopToken& stop) {
  size_t end = 0;
  while ((end = buffer_.find('\n', searched_)) == std::string::npos) {
    searched_ = buffer_.size();
    if (std::ssize(buffer_) > kMaxLineBytes) return fail(ErrorCode::corrupt_file, "a line has no end");
    ORTHROS_TRY(const bool more, read_more(stop));
    if (!more && buffer_.empty()) return std::optional<Json>();
    if (!more) return fail(ErrorCode::corrupt_file, "the last line is cut off");
  }
  const std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  ORTHROS_TRY(Json message, parse_json(line, "the line", {kMaxLineBytes, 16, 50'000'000}));
  if (!message.is_object()) return fail(ErrorCode::corrupt_file, "the line is no JSON object");
  return std::optional<Json>(std::move(message));
}

}  // namespace orthros
