#include "engine/store/environment.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "engine/store/app_version.h"

#if !defined(_WIN32)
#include <sys/utsname.h>
#include <unistd.h>
extern char** environ;
#endif

namespace orthros::store {
namespace {

/// Value of the first "key<separator>value" line of a file, without quotes.
std::string field_of_file(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const size_t begin = line.find(separator);
    if (begin == std::string::npos) continue;
    std::string value = line.substr(begin + 1);
    std::erase(value, '"');
    const size_t text = value.find_first_not_of(" \t");
    return text == std::string::npos ? std::string() : value.substr(text);
  }
  return {};
}

/// Instruction sets that kernels choose by; the whole list would be noise.
std::string relevant_flags(const std::string& all) {
  static constexpr std::array kPrefixes{"sse4", "avx",  "fma",   "f16c", "amx",
                                        "bmi",  "neon", "asimd", "sve",  "bf16"};
  std::istringstream words(all);
  std::string kept;
  for (std::string word; words >> word;) {
    if (std::none_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](const char* p) { return word.starts_with(p); })) {
      continue;
    }
    kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "other";
#endif
}

void add_operating_system(EnvironmentRecord& e) {
#if defined(_WIN32)
  e.os = "Windows";
#else
  utsname names{};
  if (::uname(&names) == 0) {
    e.kernel = std::string(names.sysname) + " " + names.release + " " + names.machine;  // never nodename
    e.os = names.sysname;
  }
  if (const std::string pretty = field_of_file("/etc/os-release", "PRETTY_NAME", '='); !pretty.empty()) {
    e.os = pretty;
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) e.ram_bytes = static_cast<int64_t>(pages) * page_bytes;
#endif
}

std::string recorded_variables() {
  nlohmann::json variables = nlohmann::json::object();
#if !defined(_WIN32)
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    if (may_record_variable(name, value)) variables[std::string(name)] = std::string(value);
  }
#endif
  return nlohmann::json{{"variables", variables}}.dump();
}

}  // namespace

bool may_record_variable(std::string_view name, std::string_view value) {
  static constexpr size_t kLongest = 128;
  static constexpr std::string_view kDigits = "0123456789,-";
  if (name == "CUDA_VISIBLE_DEVICES") return value.find_first_not_of(kDigits) == std::string_view::npos;
  const bool listed = name.starts_with("OMP_") || name.starts_with("MKL_") || name.starts_with("KMP_");
  const bool plain = value.size() <= kLongest && std::all_of(value.begin(), value.end(), [](char c) {
                       // No slash, backslash, tilde or at sign: no paths, no accounts.
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view(",:=_-{}() ").find(c) != std::string_view::npos;
                     });
  return listed && plain;
}

EnvironmentRecord current_environment() {
  EnvironmentRecord e;
  add_operating_system(e);
  e.cpu_model = field_of_file("/proc/cpuinfo", "model name", ':');
  e.cpu_flags = relevant_flags(field_of_file("/proc/cpuinfo", "flags", ':'));
  e.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  e.cores = std::thread::hardware_concurrency();
  e.sqlite = sqlite3_libversion();
  e.compiler = compiler();
  e.build_type = ORTHROS_BUILD_TYPE;
  e.app_version = detail::app_version();
  e.git_commit = detail::git_commit();
  e.git_dirty = detail::git_dirty();
  e.extra_json = recorded_variables();
  return e;
}

}  // namespace orthros::store
