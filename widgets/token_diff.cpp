#include "widgets/token_diff.h"

#include <algorithm>

namespace orthros::widgets {
namespace {

constexpr size_t kLongest = 4000;

}  // namespace

std::pair<std::vector<bool>, std::vector<bool>> tokensApart(const std::vector<qint64>& a,
                                                            const std::vector<qint64>& b) {
  std::vector<bool> inA(a.size(), true);
  std::vector<bool> inB(b.size(), true);
  if (a.size() > kLongest || b.size() > kLongest) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) inA[i] = inB[i] = a[i] != b[i];
    return {inA, inB};
  }
  const size_t wide = b.size() + 1;
  std::vector<quint16> common((a.size() + 1) * wide, 0);  // of a[i..] and b[j..]
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i * wide + j] = a[i] == b[j] ? static_cast<quint16>(common[(i + 1) * wide + j + 1] + 1)
                                          : std::max(common[(i + 1) * wide + j], common[i * wide + j + 1]);
    }
  }
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      inA[i++] = inB[j++] = false;
    } else if (common[(i + 1) * wide + j] >= common[i * wide + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return {inA, inB};
}

}  // namespace orthros::widgets
