// WindowSpec: which keys a query row may read. It alone owns window arithmetic.
// Positions are 0-based; a window of w counts the row's own key; sinks are in addition to w.
// Source: ORTHROS.md, invariant 1: row t reads {0..min(s,t+1)-1} and [max(0,t-w+1), t].
#pragma once

#include <algorithm>
#include <cstdint>

namespace orthros {

struct KeyRange {
  int64_t begin = 0;
  int64_t end = 0;  // exclusive
  int64_t size() const { return end - begin; }
};

struct WindowSpec {
  int64_t window = 0;  // w >= 1; 0 means unbounded (full causal attention)
  int64_t sinks = 0;   // s >= 0; no meaning when unbounded

  static WindowSpec full() { return {}; }
  bool is_full() const { return window == 0; }

  /// Keys read because they are near: [max(0, t-w+1), t].
  KeyRange band(int64_t t) const {
    return {is_full() ? 0 : std::max<int64_t>(0, t - window + 1), t + 1};
  }
  /// Keys read because they are first, not counted in the band already: [0, min(s, band.begin)).
  KeyRange sink(int64_t t) const {
    return {0, is_full() ? 0 : std::min(sinks, band(t).begin)};
  }
  bool sees(int64_t t, int64_t key) const {
    return key >= 0 && key <= t && (key >= band(t).begin || key < sink(t).end);
  }
  /// Number of keys row t reads: min(t+1, w+s).
  int64_t support(int64_t t) const { return band(t).size() + sink(t).size(); }

  bool operator==(const WindowSpec&) const = default;
};

/// Sum of support(t) for t in [begin, end), in closed form (cost model).
int64_t total_support(const WindowSpec& spec, int64_t begin, int64_t end);

}  // namespace orthros
