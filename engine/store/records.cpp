#include "engine/store/records.h"

namespace orthros::store {

const char* to_string(ExperimentKind kind) {
  switch (kind) {
    case ExperimentKind::niah:
      return "niah";
    case ExperimentKind::latency:
      return "latency";
    case ExperimentKind::prompt:
      return "prompt";
    case ExperimentKind::attention:
      return "attention";
    case ExperimentKind::training:
      return "training";
    case ExperimentKind::convert:
      return "convert";
  }
  return "unknown";
}

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::queued:
      return "queued";
    case RunStatus::running:
      return "running";
    case RunStatus::paused:
      return "paused";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::cancelled:
      return "cancelled";
    case RunStatus::failed:
      return "failed";
    case RunStatus::done:
      return "done";
  }
  return "unknown";
}

const char* to_string(CellStatus status) {
  switch (status) {
    case CellStatus::pending:
      return "pending";
    case CellStatus::running:
      return "running";
    case CellStatus::done:
      return "done";
    case CellStatus::oom:
      return "oom";
    case CellStatus::timeout:
      return "timeout";
    case CellStatus::error:
      return "error";
    case CellStatus::skipped:
      return "skipped";
    case CellStatus::cancelled:
      return "cancelled";
  }
  return "unknown";
}

Result<ExperimentKind> parse_experiment_kind(std::string_view text) {
  using enum ExperimentKind;
  for (const ExperimentKind kind : {niah, latency, prompt, attention, training, convert}) {
    if (text == to_string(kind)) return kind;
  }
  return fail(ErrorCode::invalid_argument,
              "no kind of experiment is called \"{}\": niah, latency, prompt, attention, training, convert",
              text);
}

}  // namespace orthros::store
