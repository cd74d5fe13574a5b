// RowRanks: the rank of a weight among the visible weights of its row, 0..1: the share of them that is
// smaller, ties counted half. Kept by the upper 16 bits of the float (within 2^-7 of the weight), so that a
// picture needs no search. Threads: build on any, read on any.
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace orthros::widgets {

/// The exact rank of a value's size among these.
double rankOf(double value, std::span<const float> row);

class RowRanks {
 public:
  /// `visible(row)` gives the weights that the row sees.
  RowRanks() = default;
  RowRanks(qsizetype rows, const std::function<std::span<const float>(qsizetype)>& visible);

  double rank(qsizetype row, float value) const {
    return m_table[static_cast<size_t>(row * kCodes + codeOf(value))] / 255.0;
  }

 private:
  static constexpr int kLeastCode = (127 - 40) << 7;          // of 2^-40: what is smaller shares a code
  static constexpr int kCodes = (127 << 7) - kLeastCode + 1;  // up to 1

  static int codeOf(float value) {
    quint32 bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return std::clamp(static_cast<int>(bits >> 16 & 0x7fffU), kLeastCode, kLeastCode + kCodes - 1) -
           kLeastCode;
  }

  std::vector<quint8> m_table;  // [rows, kCodes]
};

}  // namespace orthros::widgets
