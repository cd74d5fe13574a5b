// What another page asks the attention page to show: these ids, read by this model as this architecture.
// Threads: plain values.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "engine/model/model.h"

namespace orthros::studio {

struct AttentionRequest {
  std::shared_ptr<const Model> model;  // open in the library
  ModelConfig config;                  // how its weights are read
  std::vector<TokenId> ids;
  QString text;               // of the ids, for the eye: encoding it may give others
  int layer = -1, head = -1;  // to look at first; -1: as the page would
};

}  // namespace orthros::studio
