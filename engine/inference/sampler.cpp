#include "engine/inference/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/kernels/log_sum_exp.h"

namespace orthros {
namespace {

struct Candidate {
  TokenId id;
  double weight;  // exp((logit - max) / temperature)
};

// Keeps the smallest head of the sorted list whose weight reaches top_p of the whole.
void cut_top_p(std::vector<Candidate>& candidates, double top_p) {
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  double sum = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    sum += candidates[i].weight;
    if (sum >= top_p * total) {
      candidates.resize(i + 1);
      return;
    }
  }
}

void cut_min_p(std::vector<Candidate>& candidates, double min_p) {
  const double bound = min_p * candidates.front().weight;
  std::erase_if(candidates, [bound](const Candidate& c) { return c.weight < bound; });
}

}  // namespace

Result<Sampler> Sampler::create(const SamplingParams& params) {
  if (!(params.temperature >= 0) || !std::isfinite(params.temperature)) {
    return fail(ErrorCode::invalid_argument, "temperature {} must be a number of at least 0",
                params.temperature);
  }
  if (params.top_k < 0) return fail(ErrorCode::invalid_argument, "top-k {} is below 0", params.top_k);
  if (!(params.top_p > 0 && params.top_p <= 1)) {
    return fail(ErrorCode::invalid_argument, "top-p {} must be above 0 and at most 1", params.top_p);
  }
  if (!(params.min_p >= 0 && params.min_p <= 1)) {
    return fail(ErrorCode::invalid_argument, "min-p {} must be between 0 and 1", params.min_p);
  }
  return Sampler(params);
}

Sample Sampler::next(std::span<const float> logits) {
  Sample sample;
  sample.id = params_.temperature == 0 ? std::ranges::max_element(logits) - logits.begin() : draw(logits);
  sample.probability = std::exp(log_probability(logits, sample.id));
  return sample;
}

TokenId Sampler::draw(std::span<const float> logits) {
  const double highest = *std::ranges::max_element(logits);
  std::vector<Candidate> candidates(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    candidates[i] = {static_cast<TokenId>(i), std::exp((logits[i] - highest) / params_.temperature)};
  }
  // Ties go to the lower id, so that the order does not depend on the sort.
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  };
  const size_t keep =
      params_.top_k > 0 ? std::min(candidates.size(), static_cast<size_t>(params_.top_k)) : candidates.size();
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(keep),
                    candidates.end(), better);
  candidates.resize(keep);
  if (params_.top_p < 1) cut_top_p(candidates, params_.top_p);
  if (params_.min_p > 0) cut_min_p(candidates, params_.min_p);
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  // std::uniform_real_distribution may differ between libraries; 53 bits of the engine do not.
  double left = static_cast<double>(engine_() >> 11) * 0x1.0p-53 * total;
  for (const Candidate& c : candidates) {
    left -= c.weight;
    if (left < 0) return c.id;
  }
  return candidates.back().id;
}

std::vector<Sample> most_probable(std::span<const float> logits, int64_t count) {
  std::vector<TokenId> ids(logits.size());
  std::iota(ids.begin(), ids.end(), TokenId{0});
  const auto end = ids.begin() + std::min<int64_t>(count, std::ssize(ids));
  const auto better = [&](TokenId a, TokenId b) {
    const float x = logits[static_cast<size_t>(a)], y = logits[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  std::partial_sort(ids.begin(), end, ids.end(), better);
  const double normalizer = kernels::log_sum_exp(logits.data(), std::ssize(logits));
  std::vector<Sample> best;
  for (auto id = ids.begin(); id != end; ++id) {
    best.push_back({*id, std::exp(static_cast<double>(logits[static_cast<size_t>(*id)]) - normalizer)});
  }
  return best;
}

double log_probability(std::span<const float> logits, TokenId id) {
  return logits[static_cast<size_t>(id)] -
         kernels::log_sum_exp(logits.data(), static_cast<int64_t>(logits.size()));
}

}  // namespace orthros
