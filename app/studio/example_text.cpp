#include "app/studio/example_text.h"

#include <QCoreApplication>

namespace orthros::studio {

QString exampleText() {
  return QCoreApplication::translate(
      "Example",
      "Mara kept the lighthouse on Gull Island. Each evening she climbed the "
      "ninety-one steps, lit the lamp, and wrote the weather in a green notebook. In "
      "the morning a fishing boat lay on the rocks below, and in it she found a grey "
      "cat, a sack of oranges and a letter. The letter asked her to keep the cat, "
      "whose name was Admiral. The carpenter came after nine days and mended the "
      "window. The name of the cat was");
}

}  // namespace orthros::studio
