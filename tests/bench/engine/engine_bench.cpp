// Prefill and decode of a real model against ceilings measured in the same run, interleaved: median and spread.
//   bench_engine MODEL [--threads N] [--rounds R] [--weights FORMAT] [--float32] [--short]
//   bench_engine MODEL --recording [--float32] [--weights float32]     what recording costs a decode step at T = 1024
//   bench_engine MODEL --rates     one warm measurement of each figure as "NAME tok/s", for tests/bench/compare.py
// Ceilings: the model's own layer GEMMs in order (oneDNN or BLAS, compute type of the run), and a plain read of a
// buffer as large as the held weights by as many threads.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>

#include "engine/inference/runner.h"
#include "engine/inference/session.h"
#include "engine/inference/step_recorder.h"
#include "engine/kernels/machine.h"
#include "engine/mixers/compute_profile.h"
#include "engine/model/runtime.h"

namespace orthros {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Series {
  std::string name;
  std::function<double()> once;  // seconds
  std::vector<double> seconds = {};

  double quantile(double q) const {
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[static_cast<size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
  }
  double median() const { return quantile(0.5); }
};

// Takes turns, so that a slow minute of the machine hits all alike; the first round only warms up.
void run_interleaved(std::vector<Series>& series, int rounds) {
  for (int round = 0; round <= rounds; ++round) {
    for (Series& s : series) {
      const double seconds = s.once();
      if (round > 0) s.seconds.push_back(seconds);
    }
  }
}

void print(const Series& s, double tokens) {
  fmt::print("  {:<34} {:9.2f} ms (10-90 %: {:.2f}-{:.2f})  {:9.1f} tok/s\n", s.name, s.median() * 1e3,
             s.quantile(0.1) * 1e3, s.quantile(0.9) * 1e3, tokens / s.median());
}

class Bench {
 public:
  Bench(std::shared_ptr<const Model> model, int rounds) : model_(std::move(model)), rounds_(rounds) {
    orthros_ = *with_architecture(model_->config(), Architecture::orthros, WindowSpec{128, 4});
    transformer_ = *with_architecture(model_->config(), Architecture::transformer, {});
    policy_.compute_type = to_torch(model_->report().compute_type);
    policy_.mkldnn_float32 = policy_.compute_type == at::kFloat && compute_profile().prefers_mkldnn_float32();
  }

  void prefill(int64_t tokens) {
    std::vector<Series> series{{"layer GEMMs in order", [=, this] { return gemms(tokens); }},
                               {"Transformer prefill", [=, this] { return prefill_once(transformer_, tokens); }},
                               {"Orthros prefill", [=, this] { return prefill_once(orthros_, tokens); }}};
    run_interleaved(series, rounds_);
    fmt::print("prefill T = {}\n", tokens);
    for (const Series& s : series) print(s, static_cast<double>(tokens));
    const double flop_ratio = prefill_flop(transformer_, tokens).engine / prefill_flop(orthros_, tokens).engine;
    const double time_ratio = series[1].median() / series[2].median();
    fmt::print("  Transformer / GEMM rate {:.1f} %, Orthros / GEMM rate {:.1f} %; Transformer / Orthros time {:.3f}, "
               "FLOP {:.3f}: {:.3f} of it\n",
               100 * series[0].median() / series[1].median(), 100 * series[0].median() / series[2].median(), time_ratio,
               flop_ratio, time_ratio / flop_ratio);
  }

