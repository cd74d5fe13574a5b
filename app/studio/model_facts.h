// ModelFacts: what the window says about a model, in plain values, read from its files before any weight is.
// Units: bytes, tokens. Threads: readModelFacts on any thread.
#pragma once

#include <QList>
#include <QString>

#include "engine/model/model.h"
#include "widgets/memory_bar.h"
#include "widgets/mixer_strip.h"

namespace orthros::studio {

struct ModelFacts {
  QString name, path, format;  // "GGUF", "safetensors"
  QString architecture;        // colour key: "transformer", "swa", "orthros"
  QString architectureText;    // "Orthros, window 128 + 4 sinks"
  QString family;              // "llama"
  QString dtype, provenance;
  qint64 parameters = 0, fileBytes = 0;
  qint64 layers = 0, heads = 0, kvHeads = 0, headDim = 0, hiddenSize = 0, vocabulary = 0, maxPositions = 0;
  qint64 kvBytesPerToken = 0, planTokens = 0;
  double balanceTokens = 0;  // T*
  bool hasChatTemplate = false;
  QString tokenizerProblem;  // empty: there is one
  QList<widgets::MixerTick> mixers;
  widgets::MemoryView plan;
};

Result<ModelFacts> readModelFacts(const ModelFiles& files, const LoadOptions& options);

/// "transformer", "swa" or "orthros", and in words.
QString architectureKey(const ModelConfig& config);
QString architectureText(const ModelConfig& config);

widgets::MemoryView toView(const MemoryPlan& plan);

/// Size of a model file or of a folder's weights.
qint64 sizeOnDisk(const QString& path);

}  // namespace orthros::studio
