// The two loops that machine.cpp times. Private to kernels.
// Errors: none. Threads: called by every thread on its own part.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orthros::kernels {

/// Exclusive or of all bytes, so that no load can be left out; bytes is a multiple of 256.
uint64_t read_all(const std::byte* data, int64_t bytes);

/// `iterations` rounds of independent multiply-adds; returns how many floating-point operations that was.
int64_t multiply_add(int64_t iterations);

}  // namespace orthros::kernels
