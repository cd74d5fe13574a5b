#include "engine/kernels/matrix.h"

#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {

int64_t row_bytes(WeightFormat format, int64_t columns) {
  switch (format) {
    case WeightFormat::float32:
      return 4 * columns;
    case WeightFormat::bfloat16:
      return 2 * columns;
    case WeightFormat::int8:
    case WeightFormat::int4:
      return tile_bytes(format, columns) / kRowTile;
  }
  return 0;
}

int64_t matrix_bytes(WeightFormat format, int64_t rows, int64_t columns) {
  return (is_quantised(format) ? num_tiles(rows) * kRowTile : rows) * row_bytes(format, columns);
}

MatrixView MatrixView::row_range(int64_t begin, int64_t end) const {
  const auto* bytes = static_cast<const std::byte*>(data);
  return {format, end - begin, columns, bytes + begin * row_bytes(format, columns)};
}

}  // namespace orthros::kernels
