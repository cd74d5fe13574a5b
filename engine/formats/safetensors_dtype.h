// Element types of safetensors files. Private to formats/. Units: bits per element.
// Source: huggingface/safetensors, enum Dtype.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace orthros::safetensors {

/// Nothing for a name the format does not have.
std::optional<int64_t> bits_of(std::string_view dtype);

/// Bytes of a tensor; nothing when a size is negative, the product overflows or the bits do not fill whole
/// bytes.
std::optional<int64_t> bytes_of(int64_t bits_per_element, const std::vector<int64_t>& shape);

}  // namespace orthros::safetensors
