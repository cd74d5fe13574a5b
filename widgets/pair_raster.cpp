#include "widgets/pair_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace orthros::widgets {
namespace {

struct Span {
  qsizetype begin = 0, end = 0;
};

// Cells of a level below pixel `index` of `count` over [from, from + length).
Span cellsBelow(int index, int count, double from, double length, qsizetype factor, qsizetype limit) {
  const double step = length / count;
  const auto first = static_cast<qsizetype>(std::floor((from + index * step) / static_cast<double>(factor)));
  const auto last =
      static_cast<qsizetype>(std::ceil((from + (index + 1) * step) / static_cast<double>(factor) - 1e-9));
  const qsizetype begin = std::clamp<qsizetype>(first, 0, limit);
  return {begin, std::clamp<qsizetype>(std::max(last, first + 1), begin, limit)};
}

// The place of a weight on the ramp by the upper 16 bits of its float: within 2^-7 of its own, and no
// logarithm a pixel.
class PlaceTable {
 public:
  PlaceTable(bool isDifference, bool isLog, double most) : m_places(1 << 16) {
    for (quint32 bits = 0; bits < (1U << 16); ++bits) {
      const quint32 whole = bits << 16 | 0x8000U;
      float value = 0;
      std::memcpy(&value, &whole, sizeof value);
      const bool exactZero = (bits & 0x7fffU) == 0;
      const double place = std::isfinite(value) ? rampPlace(exactZero ? 0.0 : static_cast<double>(value),
                                                            isDifference, isLog, most)
                                                : 1;
      m_places[bits] = static_cast<quint16>(std::lround(place * (kLutSize - 1)));
    }
  }
  quint16 operator()(float value) const {
    quint32 bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return m_places[bits >> 16];
  }

 private:
  std::vector<quint16> m_places;
};

const PlaceTable& tableOf(bool isDifference, bool isLog, double most) {
  thread_local bool difference = false;
  thread_local bool log = false;
  thread_local double end = -1;
  thread_local std::unique_ptr<PlaceTable> table;
  if (!table || difference != isDifference || log != isLog || end != most) {
    table = std::make_unique<PlaceTable>(isDifference, isLog, most);
    difference = isDifference;
    log = isLog;
    end = most;
  }
  return *table;
}

}  // namespace

double rampPlace(double weight, bool isDifference, bool isLog, double most) {
  const double size = std::abs(weight);
  double place = 0;
  if (size > 0) {
    const double floor = isDifference ? kLog2DifferenceFloor : kLog2Floor;
    // Not zero is not nothing.
    place =
        isLog ? std::clamp((std::log2(size) - floor) / -floor, 0.02, 1.0) : std::clamp(size / most, 0.0, 1.0);
  }
  return isDifference ? 0.5 + (weight < 0 ? -0.5 : 0.5) * place : place;
}

QImage pairRaster(const PairRasterSpec& spec, const PairColors& colors) {
  QImage image(spec.size, QImage::Format_RGB32);
  image.fill(colors.ground);
  const PairData& data = *spec.data;
  const MaxPyramid& matrix = spec.output ? data.output : data.base;
  if (matrix.isEmpty() || spec.size.isEmpty()) return image;
  const PlaceTable& places = tableOf(data.isDifference, spec.isLog, spec.most);
  const double columnsPerPixel = spec.area.width() / spec.size.width();
  const double positionsPerPixel = spec.area.height() / spec.size.height();
  const double rowsPerPosition = static_cast<double>(data.positions.size()) /
                                 static_cast<double>(data.positions.back() - data.positions.front() + 1);
  const MaxPyramid::Level& level = matrix.levelFor(positionsPerPixel * rowsPerPosition, columnsPerPixel);
  std::vector<Span> columns(static_cast<size_t>(spec.size.width()));
  for (int x = 0; x < spec.size.width(); ++x)
    columns[static_cast<size_t>(x)] = cellsBelow(x, spec.size.width(), spec.area.left(), spec.area.width(),
                                                 level.columnFactor, level.columns);
  const qsizetype first = columns.front().begin;
  const qsizetype last = std::max(columns.back().end, first);
  std::vector<float> line(static_cast<size_t>(last - first));
  Span before{-1, -1};
  for (int y = 0; y < spec.size.height(); ++y) {
    auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
    const double from = spec.area.top() + y * positionsPerPixel;
    const double to = from + positionsPerPixel;
    const auto firstPosition = static_cast<qint64>(std::floor(from));
    const auto lastPosition = std::max(firstPosition + 1, static_cast<qint64>(std::ceil(to - 1e-9)));
    if (firstPosition >= data.keys || lastPosition <= 0) continue;
    const auto [rowBegin, rowEnd] = data.rowsBetween(firstPosition, lastPosition);
    if (rowBegin == rowEnd) {
      for (int x = 0; x < spec.size.width(); ++x)
        pixels[x] = (x + y) / 3 % 2 == 0 ? colors.missing : colors.ground;
      before = {-1, -1};
      continue;
    }
    const Span rows{rowBegin / level.rowFactor, (rowEnd - 1) / level.rowFactor + 1};
    if (rows.begin == before.begin && rows.end == before.end) {
      std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(y - 1)), spec.size.width(), pixels);
      continue;
    }
    before = rows;
    const float* cells = level.cells + rows.begin * level.columns;
    std::copy(cells + first, cells + last, line.begin());
    for (qsizetype row = rows.begin + 1; row < rows.end; ++row) {
      const float* more = level.cells + row * level.columns + first;
      for (size_t c = 0; c < line.size(); ++c) line[c] = larger(line[c], more[c]);
    }
    const qint64 position = data.positions[static_cast<size_t>(rowEnd - 1)];  // the row that sees most
    for (int x = 0; x < spec.size.width(); ++x) {
      const Span span = columns[static_cast<size_t>(x)];
      if (span.begin >= span.end) continue;
      // Masked: nothing below the pixel is in the support of the last row.
      const qint64 column = span.begin * level.columnFactor;
      const bool masked =
          spec.output || data.window == 0
              ? column > position
              : data.bandKey(position,
                             std::min<qint64>(span.end * level.columnFactor, matrix.columns()) - 1) < 0;
      if (masked) continue;
      float value = 0;
      for (qsizetype c = span.begin; c < span.end; ++c)
        value = larger(value, line[static_cast<size_t>(c - first)]);
      pixels[x] = colors.lut[places(value)];
    }
  }
  return image;
}

}  // namespace orthros::widgets
