#include "app/studio/pages/attention/compare_rows.h"

#include <algorithm>

#include "widgets/token_diff.h"

namespace orthros::studio {
namespace {

struct Alignment {
  std::vector<qint64> a, b;  // positions of the tokens that both have
};

// What is not apart is the same sequence on both sides.
Alignment align(const AttentionCapture& a, const AttentionCapture& b) {
  const auto [apartA, apartB] =
      widgets::tokensApart({a.ids.begin(), a.ids.end()}, {b.ids.begin(), b.ids.end()});
  const auto together = [](const std::vector<bool>& apart) {
    std::vector<qint64> positions;
    for (size_t i = 0; i < apart.size(); ++i) {
      if (!apart[i]) positions.push_back(static_cast<qint64>(i));
    }
    return positions;
  };
  Alignment alignment{together(apartA), together(apartB)};
  const size_t count = std::min(alignment.a.size(), alignment.b.size());
  alignment.a.resize(count);
  alignment.b.resize(count);
  return alignment;
}

// The stream that reads everything: x' where there is one.
StreamKind wideStream(const AttentionCapture& capture) {
  return capture.record.has_output ? StreamKind::output : StreamKind::base;
}

bool readsAll(const AttentionCapture& capture) {
  return capture.record.has_output || capture.record.window.is_full();
}

// Rows that both captured, over the aligned keys.
struct Matrix {
  std::vector<qint64> positions;
  std::vector<float> cells;
  double leftA = 0, leftB = 0;
};

// The first aligned token that has an x' on every side which has that stream.
qint64 alignedFrom(const HeadOf& a, const HeadOf& b, const Alignment& alignment) {
  const auto first = [](const HeadOf& side, const std::vector<qint64>& positions) -> qint64 {
    if (!side.capture->record.has_output) return 0;
    return std::ranges::lower_bound(positions, side.outputFrom) - positions.begin();
  };
  return std::max(first(a, alignment.a), first(b, alignment.b));
}

Matrix subtract(const HeadOf& a, const HeadOf& b, StreamKind ofA, StreamKind ofB, const Alignment& alignment,
                qint64 from) {
  Matrix matrix;
  const auto keys = static_cast<qint64>(alignment.a.size());
  const auto weight = [](const std::vector<float>& row, qint64 key) {
    return key < static_cast<qint64>(row.size()) ? row[static_cast<size_t>(key)] : 0.0F;
  };
  for (qint64 r = from; r < keys; ++r) {
    const auto at = static_cast<size_t>(r);
    const std::vector<float> rowA = a.capture->record.row(ofA, a.layer, a.head, alignment.a[at]);
    const std::vector<float> rowB = b.capture->record.row(ofB, b.layer, b.head, alignment.b[at]);
    if (rowA.empty() || rowB.empty()) continue;
    double massA = 0;
    double massB = 0;
    for (qint64 k = 0; k < keys; ++k) {
      const float one = weight(rowA, alignment.a[static_cast<size_t>(k)]);
      const float two = weight(rowB, alignment.b[static_cast<size_t>(k)]);
      massA += static_cast<double>(one);
      massB += static_cast<double>(two);
      matrix.cells.push_back(one - two);
    }
    matrix.positions.push_back(r);
    matrix.leftA += std::max(0.0, 1 - massA);
    matrix.leftB += std::max(0.0, 1 - massB);
  }
  const auto rows = static_cast<double>(std::max<size_t>(1, matrix.positions.size()));
  matrix.leftA /= rows;
  matrix.leftB /= rows;
  return matrix;
}

widgets::MaxPyramid pyramidOf(Matrix& matrix, qint64 keys) {
  const auto rows = static_cast<qsizetype>(matrix.positions.size());
  const auto cells = std::make_shared<std::vector<float>>(std::move(matrix.cells));
  const std::span<const float> view(*cells);
  return {cells, view, rows, static_cast<qsizetype>(keys)};
}

}  // namespace

Comparison compareRows(const HeadOf& a, const HeadOf& b) {
  Comparison made;
  if (!a.capture || !b.capture) return made;
  made.tokensA = a.capture->record.num_keys;
  made.tokensB = b.capture->record.num_keys;
  const bool sameTokens = a.capture->ids == b.capture->ids;
  if (sameTokens && a.capture->record.has_output == b.capture->record.has_output) {
    made.aligned = made.tokensA;
    const qint64 from = std::max(a.outputFrom, b.outputFrom);
    made.data = differenceOf(pairDataOf(a.capture, a.layer, a.head, from),
                             pairDataOf(b.capture, b.layer, b.head, from));
    return made;
  }
  const Alignment alignment = align(*a.capture, *b.capture);
  made.aligned = static_cast<qint64>(alignment.a.size());
  if (made.aligned == 0) return made;
  auto data = std::make_shared<widgets::PairData>();
  data->isDifference = true;
  if (a.capture->record.has_output && !b.capture->record.has_output)
    data->differenceName = CaptureText::tr("x′ − Transformer");
  data->keys = made.aligned;
  for (const qint64 position : alignment.a) data->tokens.append(a.capture->tokens.value(position));
  if (readsAll(*a.capture) && readsAll(*b.capture)) {
    data->outputFrom = alignedFrom(a, b, alignment);
    Matrix wide = subtract(a, b, wideStream(*a.capture), wideStream(*b.capture), alignment, data->outputFrom);
    made.leftA = wide.leftA;
    made.leftB = wide.leftB;
    data->positions = wide.positions;
    data->output = pyramidOf(wide, made.aligned);
  }
  if (a.capture->record.has_output && b.capture->record.has_output) {
    Matrix narrow = subtract(a, b, StreamKind::base, StreamKind::base, alignment, 0);
    const auto begin = std::ranges::lower_bound(narrow.positions, data->outputFrom);
    if (std::ranges::equal(std::span(begin, narrow.positions.end()), data->positions)) {
      data->positions = narrow.positions;
      data->base = pyramidOf(narrow, made.aligned);
    }
  }
  if (data->positions.empty()) return made;
  data->facts = widgets::factsOf(*data);
  made.data = data;
  return made;
}

}  // namespace orthros::studio
