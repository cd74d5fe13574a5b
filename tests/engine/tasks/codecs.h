// Codecs for the tests of tasks: bytes, and tokenizers of tests/fixtures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/tasks/text_codec.h"
#include "tests/engine/formats/tokenizer_fixture.h"
#include "tests/support/byte_codec.h"

namespace orthros::test {

inline TextCodec codec_of(Tokenizer tokenizer) {
  const auto shared = std::make_shared<const Tokenizer>(std::move(tokenizer));
  TextCodec codec;
  codec.encode = [shared](std::string_view text) { return shared->encode(text, false); };
  codec.decode = [shared](const std::vector<int64_t>& ids) { return shared->decode(ids); };
  if (shared->bos()) codec.prefix = {*shared->bos()};
  return codec;
}

inline TextCodec fixture_codec(const std::string& name) {
  return name == "bytes" ? byte_codec() : codec_of(load_json(name));
}

inline std::string text_of(const TextCodec& codec, const std::vector<int64_t>& ids, int64_t begin,
                           int64_t end) {
  return value_or_fail(codec.decode({ids.begin() + begin, ids.begin() + end}));
}

}  // namespace orthros::test
