#include "engine/mixers/compute_profile.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "engine/formats/json.h"
#include "engine/formats/mapped_file.h"
#include "engine/kernels/machine.h"
#include "engine/mixers/linear.h"

namespace orthros {
namespace {

constexpr int64_t kRows = 512, kSize = 1024;
constexpr int kRounds = 3;

double seconds_of(const at::Tensor& x, const Linear& weight, const ComputePolicy& policy) {
  const auto start = std::chrono::steady_clock::now();
  (void)weight.forward(x, policy);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Linear random_weight(WeightFormat format) {
  Linear weight(format, kSize, kSize);
  const at::Tensor values = at::randn({kSize, kSize});
  kernels::encode_rows(format, values.const_data_ptr<float>(), kSize, kSize, weight.raw());
  return weight;
}

std::filesystem::path profile_path() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (xdg != nullptr && *xdg != '\0') return std::filesystem::path(xdg) / "orthros" / "compute.json";
  if (home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".cache" / "orthros" / "compute.json";
  return {};
}

std::string machine_key() {
  return fmt::format("{}, {} threads", kernels::cpu_features().name, at::get_num_threads());
}

Json read_profiles(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return Json::object();
  const auto text = read_text(path, 1 << 20);
  if (!text) return Json::object();
  auto json = parse_json(*text, "compute.json");
  return json && json->is_object() ? std::move(*json) : Json::object();
}

bool from_json(const Json& json, ComputeProfile& profile) {
  if (!json.is_object()) return false;
  const auto number = [&](const char* key, double& value) {
    if (!json.contains(key) || !json[key].is_number()) return false;
    value = json[key];
    return value > 0;
  };
  return number("float32_gflops", profile.float32_gflops) &&
         number("mkldnn_float32_gflops", profile.mkldnn_float32_gflops) &&
         number("bfloat16_gflops", profile.bfloat16_gflops);
}

ComputeProfile remembered_or_measured() {
  const std::filesystem::path path = profile_path();
  Json profiles = read_profiles(path);
  ComputeProfile profile;
  profile.threads = at::get_num_threads();
  const std::string key = machine_key();
  if (profiles.contains(key) && from_json(profiles[key], profile)) return profile;
  profile = measure_compute_profile();
  profiles[key] = {{"float32_gflops", profile.float32_gflops},
                   {"mkldnn_float32_gflops", profile.mkldnn_float32_gflops},
                   {"bfloat16_gflops", profile.bfloat16_gflops}};
  if (!path.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    // A cache that cannot be written only costs the next start its 50 ms.
    (void)write_text_atomically(path, profiles.dump(1)).has_value();
  }
  return profile;
}

}  // namespace

ComputeProfile measure_compute_profile() {
  const Linear weight32 = random_weight(WeightFormat::float32);
  const Linear weight16 = random_weight(WeightFormat::bfloat16);
  const at::Tensor x32 = at::randn({kRows, kSize});
  const at::Tensor x16 = x32.to(at::kBFloat16);
  double best[3] = {1e9, 1e9, 1e9};
  for (int round = 0; round <= kRounds; ++round) {
    // Interleaved, so that a busy moment of the machine hits all three; the first round warms up.
    const double seconds[3] = {seconds_of(x32, weight32, {at::kFloat, false}),
                               seconds_of(x32, weight32, {at::kFloat, true}),
                               seconds_of(x16, weight16, {at::kBFloat16, false})};
    for (int i = 0; i < 3 && round > 0; ++i) best[i] = std::min(best[i], seconds[i]);
  }
  const double gflop = 2.0 * kRows * kSize * kSize / 1e9;
  return {gflop / best[0], gflop / best[1], gflop / best[2], at::get_num_threads()};
}

const ComputeProfile& compute_profile() {
  static std::map<int, ComputeProfile> profiles;
  const int threads = at::get_num_threads();
  const auto at = profiles.find(threads);
  return at != profiles.end() ? at->second
                              : profiles.emplace(threads, remembered_or_measured()).first->second;
}

}  // namespace orthros
