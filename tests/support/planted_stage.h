// A moment of a pass that no engine made, for pictures: eight tokens, w = 4, x′ of the last one reading the
// shelf.
#pragma once

#include <cmath>

#include "widgets/lesson_stage.h"

namespace orthros::test {

inline widgets::StageData plantedStage(int plantedKey, widgets::StageData::Move move) {
  constexpr int kTokens = 8, kWidth = 64, kWindow = 4;
  widgets::StageData data;
  data.layers = 2;
  data.step = 7;
  data.stepTitle = QStringLiteral("Layer 1, step 8 of 11");
  data.row = kTokens - 1;
  data.window = kWindow;
  data.move = move;
  data.hash = QString(64, QLatin1Char('a'));
  data.highlight = {QStringLiteral("shelf")};
  for (int i = 0; i < kTokens; ++i) {
    data.tokens.append(QStringLiteral("word%1").arg(i + 1));
    widgets::StageCell cell;
    for (int k = 0; k < kWidth; ++k) cell.values.push_back(static_cast<float>(std::sin(0.7 * k + 1.3 * i)));
    data.base.push_back(cell);
    data.output.push_back(i + 1 == kTokens ? cell : widgets::StageCell());
    widgets::StageSlot slot;
    slot.isFilled = true;
    slot.key = cell.values;
    slot.isInWindow = i > data.row - kWindow;
    if (slot.isInWindow) slot.base = 0.25;
    slot.output = i == plantedKey % kTokens ? 0.65 : 0.05;
    data.shelf.push_back(slot);
  }
  return data;
}

/// The same while a step works on both lanes.
inline widgets::StageData workingStage() {
  widgets::StageData data = plantedStage(0, widgets::StageData::Move::None);
  data.baseWorks = data.outputWorks = true;
  data.lit = {QStringLiteral("norm"), QStringLiteral("FFN")};
  data.highlight = {QStringLiteral("x'")};
  data.guesses = {{QStringLiteral("red"), 0.97}, {QStringLiteral("blue"), 0.02}};
  data.base[2].values.clear();
  data.base[3].values.clear();
  data.base[3].isUnused = true;
  return data;
}

}  // namespace orthros::test
