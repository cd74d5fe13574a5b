// The invariants of ORTHROS.md, on tiny models.
#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "engine/inference/attention_rows.h"
#include "engine/inference/runner.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

using test::evaluate_rows;
using test::load_fixture;
using test::LogitRows;
using test::max_difference;
using test::read_expected;

constexpr const char* kOrthros = "tiny/orthros-llama-w4-s2-so";

class Invariants : public ::testing::Test {
 protected:
  void SetUp() override {
    model_ = load_fixture(kOrthros);
    ASSERT_NE(model_, nullptr);
    ids_ = read_expected(test::fixtures() / kOrthros / "logits.safetensors").ids[0];
  }

  int64_t tokens() const { return static_cast<int64_t>(ids_.size()); }

  std::unique_ptr<Runner> make_runner(const ModelConfig& config, bool poison = true) const {
    SessionOptions options;
    options.capacity = tokens();
    auto runner = Runner::create(model_, config, options);
    EXPECT_TRUE(runner) << runner.error().line();
    if (poison) {
      const c10::InferenceMode inference;
      for (LayerState& state : (*runner)->states()) {
        state.kv.k().fill_(NAN);
        state.kv.v().fill_(NAN);
      }
    }
    return std::move(*runner);
  }

  // Feeds all ids in chunks; output rows as `wanted` says for each chunk.
  void feed(Runner& runner, int64_t chunk, const std::function<RowOffsets(int64_t, int64_t)>& wanted,
            bool pair = false, bool output_on = true) const {
    for (int64_t begin = 0; begin < tokens(); begin += chunk) {
      const int64_t count = std::min(chunk, tokens() - begin);
      Runner::Advance how;
      how.wanted = wanted(begin, count);
      how.pair = pair;
      how.output_on = output_on;
      const auto rows = runner.advance({ids_}, begin, count, how, {});
      ASSERT_TRUE(rows) << rows.error().line();
    }
  }

  static bool same_bits(const Runner& a, const Runner& b) {
    for (size_t i = 0; i < a.states().size(); ++i) {
      const int64_t n = a.states()[i].kv.num_slots();
      if (n != b.states()[i].kv.num_slots()) return false;
      if (!at::equal(a.states()[i].kv.k().narrow(2, 0, n), b.states()[i].kv.k().narrow(2, 0, n))) return false;
      if (!at::equal(a.states()[i].kv.v().narrow(2, 0, n), b.states()[i].kv.v().narrow(2, 0, n))) return false;
    }
    return true;
  }

  std::shared_ptr<const Model> model_;
  std::vector<TokenId> ids_;
};

const auto kEvery = [](int64_t, int64_t count) {
  RowOffsets all;
  for (int64_t i = 0; i < count; ++i) all.push_back(i);
  return all;
};
const auto kNone = [](int64_t, int64_t) { return RowOffsets{}; };

// 1: which keys each stream reads, from the attention rows themselves.
TEST_F(Invariants, SupportOfBothStreams) {
  const WindowSpec window = model_->config().layers.front().window;
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    AttentionRowsRequest request;
    request.ids = ids_;
    request.stream = stream;
    for (int64_t t = 0; t < tokens(); ++t) request.rows.push_back(t);
    const auto rows = attention_rows(model_, model_->config(), request);
    ASSERT_TRUE(rows) << rows.error().line();
    for (int64_t t = 0; t < tokens(); ++t) {
      for (int64_t key = 0; key < tokens(); ++key) {
        const float weight = rows->weights[static_cast<size_t>(t * tokens() + key)];
        const bool visible = stream == StreamKind::base ? window.sees(t, key) : key <= t;
        EXPECT_EQ(weight > 0, visible) << "row " << t << " key " << key;
      }
    }
  }
}

// 2: a window that covers everything and identity scale-offset give the plain Transformer.
TEST(Equivalence, WideWindowIsTheTransformer) {
  const auto model = load_fixture("tiny/qwen3-gqa");
  ASSERT_NE(model, nullptr);
  const auto expected = read_expected(test::fixtures() / "tiny/qwen3-gqa/logits.safetensors");
  EvaluateRequest request;
  request.ids = expected.ids[0];
  const auto tokens = static_cast<int64_t>(request.ids.size());
  const LogitRows plain = evaluate_rows(model, model->config(), request);
  const auto wide = with_architecture(model->config(), Architecture::orthros, WindowSpec{tokens, 0});
  const auto narrow = with_architecture(model->config(), Architecture::orthros, WindowSpec{tokens - 2, 0});
  ASSERT_TRUE(wide && narrow);
  EXPECT_LT(max_difference(plain, evaluate_rows(model, *wide, request)), 1e-4);
  EXPECT_GT(max_difference(plain, evaluate_rows(model, *narrow, request)), 1e-4);
}

