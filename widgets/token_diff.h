// tokensApart: which tokens of two outputs are not part of their longest common subsequence, so that one
// inserted token does not make all that follow differ. Threads: pure function. Cost: a.size() * b.size();
// longer ones than 4,000 tokens are compared place by place.
#pragma once

#include <QtGlobal>
#include <utility>
#include <vector>

namespace orthros::widgets {

/// True: this token has no partner in the other output.
std::pair<std::vector<bool>, std::vector<bool>> tokensApart(const std::vector<qint64>& a,
                                                            const std::vector<qint64>& b);

}  // namespace orthros::widgets
