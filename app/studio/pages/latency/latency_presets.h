// Ready-made points for a latency experiment, by name and mode, none longer than the arms' context. And the
// arms that a sweep begins with. Units: tokens. Threads: GUI thread for what takes the library.
#pragma once

#include <QStringList>
#include <vector>

#include "app/studio/pages/latency/latency_form.h"

namespace orthros::studio {

struct LatencyPreset {
  std::vector<int64_t> lengths, outputs, batches;
  int pairs = 5, warmups = 5;
};

/// "smoke", "quick", "paper-like"; the next index is the user's own.
QStringList latencyPresets();
constexpr int kOwnLatencyPreset = 3;
LatencyPreset latencyPreset(int index, LatencyMode mode, int64_t contextLimit);

/// latency-256, where it is open, else the newest model, as Transformer and as Orthros: the paper's
/// comparison.
QList<LatencyArmChoice> latencyArms(const ModelLibrary& library);

}  // namespace orthros::studio
