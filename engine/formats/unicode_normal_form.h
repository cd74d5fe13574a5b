// Unicode normal forms in time n log n, also for long runs of combining marks.
// Source: Unicode annex 15; character data from utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace orthros::unicode {

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// Valid UTF-8 in, valid UTF-8 out.
std::string to_normal_form(std::string_view text, NormalForm form);

}  // namespace orthros::unicode
