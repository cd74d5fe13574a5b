// Arm: one side of a comparison: a model read as an architecture, with what names it in the run store.
// On the command line:
// MODEL[:transformer|:swa|:orthros[,w=128][,s=4][,dtype=float32][,weights=int8][,kv=bfloat16]]. Errors: as
// opening and loading a model; invalid_argument for a setting that is not there. Threads: one caller. Public:
// no torch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/experiments/language_model.h"
#include "engine/store/records.h"
#include "engine/tasks/text_codec.h"

namespace orthros {

struct ArmSpec {
  std::string model;                         // path
  std::optional<Architecture> architecture;  // empty: as the checkpoint is
  std::optional<int64_t> window, sinks;
  std::optional<ScalarType> dtype, kv_dtype;
  std::optional<WeightFormat> weights;
};
Result<ArmSpec> parse_arm(std::string_view text);

struct Arm {
  std::string label;  // "SmolLM2-135M-Instruct, Orthros w=128 s=4"
  std::shared_ptr<LanguageModel> model;
  ModelConfig config;
  store::ModelRecord record;
  std::optional<store::TokenizerRecord> tokenizer;  // empty: the model takes ids only
  TextCodec codec;                                  // empty functions without a tokenizer
  std::vector<TokenId> special_ids;                 // never part of a random prompt
  std::vector<TokenId> eos;
  std::string device = "cpu", dtype, weights, kv_dtype;
  double bytes_per_weight = 0;  // mean over the matrices as held; 0: not known

  /// For the spec: what must be equal for a run to go on. No path.
  Json identity() const;
};

/// Loads each file once for all arms that read it with the same types. `defaults` holds where an arm says
/// nothing.
Result<std::vector<Arm>> open_arms(const std::vector<ArmSpec>& specs, const LoadOptions& defaults,
                                   const StopToken& stop = {}, const ProgressSink& progress = {});

/// A loaded model read as `config`, as an arm; hashes its weight files.
Result<Arm> arm_of(std::shared_ptr<const Model> model, const ModelConfig& config, const StopToken& stop = {},
                   const ProgressSink& progress = {});

/// Equal labels get what tells their arms apart: " #" and digits of the weights' hash behind the model's name
/// where weights differ, else a number at the end. Never a part of a path: it may name a person.
void tell_apart(const std::vector<Arm*>& arms);

TextCodec text_codec(const Tokenizer& tokenizer);

}  // namespace orthros