  void decode(int64_t depth) {
    Session transformer = at_depth(transformer_, depth);
    Session orthros = at_depth(orthros_, depth);
    const int64_t bytes = model_->report().held_bytes;
    const kernels::LargeBuffer buffer(bytes);
    const int threads = num_threads();
    constexpr int kSteps = 8;
    const auto steps = [](Session& session) {
      return seconds_of([&] {
               for (int i = 0; i < kSteps; ++i) (void)session.step({i + 5}).has_value();
             }) / kSteps;
    };
    std::vector<Series> series{{"plain read of the held weights", [&] { return read_seconds(buffer, threads); }},
                               {"Transformer step", [&] { return steps(transformer); }},
                               {"Orthros step", [&] { return steps(orthros); }}};
    run_interleaved(series, rounds_ * 3);
    fmt::print("decode at T = {}\n", depth);
    for (const Series& s : series) print(s, 1);
    const double rate = static_cast<double>(bytes) / series[0].median();
    const auto kv = static_cast<double>(kv_bytes_per_token(transformer_, model_->report().kv_type) * depth);
    const double floor = (static_cast<double>(bytes) + kv) / rate;
    fmt::print("  read {:.1f} GB/s; Transformer step at {:.1f} % of the read rate, Orthros / Transformer step {:.3f}\n",
               rate / 1e9, 100 * floor / series[1].median(), series[2].median() / series[1].median());
  }

  // Pairs of turns: the spread is that of the ratio within a pair, which the machine's slow minutes hardly touch.
  void recording() {
    constexpr int64_t kDepth = 1024;
    constexpr int kSteps = 16;
    Session session = at_depth(orthros_, kDepth);
    const auto turn = [&](CaptureLevel level, bool watched, bool every_head) {
      StepRecorderOptions options;
      options.level = level;
      options.prompt_tokens = kDepth;
      options.max_steps = kSteps;
      options.max_bytes = 4'000'000'000;
      options.check_every_head = every_head;
      const auto recorder = std::move(*StepRecorder::create(orthros_, options));
      (void)session.rewind(kDepth).has_value();
      (void)session.watch(watched ? recorder.get() : nullptr).has_value();
      std::vector<double> steps;
      for (int i = 0; i < kSteps; ++i)
        steps.push_back(seconds_of([&] { (void)session.step({i + 5}).has_value(); }));
      (void)session.watch(nullptr).has_value();
      std::ranges::sort(steps);
      return steps[kSteps / 2];
    };
    struct Level {
      const char* name;
      CaptureLevel level;
      bool every_head;
    };
    fmt::print("recording a decode step at T = {}\n", kDepth);
    for (const Level& one : {Level{"C0", CaptureLevel::c0, false}, Level{"C1", CaptureLevel::c1, false},
                             Level{"C1, o of every head", CaptureLevel::c1, true},
                             Level{"C3", CaptureLevel::c3, false}}) {
      Series off{"off", {}}, on{one.name, {}}, ratio{"ratio", {}};
      for (int round = 0; round <= rounds_ * 5; ++round) {
        const double plain = turn(one.level, false, false);
        const double watched = turn(one.level, true, one.every_head);
        const double again = turn(one.level, false, false);
        if (round == 0) continue;
        off.seconds.push_back(plain);
        on.seconds.push_back(watched);
        ratio.seconds.push_back(2 * watched / (plain + again));
      }
      fmt::print("  {:<22} {:7.2f} ms, off {:7.2f} ms, ratio {:.3f} (10-90 %: {:.3f}-{:.3f}, {} pairs)\n", one.name,
                 on.median() * 1e3, off.median() * 1e3, ratio.median(), ratio.quantile(0.1), ratio.quantile(0.9),
                 ratio.seconds.size());
    }
  }

  // The figures llama-bench calls pp512, pp2048 and tg64: 64 steps from an empty context.
  void rates() {
    for (const auto& [name, config] : {std::pair{"transformer", &transformer_}, std::pair{"orthros", &orthros_}}) {
      for (const int64_t tokens : {512, 2048}) {
        (void)prefill_once(*config, 512);
        fmt::print("{}-pp{} {:.2f}\n", name, tokens, static_cast<double>(tokens) / prefill_once(*config, tokens));
      }
      Session session = at_depth(*config, 1);
      constexpr int kSteps = 64;
      const auto steps = [&] {
        for (int i = 0; i < kSteps; ++i) (void)session.step({i + 5}).has_value();
      };
      (void)session.step({1}).has_value();
      fmt::print("{}-tg64 {:.2f}\n", name, kSteps / seconds_of(steps));
    }
  }

