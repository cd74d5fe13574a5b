// Training steps of the needle shape beside the bare products they are made of, in one run: forward, backward
// and AdamW of each architecture, and the ratios that the trainer is held to. Arguments: threads, shortest
// sequence to measure, and which product policy alone (0 fp32, 1 fp32 oneDNN, 2 bf16).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include "engine/training/losses.h"
#include "engine/training/optimizer.h"
#include "engine/training/train_model.h"

namespace {

using namespace orthros;
using namespace orthros::training;

constexpr int64_t kTokens = 4096, kLayers = 3, kWidth = 128, kInner = 384, kVocabulary = 1024, kWindow = 32;
constexpr int kRounds = 5;

ModelConfig needle_config(Architecture to) {
  const Json json = {
      {"model_type", "orthros"},
      {"base_model_type", "llama"},
      {"hidden_size", kWidth},
      {"intermediate_size", kInner},
      {"num_hidden_layers", kLayers},
      {"num_attention_heads", 4},
      {"num_key_value_heads", 4},
      {"head_dim", 32},
      {"vocab_size", kVocabulary},
      {"max_position_embeddings", 16384},
      {"rms_norm_eps", 1e-5},
      {"rope_theta", 1e5},
      {"tie_word_embeddings", false},
      {"window_size", kWindow},
      {"scale_offset", true},
      {"num_sink_tokens", 0},
      {"layer_types", Json::array({"orthros_attention", "orthros_attention", "orthros_attention"})}};
  const Result<ModelConfig> config = parse_model_config(json);
  if (!config) {
    std::fprintf(stderr, "%s\n", config.error().line().c_str());
    std::exit(1);
  }
  return *with_architecture(*config, to, {kWindow, 0});
}

struct Arm {
  std::string name;
  std::function<void()> step;
  double flop = 0;
  std::vector<double> seconds;
  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

Arm training_arm(const std::string& name, Architecture to, int64_t length, int64_t rows,
                 const ProductPolicy& policy) {
  auto model = std::make_shared<TrainModel>(*TrainModel::create(needle_config(to)));
  model->parameters().initialise(1, {});
  auto optimizer = std::make_shared<AdamW>(model->parameters(), AdamWOptions{}, Trainable::all);
  const int64_t batch = kTokens / length;
  const at::Tensor ids = at::randint(kVocabulary, {batch, length}, at::kLong);
  const at::Tensor positions = rows == length ? at::Tensor()
                                              : at::arange(rows, at::kLong)
                                                    .mul(length / rows)
                                                    .add(length / rows - 1)
                                                    .expand({batch, rows})
                                                    .contiguous();
  const at::Tensor targets = at::randint(kVocabulary, {batch * rows}, at::kLong);
  const at::Tensor weights = at::full({batch * rows}, 1.0 / static_cast<double>(batch * rows), at::kFloat);
  ForwardOptions options;
  options.products = policy;
  Arm arm{name, {}, 0, {}};
  arm.step = [=] {
    optimizer->clear_gradients();
    const at::Tensor hidden = model->forward(ids, positions, options);
    torch::autograd::backward(
        {cross_entropy({hidden, model->parameters().head(), targets, weights}, policy)});
    optimizer->clip_gradients();
    optimizer->step(1e-4);
  };
  return arm;
}

/// The products of a Transformer's PT step alone, forward and both gradients.
Arm product_arm(const ProductPolicy& policy) {
  struct Shape {
    at::Tensor x, w, d_y;
  };
  auto shapes = std::make_shared<std::vector<Shape>>();
  const auto add = [&](int64_t out, int64_t in) {
    shapes->push_back({at::randn({kTokens, in}), at::randn({out, in}), at::randn({kTokens, out})});
  };
  for (int64_t i = 0; i < kLayers; ++i) {
    add(3 * kWidth, kWidth), add(kWidth, kWidth), add(2 * kInner, kWidth), add(kWidth, kInner);
  }
  add(kVocabulary, kWidth);
  Arm arm{"bare products", {}, 0, {}};
  for (const Shape& s : *shapes) arm.flop += 6.0 * kTokens * static_cast<double>(s.w.numel());
  arm.step = [shapes, policy] {
    for (const Shape& s : *shapes) {
      const at::Tensor x = s.x.detach().requires_grad_(true), w = s.w.detach().requires_grad_(true);
      torch::autograd::backward({training::linear(x, w, policy)}, {s.d_y});
    }
  };
  return arm;
}

/// On one thread the processor's time, which other programs disturb less than the clock's.
double now() {
  std::timespec time{};
  ::clock_gettime(at::get_num_threads() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void measure(std::vector<Arm>& arms) {
  for (int round = 0; round < kRounds + 2; ++round) {
    for (Arm& arm : arms) {
      const double start = now();
      arm.step();
      const double seconds = now() - start;
      if (round >= 2) arm.seconds.push_back(seconds);  // the first two warm up
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  const int64_t shortest = argc > 2 ? std::atoi(argv[2]) : 256;
  const int only = argc > 3 ? std::atoi(argv[3]) : -1;
  int index = 0;
  for (const ProductPolicy policy :
       {ProductPolicy{false, false}, ProductPolicy{false, true}, ProductPolicy{true, false}}) {
    if (only >= 0 && index++ != only) continue;
    const char* name = policy.bfloat16 ? "bf16" : policy.onednn ? "fp32 oneDNN" : "fp32";
    for (const int64_t length : {int64_t{256}, int64_t{1024}}) {
      if (length < shortest) continue;
      std::vector<Arm> arms{product_arm(policy),
                            training_arm("transformer pt", Architecture::transformer, length, length, policy),
                            training_arm("swa sft", Architecture::swa, length, length / 16, policy),
                            training_arm("orthros sft", Architecture::orthros, length, length / 16, policy),
                            training_arm("orthros pt", Architecture::orthros, length, length, policy)};
      measure(arms);
      std::fflush(stdout);
      std::printf("%s, T %ld, %d threads, %ld tokens a step\n", name, static_cast<long>(length),
                  at::get_num_threads(), static_cast<long>(kTokens));
      for (const Arm& arm : arms) {
        std::printf("  %-16s %8.1f ms  %7.0f tok/s\n", arm.name.c_str(), arm.best() * 1e3,
                    kTokens / arm.best());
      }
      std::printf(
          "  products %.0f GFLOP/s; products / transformer pt %.2f; orthros sft / swa sft %.2f; "
          "orthros pt / transformer pt %.2f\n",
          arms[0].flop / arms[0].best() / 1e9, arms[0].best() / arms[1].best(),
          arms[3].best() / arms[2].best(), arms[4].best() / arms[1].best());
    }
  }
  return 0;
}
