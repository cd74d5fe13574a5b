// train: runs a training config to its end, or until stopped: curriculum, loss, optimiser, checkpoints, and
// in the end a model folder "model" that the engine opens. Units: nats, seconds, tokens of the base stream.
// Errors: invalid_argument, not_found, io; internal for a loss that is no number (says step, batch seed and
// the last good checkpoint); cancelled never: a stopped run returns its summary, resumable.
// Data parallel: config.ranks threads, each with weights of its own, a share of every batch's sequences and
// of the compute threads; their gradients are summed in a fixed order. Checkpoints and hooks are those of
// rank 0. Threads: one caller, the engine thread, which is rank 0; hooks are called on it. Public: no torch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/distributed/comm.h"
#include "engine/training/train_config.h"

namespace orthros::training {

struct StepEvent {
  int64_t step = 0, total_steps = 0;  // steps done; stages left early do not count as done
  int64_t stage = 0, step_in_stage = 0, length = 0, sequences = 0, tokens = 0;
  double loss = 0, learning_rate = 0, gradient_norm = 0, tokens_per_second = 0;
  double first =
      0;  // share of answers whose first telling token is right; of rows where there are no answers
  double exact = 0;  // share of answers that are right as a whole
  double score = 0;  // running mean of exact, which a stage's leave_at is compared with
};

/// What the model said where it was asked, of a batch it had not seen yet.
struct AnswerSample {
  std::string asked, expected, said;  // asked: the text just before
  bool right = false;
};

struct ProbeEvent {
  int64_t step = 0;
  double exact = 0;  // share of the batch's answers that are right as a whole
  std::vector<AnswerSample> samples;
};

struct TrainHooks {
  StopToken stop;
  std::function<Result<void>(const StepEvent&)> on_step;  // an error ends the run
  std::function<void(const ProbeEvent&)> on_probe;        // at step 1 and every probe_every steps
  int64_t probe_every = 50;
  std::function<void(const std::string&)> on_note;  // stages, checkpoints: one line each
  bool resume = false;
  int64_t stop_after = 0;  // steps of this call; 0: no limit
};

struct TrainSummary {
  int64_t steps = 0, tokens = 0, parameters = 0;
  double seconds = 0, loss = 0, score = 0;
  bool finished = false;        // false: stopped, resume continues
  std::filesystem::path model;  // of a finished run
};

/// One rank's part, for ranks that are made elsewhere; train() makes config.ranks threads of its own.
Result<TrainSummary> train_rank(const TrainConfig& config, const TrainHooks& hooks, Comm& comm);
Result<TrainSummary> train(const TrainConfig& config, const TrainHooks& hooks);

}  // namespace orthros::training