// 3: every regime and every chunking give the same logits.
TEST_F(Invariants, RegimesAgree) {
  EvaluateRequest request;
  request.ids = ids_;
  const LogitRows pt = evaluate_rows(model_, model_->config(), request);
  ASSERT_EQ(static_cast<int64_t>(pt.size()), tokens());
  for (const Regime regime : {Regime::sft, Regime::prefill, Regime::decode}) {
    for (const int64_t chunk : {1, 5, 16, 17, 512}) {
      request.regime = regime;
      request.chunk = chunk;
      request.prompt_length = 9;
      const LogitRows rows = evaluate_rows(model_, model_->config(), request);
      EXPECT_EQ(static_cast<int64_t>(rows.size()),
                regime == Regime::prefill ? 1 : regime == Regime::sft ? tokens() - 8 : tokens());
      EXPECT_LT(max_difference(rows, pt), 1e-4) << to_string(regime) << " chunk " << chunk;
    }
  }
}

// 4: the base cache does not know whether output rows exist.
TEST_F(Invariants, BaseCacheIsBitIdenticalWithOutputOnOrOff) {
  for (const int64_t chunk : {6, 20, 64}) {
    const auto off = make_runner(model_->config());
    const auto all = make_runner(model_->config());
    const auto last = make_runner(model_->config());
    const auto sft = make_runner(model_->config());
    feed(*sft, chunk, [](int64_t begin, int64_t count) {
      RowOffsets answer;  // the rows behind a prompt of 9 tokens
      for (int64_t i = std::max<int64_t>(0, 8 - begin); i < count; ++i) answer.push_back(i);
      return answer;
    });
    feed(*off, chunk, kNone);
    feed(*all, chunk, kEvery);
    feed(*last, chunk, [this](int64_t begin, int64_t count) {
      return begin + count == tokens() ? RowOffsets{count - 1} : RowOffsets{};
    });
    EXPECT_TRUE(same_bits(*off, *all)) << "chunk " << chunk;
    EXPECT_TRUE(same_bits(*off, *last)) << "chunk " << chunk;
    EXPECT_TRUE(same_bits(*off, *sft)) << "chunk " << chunk;
  }
}

TEST_F(Invariants, DecodeCacheIsBitIdenticalWithOutputOnOrOff) {
  const auto on = make_runner(model_->config());
  const auto off = make_runner(model_->config());
  feed(*on, 1, kEvery, /*pair=*/true, /*output_on=*/true);
  feed(*off, 1, kEvery, /*pair=*/true, /*output_on=*/false);
  EXPECT_TRUE(same_bits(*on, *off));
  // The comparison can fail: another token is another cache.
  ids_.back() = (ids_.back() + 1) % model_->config().vocab_size;
  const auto other = make_runner(model_->config());
  feed(*other, 1, kEvery, true, true);
  EXPECT_FALSE(same_bits(*on, *other));
}

TEST_F(Invariants, ChunkingMovesTheCacheByRoundingOnly) {
  const auto whole = make_runner(model_->config());
  const auto parts = make_runner(model_->config());
  feed(*whole, 64, kNone);
  feed(*parts, 7, kNone);
  for (size_t i = 0; i < whole->states().size(); ++i) {
    const auto difference = (whole->states()[i].kv.k().narrow(2, 0, tokens()) -
                             parts->states()[i].kv.k().narrow(2, 0, tokens())).abs().max().item<float>();
    EXPECT_LT(difference, 1e-5);
  }
}

// 5: nothing later changes anything earlier.
TEST_F(Invariants, Causality) {
  EvaluateRequest request;
  request.ids = ids_;
  const LogitRows before = evaluate_rows(model_, model_->config(), request);
  const int64_t changed = 20;
  request.ids[changed] = (request.ids[changed] + 1) % model_->config().vocab_size;
  const LogitRows after = evaluate_rows(model_, model_->config(), request);
  for (int64_t t = 0; t < tokens(); ++t) {
    if (t < changed) EXPECT_EQ(before.at(t), after.at(t)) << t;
    else EXPECT_NE(before.at(t), after.at(t)) << t;
  }
}

