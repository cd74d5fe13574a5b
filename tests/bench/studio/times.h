// Times of a bench: their median, 95th percentile and worst, in milliseconds, as one line.
#pragma once

#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace orthros::bench {

inline double millis(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

inline void print(const char* what, std::vector<double> times) {
  if (times.empty()) return;
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return times[static_cast<size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::printf("%-52s %5zu x   median %8.3f   p95 %8.3f   worst %8.3f ms\n", what, times.size(), at(0.5),
              at(0.95), times.back());
}

}  // namespace orthros::bench
