// The trials behind one cell of a needle map, and the prompt that one of them read. For jobs: any thread, a
// connection of its own. Units: tokens, nats, ns; shares 0..1. Errors: as the store.
#pragma once

#include <QString>
#include <limits>
#include <memory>
#include <vector>

#include "engine/model/model.h"
#include "engine/store/records.h"

namespace orthros::studio {

struct NiahTrial {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  qint64 number = 0;
  store::RowId prompt = 0;
  QString answer, expected, finish, scorer;
  double score = 0;
  double logProbability = kNone, rankedFirst = kNone;  // of the right answer's ids, teacher forced
  double mass = kNone, uniform = kNone;                // attention on the needle, mean over heads
  int layer = -1, head = -1;                           // that attends to it most; -1: not probed
  double headMass = 0;
  qint64 prefillNs = 0, decodeNs = 0;

  bool isHit() const { return score >= 1 - 1e-9; }
};
/// In the order of their numbers; of every run that the arm has.
Result<std::vector<NiahTrial>> readNiahTrials(const QString& storePath, const QString& uuid, qint64 arm,
                                              qint64 length, qint64 depthPpm);

struct NiahPrompt {
  std::vector<TokenId> ids;
  qint64 begin = 0, end = 0;  // ids of the needle that is asked for; both 0: none
  QString key, value;
  QString text;                             // all of it; empty without a tokenizer
  QString before, needle, after, question;  // pieces of it: around the needle, and its end
};
/// `model` gives the tokenizer; null: ids alone.
Result<NiahPrompt> readNiahPrompt(const QString& storePath, store::RowId prompt,
                                  const std::shared_ptr<const Model>& model);

}  // namespace orthros::studio
