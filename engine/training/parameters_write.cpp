#include <algorithm>
#include <array>

#include "engine/formats/mapped_file.h"
#include "engine/formats/safetensors.h"
#include "engine/model/staging_folder.h"
#include "engine/model/weight_plan.h"
#include "engine/training/parameters.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;

Result<void> write_tensor(const at::Tensor& rows, ScalarType dtype, ByteSink& sink) {
  const at::Tensor values = rows.to(dtype == ScalarType::float32 ? at::kFloat : at::kBFloat16).contiguous();
  return sink.write({static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()});
}

TensorToWrite tensor_to_write(const TensorSpec& spec, ScalarType dtype, const at::Tensor& rows) {
  TensorToWrite tensor;
  tensor.name = spec.name;
  tensor.dtype = dtype == ScalarType::float32 ? "F32" : "BF16";
  tensor.shape =
      spec.is_vector ? std::vector<int64_t>{spec.columns} : std::vector<int64_t>{spec.rows, spec.columns};
  tensor.produce = [rows, dtype](ByteSink& sink) { return write_tensor(rows, dtype, sink); };
  return tensor;
}

}  // namespace

Result<void> Parameters::write_delta(const fs::path& path, const std::function<bool(std::string_view)>& moved,
                                     const std::map<std::string, std::string>& metadata) const {
  std::vector<TensorToWrite> tensors;
  for (const TensorSpec& spec : checkpoint_tensors(config_)) {
    if (moved(spec.name))
      tensors.push_back(tensor_to_write(spec, ScalarType::float32, checkpoint_rows(spec.name)));
  }
  return write_safetensors(path, tensors, metadata);
}

Result<void> Parameters::write_model(const fs::path& folder, ScalarType dtype, const fs::path& companions,
                                     const Json& training) const {
  StagingFolder staging(folder);
  ORTHROS_TRY_VOID(staging.create());
  std::vector<TensorToWrite> tensors;
  for (const TensorSpec& spec : checkpoint_tensors(config_)) {
    tensors.push_back(tensor_to_write(spec, dtype, checkpoint_rows(spec.name)));
  }
  ORTHROS_TRY_VOID(write_safetensors(staging.path() / "model.safetensors", tensors, {{"format", "pt"}}));
  ModelConfig config = config_;
  config.torch_dtype = to_string(dtype);
  const std::string text = model_config_to_json(config, training).dump(2) + "\n";
  ORTHROS_TRY_VOID(write_text_atomically(staging.path() / "config.json", text));
  for (const char* name : kCompanions) {
    std::error_code error;
    if (companions.empty() || !fs::exists(companions / name, error)) continue;
    ORTHROS_TRY(const std::string content, read_text(companions / name, int64_t{100} << 20));
    ORTHROS_TRY_VOID(write_text_atomically(staging.path() / name, content));
  }
  return staging.rename_to_target();
}

}  // namespace orthros::training
