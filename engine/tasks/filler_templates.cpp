// How the filler prose joins its phrases. Two or more free slots in every sentence keep repeats rare.
#include "engine/tasks/filler_grammar.h"

namespace orthros::filler {
namespace {

constexpr std::string_view kSentences[] = {
    "$t, $p $v $o $l.",
    "$p $v $o $l, $c $r.",
    "$c $r, $p $v $o $d.",
    "when $k, $p $v $o $l.",
    "$p, who had $v $o, $s that $r.",
    "it was $a that $p had not $v $o $l.",
    "$t, $k, and $p $v $o.",
    "nobody $l could say why $k, but $g.",
    "$p $s that $k, although $g.",
    "before $p $v $o, $k.",
    "as soon as $k, $p $v $o $d.",
    "$p $v $o $d, and $t $k.",
    "$g, so $p $v $o $l.",
    "it seemed $a that $k while $r.",
    "$p $v first $o and then, $t, $o.",
    "if $p had $v $o, it would have been $a, because $r.",
    "there was some talk $l of how $k.",
    "$p, whose opinion was $a, $s that $p $v $o.",
    "after $k, there was little left to do, and $g.",
    "$d, $p $v $o which $p had $v $t.",
    "not everyone agreed that $k; $p, for one, $s that $r.",
    "$t it became $a that $r, and $p $v $o.",
    "$p would have $v $o $l, had it not been $a that $r.",
    "$r, yet $p $v $o $d.",
    "those who stood $l $s that $k.",
    "until $k, $p had always $v $o $d.",
    "$p $v $o, which was $a, since $r.",
    "the reason, as $p $s, was that $k.",
    "$p $s $d that $o had been $v $l.",
    "whether $k or not, $p $v $o $t.",
    "$o had been $v $l, and $p $s that $g.",
    "while $p $v $o, $p $v $o $l.",
    "it took $p a good while to see that $k.",
    "$t, when $r, $o lay $l where $p had left everything.",
    "$p, though it seemed $a, $v $o $c $g.",
    "from what $p $s, $k, and $r.",
    "in the end $p $v $o, for $k.",
    "what $p had $v $l turned out to be $o.",
    "$g, or so $p $s, and $k $d.",
    "only $p had $v $o, while $p, $c $r, $v $o instead.",
};

constexpr std::string_view kClauses[] = {
    "$p $v $o", "$p $v $o $l", "$p had $v $o", "$o had been $v $l", "$p had $d $v $o", "$r",
};

constexpr std::string_view kTimes[] = {"on the following morning",
                                       "towards evening",
                                       "after a short pause",
                                       "some weeks later",
                                       "in the early spring",
                                       "during the quiet hours",
                                       "at about the same time",
                                       "on most afternoons",
                                       "once the rain had stopped",
                                       "by the end of the week",
                                       "in the course of the day",
                                       "late in the autumn",
                                       "shortly before noon",
                                       "that same winter",
                                       "for the better part of a month",
                                       "on the second day",
                                       "as usual",
                                       "not long afterwards",
                                       "in the middle of the holiday",
                                       "every now and then",
                                       "when the bells had rung",
                                       "a little after sunrise",
                                       "over the summer",
                                       "earlier that year"};

constexpr std::string_view kManners[] = {
    "without much hurry",  "with great care",      "rather slowly",
    "in complete silence", "as quietly as before", "with some reluctance",
    "almost in passing",   "in the customary way", "more than once",
    "to general relief",   "with a faint smile",   "for no obvious reason",
    "in good time",        "under protest",        "to the surprise of the others",
    "quite deliberately",  "with borrowed tools",  "in a roundabout way"};

constexpr std::string_view kReports[] = {"said",      "noted",    "believed", "insisted",
                                         "suspected", "remarked", "supposed", "explained",
                                         "repeated",  "admitted", "claimed",  "recalled"};

constexpr std::string_view kConjunctions[] = {"although", "because", "since", "even though", "while", "as"};

constexpr std::string_view kAdjectives[] = {
    "clear",     "curious", "regrettable", "likely",   "obvious", "surprising", "plain",   "doubtful",
    "fortunate", "strange", "typical",     "annoying", "certain", "reasonable", "awkward", "understandable"};

constexpr std::string_view kGenerals[] = {"nothing more was said about it",
                                          "the matter was left at that",
                                          "the rest could wait",
                                          "there was no particular hurry",
                                          "such things had happened before",
                                          "opinions on this differed widely",
                                          "the costs were never mentioned",
                                          "it hardly mattered in the end",
                                          "the others had other things to do",
                                          "one could not be sure",
                                          "the day was nearly over",
                                          "the old arrangement still held",
                                          "no better idea had come up",
                                          "the work went on regardless",
                                          "the details are of little interest",
                                          "everyone seemed to expect it",
                                          "the explanation was simple enough",
                                          "this was only partly true",
                                          "it was thought wiser to wait",
                                          "the usual precautions were taken",
                                          "few people remembered the beginning",
                                          "there were good arguments on both sides",
                                          "the question came up again and again",
                                          "no one had asked for advice"};

constexpr Templates kTemplates{kSentences, kClauses,      kTimes,      kManners,
                               kReports,   kConjunctions, kAdjectives, kGenerals};

}  // namespace

const Templates& templates() {
  return kTemplates;
}

}  // namespace orthros::filler
