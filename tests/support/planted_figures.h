// Bars and facts that are known: two arms at two lengths, one of them without a time; facts of every kind.
#pragma once

#include "widgets/fact_strip.h"
#include "widgets/stack_bars.h"

namespace orthros::test {

inline widgets::StackBarsData plantedBars(int seconds) {
  widgets::StackBarsData data;
  data.title = QStringLiteral("End to end");
  data.axis = QStringLiteral("s");
  data.firstName = QStringLiteral("to the first token");
  data.secondName = QStringLiteral("the others");
  const QString transformer = QStringLiteral("transformer"), orthros = QStringLiteral("orthros");
  data.bars = {
      {QStringLiteral("1K in"), QStringLiteral("Transformer"), transformer, 2, 2, {}},
      {QStringLiteral("1K in"), QStringLiteral("Orthros"), orthros, 1.5, 2, {}},
      {QStringLiteral("4K in"), QStringLiteral("Transformer"), transformer, 0, 0,
       QStringLiteral("out of memory")},
      {QStringLiteral("4K in"), QStringLiteral("Orthros"), orthros, static_cast<double>(seconds), 2, {}}};
  return data;
}

inline QList<widgets::FactRow> plantedFacts() {
  using widgets::Role;
  return {{QStringLiteral("Orthros w=128"),
           QStringLiteral("orthros"),
           {{QStringLiteral("faster than Transformer"),
             QStringLiteral("from 1 024 tokens"),
             QStringLiteral("the 95 % interval excludes 1"),
             Role::Good,
             {}},
            {QStringLiteral("reaches 2 ×"),
             QStringLiteral("at 5 310 tokens"),
             QStringLiteral("95 %: 4 980 to 5 700"),
             Role::Text,
             {}},
            {QStringLiteral("KV cache"), QStringLiteral("not equal"), QStringLiteral("in 1 of 4 cells"),
             Role::Warn, QStringLiteral("why")}}},
          {QStringLiteral("SWA w=128"),
           QStringLiteral("swa"),
           {{QStringLiteral("faster than Transformer"),
             QStringLiteral("nowhere measured"),
             {},
             Role::Text,
             {}}}}};
}

}  // namespace orthros::test