// 6: nothing is evicted in Orthros; the SWA baseline forgets and still answers the same.
TEST_F(Invariants, CacheLengthIsTheNumberOfBaseTokens) {
  const auto runner = make_runner(model_->config());
  feed(*runner, 5, kNone);
  for (const LayerState& state : runner->states()) {
    EXPECT_EQ(state.kv.length(), tokens());
    EXPECT_EQ(state.kv.num_slots(), tokens());
  }
  const auto swa = with_architecture(model_->config(), Architecture::swa, WindowSpec{4, 2});
  ASSERT_TRUE(swa);
  SessionOptions options;
  options.capacity = tokens();
  options.chunk = 3;
  auto forgetting = Runner::create(model_, *swa, options);
  ASSERT_TRUE(forgetting);
  feed(**forgetting, 3, kEvery);
  EXPECT_EQ((*forgetting)->states().front().kv.length(), tokens());
  EXPECT_LE((*forgetting)->states().front().kv.num_slots(), 4 + 2 + 3);
}

// 7: both streams enter the first layer as the same embedding, so with one scale-offset their queries are equal.
TEST(FirstLayer, BothStreamsEnterAlike) {
  const auto model = load_fixture("tiny/orthros-llama-w4-s0");
  ASSERT_NE(model, nullptr);
  struct Queries final : AttentionObserver {
    at::Tensor base, output;
    bool wants(int64_t layer, StreamKind) const override { return layer == 0; }
    void on_attention(const AttentionEvent& event) override {
      (event.stream == StreamKind::base ? base : output) = event.q_BTHD.clone();
    }
  } queries;
  SessionOptions options;
  options.capacity = 24;
  auto runner = Runner::create(model, model->config(), options);
  ASSERT_TRUE(runner);
  std::vector<TokenId> ids;
  for (int64_t i = 0; i < 24; ++i) ids.push_back(i % model->config().vocab_size);
  Runner::Advance how;
  how.wanted = kEvery(0, 24);
  how.observer = &queries;
  ASSERT_TRUE((*runner)->advance({ids}, 0, 24, how, {}));
  EXPECT_TRUE(at::equal(queries.base, queries.output));
}

// 8: shown rows are the engine's own softmax.
TEST_F(Invariants, RowsSumToOneAndGiveTheEnginesOutput) {
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t layer = 0; layer < model_->config().num_hidden_layers; ++layer) {
      AttentionRowsRequest request;
      request.ids = ids_;
      request.layer = layer;
      request.head = model_->config().num_attention_heads - 1;
      request.stream = stream;
      request.chunk = 9;
      for (int64_t t = 0; t < tokens(); ++t) request.rows.push_back(t);
      const auto rows = attention_rows(model_, model_->config(), request);
      ASSERT_TRUE(rows) << rows.error().line();
      EXPECT_EQ(static_cast<int64_t>(rows->positions.size()), tokens());
      EXPECT_LT(rows->max_sum_error, 1e-5);
      EXPECT_LT(rows->max_output_error, 1e-5);
      const bool last = layer + 1 == model_->config().num_hidden_layers;
      EXPECT_EQ(rows->used_by_model, stream == StreamKind::output || !last);
    }
  }
}

// Watching never changes the run.
TEST_F(Invariants, WatchingChangesNoBit) {
  struct Everything final : AttentionObserver {
    int events = 0;
    bool wants(int64_t, StreamKind) const override { return true; }
    void on_attention(const AttentionEvent&) override { ++events; }
  } everything;
  Runner::Advance how;
  how.wanted = kEvery(0, tokens());
  const auto plain = make_runner(model_->config());
  const auto watched = make_runner(model_->config());
  const auto expected = plain->advance({ids_}, 0, tokens(), how, {});
  how.observer = &everything;
  const auto actual = watched->advance({ids_}, 0, tokens(), how, {});
  ASSERT_TRUE(expected && actual);
  EXPECT_EQ(everything.events, 2 * model_->config().num_hidden_layers);
  EXPECT_TRUE(at::equal(*expected, *actual));
  EXPECT_TRUE(same_bits(*plain, *watched));
}

}  // namespace
}  // namespace orthros
