// Kept captures: attention captures of the run store, newest first, and one of them shown again. For jobs:
// any thread, a connection of its own. Errors: as the store; an absent store is an empty list.
#pragma once

#include <QList>
#include <QString>

#include "app/studio/pages/attention/attention_capture.h"
#include "engine/experiments/kept_steps.h"
#include "engine/store/run_store.h"

namespace orthros::studio {

Result<AttentionCapture> readKeptCapture(const QString& storePath, const QString& uuid);
Result<void> keepCapture(store::RunStore& store, const AttentionCapture& capture,
                         const std::shared_ptr<const Model>& model, const StopToken& stop,
                         const ProgressSink& progress);

/// A recorded decode, whose steps the keeper then takes one by one.
Result<std::unique_ptr<StepKeeper>> beginKeeping(store::RunStore& store, const AttentionCapture& capture,
                                                 const std::shared_ptr<const Model>& model,
                                                 const StopToken& stop, const ProgressSink& progress);

}  // namespace orthros::studio