 private:
  double gemms(int64_t tokens) {
    const c10::InferenceMode inference;
    const ModelWeights& weights = *model_->weights();
    const auto input = [&](int64_t columns) { return at::randn({tokens, columns}).to(policy_.compute_type); };
    if (!x_.defined() || x_.size(0) != tokens) {
      x_ = input(model_->config().hidden_size);
      o_ = input(model_->config().q_size());
      f_ = input(model_->config().intermediate_size);
    }
    return seconds_of([&] {
      for (const LayerWeights& layer : weights.layers) {
        (void)layer.attention->qkv.forward(x_, policy_);
        (void)layer.attention->o.forward(o_, policy_);
        (void)layer.gate_up.forward(x_, policy_);
        (void)layer.down.forward(f_, policy_);
      }
    });
  }

  std::vector<TokenId> ids(int64_t tokens) const {
    std::vector<TokenId> ids(static_cast<size_t>(tokens));
    for (size_t i = 0; i < ids.size(); ++i) {
      ids[i] = static_cast<TokenId>((i * 7919 + 13) % static_cast<size_t>(transformer_.vocab_size));
    }
    return ids;
  }

  Session at_depth(const ModelConfig& config, int64_t depth) const {
    SessionOptions options;
    options.capacity = depth + 4096;
    options.keep_all_keys = true;  // no difference to these architectures; recording needs it
    Session session = std::move(*Session::create(model_, config, options));
    (void)session.prefill({ids(depth)}).has_value();
    return session;
  }

  double prefill_once(const ModelConfig& config, int64_t tokens) const {
    SessionOptions options;
    options.capacity = tokens;
    Session session = std::move(*Session::create(model_, config, options));
    const std::vector<TokenId> prompt = ids(tokens);
    return seconds_of([&] { (void)session.prefill({prompt}).has_value(); });
  }

  std::shared_ptr<const Model> model_;
  int rounds_;
  ModelConfig orthros_, transformer_;
  ComputePolicy policy_;
  at::Tensor x_, o_, f_;
};

int run(int argc, char** argv) {
  std::string path;
  int rounds = 5;
  LoadOptions options;
  bool rates = false, recording = false;
  std::vector<int64_t> lengths{512, 2048, 8192};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (argument == "--threads") (void)set_num_threads(std::atoi(value())).has_value();
    else if (argument == "--rounds") rounds = std::atoi(value());
    else if (argument == "--rates") rates = true;
    else if (argument == "--recording") recording = true;
    else if (argument == "--short") lengths = {512, 2048};
    else if (argument == "--float32") options.compute_type = ScalarType::float32;
    else if (argument == "--weights") {
      const std::string name = value();
      for (const WeightFormat f : {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
        if (name == to_string(f)) options.weight_format = f;
      }
    } else path = argument;
  }
  auto files = open_model(path);
  if (!files) return fmt::print(stderr, "{}\n", files.error().line()), 1;
  const auto model = Model::load(std::move(*files), options);
  if (!model) return fmt::print(stderr, "{}\n", model.error().line()), 1;
  if (rates) return Bench(*model, 1).rates(), 0;
  const LoadReport& report = (*model)->report();
  fmt::print("{} threads, compute {}, weights {} ({}), {} rounds\n", num_threads(), to_string(report.compute_type),
             report.weights, format_bytes(report.held_bytes), rounds);
  Bench bench(*model, rounds);
  if (recording) return bench.recording(), 0;
  for (const int64_t tokens : lengths) bench.prefill(tokens);
  bench.decode(512);
  return 0;
}

}  // namespace
}  // namespace orthros

int main(int argc, char** argv) { return orthros::run(argc, argv); }
