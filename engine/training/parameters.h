// Parameters: the fp32 master weights of a model in training, fused as the engine multiplies them (qkv, gate
// and up), and their checkpoint tensors by HF name. Shapes: matrices [out, in]. Errors: as WeightFile; io.
// Threads: one owner. Private: includes torch. Source: research/training-recipe.md (initialisation).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "engine/base/result.h"
#include "engine/base/scalar_type.h"
#include "engine/formats/model_config.h"
#include "engine/model/weight_file.h"

namespace orthros::training {

enum class ParameterKind { embedding, head, matrix, norm, scale_offset };

struct NamedParameter {
  std::string name;  // of the held tensor, as in checkpoints: "layers.0.qkv"
  ParameterKind kind = ParameterKind::matrix;
  at::Tensor tensor;
};

/// Undefined tensors are not part of the architecture.
struct LayerParameters {
  at::Tensor input_norm, post_norm;  // [M]
  at::Tensor qkv, o, gate_up, down;  // [(H + 2 Hkv) D, M], [M, H D], [2F, M], [M, F]
  at::Tensor q_norm, k_norm;         // [D]
  at::Tensor alpha, beta;            // [H D], of the base stream's query
  at::Tensor alpha_out, beta_out;    // of the output stream's
};

/// Standard deviations; matrices always have 1 / sqrt(fan in).
struct Initialisation {
  double embedding = 0.2, head = 0.02;
};

class Parameters {
 public:
  /// Allocated as `config` says, identity norms and scale-offsets, matrices zero.
  explicit Parameters(const ModelConfig& config);

  const ModelConfig& config() const { return config_; }
  const at::Tensor& embedding() const { return embedding_; }
  const at::Tensor& norm() const { return norm_; }
  const at::Tensor& head() const { return head_.defined() ? head_ : embedding_; }
  const LayerParameters& layer(int64_t i) const { return layers_[static_cast<size_t>(i)]; }
  /// Everything that is stored, in a fixed order; a tied head is not there twice.
  std::vector<NamedParameter> all() const;
  std::vector<at::Tensor> of_layer(int64_t i) const;
  int64_t count() const;

  /// Draws matrices from normal distributions; the same seed gives the same weights on every machine.
  void initialise(uint64_t seed, const Initialisation& sizes);
  /// Scale-offset vectors that the file does not have keep the identity.
  Result<void> load(const WeightFile& file);

  /// A new model folder (config, weights, and the files of the tokenizer in `companions`, when given);
  /// `training` goes into the config's "conversion". The folder appears whole or not at all.
  Result<void> write_model(const std::filesystem::path& folder, ScalarType dtype,
                           const std::filesystem::path& companions, const Json& training) const;
  /// The tensors that `moved` says, fp32, for with_delta; metadata as delta_metadata.
  Result<void> write_delta(const std::filesystem::path& path,
                           const std::function<bool(std::string_view)>& moved,
                           const std::map<std::string, std::string>& metadata) const;

 private:
  at::Tensor checkpoint_rows(const std::string& hf_name) const;

  ModelConfig config_;
  at::Tensor embedding_, norm_, head_;
  std::vector<LayerParameters> layers_;
};

}  // namespace orthros::training
