#include "engine/training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fcntl.h>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include "engine/formats/file_handle.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/unfinished.h"
#include "engine/mixers/compute_profile.h"
#include "engine/mixers/torch_guard.h"
#include "engine/model/model_files.h"
#include "engine/model/weight_delta.h"
#include "engine/tasks/random.h"
#include "engine/training/answer_samples.h"
#include "engine/training/answer_score.h"
#include "engine/training/batch_source.h"
#include "engine/training/checkpoint.h"
#include "engine/training/gradient_sum.h"
#include "engine/training/losses.h"
#include "engine/training/train_model.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kScoreDecay = 0.95;
constexpr int64_t kProbeSamples = 6;

// Every step frees and takes the same buffers: giving them back to the system each time costs page faults.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

at::Tensor tensor_of(const std::vector<int64_t>& values, at::IntArrayRef shape) {
  return at::tensor(values, at::kLong).view(shape);
}

struct BatchTensors {
  at::Tensor ids, positions, targets, weights;
};

BatchTensors tensors_of(const Batch& batch) {
  BatchTensors t;
  t.ids = tensor_of(batch.ids, {batch.sequences, batch.length});
  if (!batch.every_position) t.positions = tensor_of(batch.rows, {batch.sequences, batch.rows_per_sequence});
  t.targets = at::tensor(batch.targets, at::kLong);
  t.weights = at::tensor(batch.weights, at::kFloat);
  return t;
}

Result<Tokenizer> read_tokenizer(const fs::path& folder) {
  ORTHROS_TRY(const std::string text, read_text(folder / "tokenizer.json", int64_t{100} << 20));
  ORTHROS_TRY(const Json json, parse_json(text, "tokenizer.json"));
  Json config;
  std::error_code error;
  if (fs::exists(folder / "tokenizer_config.json", error)) {
    ORTHROS_TRY(const std::string config_text,
                read_text(folder / "tokenizer_config.json", int64_t{100} << 20));
    ORTHROS_TRY(config, parse_json(config_text, "tokenizer_config.json"));
  }
  return Tokenizer::from_json(json, config);
}

bool all_finite(const Parameters& parameters) {
  const at::NoGradGuard guard;
  return std::ranges::all_of(parameters.all(), [](const NamedParameter& p) {
    return p.tensor.sum(at::kDouble).isfinite().item<bool>();
  });
}

void add_scale_offset(ModelConfig& config) {
  for (LayerSpec& layer : config.layers) layer.scale_offset = layer.mixer == MixerKind::orthros_attention;
}

/// One rank's part of a run. All ranks hold the same weights and do the same steps; each has its share of
/// every batch.
class Training {
 public:
  Training(const TrainConfig& config, const TrainHooks& hooks, Comm& comm)
      : config_(config), hooks_(hooks), comm_(comm) {}

  Result<TrainSummary> run() {
    ORTHROS_TRY_VOID(prepare());
    // Nobody writes before all have looked at what is there.
    ORTHROS_TRY_VOID(comm_.barrier());
    while (state_.stage < static_cast<int64_t>(config_.stages.size())) {
      ORTHROS_TRY(const bool more, run_stage());
      if (!more) {
        ORTHROS_TRY_VOID(save());
        return summary(false);
      }
    }
    ORTHROS_TRY_VOID(save());
    if (!leads()) return summary(true);
    const Json training = {{"trained", "orthros train"},
                           {"config_sha256", config_.sha256},
                           {"steps", state_.step},
                           {"tokens", state_.tokens}};
    // The model comes last: its folder says that the run is finished.
    ORTHROS_TRY_VOID(write_delta());
    ORTHROS_TRY_VOID(
        model_->parameters().write_model(model_folder(), config_.save_dtype, config_.tokenizer, training));
    note(fmt::format("wrote {}", model_folder().filename().string()));
    return summary(true);
  }

