// A model of which only config.json is at hand: enough for memory plans and FLOP counts.
#include <map>

#include "engine/model/weight_file.h"
#include "engine/model/weight_plan.h"

namespace orthros {
namespace {

BlockType type_of(const std::string& dtype) {
  if (dtype == "bfloat16") return BlockType::BF16;
  if (dtype == "float16") return BlockType::F16;
  return BlockType::F32;
}

class ConfigOnlyWeights final : public WeightFile {
 public:
  explicit ConfigOnlyWeights(const ModelConfig& config) : type_(type_of(config.torch_dtype)) {
    for (TensorSpec& spec : checkpoint_tensors(config)) {
      std::string name = spec.name;
      specs_.emplace(std::move(name), std::move(spec));
    }
  }

  bool has(std::string_view name) const override { return specs_.find(name) != specs_.end(); }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, spec] : specs_) names.push_back(name);
    return names;
  }
  void release(std::string_view) const override {}
  std::vector<std::span<const std::byte>> file_spans() const override { return {}; }

 private:
  Result<Found> find(std::string_view name) const override {
    const auto at = specs_.find(name);
    if (at == specs_.end()) return fail(ErrorCode::not_found, "tensor {} is no part of the model", name);
    const TensorSpec& spec = at->second;
    Found found;
    found.rows.type = type_;
    found.shape = spec.is_vector ? std::vector<int64_t>{spec.columns} : std::vector<int64_t>{spec.rows, spec.columns};
    return found;
  }

  BlockType type_;
  std::map<std::string, TensorSpec, std::less<>> specs_;
};

}  // namespace

std::unique_ptr<WeightFile> config_only_weights(const ModelConfig& config) {
  return std::make_unique<ConfigOnlyWeights>(config);
}

}  // namespace orthros
