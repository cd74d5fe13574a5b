#include "engine/inference/decode_step.h"

#include <algorithm>

namespace orthros {
namespace {

/// Place of a layer among those that are kept in this way, or -1.
int64_t place_of(const std::vector<int64_t>& layers, int64_t layer) {
  const auto found = std::ranges::lower_bound(layers, layer);
  return found == layers.end() || *found != layer ? -1 : found - layers.begin();
}

/// From the support to keys 0..position.
std::vector<float> widened(const float* row, const WindowSpec& window, int64_t position) {
  std::vector<float> wide(static_cast<size_t>(position + 1), 0.0f);
  for (const KeyRange range : {window.sink(position), window.band(position)}) {
    std::copy_n(row, range.size(), wide.begin() + range.begin);
    row += range.size();
  }
  return wide;
}

std::vector<float> spread(const kernels::RowDigest& digest, int64_t count) {
  std::vector<float> row(static_cast<size_t>(count));
  size_t top = 0;
  for (int64_t bin = 0; bin < kernels::kDigestBins; ++bin) {
    const int64_t begin = kernels::RowDigest::bin_begin(bin, count);
    const int64_t end = kernels::RowDigest::bin_begin(bin + 1, count);
    double rest = digest.sum[static_cast<size_t>(bin)];
    int64_t others = end - begin;
    const size_t first = top;
    for (; top < digest.index.size() && digest.index[top] < end && digest.index[top] >= begin; ++top) {
      rest -= static_cast<double>(digest.weight[top]);
      --others;
    }
    const auto mean =
        static_cast<float>(others > 0 ? std::max(0.0, rest) / static_cast<double>(others) : 0.0);
    std::fill(row.begin() + begin, row.begin() + end, mean);
    for (size_t i = first; i < top; ++i) row[static_cast<size_t>(digest.index[i])] = digest.weight[i];
  }
  return row;
}

}  // namespace

const RowScalars& DecodeStep::scalars(StreamKind stream, int64_t layer, int64_t head) const {
  return of(stream).scalars[static_cast<size_t>(layer * heads + head)];
}

bool DecodeStep::is_exact(StreamKind stream, int64_t layer) const {
  return place_of(of(stream).exact_layers, layer) >= 0;
}

std::vector<float> DecodeStep::row(StreamKind stream, int64_t layer, int64_t head) const {
  const StepStream& from = of(stream);
  const int64_t place = place_of(from.exact_layers, layer);
  if (place < 0) return {};
  const int64_t support = from.window.support(position);
  return widened(from.exact.data() + (place * heads + head) * support, from.window, position);
}

const kernels::RowDigest* DecodeStep::digest(StreamKind stream, int64_t layer, int64_t head) const {
  const StepStream& from = of(stream);
  const int64_t place = place_of(from.digest_layers, layer);
  return place < 0 ? nullptr : &from.digests[static_cast<size_t>(place * heads + head)];
}

std::vector<float> DecodeStep::shown_row(StreamKind stream, int64_t layer, int64_t head) const {
  const kernels::RowDigest* kept = digest(stream, layer, head);
  if (kept == nullptr) return row(stream, layer, head);
  const WindowSpec& window = of(stream).window;
  return widened(spread(*kept, window.support(position)).data(), window, position);
}

int64_t DecodeStep::bytes() const {
  size_t total = 0;
  for (const StepStream* stream : {&base, &output}) {
    total += stream->scalars.size() * sizeof(RowScalars) + stream->exact.size() * sizeof(float) +
             stream->digests.size() * sizeof(kernels::RowDigest) +
             static_cast<size_t>(stream->queries.bytes());
  }
  return static_cast<int64_t>(total);
}

}  // namespace orthros
