// Captured queries are the engine's own: before scale-offset x W_Q, after it alpha * (x W_Q) + beta, each
// stream with its own pair, by a plain reference; and what follows from the second is the query that attends.
#include <cmath>

#include <gtest/gtest.h>

#include "engine/inference/attention_record.h"
#include "engine/inference/pass_trace.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

constexpr int64_t kTokens = 11;
constexpr double kClose = 2e-5;

AttentionRecordRequest request_of(CaptureLevel level) {
  AttentionRecordRequest request;
  for (int64_t i = 0; i < kTokens; ++i) request.ids.push_back((i * 7 + 3) % 50);
  request.level = level;
  request.layer = 1;
  request.chunk = 4;
  return request;
}

AttentionRecord record_of(const std::shared_ptr<const Model>& model, CaptureLevel level) {
  auto record = attention_record(model, model->config(), request_of(level));
  EXPECT_TRUE(record) << record.error().line();
  EXPECT_EQ(record->bytes(), record_bytes(model->config(), request_of(level)));
  return std::move(*record);
}

/// How a reference goes wrong.
enum class Mistake { none, swapped, other_stream, no_offset };

class Reference {
 public:
  explicit Reference(const std::shared_ptr<const Model>& model) : config_(model->config()) {
    auto trace = trace_pass(model, config_, {request_of(CaptureLevel::c3).ids, Regime::pt, 0, true});
    EXPECT_TRUE(trace) << trace.error().line();
    trace_ = std::move(*trace);
    auto weights = traced_weights(*model);
    EXPECT_TRUE(weights) << weights.error().line();
    weights_ = std::move(*weights);
  }

  double projected(StreamKind stream, int64_t layer, int64_t t, int64_t column) const {
    const std::span<const float> in = traced(stream, layer)[PassTensor::normed].row(t);
    const std::span<const float> w = weights_.layers[static_cast<size_t>(layer)].query.row(column);
    double sum = 0;
    for (size_t i = 0; i < in.size(); ++i) sum += static_cast<double>(in[i]) * static_cast<double>(w[i]);
    return sum;
  }

  double scaled(StreamKind stream, int64_t layer, int64_t t, int64_t column, Mistake mistake) const {
    const TracedWeights::Layer& w = weights_.layers[static_cast<size_t>(layer)];
    const bool output = (stream == StreamKind::output) != (mistake == Mistake::other_stream);
    double scale = static_cast<double>((output ? w.alpha_out : w.alpha)[static_cast<size_t>(column)]);
    double offset = static_cast<double>((output ? w.beta_out : w.beta)[static_cast<size_t>(column)]);
    if (mistake == Mistake::swapped) std::swap(scale, offset);
    if (mistake == Mistake::no_offset) offset = 0;
    return scale * projected(stream, layer, t, column) + offset;
  }

  const StreamTrace& traced(StreamKind stream, int64_t layer) const {
    return trace_.layers[static_cast<size_t>(layer)].stream(stream);
  }

  /// The rotation (rotate-half) of a head's vector at a position.
  std::vector<double> rotated(std::span<const float> q, int64_t t) const {
    const size_t half = q.size() / 2;
    std::vector<double> result(q.size());
    for (size_t i = 0; i < half; ++i) {
      const double cos = trace_.cos.row(t)[i], sin = trace_.sin.row(t)[i];
      result[i] = q[i] * cos - q[i + half] * sin;
      result[i + half] = q[i + half] * cos + q[i] * sin;
    }
    return result;
  }

 private:
  ModelConfig config_;
  PassTrace trace_;
  TracedWeights weights_;
};

/// Largest differences of all captured queries to the reference.
struct Differences {
  double projected = 0, scaled = 0;
};

Differences compare(const AttentionRecord& record, const Reference& reference, Mistake mistake) {
  Differences worst;
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t layer = 0; layer < record.layers; ++layer) {
      for (int64_t t = 0; t < kTokens; ++t) {
        for (int64_t column = 0; column < record.heads * record.head_dim; ++column) {
          const QueryRow own = record.query(stream, layer, column / record.head_dim, t);
          if (std::ssize(own.projected) != record.head_dim || std::ssize(own.scaled) != record.head_dim)
            return {INFINITY, INFINITY};
          const auto i = static_cast<size_t>(column % record.head_dim);
          const double before = std::abs(own.projected[i] - reference.projected(stream, layer, t, column));
          const double after = std::abs(own.scaled[i] - reference.scaled(stream, layer, t, column, mistake));
          worst.projected = std::isnan(before) ? INFINITY : std::max(worst.projected, before);
          worst.scaled = std::isnan(after) ? INFINITY : std::max(worst.scaled, after);
        }
      }
    }
  }
  return worst;
}

