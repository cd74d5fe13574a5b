#include "engine/formats/unicode_class.h"

#include <vector>

namespace orthros::unicode {
namespace {

std::vector<uint8_t> make_classes() {
  std::vector<uint8_t> table(0x110000, 0);
  const auto mark = [&](std::span<const CodePointRange> ranges, uint8_t bit) {
    for (const CodePointRange& range : ranges) {
      for (uint32_t c = range.first; c <= range.last; ++c) table[c] |= bit;
    }
  };
  mark(letter_ranges(), kLetter);
  mark(mark_ranges(), kMark);
  mark(number_ranges(), kNumber);
  mark(space_ranges(), kSpace);
  mark(numeric_ranges(), kNumeric);
  mark(word_ranges(), kWord);
  return table;
}

}  // namespace

const uint8_t* classes() {
  static const std::vector<uint8_t> table = make_classes();
  return table.data();
}

}  // namespace orthros::unicode
