// Workers of known behaviour: this test program started again as `--fake-worker MODE`.
#pragma once

#include <string>
#include <vector>

namespace orthros::test {

/// Modes: "stub" serves stub_arm("stub"), timed on a false clock; with ":" and a word after it, as
/// "stub:kill", it misbehaves in a sample of 256 tokens or more (kill, abort, exit, hang) or when it opens
/// (memory). "raw:TEXT" opens like a stub and then answers every request with TEXT; "first:TEXT" does so from
/// the start.
inline std::vector<std::string> fake_worker(const std::string& mode) {
  return {"/proc/self/exe", "--fake-worker", mode};
}

/// What the fake one does; returns the exit code of the process.
int run_fake_worker(const std::string& mode);

}  // namespace orthros::test
