#include "engine/tasks/filler.h"

namespace orthros {

Filler::Filler(uint64_t seed) : random_(seed) {}

void Filler::begin_paragraph() {
  const auto topics = filler::topics();
  const filler::Topic* before = topic_;
  while (topic_ == before) topic_ = &topics[random_.below(topics.size())];
  sentences_left_ = 4 + random_.below(4);
  last_.fill(0);
}

filler::Phrases Filler::phrases_of(char slot) const {
  const filler::Templates& common = filler::templates();
  switch (slot) {
    case 'p':
      return topic_->people;
    case 'v':
      return topic_->verbs;
    case 'o':
      return topic_->objects;
    case 'l':
      return topic_->places;
    case 'r':
      return topic_->remarks;
    case 'k':
      return common.clauses;
    case 't':
      return common.times;
    case 'd':
      return common.manners;
    case 's':
      return common.reports;
    case 'c':
      return common.conjunctions;
    case 'a':
      return common.adjectives;
    default:
      return common.generals;
  }
}

/// Never the phrase that stood last in the same kind of slot.
std::string_view Filler::choose(char slot) {
  const filler::Phrases phrases = phrases_of(slot);
  size_t& last = last_[static_cast<size_t>(slot - 'a')];
  size_t index = random_.below(phrases.size() - (last == 0 ? 0 : 1));
  if (last != 0 && index >= last - 1) ++index;
  last = index + 1;
  return phrases[index];
}

void Filler::expand(std::string_view text, int depth) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      sentence_ += text[i];
      continue;
    }
    const std::string_view phrase = choose(text[++i]);
    if (depth > 0) {
      expand(phrase, depth - 1);
    } else {
      sentence_ += phrase;
    }
  }
}

std::string_view Filler::next() {
  if (sentences_left_ == 0) begin_paragraph();
  --sentences_left_;
  const filler::Phrases sentences = filler::templates().sentences;
  size_t chosen = last_template_;
  while (chosen == last_template_) chosen = random_.below(sentences.size());
  last_template_ = chosen;
  sentence_ = " ";
  expand(sentences[chosen], 2);
  sentence_[1] = static_cast<char>(sentence_[1] - 'a' + 'A');  // every phrase begins with a lower-case letter
  return sentence_;
}

}  // namespace orthros
