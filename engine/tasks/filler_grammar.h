// The seeded grammar of filler prose: topics hold phrases, templates join them into sentences.
// A template's slots: $p person, $v past verb (also participle), $o object, $l place, $r remark (a clause),
// $k clause, $t time, $d manner, $s reporting verb, $c conjunction, $a adjective, $g general remark (a
// clause). The text is part of NeedleTask's version: any change makes other prompts.
#pragma once

#include <span>
#include <string_view>

namespace orthros::filler {

using Phrases = std::span<const std::string_view>;

struct Topic {
  Phrases people, verbs, objects, places, remarks;
};

std::span<const Topic> topics();

struct Templates {
  Phrases sentences, clauses;
  Phrases times, manners, reports, conjunctions, adjectives, generals;
};

const Templates& templates();

}  // namespace orthros::filler
