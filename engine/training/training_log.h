// TrainingLog: a training run in the run store: its points some at a time (a transaction for each would cost
// more than a small step), its notes as events. A file in the output folder says which experiment a resumed
// run joins. Nothing is stored before open(). Errors: as the store; io for that file. Threads: one caller.
// Public: no torch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/store/run_store.h"
#include "engine/training/trainer.h"

namespace orthros::training {

struct LogRequest {
  std::filesystem::path recipe;  // its text becomes the experiment's spec
  std::string name;              // empty: the recipe's file name
  bool resume = false;           // joins the experiment of the output folder, where the store still has it
};

/// The experiment that an output folder belongs to; empty: none.
std::string logged_experiment(const std::filesystem::path& output);

class TrainingLog {
 public:
  Result<void> open(store::RunStore& store, const TrainConfig& config, const LogRequest& request);
  bool is_open() const { return store_ != nullptr; }
  const std::string& experiment() const { return experiment_; }  // uuid
  Result<void> add(const StepEvent& event);
  void note(const std::string& text);
  /// Writes what is left and ends the run: done, cancelled (it can be resumed) or failed.
  Result<void> finish(const Result<TrainSummary>& ran);

 private:
  Result<void> flush();

  store::RunStore* store_ = nullptr;
  store::RowId run_ = 0;
  std::string experiment_;
  std::vector<store::TrainPointRecord> points_;
};

}  // namespace orthros::training
