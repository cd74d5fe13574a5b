// Quantisation of one group of 32 values. Private to kernels.
// int8: symmetric, scale = largest |v| / 127 rounded to fp16. int4: an exact grid when the values lie on one,
// else
//   the fp16 scale and minimum with the least squared error among shrunken ranges, each refined by least
//   squares.
// Errors: none; a group with NaN or infinity gets finite codes of no meaning.
#pragma once

#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {

GroupCodes encode_int8_group(const float* values) noexcept;
GroupCodes encode_int4_group(const float* values) noexcept;

}  // namespace orthros::kernels
