// Needle prompts on the real SmolLM2 tokenizer, from a GGUF file that is not in the repository:
// ORTHROS_SMOLLM2_GGUF names it.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tasks/sentence_source.h"
#include "tests/engine/tasks/prompt_checks.h"

namespace orthros {
namespace {

using test::value_or_fail;

TEST(SmolLm2Prompts, HoldWhatTheyPromiseUpTo16KIds) {
  const char* path = std::getenv("ORTHROS_SMOLLM2_GGUF");
  if (path == nullptr || *path == '\0') GTEST_SKIP() << "ORTHROS_SMOLLM2_GGUF does not name the GGUF file";
  const TextCodec codec =
      test::codec_of(value_or_fail(Tokenizer::from_gguf(value_or_fail(GgufFile::open(path)))));
  for (const NeedleVariant variant :
       {NeedleVariant::passkey, NeedleVariant::word_number, NeedleVariant::uuid, NeedleVariant::key_value,
        NeedleVariant::multi_key, NeedleVariant::multi_value, NeedleVariant::k_needles}) {
    NeedleTaskSpec spec;
    spec.variant = variant;
    const auto task = value_or_fail(NeedleTask::create(spec, codec));
    for (const int64_t length : {int64_t{128}, int64_t{1024}, int64_t{16384}}) {
      for (const int64_t depth : {0, 500'000, 1'000'000}) {
        const auto prompt =
            value_or_fail(task->build({length, depth, static_cast<uint64_t>(length + depth)}));
        EXPECT_THAT(test::violations(prompt, length, codec), ::testing::IsEmpty()) << task->generator();
      }
    }
  }
  const auto source = value_or_fail(Haystack::create(HaystackKind::filler))->sentences(1, {});
  size_t ids = 0;
  for (int i = 0; i < 1000; ++i) ids += value_or_fail(codec.encode(source->next())).size();
  EXPECT_GT(ids, 100'000u / 6) << "6000 sentences no longer hold 100K tokens";
}

}  // namespace
}  // namespace orthros
