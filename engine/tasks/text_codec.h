// TextCodec: how a task turns text into token ids and back, without knowing any tokenizer.
// Units: token ids. Threads: the functions must allow concurrent calls. Public: no torch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

struct TextCodec {
  /// Without special tokens; a text is always the same ids.
  std::function<Result<std::vector<int64_t>>(std::string_view text)> encode;
  std::function<Result<std::string>(const std::vector<int64_t>& ids)> decode;
  std::vector<int64_t> prefix;  // what every sequence begins with: BOS, or nothing
};

}  // namespace orthros
