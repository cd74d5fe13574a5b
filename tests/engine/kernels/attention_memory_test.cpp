// Attention that cannot have its working memory says so to the caller, whatever thread was refused.
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "engine/kernels/attention.h"

namespace orthros::kernels {
namespace {

TEST(AttentionMemory, ScratchThatCannotBeHadThrowsBadAlloc) {
  // Beyond any address space, so that no machine grants it; nothing is read before the refusal.
  std::vector<float> unused(8, 0.0f);
  const int64_t position = 0;
  for (const int64_t heads : {1, 8}) {  // one work item, and a parallel region of several
    AttentionArgs args;
    args.num_heads = args.num_kv_heads = heads;
    args.head_dim = int64_t{1} << 45;
    args.num_queries = args.num_keys = 1;
    args.positions = &position;
    args.q = args.k = args.v = unused.data();
    args.out = unused.data();
    EXPECT_THROW(attention_forward(args), std::bad_alloc);
  }
}

TEST(AttentionMemory, TheNextCallWorksAgain) {
  const std::vector<float> q(64, 1.0f), k(64, 0.5f), v(64, 3.0f);
  std::vector<float> out(64, -1.0f);
  const int64_t position = 0;
  AttentionArgs args;
  args.num_heads = args.num_kv_heads = args.num_queries = args.num_keys = 1;
  args.head_dim = int64_t{1} << 45;
  args.positions = &position;
  args.q = q.data();
  args.k = k.data();
  args.v = v.data();
  args.out = out.data();
  ASSERT_THROW(attention_forward(args), std::bad_alloc);
  args.head_dim = 64;
  attention_forward(args);
  EXPECT_EQ(out, v);  // one key: its value
}

}  // namespace
}  // namespace orthros::kernels
