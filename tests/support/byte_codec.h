// byte_codec: the simplest tokenizer there is, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/tasks/text_codec.h"

namespace orthros::test {

/// A byte is an id; 256 begins every sequence and is no text.
inline TextCodec byte_codec() {
  TextCodec codec;
  codec.encode = [](std::string_view text) -> Result<std::vector<int64_t>> {
    std::vector<int64_t> ids;
    for (const char c : text) ids.push_back(static_cast<uint8_t>(c));
    return ids;
  };
  codec.decode = [](const std::vector<int64_t>& ids) -> Result<std::string> {
    std::string text;
    for (const int64_t id : ids) {
      if (id < 256) text += static_cast<char>(id);
    }
    return text;
  };
  codec.prefix = {256};
  return codec;
}

}  // namespace orthros::test