class QueryCapture : public ::testing::TestWithParam<const char*> {};

TEST_P(QueryCapture, BeforeAndAfterScaleOffsetAreTheReference) {
  const auto model = test::load_fixture(GetParam());
  ASSERT_TRUE(model);
  const AttentionRecord record = record_of(model, CaptureLevel::c3);
  const Reference reference(model);
  const Differences right = compare(record, reference, Mistake::none);
  EXPECT_LE(right.projected, kClose);
  EXPECT_LE(right.scaled, kClose);
  for (const Mistake mistake : {Mistake::swapped, Mistake::other_stream, Mistake::no_offset})
    EXPECT_GT(compare(record, reference, mistake).scaled, 100 * kClose) << static_cast<int>(mistake);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, QueryCapture,
                         ::testing::Values("tiny/orthros-llama-w4-s2-so", "tiny/orthros-llama-w4-s0-so",
                                           "tiny/orthros-qwen3-w4-s0-so"));

// Without a q-norm the rotation alone lies between the captured query and the one that attends.
TEST(QueryCapture, RotatedItIsTheQueryThatAttends) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2-so");
  ASSERT_TRUE(model);
  const AttentionRecord record = record_of(model, CaptureLevel::c3);
  const Reference reference(model);
  double worst = 0, unscaled = 0;
  for (int64_t layer = 0; layer < record.layers; ++layer) {
    for (int64_t head = 0; head < record.heads; ++head) {
      for (int64_t t = 0; t < kTokens; ++t) {
        const QueryRow own = record.query(StreamKind::output, layer, head, t);
        const auto attends = reference.traced(StreamKind::output, layer)[PassTensor::query].row(t);
        const std::vector<double> after = reference.rotated(own.scaled, t);
        const std::vector<double> before = reference.rotated(own.projected, t);
        for (size_t i = 0; i < after.size(); ++i) {
          const double q = attends[static_cast<size_t>(head * record.head_dim) + i];
          worst = std::max(worst, std::abs(after[i] - q));
          unscaled = std::max(unscaled, std::abs(before[i] - q));
        }
      }
    }
  }
  EXPECT_LE(worst, kClose);
  EXPECT_GT(unscaled, 100 * kClose);
}

TEST(QueryCapture, LevelsKeepThemWhereRowsAreWhole) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2-so");
  ASSERT_TRUE(model);
  const AttentionRecord all = record_of(model, CaptureLevel::c3);
  const AttentionRecord one = record_of(model, CaptureLevel::c2);
  EXPECT_EQ(all.scale_offset_layers, (std::vector<int64_t>{0, 1}));
  EXPECT_TRUE(one.query(StreamKind::output, 0, 0, kTokens - 1).empty());
  EXPECT_TRUE(one.query_positions(0).empty());
  EXPECT_EQ(std::ssize(one.query_positions(1)), kTokens);
  for (const StreamKind stream : {StreamKind::base, StreamKind::output}) {
    for (int64_t t = 0; t < kTokens; ++t) {
      const QueryRow own = one.query(stream, 1, 2, t);
      ASSERT_EQ(std::ssize(own.scaled), one.head_dim);
      EXPECT_TRUE(std::ranges::equal(own.projected, all.query(stream, 1, 2, t).projected));
      EXPECT_TRUE(std::ranges::equal(own.scaled, all.query(stream, 1, 2, t).scaled));
    }
  }
  for (const CaptureLevel level : {CaptureLevel::c0, CaptureLevel::c1})
    EXPECT_TRUE(record_of(model, level).query(StreamKind::output, 1, 0, kTokens - 1).empty());
}

TEST(QueryCapture, WithoutScaleOffsetNothingIsKept) {
  const auto model = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_TRUE(model);
  const AttentionRecord record = record_of(model, CaptureLevel::c3);
  EXPECT_EQ(record.scale_offset_layers, std::vector<int64_t>());
  EXPECT_FALSE(record.has_scale_offset(0));
  EXPECT_TRUE(record.query(StreamKind::base, 0, 0, 3).empty());
  EXPECT_TRUE(record.query_positions(0).empty());
}

}  // namespace
}  // namespace orthros
