#include "widgets/pair_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace orthros::widgets {
namespace {

struct Span {
  qsizetype begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

// The place of a weight on the ramp by the upper 16 bits of its float: within 2^-7 of its own, and no
// logarithm a pixel.
class PlaceTable {
 public:
  explicit PlaceTable(const WeightScale& scale) : m_places(1 << 16) {
    for (quint32 bits = 0; bits < (1U << 16); ++bits) {
      const quint32 whole = bits << 16 | 0x8000U;
      float value = 0;
      std::memcpy(&value, &whole, sizeof value);
      const bool exactZero = (bits & 0x7fffU) == 0;
      const double place =
          std::isfinite(value) ? scale.place(exactZero ? 0.0 : static_cast<double>(value), {}) : 1;
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

const PlaceTable& tableOf(const WeightScale& scale) {
  thread_local WeightScale made;
  thread_local std::unique_ptr<PlaceTable> table;
  if (!table || made.mode != scale.mode || made.isDifference != scale.isDifference ||
      made.most != scale.most) {
    table = std::make_unique<PlaceTable>(scale);
    made = scale;
  }
  return *table;
}

// One pane on its way to pixels.
class Pane {
 public:
  Pane(const PairRasterSpec& spec, const PairColors& colors)
      : m_spec(spec),
        m_data(*spec.data),
        m_colors(colors),
        m_matrix(m_data.matrix(spec.output)),
        m_facts(spec.output ? m_data.facts->output : m_data.facts->base),
        m_skipped(spec.output ? m_data.outputBegin() : 0),
        m_columnsPerPixel(spec.area.width() / spec.size.width()),
        m_positionsPerPixel(spec.area.height() / spec.size.height()) {
    const double rowsPerPosition = static_cast<double>(m_matrix.rows()) /
                                   static_cast<double>(m_data.positions.back() - positionOf(0) + 1);
    // Where each row has a scale of its own, rows are not merged before it.
    const double rows = spec.scale.isPlain() ? m_positionsPerPixel * rowsPerPosition : 1.0;
    const MaxPyramid::Level& level = m_matrix.levelFor(rows, m_columnsPerPixel);
    m_level = spec.style.sums ? m_facts.sums.levels()[static_cast<size_t>(&level - m_matrix.levels().data())]
                              : level;
    for (int x = 0; x < spec.size.width(); ++x) m_columns.push_back(columnsBelow(x));
    m_first = m_columns.front().begin;
    m_line.resize(static_cast<size_t>(std::max(m_columns.back().end - m_first, qsizetype{0})));
    if (spec.scale.isPlain()) m_table = &tableOf(spec.scale);
  }

  QImage draw() {
    QImage image(m_spec.size, QImage::Format_RGB32);
    image.fill(m_colors.ground);
    Span before{-1, -1};
    for (int y = 0; y < m_spec.size.height(); ++y) {
      auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
      const auto [from, to] = positionsBelow(y);
      if (from >= m_data.keys || to <= 0) continue;
      if (m_spec.output && to <= m_data.outputFrom) {
        drawAbsent(y, to, pixels);
        before = {-1, -1};
        continue;
      }
      const Span rows = rowsBetween(from, to);
      if (rows.begin == rows.end) {
        for (int x = 0; x < m_spec.size.width(); ++x)
          pixels[x] = (x + y) / 3 % 2 == 0 ? m_colors.missing : m_colors.ground;
        before = {-1, -1};
      } else if (rows == before) {
        std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(y - 1)), m_spec.size.width(), pixels);
      } else {
        before = rows;
        drawLine(rows, pixels);
      }
    }
    return image;
  }

 private:
  qint64 positionOf(qsizetype row) const { return m_data.positions[static_cast<size_t>(m_skipped + row)]; }

  // Rows of the matrix.
  Span rowsBetween(qint64 from, qint64 to) const {
    const auto [begin, end] = m_data.rowsBetween(from, to);
    return {std::max(begin, m_skipped) - m_skipped, std::max(end, m_skipped) - m_skipped};
  }

  // Dots where the keys of the rows up to `to` would be.
  void drawAbsent(int y, qint64 to, QRgb* pixels) const {
    const double keys = (static_cast<double>(to) - m_spec.area.left()) / m_columnsPerPixel;
    const int end = static_cast<int>(std::clamp(std::ceil(keys), 0.0, double(m_spec.size.width())));
    for (int x = 0; x < end; ++x) {
      if (isAbsentDot(x, y)) pixels[x] = m_colors.absent;
    }
  }

  // Bins of the level below a pixel. Heaviest: all that touch it, so that none is missed; sums: those that
  // begin in it, so that none counts twice.
  Span columnsBelow(int x) const {
    const auto factor = static_cast<double>(m_level.columnFactor);
    const double from = (m_spec.area.left() + x * m_columnsPerPixel) / factor;
    const double to = (m_spec.area.left() + (x + 1) * m_columnsPerPixel) / factor;
    const bool once = m_spec.style.sums && m_columnsPerPixel >= 1;
    const auto first = static_cast<qsizetype>(once ? std::ceil(from - 1e-9) : std::floor(from));
    const auto last = static_cast<qsizetype>(std::ceil(to - 1e-9));
    const qsizetype begin = std::clamp<qsizetype>(first, 0, m_level.columns);
    const bool alone = m_spec.style.sums && !once;
    return {begin, std::clamp<qsizetype>(alone ? first + 1 : std::max(last, first + (once ? 0 : 1)), begin,
                                         m_level.columns)};
  }

  std::pair<qint64, qint64> positionsBelow(int y) const {
    const double from = m_spec.area.top() + y * m_positionsPerPixel;
    const double to = from + m_positionsPerPixel;
    if (m_spec.style.sums && m_positionsPerPixel < 1) {
      const auto position = static_cast<qint64>(std::floor(from + m_positionsPerPixel / 2));
      return {position, position + 1};
    }
    const auto first = static_cast<qint64>(m_spec.style.sums ? std::ceil(from - 1e-9) : std::floor(from));
    return {first, std::max(first + 1, static_cast<qint64>(std::ceil(to - 1e-9)))};
  }

  // Nothing below the pixel is in the support of the row at `position`.
  bool isMasked(Span columns, qint64 position) const {
    if (m_spec.output || m_data.window == 0) return columns.begin * m_level.columnFactor > position;
    const qint64 last = std::min<qint64>(columns.end * m_level.columnFactor, m_matrix.columns()) - 1;
    return m_data.bandKey(position, last) < 0;
  }

  void drawLine(Span rows, QRgb* pixels) {
    const qint64 position = positionOf(rows.end - 1);  // the row that sees most
    if (m_spec.scale.isPlain()) {
      const qsizetype begin = m_spec.style.sums ? (rows.begin + m_level.rowFactor - 1) / m_level.rowFactor
                                                : rows.begin / m_level.rowFactor;
      merge({begin, std::max((rows.end - 1) / m_level.rowFactor + 1, begin)});
      eachPixel(position, [&](int x, float value, Span) { pixels[x] = m_colors.lut[(*m_table)(value)]; });
      return;
    }
    std::vector<double> best(static_cast<size_t>(m_spec.size.width()), -1.0);
    std::vector<double> places(best.size());
    for (qsizetype row = rows.begin; row < rows.end; ++row) {
      merge({row, row + 1});
      eachPixel(position, [&](int x, float value, Span span) {
        const double place = placeOf(row, value, span);
        const double strength = m_data.isDifference ? std::abs(place - 0.5) : place;
        if (strength <= best[static_cast<size_t>(x)]) return;
        best[static_cast<size_t>(x)] = strength;
        places[static_cast<size_t>(x)] = place;
      });
    }
    for (size_t x = 0; x < best.size(); ++x) {
      if (best[x] >= 0)
        pixels[x] = m_colors.lut[static_cast<size_t>(std::lround(places[x] * (kLutSize - 1)))];
    }
  }

  double placeOf(qsizetype row, float value, Span span) const {
    RowContext context;
    const qint64 position = positionOf(row);
    context.visible = static_cast<double>(m_data.visibleKeys(position, m_spec.output));
    // The lift of a sum is the mean lift of its cells.
    if (m_spec.style.sums)
      context.visible /= static_cast<double>((span.end - span.begin) * m_level.columnFactor);
    context.most = m_facts.most[m_spec.style.lane ? 1 : 0][static_cast<size_t>(row)];
    if (m_spec.scale.mode == ScaleMode::Rank) context.rank = m_facts.ranks.rank(row, value);
    return m_spec.scale.place(value, context);
  }

  // Rows of the level to one line.
  void merge(Span rows) {
    const qsizetype last = m_first + static_cast<qsizetype>(m_line.size());
    if (rows.begin >= rows.end) {
      std::ranges::fill(m_line, 0.0F);
      return;
    }
    const float* cells = m_level.cells + rows.begin * m_level.columns;
    std::copy(cells + m_first, cells + last, m_line.begin());
    for (qsizetype row = rows.begin + 1; row < rows.end; ++row) {
      const float* more = m_level.cells + row * m_level.columns + m_first;
      for (size_t c = 0; c < m_line.size(); ++c)
        m_line[c] = m_spec.style.sums ? m_line[c] + more[c] : larger(m_line[c], more[c]);
    }
  }

  template <class Take>
  void eachPixel(qint64 position, const Take& take) const {
    for (int x = 0; x < m_spec.size.width(); ++x) {
      const Span span = m_columns[static_cast<size_t>(x)];
      if (span.begin >= span.end || isMasked(span, position)) continue;
      float value = m_line[static_cast<size_t>(span.begin - m_first)];
      for (qsizetype c = span.begin + 1; c < span.end; ++c) {
        const float more = m_line[static_cast<size_t>(c - m_first)];
        value = m_spec.style.sums ? value + more : larger(value, more);
      }
      take(x, value, span);
    }
  }

  const PairRasterSpec& m_spec;
  const PairData& m_data;
  const PairColors& m_colors;
  const MaxPyramid& m_matrix;
  const MatrixFacts& m_facts;
  qsizetype m_skipped;  // positions before the matrix' first row
  double m_columnsPerPixel, m_positionsPerPixel;
  MaxPyramid::Level m_level;
  std::vector<Span> m_columns;  // bins below each pixel
  qsizetype m_first = 0;
  std::vector<float> m_line;
  const PlaceTable* m_table = nullptr;
};

}  // namespace

double rampPlace(double weight, bool isDifference, bool isLog, double most) {
  WeightScale scale;
  scale.mode = isLog ? ScaleMode::Log : ScaleMode::Linear;
  scale.isDifference = isDifference;
  scale.most = isLog ? 1 : most;
  return scale.place(weight, {});
}

WeightScale pairScale(const PairData& data, bool output, const WeightStyle& style, bool binned) {
  const int lane = style.lane ? 1 : 0;
  const MatrixFacts& facts = output ? data.facts->output : data.facts->base;
  const double heaviest = std::max(data.facts->base.heaviest[lane], data.facts->output.heaviest[lane]);
  WeightScale scale;
  scale.mode = style.mode;
  scale.isDifference = data.isDifference;
  if (style.sums && binned) {
    if (style.mode == ScaleMode::RowMax) scale.mode = ScaleMode::Linear;
    if (style.mode == ScaleMode::Rank) scale.mode = ScaleMode::Log;
    return scale;  // a bin holds at most the whole row
  }
  if (scale.mode == ScaleMode::Linear) scale.most = heaviest > 0 ? heaviest : 1;
  if (scale.mode == ScaleMode::Log && style.lane && !data.isDifference)
    scale.most = std::clamp(heaviest, std::exp2(kLog2Floor + 1), 1.0);
  if (scale.mode == ScaleMode::Lift)
    scale.liftBits = std::max(1.0, std::ceil(std::log2(std::max(facts.lift[lane], 2.0)) - 1e-6));
  return scale;
}

QImage pairRaster(const PairRasterSpec& spec, const PairColors& colors) {
  if (spec.data->matrix(spec.output).isEmpty() || spec.size.isEmpty()) {
    QImage image(spec.size, QImage::Format_RGB32);
    image.fill(colors.ground);
    return image;
  }
  return Pane(spec, colors).draw();
}

}  // namespace orthros::widgets
