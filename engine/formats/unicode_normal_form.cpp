#include "engine/formats/unicode_normal_form.h"

#include <algorithm>
#include <array>
#include <vector>

#include <utf8proc.h>

#include "engine/formats/utf8.h"

namespace orthros::unicode {
namespace {

bool composes(NormalForm form) {
  return form == NormalForm::nfc || form == NormalForm::nfkc;
}

bool is_compatible(NormalForm form) {
  return form == NormalForm::nfkc || form == NormalForm::nfkd;
}

/// True when every character is below the first one that the form could change.
bool is_plainly_normal(std::string_view text, NormalForm form) {
  // NFC keeps everything below U+0300, whose first byte is 0xcc; the other forms change some of Latin-1.
  const uint8_t first_changed = form == NormalForm::nfc ? 0xcc : 0x80;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return byte < first_changed;
  });
}

void decompose(std::string_view text, bool compatible, std::vector<utf8proc_int32_t>& out) {
  const int options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0);
  std::array<utf8proc_int32_t, 32> parts;  // the longest decomposition has 18 characters (U+FDFA)
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    at += c.length;
    int boundary = 0;
    const utf8proc_ssize_t count = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(c.value), parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
        static_cast<utf8proc_option_t>(options), &boundary);
    if (count < 0 || count > static_cast<utf8proc_ssize_t>(parts.size())) {
      out.push_back(static_cast<utf8proc_int32_t>(c.value));
    } else {
      out.insert(out.end(), parts.begin(), parts.begin() + count);
    }
  }
}

/// Canonical ordering: stable by combining class within each run of combining marks. utf8proc's own ordering
/// moves one mark at a time, which a long run would make quadratic.
void order_marks(std::vector<utf8proc_int32_t>& text) {
  const auto combining_class = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
  const auto is_mark = [&](utf8proc_int32_t c) { return combining_class(c) != 0; };
  auto begin = text.begin();
  while ((begin = std::find_if(begin, text.end(), is_mark)) != text.end()) {
    const auto end = std::find_if_not(begin, text.end(), is_mark);
    std::stable_sort(begin, end, [&](utf8proc_int32_t a, utf8proc_int32_t b) {
      return combining_class(a) < combining_class(b);
    });
    begin = end;
  }
}

}  // namespace

std::string to_normal_form(std::string_view text, NormalForm form) {
  if (is_plainly_normal(text, form)) return std::string(text);
  std::vector<utf8proc_int32_t> characters;
  characters.reserve(text.size());
  decompose(text, is_compatible(form), characters);
  order_marks(characters);
  if (composes(form)) {
    const utf8proc_ssize_t length =
        utf8proc_normalize_utf32(characters.data(), static_cast<utf8proc_ssize_t>(characters.size()),
                                 static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    if (length >= 0) characters.resize(static_cast<size_t>(length));
  }
  std::string result;
  result.reserve(text.size());
  for (const utf8proc_int32_t c : characters) append_utf8(result, static_cast<char32_t>(c));
  return result;
}

}  // namespace orthros::unicode
