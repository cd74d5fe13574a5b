#include "engine/mixers/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orthros {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

void scale_llama3(std::vector<double>& frequencies, const RopeScaling& s) {
  const double original = static_cast<double>(s.original_max_position_embeddings);
  for (double& f : frequencies) {
    const double wavelength = kTwoPi / f;
    if (wavelength < original / s.high_freq_factor) continue;
    if (wavelength > original / s.low_freq_factor) {
      f /= s.factor;
      continue;
    }
    const double smooth =
        (original / wavelength - s.low_freq_factor) / (s.high_freq_factor - s.low_freq_factor);
    f = (1 - smooth) * f / s.factor + smooth * f;
  }
}

void scale_yarn(std::vector<double>& frequencies, const RopeScaling& s, double theta, int64_t max_positions) {
  const auto dim = static_cast<double>(2 * frequencies.size());
  const auto original = static_cast<double>(
      s.original_max_position_embeddings > 0 ? s.original_max_position_embeddings : max_positions);
  const auto dim_of_rotations = [&](double rotations) {
    return dim * std::log(original / (rotations * kTwoPi)) / (2 * std::log(theta));
  };
  double low = dim_of_rotations(s.beta_fast);
  double high = dim_of_rotations(s.beta_slow);
  if (s.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, dim - 1);
  if (low == high) high += 0.001;  // HF: prevents a division by zero
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    frequencies[i] = frequencies[i] * (1 - ramp) + frequencies[i] / s.factor * ramp;
  }
}

double yarn_mscale(double factor, double mscale) {
  return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

double yarn_amplitude(const RopeScaling& s) {
  if (s.attention_factor) return *s.attention_factor;
  if (s.mscale.value_or(0) != 0 && s.mscale_all_dim.value_or(0) != 0) {
    return yarn_mscale(s.factor, *s.mscale) / yarn_mscale(s.factor, *s.mscale_all_dim);
  }
  return yarn_mscale(s.factor, 1);
}

}  // namespace

RotaryEmbedding::RotaryEmbedding(double theta, int64_t head_dim, const RopeScaling& scaling,
                                 int64_t max_position_embeddings)
    : frequencies_(static_cast<size_t>(head_dim / 2)) {
  for (size_t i = 0; i < frequencies_.size(); ++i) {
    frequencies_[i] = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(head_dim));
  }
  switch (scaling.type) {
    case RopeType::none:
      break;
    case RopeType::linear:
      for (double& f : frequencies_) f /= scaling.factor;
      break;
    case RopeType::llama3:
      scale_llama3(frequencies_, scaling);
      break;
    case RopeType::yarn:
      scale_yarn(frequencies_, scaling, theta, max_position_embeddings);
      amplitude_ = yarn_amplitude(scaling);
      break;
  }
}

RotaryTable RotaryEmbedding::table(int64_t first, int64_t count, const at::Device& device) const {
  const auto half = static_cast<int64_t>(frequencies_.size());
  at::Tensor cos = at::empty({count, half}, at::kFloat);
  at::Tensor sin = at::empty({count, half}, at::kFloat);
  auto* c = cos.data_ptr<float>();
  auto* s = sin.data_ptr<float>();
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < half; ++j) {
      const double angle = static_cast<double>(first + i) * frequencies_[static_cast<size_t>(j)];
      c[i * half + j] = static_cast<float>(std::cos(angle) * amplitude_);
      s[i * half + j] = static_cast<float>(std::sin(angle) * amplitude_);
    }
  }
  return {cos.to(device), sin.to(device)};
}

}  // namespace orthros
