#include "engine/model/weight_file.h"

#include <fmt/ranges.h>

namespace orthros {

std::span<const std::byte> WeightRows::raw_row(int64_t r) const {
  int64_t file_row = r;
  if (permuted_heads > 0) {
    // HF row h*D + half*D/2 + i lies at h*D + 2*i + half in a llama-architecture GGUF.
    const int64_t head_dim = rows / permuted_heads;
    const int64_t head = r / head_dim;
    const int64_t within = r % head_dim;
    const int64_t half = within / (head_dim / 2);
    file_row = head * head_dim + 2 * (within % (head_dim / 2)) + half;
  }
  const auto size = static_cast<size_t>(columns / block_elements(type) * block_bytes(type));
  return bytes.subspan(static_cast<size_t>(file_row) * size, size);
}

void WeightRows::read(int64_t begin, int64_t count, float* out) const {
  for (int64_t r = 0; r < count; ++r) {
    dequantize_row(type, raw_row(begin + r).data(), columns, out + r * columns);
  }
}

int64_t WeightFile::file_bytes() const {
  size_t total = 0;
  for (const auto& span : file_spans()) total += span.size();
  return static_cast<int64_t>(total);
}

Result<WeightRows> WeightFile::rows(std::string_view name, int64_t rows, int64_t columns) const {
  ORTHROS_TRY(Found found, find(name));
  const bool vector = rows == 1 && found.shape == std::vector<int64_t>{columns};
  if (!vector && found.shape != std::vector<int64_t>{rows, columns}) {
    return fail(ErrorCode::corrupt_file, "tensor {} has shape [{}], but the config asks for [{}, {}]", name,
                fmt::join(found.shape, ", "), rows, columns);
  }
  found.rows.rows = rows;
  found.rows.columns = columns;
  return found.rows;
}

}  // namespace orthros
