// Model folders of tests/fixtures and the logits that they must give.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/formats/safetensors.h"
#include "engine/inference/evaluate.h"
#include "engine/model/model.h"

namespace orthros::test {

inline std::filesystem::path fixtures() { return ORTHROS_FIXTURES; }

/// float32 throughout: tests compare with references to 5e-4 or closer.
inline LoadOptions exact() {
  LoadOptions options;
  options.compute_type = ScalarType::float32;
  return options;
}

inline std::shared_ptr<const Model> load_fixture(const std::string& name, const LoadOptions& options = exact()) {
  auto files = open_model(fixtures() / name);
  if (!files) {
    ADD_FAILURE() << name << ": " << files.error().line();
    return nullptr;
  }
  auto model = Model::load(std::move(*files), options);
  if (!model) {
    ADD_FAILURE() << name << ": " << model.error().line();
    return nullptr;
  }
  return *model;
}

/// [B][T] ids and [B][T][V] logits of a fixture's logits file.
struct Expected {
  std::vector<std::vector<TokenId>> ids;
  std::vector<std::vector<std::vector<float>>> logits;
};

inline Expected read_expected(const std::filesystem::path& path, const std::string& tensor = "logits") {
  Expected expected;
  const auto file = SafetensorsFile::open(path);
  if (!file || file->find("ids") == nullptr || file->find(tensor) == nullptr) {
    ADD_FAILURE() << "cannot read " << tensor << " of " << path;
    return expected;
  }
  const TensorEntry& ids = *file->find("ids");
  const TensorEntry& logits = *file->find(tensor);
  const auto batch = static_cast<size_t>(logits.shape[0]);
  const auto tokens = static_cast<size_t>(logits.shape[1]);
  const auto vocabulary = static_cast<size_t>(logits.shape[2]);
  for (size_t b = 0; b < batch; ++b) {
    expected.ids.emplace_back(tokens);
    std::memcpy(expected.ids.back().data(), ids.bytes.data() + b * tokens * 8, tokens * 8);
    expected.logits.emplace_back();
    for (size_t t = 0; t < tokens; ++t) {
      std::vector<float> row(vocabulary);
      std::memcpy(row.data(), logits.bytes.data() + (b * tokens + t) * vocabulary * 4, vocabulary * 4);
      expected.logits.back().push_back(std::move(row));
    }
  }
  return expected;
}

/// Logits by position.
using LogitRows = std::map<int64_t, std::vector<float>>;

inline LogitRows evaluate_rows(const std::shared_ptr<const Model>& model, const ModelConfig& config,
                               const EvaluateRequest& request) {
  LogitRows rows;
  const auto result = evaluate(model, config, request, [&](int64_t position, std::span<const float> logits) {
    rows[position].assign(logits.begin(), logits.end());
    return Result<void>();
  });
  if (!result) ADD_FAILURE() << result.error().line();
  return rows;
}

/// Largest absolute difference over the rows; infinite when a row is missing, NaN counts as infinite.
inline double max_difference(const LogitRows& rows, const std::vector<std::vector<float>>& expected) {
  double worst = rows.empty() ? INFINITY : 0;
  for (const auto& [position, row] : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const double difference = std::abs(row[i] - expected[static_cast<size_t>(position)][i]);
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
  }
  return worst;
}

inline double max_difference(const LogitRows& a, const LogitRows& b) {
  double worst = a.empty() || b.empty() ? INFINITY : 0;
  for (const auto& [position, row] : a) {
    const auto other = b.find(position);
    if (other == b.end()) continue;
    for (size_t i = 0; i < row.size(); ++i) {
      const double difference = std::abs(row[i] - other->second[i]);
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
  }
  return worst;
}

}  // namespace orthros::test
