// Parts of ModelConfig's reading and writing. Private to formats/.
// Errors: as in model_config.h; `fields.where()` names the document.
#pragma once

#include <string>
#include <vector>

#include "engine/formats/config_fields.h"
#include "engine/formats/model_config.h"

namespace orthros::config_detail {

inline constexpr int64_t kMaxPositions = int64_t{1} << 28;
inline constexpr int64_t kMaxWindow = int64_t{1} << 32;

struct Rope {
  double theta = 10000;
  RopeScaling scaling;
  bool operator==(const Rope&) const = default;
};

/// From rope_parameters (transformers 5) or rope_scaling and rope_theta (transformers 4).
Result<Rope> read_rope(const ConfigFields& fields, int64_t max_position_embeddings);
/// In the spelling of transformers 4, which 5 reads as well; leaves keys that say the same already.
void write_rope(Json& json, const ModelConfig& config);

/// Layers of the source model: full attention, or the window it was trained with (Mistral, some Qwen).
Result<std::vector<LayerSpec>> native_layers(const ConfigFields& fields, const std::string& base_model_type,
                                             int64_t num_layers);
/// Layers of an Orthros checkpoint.
Result<std::vector<LayerSpec>> orthros_layers(const ConfigFields& fields, int64_t num_layers);

Result<ModelConfig> parse(const Json& json, const std::string& where);

}  // namespace orthros::config_detail
