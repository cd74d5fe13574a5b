#include "engine/store/owner.h"

#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "engine/store/digest.h"

#if defined(_WIN32)
#include <process.h>
#else
#include <cerrno>
#include <csignal>

#include <unistd.h>
#endif

namespace orthros::store::detail {
namespace {

constexpr std::chrono::minutes kStale{10};

int64_t own_pid() {
#if defined(_WIN32)
  return ::_getpid();
#else
  return ::getpid();
#endif
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Start of a process in clock ticks since boot; nullopt: no such process, or it only waits to be reaped.
std::optional<std::string> start_time(int64_t pid) {
  const std::string stat = first_line(fmt::format("/proc/{}/stat", pid).c_str());
  const size_t name_end = stat.rfind(')');  // the name itself may hold spaces and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) {
    if (!(fields >> field)) return std::nullopt;
    if (number == 3 && (field == "Z" || field == "X")) return std::nullopt;
  }
  return field;
}

bool has_proc() {
  return std::filesystem::exists("/proc/self/stat");
}

std::string boot() {
  const std::string id = first_line("/proc/sys/kernel/random/boot_id");
  return id.empty() ? "-" : sha256_hex("orthros owner " + id).substr(0, 16);
}

std::string pid_namespace() {
  std::error_code error;
  const std::string link = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  return error ? "-" : sha256_hex(link).substr(0, 8);
}

/// Without /proc: whether any process has this pid.
OwnerState state_by_pid([[maybe_unused]] int64_t pid) {
#if defined(_WIN32)
  return OwnerState::unknown;
#else
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM ? OwnerState::alive : OwnerState::dead;
#endif
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

const std::string& own_token() {
  static const std::string boot_and_namespace = boot() + ":" + pid_namespace();
  // Made anew after a fork: the child is another process.
  thread_local std::string token;
  thread_local int64_t token_pid = -1;
  if (token_pid != own_pid()) {
    token_pid = own_pid();
    token = fmt::format("{}:{}:{}", boot_and_namespace, token_pid, start_time(token_pid).value_or("-"));
  }
  return token;
}

OwnerState owner_state(std::string_view token) {
  if (token == own_token()) return OwnerState::alive;
  const std::vector<std::string_view> parts = split(token);
  int64_t pid = 0;
  if (parts.size() != 4 ||
      std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), pid).ec != std::errc() ||
      pid <= 0) {
    return OwnerState::dead;  // no token of ours
  }
  const std::vector<std::string_view> own = split(own_token());
  if (parts[0] != own[0]) return OwnerState::dead;  // before the last start of this machine
  if (parts[1] != own[1]) return OwnerState::unknown;
  if (!has_proc()) return state_by_pid(pid);
  return start_time(pid) == parts[3] ? OwnerState::alive : OwnerState::dead;
}

bool owner_lives(std::string_view token, std::string_view heartbeat_utc) {
  const OwnerState state = owner_state(token);
  if (state != OwnerState::unknown) return state == OwnerState::alive;
  return heartbeat_utc >=
         utc_of(std::chrono::system_clock::now() - kStale);  // same format: text order is time order
}

}  // namespace orthros::store::detail
