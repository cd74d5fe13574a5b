// What tokenizer.json adds around the ids of a text: TemplateProcessing (Llama-3's BOS), alone or in a
// Sequence; ByteLevel changes offsets only. Errors: unsupported names any other. Threads: apply is const.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/json.h"

namespace orthros {

class PostProcessor {
 public:
  static Result<PostProcessor> from_json(const Json* config);

  /// Ids put before and after those of a text.
  const std::vector<int64_t>& prefix() const { return prefix_; }
  const std::vector<int64_t>& suffix() const { return suffix_; }

 private:
  Result<void> add(const Json& config, int depth);
  Result<void> add_template(const Json& config);

  std::vector<int64_t> prefix_, suffix_;
};

}  // namespace orthros
