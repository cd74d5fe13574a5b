#include "engine/experiments/equal_work.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/experiments/latency_spec.h"
#include "engine/formats/json.h"
#include "engine/inference/session.h"

namespace orthros {
namespace {

Result<std::vector<float>> last_logits(const std::shared_ptr<const Model>& model, const ModelConfig& config,
                                       const std::vector<std::vector<TokenId>>& prompts,
                                       const StopToken& stop) {
  SessionOptions options;
  options.capacity = std::ssize(prompts.front()) + 1;
  ORTHROS_TRY(Session session, Session::create(model, config, options));
  ORTHROS_TRY_VOID(session.prefill(prompts, stop));
  const std::span<const float> logits = session.logits();
  return std::vector<float>(logits.begin(), logits.end());
}

}  // namespace

bool EqualWork::is_equal() const {
  constexpr double kExact = 1e-4;
  constexpr double kRounded = 0.05;
  return std::isfinite(worst) && worst < (is_float32 ? kExact * std::max(1.0, largest) : kRounded * largest);
}

std::string EqualWork::detail() const {
  return Json{{"tokens", tokens}, {"worst", worst}, {"largest", largest}, {"float32", is_float32}}.dump();
}

std::optional<EqualWork> parse_equal_work(std::string_view detail) {
  const Json json = Json::parse(detail, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  for (const char* key : {"tokens", "worst", "largest"}) {
    if (!json.contains(key) || !json[key].is_number()) return std::nullopt;
  }
  if (!json.contains("float32") || !json["float32"].is_boolean()) return std::nullopt;
  EqualWork work;
  work.tokens = json["tokens"].get<int64_t>();
  work.worst = json["worst"].get<double>();
  work.largest = json["largest"].get<double>();
  work.is_float32 = json["float32"].get<bool>();
  return work;
}

Result<EqualWork> measure_equal_work(const std::shared_ptr<const Model>& model, int64_t tokens,
                                     int64_t window, const StopToken& stop) {
  const ModelConfig& own = model->config();
  if (own.max_position_embeddings > 0) tokens = std::min(tokens, own.max_position_embeddings);
  const WindowSpec whole{window > 0 ? window : tokens + 1, 0};
  ORTHROS_TRY(const ModelConfig transformer, with_architecture(own, Architecture::transformer, whole));
  ORTHROS_TRY(ModelConfig orthros, with_architecture(own, Architecture::orthros, whole));
  for (LayerSpec& layer : orthros.layers) layer.scale_offset = false;
  LatencySpec spec;
  const auto prompts = random_prompts(spec, {tokens, 1, 1, 0}, own.vocab_size, {});
  ORTHROS_TRY(const std::vector<float> a, last_logits(model, transformer, prompts, stop));
  ORTHROS_TRY(const std::vector<float> b, last_logits(model, orthros, prompts, stop));
  if (a.empty() || a.size() != b.size()) return fail(ErrorCode::internal, "the two readings gave no logits");
  EqualWork work;
  work.tokens = tokens;
  work.is_float32 = model->report().compute_type == ScalarType::float32;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    work.worst = std::isfinite(difference) ? std::max(work.worst, difference) : HUGE_VAL;
    work.largest = std::max(work.largest, std::abs(static_cast<double>(a[i])));
  }
  return work;
}

}  // namespace orthros
