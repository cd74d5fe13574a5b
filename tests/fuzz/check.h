// check: a property that a fuzz target holds; a breach ends the run as a crash does.
#pragma once

namespace orthros::fuzz {

inline void check(bool holds) {
  if (!holds) __builtin_trap();
}

/// An error's message is one line that says something.
template <class R>
void check_error(const R& result) {
  if (result) return;
  const auto line = result.error().line();
  check(!result.error().message.empty() && line.size() < 2000 && line.find('\n') == line.npos);
}

}  // namespace orthros::fuzz
