// Quantised block types of GGUF and their exact values in fp32.
// Units: a block covers `block_elements` consecutive elements of a row and takes `block_bytes` bytes.
// Errors: none in dequantize_row; callers have checked sizes. Source: ggml-common.h (facts: layouts only).
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/result.h"

namespace orthros {

enum class BlockType { F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K };

const char* to_string(BlockType type);
int64_t block_elements(BlockType type);
int64_t block_bytes(BlockType type);
/// The type with this number in the file; unsupported names it.
Result<BlockType> block_type_of(uint32_t file_code);

/// count is a multiple of block_elements(type); source holds count / block_elements * block_bytes bytes.
void dequantize_row(BlockType type, const std::byte* source, int64_t count, float* out);

float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);

}  // namespace orthros
