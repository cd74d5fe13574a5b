// Scorers against a table of verdicts (niah-and-latency.md 6.4, check 7, and adversarial rows).
#include "engine/tasks/scorers.h"

#include <set>

#include <gtest/gtest.h>

namespace orthros {
namespace {

constexpr const char* kUuid = "a09ad323-0b63-4330-a78d-78625eba4002";
constexpr const char* kBareUuid = "A09AD3230B634330A78D78625EBA4002";

struct Verdict {
  const char* output;
  const char* value;
  bool found;
};

class ValueMatch : public ::testing::TestWithParam<Verdict> {};

TEST_P(ValueMatch, GivesTheListedVerdict) {
  const Verdict& row = GetParam();
  EXPECT_EQ(score_output(Scorer::value_match, row.output, {row.value}), row.found ? 1 : 0)
      << "'" << row.value << "' in '" << row.output << "'";
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, ValueMatch,
    ::testing::Values(
        Verdict{"4821", "4821", true}, Verdict{"It is 4821.", "4821", true}, Verdict{"4,821", "4821", true},
        Verdict{"4 821", "4821", true}, Verdict{"4_821", "4821", true}, Verdict{"4\u2009821", "4821", true},
        Verdict{"4\u202f821", "4821", true}, Verdict{"4\u00a0821", "4821", true},
        Verdict{"1,234,567", "1234567", true}, Verdict{"1 234 567!", "1234567", true},
        Verdict{"48 and 21", "4821", false}, Verdict{"#48210", "4821", false}, Verdict{"", "4821", false},
        Verdict{"4821", "", false}, Verdict{"#4821", "4821", true}, Verdict{"(4821)", "4821", true},
        Verdict{"**4821**", "4821", true}, Verdict{"\"4821\"", "4821", true},
        Verdict{"4821\n9", "4821", true}, Verdict{"14821", "4821", false}, Verdict{"14,821", "4821", false},
        Verdict{"1,204,821", "4821", false}, Verdict{"1,204,821", "204821", false},
        Verdict{"4,821,000", "4821", false}, Verdict{"4,8210", "4821", false},
        Verdict{"48,21", "4821", false}, Verdict{"4 8 2 1", "4821", false}, Verdict{"4, 821", "4821", false},
        Verdict{"4-821", "4821", false}, Verdict{"48\n21", "4821", false},
        Verdict{"1,234_567", "1234567", false}, Verdict{"1,234567", "1234567", false},
        Verdict{"1234,567", "1234567", false}, Verdict{"x4821", "4821", false},
        Verdict{"4821b", "4821", false}, Verdict{"4821.5", "4821", false}, Verdict{"3.4821", "4821", false},
        Verdict{"12-4821", "4821", false}, Verdict{"-4821", "4821", true}, Verdict{"key-4821", "4821", true},
        Verdict{"=4821;", "4821", true}));
INSTANTIATE_TEST_SUITE_P(
    Lists, ValueMatch,
    ::testing::Values(Verdict{"48213,59321,10377", "59321", true}, Verdict{"48213,593", "48213", true},
                      Verdict{"48213, 59321", "48213", true}, Verdict{"821 000", "821", true},
                      Verdict{"4,821", "821", false}, Verdict{"4,821", "4", false},
                      Verdict{"4, 821", "821", true}, Verdict{"\u7b54\u6848\u662f4821\u3002", "4821", true},
                      Verdict{"\u00e94821", "4821", false}, Verdict{"wrong 48210, right 4821", "4821", true},
                      Verdict{"4821 is not it: 4822", "4822", true},
                      Verdict{"000000000000000000", "000000000000000000", true},
                      Verdict{"0042", "42", false}));
INSTANTIATE_TEST_SUITE_P(Uuids, ValueMatch,
                         ::testing::Values(Verdict{kUuid, kUuid, true}, Verdict{kBareUuid, kUuid, true},
                                           Verdict{kUuid, kBareUuid, true},
                                           Verdict{"The code is A09AD323-0B63-4330-A78D-78625EBA4002.", kUuid,
                                                   true},
                                           Verdict{"{a09ad323-0b63-4330-a78d-78625eba4002}", kUuid, true},
                                           Verdict{"a09ad323-0b63-4330-a78d-78625eba4003", kUuid, false},
                                           Verdict{"a09ad323-0b63-4330-a78d-78625eba400", kUuid, false},
                                           Verdict{"a09ad323-0b63-4330-a78d-78625eba40021", kUuid, false},
                                           Verdict{"fa09ad323-0b63-4330-a78d-78625eba4002", kUuid, false},
                                           Verdict{"a09ad323-0b63-4330-a78d-78625eba4002-77", kUuid, false},
                                           Verdict{"a09ad323 0b63 4330 a78d 78625eba4002", kUuid, false},
                                           Verdict{"a09a-d3230b634330a78d78625eba4002", kUuid, false},
                                           Verdict{kUuid, "4330", false}, Verdict{"", kUuid, false}));
INSTANTIATE_TEST_SUITE_P(
    Words, ValueMatch,
    ::testing::Values(Verdict{"The word is OTTER.", "otter", true}, Verdict{"otters", "otter", false},
                      Verdict{"an otter", "Otter", true}, Verdict{"not-otter-like", "otter", true},
                      Verdict{"lotter", "otter", false}, Verdict{"amber  Falcon", "amber falcon", true},
                      Verdict{"amber-falcon", "amber falcon", true},
                      Verdict{"amberfalcon", "amber falcon", false},
                      Verdict{"amber, falcon", "amber falcon", false}, Verdict{"otter\u00e9", "otter", false},
                      Verdict{"\u00e9otter", "otter", false}, Verdict{"\u662fotter\u3002", "otter", true},
                      Verdict{"ott", "otter", false}, Verdict{"\xff\xfe otter \x80", "otter", true}));

struct Row {
  Scorer scorer;
  const char* output;
  std::vector<std::string> expected;
  double score;
};

class Scores : public ::testing::TestWithParam<Row> {};

TEST_P(Scores, GivesTheListedScore) {
  const Row& row = GetParam();
  EXPECT_DOUBLE_EQ(score_output(row.scorer, row.output, row.expected), row.score)
      << to_string(row.scorer) << " of '" << row.output << "'";
}

INSTANTIATE_TEST_SUITE_P(Exact, Scores,
                         ::testing::Values(Row{Scorer::exact, " 48213.\n", {"48213"}, 1},
                                           Row{Scorer::exact, "48213", {"48213"}, 1},
                                           Row{Scorer::exact, "It is 48213.", {"48213"}, 0},
                                           Row{Scorer::exact, "48,213", {"48213"}, 0},
                                           Row{Scorer::exact, "48213..", {"48213"}, 0},
                                           Row{Scorer::exact, "", {"48213"}, 0},
                                           Row{Scorer::exact, "", {""}, 0}, Row{Scorer::exact, "1", {}, 0},
                                           Row{Scorer::exact, "11, 22 and 33.", {"11", "22", "33"}, 1},
                                           Row{Scorer::exact, "11,22,33", {"11", "22", "33"}, 1},
                                           Row{Scorer::exact, "11 and 22, and 33", {"11", "22", "33"}, 1},
                                           Row{Scorer::exact, "11 22 33", {"11", "22", "33"}, 0},
                                           Row{Scorer::exact, "22, 11 and 33", {"11", "22", "33"}, 0},
                                           Row{Scorer::exact, "11 and 22", {"11", "22", "33"}, 0},
                                           Row{Scorer::exact, "11, 22, 33 and 44", {"11", "22", "33"}, 0}));
INSTANTIATE_TEST_SUITE_P(FirstAnswer, Scores,
                         ::testing::Values(Row{Scorer::first_answer, "It is 4821, not 17.", {"4821"}, 1},
                                           Row{Scorer::first_answer, "Not 17 but 4821", {"4821"}, 0},
                                           Row{Scorer::first_answer, "#48210 4821", {"4821"}, 0},
                                           Row{Scorer::first_answer, "Q4: 4,821", {"4821"}, 1},
                                           Row{Scorer::first_answer, "", {"4821"}, 0},
                                           Row{Scorer::first_answer, "none", {"4821"}, 0},
                                           Row{Scorer::first_answer, "4821 then 17", {"4821", "99"}, 1},
                                           Row{Scorer::first_answer, kBareUuid, {kUuid}, 1},
                                           Row{Scorer::first_answer, "otter or raven", {"otter"}, 1},
                                           Row{Scorer::first_answer, "raven or otter", {"otter"}, 0}));
INSTANTIATE_TEST_SUITE_P(
    Several, Scores,
    ::testing::Values(Row{Scorer::fraction, "11, 22 and 44", {"11", "22", "33", "44"}, 0.75},
                      Row{Scorer::fraction, "44 11", {"11", "22", "33", "44"}, 0.5},
                      Row{Scorer::fraction, "", {"11", "22"}, 0}, Row{Scorer::fraction, "x", {}, 0},
                      Row{Scorer::value_match, "44 33 22 11", {"11", "22", "33", "44"}, 1},
                      Row{Scorer::value_match, "11, 22 and 44", {"11", "22", "33", "44"}, 0},
                      Row{Scorer::value_match, "11", {}, 0}));

TEST(ScorerIds, NameTheScorerAndItsVersion) {
  EXPECT_EQ(scorer_id(Scorer::value_match), "value_match/1");
  EXPECT_EQ(scorer_id(Scorer::first_answer), "first_answer/1");
  std::set<std::string> ids;
  for (const Scorer scorer : all_scorers()) ids.insert(scorer_id(scorer));
  EXPECT_EQ(ids.size(), 4u);
}

TEST(Scorers, StandAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (const Scorer scorer : all_scorers()) {
    for (const char* value : {"4821", kUuid, "otter", "\xe3", "-", "a-", " "}) {
      for (size_t cut = 0; cut < bytes.size(); cut += 7) {
        const double score = score_output(scorer, bytes.substr(cut) + value, {value, bytes.substr(cut, 5)});
        EXPECT_TRUE(score >= 0 && score <= 1);
      }
    }
  }
}

}  // namespace
}  // namespace orthros
