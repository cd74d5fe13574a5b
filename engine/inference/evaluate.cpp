#include "engine/inference/evaluate.h"

#include <algorithm>
#include <numeric>

#include <ATen/ATen.h>

#include "engine/inference/runner.h"
#include "engine/inference/sampler.h"
#include "engine/mixers/torch_guard.h"

namespace orthros {
namespace {

// Rows of the LM head's product at a time: 64 rows of a 150,000 word vocabulary are 38 MB.
constexpr int64_t kLogitRows = 64;

class Evaluation {
 public:
  Evaluation(const EvaluateRequest& request, const LogitsSink& sink, Runner& runner,
             std::vector<int64_t> rows)
      : request_(request), sink_(sink), runner_(runner), rows_(std::move(rows)) {}

  Result<void> run(const StopToken& stop, const ProgressSink& progress) {
    const bool decode = request_.regime == Regime::decode;
    const auto tokens = static_cast<int64_t>(request_.ids.size());
    const int64_t chunk = decode ? 1 : request_.chunk;
    const Batch batch{request_.ids};
    for (int64_t begin = 0; begin < tokens; begin += chunk) {
      const int64_t count = std::min(chunk, tokens - begin);
      Runner::Advance how;
      how.pair = decode;
      how.wanted = predicting_offsets(begin, count);
      ORTHROS_TRY(const at::Tensor hidden, runner_.advance(batch, begin, count, how, stop));
      ORTHROS_TRY_VOID(emit(hidden, begin, how.wanted));
      report(progress, "evaluate", begin + count, tokens);
    }
    return {};
  }

 private:
  // A regime fixes where output rows exist, whatever rows the caller asks logits of. Plain models have none.
  RowOffsets predicting_offsets(int64_t begin, int64_t count) const {
    const auto tokens = static_cast<int64_t>(request_.ids.size());
    RowOffsets offsets;
    if (runner_.decoder().has_output_stream()) {
      for (const int64_t t : regime_rows(request_.regime, tokens, request_.prompt_length)) {
        if (t >= begin && t < begin + count) offsets.push_back(t - begin);
      }
    } else {
      const auto first = std::ranges::lower_bound(rows_, begin);
      const auto last = std::ranges::lower_bound(rows_, begin + count);
      for (auto row = first; row != last; ++row) offsets.push_back(*row - begin);
    }
    return offsets;
  }

  Result<void> emit(const at::Tensor& hidden, int64_t begin, const RowOffsets& offsets) {
    std::vector<int64_t> index;
    std::vector<int64_t> positions;
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (!std::ranges::binary_search(rows_, begin + offsets[i])) continue;
      index.push_back(static_cast<int64_t>(i));
      positions.push_back(begin + offsets[i]);
    }
    for (size_t first = 0; first < index.size(); first += kLogitRows) {
      const size_t count = std::min<size_t>(kLogitRows, index.size() - first);
      ORTHROS_TRY(const at::Tensor logits, logits_of(hidden, {index.data() + first, count}));
      for (size_t i = 0; i < count; ++i) {
        const auto size = static_cast<size_t>(logits.size(1));
        ORTHROS_TRY_VOID(sink_(positions[first + i], {logits.const_data_ptr<float>() + i * size, size}));
      }
    }
    return {};
  }

  Result<at::Tensor> logits_of(const at::Tensor& hidden, std::span<const int64_t> index) const {
    return run_guarded("computing logits", [&]() -> Result<at::Tensor> {
      const c10::InferenceMode inference;
      const at::Tensor rows = hidden.index_select(0, at::tensor(at::IntArrayRef(index.data(), index.size())));
      const Decoder& decoder = runner_.decoder();
      return decoder.logits(rows.to(decoder.row_type(rows.size(0)))).contiguous();
    });
  }

  const EvaluateRequest& request_;
  const LogitsSink& sink_;
  Runner& runner_;
  std::vector<int64_t> rows_;
};

Result<std::vector<int64_t>> wanted_rows(const EvaluateRequest& request) {
  const auto tokens = static_cast<int64_t>(request.ids.size());
  if (request.regime == Regime::sft && (request.prompt_length < 1 || request.prompt_length > tokens)) {
    return fail(ErrorCode::invalid_argument, "the sft regime needs a prompt length from 1 to {}, not {}",
                tokens, request.prompt_length);
  }
  std::vector<int64_t> available = regime_rows(request.regime, tokens, request.prompt_length);
  if (request.rows.empty() || request.regime == Regime::prefill) return available;
  for (const int64_t row : request.rows) {
    if (!std::ranges::binary_search(available, row)) {
      return fail(ErrorCode::invalid_argument,
                  "row {} is no prediction position of the {} regime for {} tokens", row,
                  to_string(request.regime), tokens);
    }
  }
  std::vector<int64_t> rows = request.rows;
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

std::vector<int64_t> regime_rows(Regime regime, int64_t tokens, int64_t prompt_length) {
  int64_t first = 0;
  if (regime == Regime::sft) first = prompt_length - 1;
  if (regime == Regime::prefill) first = tokens - 1;
  std::vector<int64_t> rows(static_cast<size_t>(std::max<int64_t>(0, tokens - first)));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

Result<void> evaluate(std::shared_ptr<const Model> model, const ModelConfig& config,
                      const EvaluateRequest& request, const LogitsSink& sink, const StopToken& stop,
                      const ProgressSink& progress) {
  if (request.ids.empty()) {
    return fail(Error{ErrorCode::invalid_argument, "the prompt is empty", "give at least one token"});
  }
  ORTHROS_TRY(std::vector<int64_t> rows, wanted_rows(request));
  SessionOptions options;
  options.capacity = static_cast<int64_t>(request.ids.size());
  options.chunk = request.chunk;
  ORTHROS_TRY(const std::unique_ptr<Runner> runner, Runner::create(std::move(model), config, options));
  ORTHROS_TRY_VOID(runner->check_batch({request.ids}));
  return Evaluation(request, sink, *runner, std::move(rows)).run(stop, progress);
}

Result<std::vector<TokenNll>> token_nll(std::shared_ptr<const Model> model, const ModelConfig& config,
                                        const EvaluateRequest& request, const StopToken& stop,
                                        const ProgressSink& progress) {
  const auto tokens = static_cast<int64_t>(request.ids.size());
  if (tokens < 2) {
    return fail(ErrorCode::invalid_argument, "{} token{} given; a likelihood needs at least 2", tokens,
                tokens == 1 ? "" : "s");
  }
  std::vector<TokenNll> result;
  const LogitsSink sink = [&](int64_t position, std::span<const float> logits) -> Result<void> {
    if (position + 1 < tokens) {
      const TokenId next = request.ids[static_cast<size_t>(position + 1)];
      result.push_back({position + 1, -log_probability(logits, next)});
    }
    return {};
  };
  ORTHROS_TRY_VOID(evaluate(std::move(model), config, request, sink, stop, progress));
  return result;
}

}  // namespace orthros
