// What the NIAH form's lists offer, in their order.
#pragma once

#include "engine/tasks/needle_task.h"

namespace orthros::studio {

inline constexpr NeedleVariant kNiahVariants[] = {NeedleVariant::word_number, NeedleVariant::passkey,
                                                  NeedleVariant::uuid,        NeedleVariant::key_value,
                                                  NeedleVariant::multi_key,   NeedleVariant::multi_value,
                                                  NeedleVariant::multi_query, NeedleVariant::k_needles};
inline constexpr HaystackKind kNiahHaystacks[] = {HaystackKind::filler, HaystackKind::noise,
                                                  HaystackKind::key_value_lines, HaystackKind::folder};

}  // namespace orthros::studio
