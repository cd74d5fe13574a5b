#include "engine/formats/unicode_normal_form.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <utf8proc.h>

#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros::unicode {
namespace {

/// Characters that Unicode 10 to 15 gave a decomposition or a combining class (and U+11930, for its
/// composition). HF's normalizer is older and leaves them as they are, so they are left here too. Measured by
/// putting every code point through it: tests/fixtures/tokenizers/make_unicode_ranges.py has the method.
constexpr CodePointRange kNewerThanHf[] = {
    {0x7fd, 0x7fd},     {0x898, 0x89f},     {0x8ca, 0x8d3},     {0x9fe, 0x9fe},     {0xc3c, 0xc3c},
    {0xd3b, 0xd3c},     {0xeba, 0xeba},     {0x1715, 0x1715},   {0x1abf, 0x1ace},   {0x1df6, 0x1dfa},
    {0x32ff, 0x32ff},   {0xa7f2, 0xa7f4},   {0xa82c, 0xa82c},   {0xab69, 0xab69},   {0x10781, 0x10785},
    {0x10787, 0x107b0}, {0x107b2, 0x107ba}, {0x10d24, 0x10d27}, {0x10eab, 0x10eac}, {0x10efd, 0x10eff},
    {0x10f46, 0x10f50}, {0x10f82, 0x10f85}, {0x11070, 0x11070}, {0x1133b, 0x1133b}, {0x1145e, 0x1145e},
    {0x11839, 0x1183a}, {0x11930, 0x11930}, {0x11938, 0x11938}, {0x1193d, 0x1193e}, {0x11943, 0x11943},
    {0x119e0, 0x119e0}, {0x11a34, 0x11a34}, {0x11a47, 0x11a47}, {0x11a99, 0x11a99}, {0x11d42, 0x11d42},
    {0x11d44, 0x11d45}, {0x11d97, 0x11d97}, {0x11f41, 0x11f42}, {0x16ff0, 0x16ff1}, {0x1e030, 0x1e06d},
    {0x1e08f, 0x1e08f}, {0x1e130, 0x1e136}, {0x1e2ae, 0x1e2ae}, {0x1e2ec, 0x1e2ef}, {0x1e4ec, 0x1e4ef},
    {0x1f16c, 0x1f16c}, {0x1fbf0, 0x1fbf9}};

bool is_newer_than_hf(char32_t c) {
  if (c < kNewerThanHf[0].first) return false;
  const auto* range =
      std::lower_bound(std::begin(kNewerThanHf), std::end(kNewerThanHf), c,
                       [](const CodePointRange& r, char32_t wanted) { return r.last < wanted; });
  return range != std::end(kNewerThanHf) && range->first <= c;
}

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

/// Normalizes a stretch of characters that HF knows too.
void append_normal_form(std::string& out, std::string_view text, NormalForm form) {
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
  for (const utf8proc_int32_t c : characters) append_utf8(out, static_cast<char32_t>(c));
}

}  // namespace

std::string to_normal_form(std::string_view text, NormalForm form) {
  if (is_plainly_normal(text, form)) return std::string(text);
  std::string result;
  result.reserve(text.size());
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if (is_newer_than_hf(c.value)) {
      append_normal_form(result, text.substr(done, at - done), form);
      append_utf8(result, c.value);
      done = at + c.length;
    }
    at += c.length;
  }
  append_normal_form(result, text.substr(done), form);
  return result;
}

}  // namespace orthros::unicode
