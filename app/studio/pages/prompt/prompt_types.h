// What a prompt run is asked for and what it says back, between the page and the engine thread.
// Units: ms, tokens per second, bytes.
#pragma once

#include <QList>
#include <QString>
#include <memory>
#include <vector>

#include "engine/inference/generate.h"
#include "widgets/token_chips.h"

namespace orthros::studio {

/// One column: the model's weights read as an architecture.
struct PromptArm {
  QString key;  // "transformer", "swa", "orthros"
  QString label;
  Architecture architecture = Architecture::transformer;
  WindowSpec window;
  bool operator==(const PromptArm& other) const {
    return key == other.key && (key == u"transformer" || window == other.window);
  }
};

struct PromptSpec {
  std::shared_ptr<const Model> model;
  QString text, system, modelName;
  bool chat = false;
  std::vector<PromptArm> arms;
  GenerateRequest request;  // sampling, limits, stop strings; ids are filled in by the run
  /// Tokens that the answer must begin with (branching), with their chips.
  QList<widgets::TokenChip> forced;
  QString storePath;
};

struct ArmFigures {
  qint64 promptTokens = 0, reusedTokens = 0, kvBytes = 0;
  double ttftMs = 0, prefillTokS = 0, decodeTokS = 0;
  QString backend, ending;  // "end of text", "limit reached", ...
};

}  // namespace orthros::studio