 private:
  /// Beside the whole model: where only part of it moved, that part is what is worth keeping and sending.
  Result<void> write_delta() const {
    if (base_sha256_.empty()) return {};
    ORTHROS_TRY(const Trainable trainable, parse_trainable(config_.trainable));
    const auto moved = [trainable](std::string_view name) { return moves(trainable, name); };
    const WindowSpec window = model_->parameters().config().layers.front().window;
    return model_->parameters().write_delta(config_.output / "delta.safetensors", moved,
                                            delta_metadata(window, base_sha256_));
  }

  fs::path model_folder() const { return config_.output / "model"; }
  /// Files and hooks are the first rank's alone.
  bool leads() const { return comm_.rank() == 0; }
  void note(const std::string& text) const {
    if (leads() && hooks_.on_note) hooks_.on_note(text);
  }
  /// True on every rank when it is on one of them.
  Result<bool> on_any_rank(bool here) {
    double count = here ? 1 : 0;
    ORTHROS_TRY_VOID(comm_.all_reduce(std::span(&count, 1)));
    return count > 0;
  }

  Result<void> prepare() {
    std::error_code error;
    if (fs::exists(model_folder(), error)) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} exists: this run is finished", model_folder().string()),
                        "move it away, or choose another output folder"});
    }
    ORTHROS_TRY(Tokenizer tokenizer, read_tokenizer(config_.tokenizer));
    tokenizer_.emplace(std::move(tokenizer));
    ORTHROS_TRY_VOID(make_model());
    ORTHROS_TRY(const Trainable trainable, parse_trainable(config_.trainable));
    set_trainable(model_->parameters(), trainable);
    const std::vector<NamedParameter> all = model_->parameters().all();
    if (std::ranges::none_of(all, [](const NamedParameter& p) { return p.tensor.requires_grad(); })) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("nothing of this model moves with trainable '{}'", config_.trainable),
                        "give it scale-offset vectors, or train more of it"});
    }
    // A mistake in the last stage is found now rather than hours later.
    for (const StageConfig& stage : config_.stages) {
      ORTHROS_TRY(auto source,
                  make_batch_source(stage, *tokenizer_, model_->parameters().config().vocab_size));
      sources_.push_back(std::move(source));
    }
    // Only now: a run that is refused leaves nothing behind.
    if (leads()) fs::create_directories(config_.output, error);
    if (error) return fail(ErrorCode::io, "cannot make {}: {}", config_.output.string(), error.message());
    if (leads()) ORTHROS_TRY_VOID(claim_output());
    const OptimizerConfig& o = config_.optimizer;
    optimizer_.emplace(model_->parameters(),
                       AdamWOptions{o.beta1, o.beta2, o.eps, o.weight_decay, o.decay_embedding, o.clip_norm},
                       trainable);
    gradient_sum_.emplace(model_->parameters());
    // Measured once, while the others wait: two ranks must not multiply in two ways.
    ORTHROS_TRY(const bool onednn, on_any_rank(leads() && compute_profile().prefers_mkldnn_float32()));
    options_.products = {config_.dtype == ScalarType::bfloat16, onednn};
    options_.recompute_layers = config_.recompute_layers;
    state_.config_sha256 = config_.sha256;
    return resume();
  }

  /// Two runs in one folder would delete each other's checkpoints. The lock goes with the process.
  Result<void> claim_output() {
    output_lock_ = FileHandle(::open(config_.output.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (output_lock_.is_open() && claim_part(output_lock_.get(), config_.output)) return {};
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("another training writes into {}", config_.output.string()),
                      "wait for it, or choose another output folder"});
  }

  Result<void> resume() {
    ORTHROS_TRY(const std::optional<TrainState> found,
                resume_checkpoint(config_, model_->parameters(), *optimizer_));
    if (!found) return {};
    if (!hooks_.resume) {
      return fail(Error{ErrorCode::invalid_argument,
                        fmt::format("{} holds a checkpoint", config_.output.string()),
                        "continue it with --resume, or choose another output folder"});
    }
    state_ = *found;
    last_saved_ = state_.step;
    note(fmt::format("resumed at step {}", state_.step));
    return {};
  }

  Result<void> make_model() {
    ModelConfig model_config;
    std::optional<ModelFiles> files;
    if (config_.model.from.empty()) {
      ORTHROS_TRY(model_config, parse_model_config(config_.model.config));
    } else {
      ORTHROS_TRY(ModelFiles opened, open_model(config_.model.from));
      files.emplace(std::move(opened));
      model_config = files->config;
      if (!config_.model.as.empty()) {
        ORTHROS_TRY(const Architecture as, parse_architecture(config_.model.as));
        ORTHROS_TRY(model_config,
                    with_architecture(files->config, as, {config_.model.window, config_.model.sinks}));
        if (as == Architecture::orthros && config_.model.scale_offset) add_scale_offset(model_config);
      }
    }
    if (tokenizer_->vocab_size() > model_config.vocab_size) {
      return fail(ErrorCode::invalid_argument, "the tokenizer has {} tokens and the model {}",
                  tokenizer_->vocab_size(), model_config.vocab_size);
    }
    ORTHROS_TRY(TrainModel model, TrainModel::create(model_config));
    model_.emplace(std::move(model));
    if (!files) {
      model_->parameters().initialise(static_cast<uint64_t>(config_.seed),
                                      {config_.embedding_deviation, config_.head_deviation});
      return {};
    }
    ORTHROS_TRY_VOID(model_->parameters().load(*files->weights));
    if (leads() && config_.trainable != "all" && model_config.has_output_stream()) {
      ORTHROS_TRY(base_sha256_, base_sha256(*files, hooks_.stop));
    }
    if (config_.loss != LossKind::distillation) return {};
    ORTHROS_TRY(TrainModel teacher, TrainModel::create(files->config));
    teacher_.emplace(std::move(teacher));
    return teacher_->parameters().load(*files->weights);
  }

  /// False: stopped before the stage's end.
  Result<bool> run_stage() {
    const StageConfig& stage = config_.stages[static_cast<size_t>(state_.stage)];
    options_.window = stage.window > 0 ? WindowSpec{stage.window, sinks()} : WindowSpec::full();
    note(fmt::format("stage {} of {}", state_.stage + 1, config_.stages.size()));
    while (!stage_is_over(stage)) {
      if (state_.score >= stage.leave_at && state_.step_in_stage >= stage.min_steps) break;
      ORTHROS_TRY(const bool stop, on_any_rank(hooks_.stop.stop_requested()));
      if (stop || (hooks_.stop_after > 0 && steps_done_ >= hooks_.stop_after)) return false;
      ORTHROS_TRY_VOID(step(*sources_[static_cast<size_t>(state_.stage)]));
      if (state_.step % config_.checkpoint_every == 0) ORTHROS_TRY_VOID(save());
    }
    note(fmt::format("stage {} took {} steps, score {:.3f}", state_.stage + 1, state_.step_in_stage,
                     state_.score));
    finished_steps_ = -1;
    ++state_.stage;
    state_.step_in_stage = 0;
    state_.score = 0;
    return true;
  }

  bool stage_is_over(const StageConfig& stage) const {
    if (config_.budget_steps == 0) return state_.step_in_stage >= stage.max_steps;
    const bool last = state_.stage + 1 == static_cast<int64_t>(config_.stages.size());
    return state_.step >= config_.budget_steps || (!last && state_.step_in_stage >= stage.max_steps);
  }

  int64_t sinks() const {
    for (const LayerSpec& layer : model_->parameters().config().layers) {
      if (!layer.window.is_full()) return layer.window.sinks;
    }
    return 0;
  }

  /// Share of the budget behind this step; a stage left early counts as whole.
  double share() {
    if (config_.budget_steps > 0) {
      return static_cast<double>(state_.step) / static_cast<double>(config_.budget_steps);
    }
    if (finished_steps_ < 0) {
      finished_steps_ = 0;
      for (int64_t i = 0; i < state_.stage; ++i)
        finished_steps_ += config_.stages[static_cast<size_t>(i)].max_steps;
    }
    return static_cast<double>(finished_steps_ + state_.step_in_stage) /
           static_cast<double>(config_.total_steps());
  }

  struct StepSums {
    double loss = 0, exact = 0, first = 0;
    int64_t tokens = 0, length = 0, sequences = 0;
    std::vector<AnswerSample> samples;  // of a step that probes
  };

  /// Whether the step that comes next probes.
  bool probes() const {
    if (!leads() || !hooks_.on_probe) return false;
    return steps_done_ == 0 || (state_.step + 1) % std::max<int64_t>(1, hooks_.probe_every) == 0;
  }

  Result<void> step(const BatchSource& source) {
    const auto start = Clock::now();
    optimizer_->clear_gradients();
    StepSums sums;
    for (int64_t part = 0; part < config_.accumulate; ++part) {
      const uint64_t seed = batch_seed(state_.step, part);
      ORTHROS_TRY_VOID(accumulate(source, seed, sums));
      if (!std::isfinite(sums.loss)) return diverged("loss", state_.step, seed);
    }
    if (comm_.size() > 1) ORTHROS_TRY_VOID(gradient_sum_->run(comm_));
    const double norm = optimizer_->clip_gradients();
    if (!std::isfinite(norm)) return diverged("gradient", state_.step, batch_seed(state_.step, 0));
    const double rate = config_.optimizer.rate.at(state_.step, share());
    optimizer_->step(rate);
    ++state_.step;
    ++state_.step_in_stage;
    ++steps_done_;
    state_.tokens += sums.tokens;
    state_.score = kScoreDecay * state_.score + (1 - kScoreDecay) * sums.exact;
    const double seconds = seconds_since(start);
    state_.seconds += seconds;
    loss_ = sums.loss;
    score_ = state_.score;
    if (!sums.samples.empty()) hooks_.on_probe({state_.step, sums.exact, std::move(sums.samples)});
    if (!leads() || !hooks_.on_step) return {};
    StepEvent event;
    event.step = state_.step;
    event.total_steps = config_.total_steps();
    event.stage = state_.stage;
    event.step_in_stage = state_.step_in_stage;
    event.length = sums.length;
    event.sequences = sums.sequences;
    event.tokens = state_.tokens;
    event.loss = sums.loss;
    event.learning_rate = rate;
    event.gradient_norm = norm;
    event.tokens_per_second = static_cast<double>(sums.tokens) / seconds;
    event.first = sums.first;
    event.exact = sums.exact;
    event.score = state_.score;
    return hooks_.on_step(event);
  }

  Result<void> accumulate(const BatchSource& source, uint64_t seed, StepSums& sums) {
    ORTHROS_TRY(const Batch batch, source.make(seed));
    const Batch share = share_of(batch, comm_.rank(), comm_.size());
    double part[3] = {0, 0, 0};  // loss, answers right as a whole, first tokens right
    if (share.sequences > 0) {
      RowResults results;
      part[0] = backward(share, results);
      const RightAnswers right = count_right(share, results);
      part[1] = static_cast<double>(right.whole);
      part[2] = static_cast<double>(right.first);
      if (probes() && sums.samples.empty())
        sums.samples = sample_answers(share, results, *tokenizer_, kProbeSamples);
    }
    ORTHROS_TRY_VOID(comm_.all_reduce(std::span(part)));
    const double answers = static_cast<double>(count_answers(batch) * config_.accumulate);
    sums.loss += part[0];
    sums.exact += part[1] / answers;
    sums.first += part[2] / answers;
    sums.tokens += batch.sequences * batch.length;
    sums.length = batch.length;
    sums.sequences = batch.sequences;
    return {};
  }

  /// Adds to the gradients and returns the loss.
  double backward(const Batch& batch, RowResults& results) {
    const BatchTensors t = tensors_of(batch);
    const at::Tensor hidden = model_->forward(t.ids, t.positions, options_);
    const LossRows rows{
        hidden, model_->parameters().head(), t.targets,
        config_.accumulate > 1 ? t.weights / static_cast<double>(config_.accumulate) : t.weights};
    const at::Tensor loss =
        teacher_ ? distill(rows, t, results) : cross_entropy(rows, options_.products, &results);
    torch::autograd::backward({loss});
    return loss.item<double>();
  }

  at::Tensor distill(const LossRows& rows, const BatchTensors& t, RowResults& results) {
    ForwardOptions plain = options_;
    plain.window = WindowSpec::full();
    at::Tensor hidden;
    {
      const at::NoGradGuard guard;
      hidden = teacher_->forward(t.ids, t.positions, plain);
    }
    return distillation(rows, {hidden, teacher_->parameters().head()}, options_.products, &results);
  }

  uint64_t batch_seed(int64_t step, int64_t part) const {
    return Random(static_cast<uint64_t>(config_.seed),
                  static_cast<uint64_t>(step * config_.accumulate + part))
        .next();
  }

  Result<void> diverged(const char* what, int64_t step, uint64_t seed) const {
    const std::string kept = last_saved_ >= 0
                                 ? "the last good checkpoint is " +
                                       checkpoint_path(config_.output, last_saved_).filename().string()
                                 : std::string("there is no checkpoint yet");
    return fail(
        Error{ErrorCode::internal,
              fmt::format("the {} is not a number at step {} (batch seed {}); {}", what, step, seed, kept),
              "start again with a lower learning rate or clip norm"});
  }

  Result<void> save() {
    if (last_saved_ == state_.step) return {};
    // The last step may have been one too far: what resumes must be good.
    if (!all_finite(model_->parameters())) {
      return diverged("largest weight", state_.step - 1, batch_seed(state_.step - 1, 0));
    }
    const bool later_stage = state_.stage > state_.best_stage || state_.best_step < 0;
    if (later_stage || state_.score >= state_.best_score) {
      state_.best_stage = state_.stage;
      state_.best_score = state_.score;
      state_.best_step = state_.step;
    }
    if (leads()) {
      ORTHROS_TRY_VOID(save_checkpoint(config_.output, state_, model_->parameters(), *optimizer_));
    }
    last_saved_ = state_.step;
    return {};
  }

  TrainSummary summary(bool finished) const {
    TrainSummary s;
    s.steps = state_.step;
    s.tokens = state_.tokens;
    s.parameters = model_->parameters().count();
    s.seconds = state_.seconds;
    s.loss = loss_;
    s.score = score_;
    s.finished = finished;
    if (finished) s.model = model_folder();
    return s;
  }

  const TrainConfig& config_;
  const TrainHooks& hooks_;
  Comm& comm_;
  std::optional<Tokenizer> tokenizer_;
  std::optional<TrainModel> model_, teacher_;
  std::optional<AdamW> optimizer_;
  std::optional<GradientSum> gradient_sum_;
  std::vector<std::shared_ptr<const BatchSource>> sources_;  // of each stage
  ForwardOptions options_;
  TrainState state_;
  double loss_ = 0, score_ = 0;  // of the last step
  FileHandle output_lock_;
  std::string base_sha256_;  // of the model that a delta belongs to; empty: none is written
  int64_t last_saved_ = -1, steps_done_ = 0, finished_steps_ = -1;
};

/// The threads of a team for as long as this lives; teams belong to the thread that starts them.
class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(at::get_num_threads()) {
    if (threads != before_) at::set_num_threads(threads);
  }
  ~TeamSize() {
    if (at::get_num_threads() != before_) at::set_num_threads(before_);
  }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

}  // namespace

Result<TrainSummary> train_rank(const TrainConfig& config, const TrainHooks& hooks, Comm& comm) {
  return run_guarded("training", [&] { return Training(config, hooks, comm).run(); });
}

Result<TrainSummary> train(const TrainConfig& config, const TrainHooks& hooks) {
  keep_freed_memory();
  const auto ranks = static_cast<int>(config.ranks);
  const int threads = std::max(1, at::get_num_threads() / ranks);
  TrainSummary summary;
  ORTHROS_TRY_VOID(run_thread_ranks(ranks, [&](Comm& comm) -> Result<void> {
    const TeamSize team(threads);
    ORTHROS_TRY(TrainSummary own, train_rank(config, hooks, comm));
    if (comm.rank() == 0) summary = std::move(own);
    return {};
  }));
  return summary;
}

}  // namespace orthros::training
