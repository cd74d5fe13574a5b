// Filler: dull English prose without end from the seeded grammar; four to seven sentences on a topic, then
// another one. Holds no digits and no given names. Threads: one object, one thread.
#pragma once

#include <array>
#include <string>

#include "engine/tasks/filler_grammar.h"
#include "engine/tasks/random.h"
#include "engine/tasks/sentence_source.h"

namespace orthros {

class Filler final : public SentenceSource {
 public:
  explicit Filler(uint64_t seed);
  std::string_view next() override;

 private:
  void begin_paragraph();
  void expand(std::string_view text, int depth);
  filler::Phrases phrases_of(char slot) const;
  std::string_view choose(char slot);

  Random random_;
  const filler::Topic* topic_ = nullptr;
  uint64_t sentences_left_ = 0;
  std::array<size_t, 26> last_{};  // by slot: the phrase chosen last, plus one
  size_t last_template_ = SIZE_MAX;
  std::string sentence_;
};

}  // namespace orthros
