// Overview: every experiment as a list shows it: arms, time at work, one figure and one small curve an arm.
// A fixed number of statements for the figures of all experiments. Units: as FigureKind says; seconds.
// Errors: as RunReader. Threads: the reader's. Public: no torch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/store/run_reader.h"

namespace orthros::store {

enum class FigureKind {
  none,
  accuracy,    // needle: share of trials with a full score; curve: by context length
  prefill_ms,  // latency: median at the longest length; curve: by length
  step_ms,     // latency where no prefill is timed: median time of one decode step; curve likewise
  decode_tps,  // prompt: tokens per second
  tokens,      // attention: length of the text
  loss,        // training: nats, mean over the last of at most 48 equal parts; curve: by step
};

struct ArmOverview {
  std::string label, architecture;  // architecture as the model record names it
  std::optional<double> figure;
  std::vector<double> x, y;  // the curve; x ascending
};

struct Overview {
  ExperimentSummary summary;
  FigureKind kind = FigureKind::none;
  int64_t at = 0;           // what the figure belongs to: tokens (latency) or steps (training)
  double busy_seconds = 0;  // of the arm that took longest; pauses left out; 0: not known
  std::string last_utc;     // the last sign of life of its runs
  std::string problem;      // why a run failed
  std::vector<ArmOverview> arms;
};

/// Newest first.
Result<std::vector<Overview>> read_overviews(const RunReader& reader);

}  // namespace orthros::store
