// Session: going back, and attention mass on spans. Tiny checkpoints in fp32.
#include "engine/inference/session.h"

#include <numeric>

#include <gtest/gtest.h>

#include "engine/inference/attention_rows.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

constexpr const char* kOrthros = "tiny/orthros-llama-w4-s2-so";

class SessionTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    model_ = test::load_fixture(kOrthros);
    ASSERT_NE(model_, nullptr);
    ids_ = test::read_expected(test::fixtures() / kOrthros / "logits.safetensors").ids[0];
    const auto architecture = parse_architecture(GetParam());
    ASSERT_TRUE(architecture);
    const auto config = with_architecture(model_->config(), *architecture, WindowSpec{4, 2});
    ASSERT_TRUE(config) << config.error().line();
    config_ = *config;
  }

  Session open(int64_t chunk = 8, bool keep_all = true) const {
    SessionOptions options;
    options.capacity = std::ssize(ids_) + 8;
    options.chunk = chunk;
    options.keep_all_keys = keep_all;
    auto session = Session::create(model_, config_, options);
    EXPECT_TRUE(session) << session.error().line();
    return std::move(*session);
  }

  static std::vector<float> copy(std::span<const float> logits) { return {logits.begin(), logits.end()}; }

  std::shared_ptr<const Model> model_;
  ModelConfig config_;
  std::vector<TokenId> ids_;
};

TEST_P(SessionTest, AnotherContinuationAfterRewindIsThatOfAFreshSession) {
  Session used = open();
  ASSERT_TRUE(used.prefill({ids_}));
  ASSERT_TRUE(used.step({3}));
  ASSERT_TRUE(used.step({5}));
  const std::vector<float> first = copy(used.logits());
  ASSERT_TRUE(used.rewind(std::ssize(ids_)));
  EXPECT_TRUE(used.logits().empty());
  EXPECT_EQ(used.length(), std::ssize(ids_));
  ASSERT_TRUE(used.step({7}));
  ASSERT_TRUE(used.step({5}));

  Session fresh = open();
  ASSERT_TRUE(fresh.prefill({ids_}));
  ASSERT_TRUE(fresh.step({7}));
  ASSERT_TRUE(fresh.step({5}));
  EXPECT_EQ(copy(used.logits()), copy(fresh.logits()));
  EXPECT_NE(copy(used.logits()), first);  // the token cut off does matter
}

TEST_P(SessionTest, RewindToNothingIsANewSession) {
  Session used = open();
  ASSERT_TRUE(used.prefill({ids_}));
  const std::vector<float> first = copy(used.logits());
  ASSERT_TRUE(used.rewind(0));
  ASSERT_TRUE(used.prefill({ids_}));
  EXPECT_EQ(copy(used.logits()), first);
}

TEST_P(SessionTest, RewindRefusesWhatIsNotThere) {
  Session session = open();
  ASSERT_TRUE(session.prefill({ids_}));
  EXPECT_EQ(session.rewind(std::ssize(ids_) + 1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(session.rewind(-1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(session.length(), std::ssize(ids_));
}

TEST_P(SessionTest, SpanMassIsTheSumOfTheRowAndChangesNothing) {
  const auto tokens = std::ssize(ids_);
  Session plain = open();
  ASSERT_TRUE(plain.prefill({ids_}));
  SpanMass mass;
  mass.spans = {{1, 3}, {tokens - 3, tokens - 1}};
  Session watched = open();
  ASSERT_TRUE(watched.prefill({ids_}, {}, {}, &mass));
  EXPECT_EQ(copy(plain.logits()), copy(watched.logits()));

  ASSERT_EQ(std::ssize(mass.mass), config_.num_hidden_layers * config_.num_attention_heads);
  bool any = false;
  for (int64_t layer = 0; layer < config_.num_hidden_layers; ++layer) {
    for (int64_t head = 0; head < config_.num_attention_heads; ++head) {
      AttentionRowsRequest request;
      request.ids = ids_;
      request.layer = layer;
      request.head = head;
      request.stream = config_.has_output_stream() ? StreamKind::output : StreamKind::base;
      request.chunk = 8;
      const auto rows = attention_rows(model_, config_, request);
      ASSERT_TRUE(rows) << rows.error().line();
      double expected = 0;
      for (const KeyRange& span : mass.spans) {
        expected =
            std::accumulate(rows->weights.begin() + span.begin, rows->weights.begin() + span.end, expected);
      }
      const float got = mass.mass[static_cast<size_t>(layer * config_.num_attention_heads + head)];
      EXPECT_NEAR(got, expected, 1e-6) << "layer " << layer << " head " << head;
      const double shifted = std::accumulate(rows->weights.begin() + 2, rows->weights.begin() + 4, 0.0) +
                             std::accumulate(rows->weights.end() - 2, rows->weights.end(), 0.0);
      any = any || std::abs(shifted - got) > 1e-3;
    }
  }
  EXPECT_TRUE(any) << "a span one key off would pass too";
}

TEST_P(SessionTest, SpanMassRefusesSpansOutsideAndForgetfulSessions) {
  SpanMass outside;
  outside.spans = {{0, std::ssize(ids_) + 1}};
  Session session = open();
  EXPECT_EQ(session.prefill({ids_}, {}, {}, &outside).error().code, ErrorCode::invalid_argument);
  SpanMass inside;
  inside.spans = {{0, 1}};
  Session forgetful = open(8, false);
  EXPECT_EQ(forgetful.prefill({ids_}, {}, {}, &inside).error().code, ErrorCode::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Architectures, SessionTest, ::testing::Values("transformer", "swa", "orthros"));

// A window-only cache forgets; going back further than it remembers must be refused, not answered wrongly.
TEST(SessionRewind, AForgetfulCacheRefusesToGoBackTooFar) {
  const auto model = test::load_fixture(kOrthros);
  ASSERT_NE(model, nullptr);
  const auto config = with_architecture(model->config(), Architecture::swa, WindowSpec{4, 2});
  ASSERT_TRUE(config);
  SessionOptions options;
  options.capacity = 64;
  options.chunk = 4;
  auto session = Session::create(model, *config, options);
  ASSERT_TRUE(session);
  std::vector<TokenId> ids(40);
  std::iota(ids.begin(), ids.end(), 1);
  ASSERT_TRUE(session->prefill({ids}));
  const auto refused = session->rewind(12);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(session->length(), 40);
  EXPECT_TRUE(session->rewind(40));
}

}  // namespace
}  // namespace orthros
