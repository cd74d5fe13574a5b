// TrainConfig: what `orthros train CONFIG.json` reads. Every key may be left out but those marked *; a key
// that is not listed here is refused. Paths are relative to the config's own folder.
//   model*            a config.json as an object, or {"from": FOLDER or .gguf, "as": transformer|swa|orthros,
//                     "window": W, "sinks": S, "scale_offset": bool}
//   tokenizer*        folder with tokenizer.json (may be the model's own)
//   output*           folder for checkpoints, the finished "model", and delta.safetensors where only part
//   moved seed 1 · dtype float32|bfloat16 (compute) · save_dtype float32|bfloat16 · recompute_layers false
//   ranks 1           threads that share each batch's sequences (a rank without one waits); each has the
//                     weights and the optimiser's state in memory
//   accumulate 1      batches a step · trainable all|scale_offset|scale_offset+norms|scale_offset+norms+qo
//   loss next_token|distillation (from the weights that "model.from" holds, read as they are)
//   initialisation    {embedding 0.2, head 0.02}
//   optimizer         {lr 2e-3, schedule constant|cosine, warmup_steps 100, hold 0.6, final_share 0.05, beta1
//   0.9,
//                      beta2 0.98, eps 1e-8, weight_decay 0.05, decay_embedding true, clip_norm 1}
//   checkpoint_every 200
//   total_steps 0     the run's length: stages left early leave their steps to the last one, so that runs
//                     with different curricula have one budget (0: the sum of max_steps)
//   stages*           list of {task* needle|recall|repeat|pairs|text|tokens, max_steps*, length* N or [N...],
//   tokens_per_step 4096,
//                      batch 0 (0: tokens_per_step / length), window 0 (0: the model's), leave_at 2 (exact
//                      score that ends the stage; above 1: never), min_steps 30, needle: needles* N or
//                      [N...], questions 0 (0: all) or N, questions_at end|scattered|mixed|near
//                      (near: right after their needle, so that a window reaches it),
//                              grammar pair|word|number or a list of them, digits 5, names 0 (0: all),
//                              haystack filler|noise|folder, haystack_folder, first_digit_weight 2
//                      recall: keys 512 (how many ids serve as keys and values)
//                      repeat: keys 512, period* N or [N...] (random ids, then the same again and again:
//                              forms the heads that retrieval is made of, faster than any needle does)
//                      pairs: keys*, values*, fillers* [" word"...] (each one token), needles* (pairs),
//                              questions (asked at the end)
//                      text, tokens: file* (UTF-8 text; or ids as white-space separated numbers)}
// Errors: invalid_argument naming the key. Public: no torch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/scalar_type.h"
#include "engine/formats/json.h"
#include "engine/tasks/needle_task.h"
#include "engine/training/schedule.h"

namespace orthros::training {

enum class StageTask { needle, recall, repeat, pairs, text, tokens };
enum class QuestionPlace { end, scattered, mixed, near };
/// " David4.", " The magic word is David48213.", " The magic number of David is 48213."
enum class NeedleGrammar { pair, word, number };
enum class LossKind { next_token, distillation };

struct StageConfig {
  StageTask task = StageTask::needle;
  int64_t max_steps = 0, min_steps = 30;
  std::vector<int64_t> lengths;
  int64_t tokens_per_step = 4096, batch = 0, window = 0;
  double leave_at = 2;
  std::vector<int64_t> needles, periods;
  int64_t questions = 0;
  QuestionPlace place = QuestionPlace::end;
  std::vector<NeedleGrammar> grammars{NeedleGrammar::number};
  int64_t digits = 5, names = 0, keys = 512;
  std::vector<std::string> key_words, value_words, filler_words;
  HaystackKind haystack = HaystackKind::filler;
  std::filesystem::path haystack_folder, file;
  double first_digit_weight = 2;
};

struct ModelSource {
  Json config;                 // of a new model, or null
  std::filesystem::path from;  // of a conversion
  std::string as;
  int64_t window = 128, sinks = 0;
  bool scale_offset = true;
};

struct OptimizerConfig {
  LearningRate rate;
  double beta1 = 0.9, beta2 = 0.98, eps = 1e-8, weight_decay = 0.05, clip_norm = 1;
  bool decay_embedding = true;
};

struct TrainConfig {
  ModelSource model;
  std::filesystem::path tokenizer, output;
  int64_t seed = 1, ranks = 1, accumulate = 1, checkpoint_every = 200;
  int64_t budget_steps = 0;  // "total_steps"
  ScalarType dtype = ScalarType::float32, save_dtype = ScalarType::float32;
  bool recompute_layers = false;
  std::string trainable = "all";
  LossKind loss = LossKind::next_token;
  double embedding_deviation = 0.2, head_deviation = 0.02;
  OptimizerConfig optimizer;
  std::vector<StageConfig> stages;
  std::string sha256;  // of the canonical JSON without "output": a checkpoint belongs to it

  int64_t total_steps() const;
};

Result<TrainConfig> read_train_config(const std::filesystem::path& path);
Result<TrainConfig> parse_train_config(const Json& json, const std::filesystem::path& folder);

}  // namespace orthros::training
