// TrainCli: runs `orthros train` on a config small enough for a test, in a fresh folder.
#pragma once

#include "tests/app/cli_fixture.h"

namespace orthros::test {

/// A tiny Orthros that learns to recall; a checkpoint is about 0.4 MB.
inline Json tiny_training(int64_t steps) {
  return {{"model",
           {{"model_type", "orthros"},
            {"base_model_type", "llama"},
            {"hidden_size", 32},
            {"intermediate_size", 48},
            {"num_hidden_layers", 2},
            {"num_attention_heads", 2},
            {"num_key_value_heads", 2},
            {"head_dim", 16},
            {"vocab_size", 320},
            {"max_position_embeddings", 512},
            {"rms_norm_eps", 1e-5},
            {"rope_theta", 10000.0},
            {"tie_word_embeddings", false},
            {"layer_types", {"orthros_attention", "orthros_attention"}},
            {"window_size", 8},
            {"num_sink_tokens", 0},
            {"scale_offset", true}}},
          {"tokenizer", kTiny + "llama-tokenizer"},
          {"output", "run"},
          {"stages",
           Json::array(
               {{{"task", "recall"}, {"max_steps", steps}, {"length", 16}, {"batch", 4}, {"keys", 40}}})}};
}

class TrainCli : public Cli {
 protected:
  void write_config(const std::string& name, const Json& json) const {
    std::ofstream(folder_.path() / name) << json.dump(2);
  }
  std::string file(const std::string& name) const {
    return read_text(folder_.path() / name, 1 << 26).value_or("there is no " + name);
  }
  /// Names in a folder of the test's, sorted.
  std::vector<std::string> names_in(const std::string& name) const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name, error))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
};

}  // namespace orthros::test
