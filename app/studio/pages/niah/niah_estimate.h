// What a needle experiment will take on each arm before it runs: time from the trials that are kept, or from
// the arithmetic where none is; memory as the engine predicts it. Units: seconds, bytes. Threads: plain
// functions; readNiahRates for jobs.
#pragma once

#include <QHash>
#include <QList>
#include <QString>

#include "app/studio/pages/niah/niah_arms.h"
#include "engine/experiments/niah_spec.h"

namespace orthros::studio {

/// Mean time of a kept trial at one length.
struct NiahRate {
  qint64 tokens = 0;
  double seconds = 0;
};
using NiahRates = QHash<QString, QList<NiahRate>>;  // by arm label, lengths ascending
/// An absent store is no rates.
Result<NiahRates> readNiahRates(const QString& storePath);

struct NiahEstimate {
  double seconds = 0;
  bool isMeasured = false;             // from trials of this very arm
  qint64 peakBytes = 0, newBytes = 0;  // weights, cache and work; of those not held yet
};
NiahEstimate estimateNiah(const NiahSpec& spec, const NiahArmSource& arm, const QList<NiahRate>& rates);

}  // namespace orthros::studio
