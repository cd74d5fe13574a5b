// Real models' config.json, cut to the keys that matter, in the spelling their publishers use.
#pragma once

#include "engine/formats/json.h"

namespace orthros::test {

inline Json llama31_8b() {
  return Json::parse(
      R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0,
    "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009], "hidden_act": "silu", "hidden_size": 4096,
    "initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false,
    "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
    "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0,
    "tie_word_embeddings": false, "torch_dtype": "bfloat16", "transformers_version": "4.42.3", "use_cache": true,
    "vocab_size": 128256})");
}

inline Json llama2_7b() {
  return Json::parse(R"({"architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "eos_token_id": 2,
    "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02, "intermediate_size": 11008,
    "max_position_embeddings": 4096, "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32,
    "rms_norm_eps": 1e-05, "rope_scaling": null, "tie_word_embeddings": false, "torch_dtype": "float16",
    "vocab_size": 32000})");
}

inline Json qwen3_8b() {
  return Json::parse(
      R"({"architectures": ["Qwen3ForCausalLM"], "attention_bias": false, "bos_token_id": 151643,
    "eos_token_id": 151645, "head_dim": 128, "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 12288,
    "max_position_embeddings": 40960, "max_window_layers": 36, "model_type": "qwen3", "num_attention_heads": 32,
    "num_hidden_layers": 36, "num_key_value_heads": 8, "rms_norm_eps": 1e-06, "rope_scaling": null,
    "rope_theta": 1000000, "sliding_window": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    "use_sliding_window": false, "vocab_size": 151936})");
}

inline Json mistral_7b_v01() {
  return Json::parse(R"({"architectures": ["MistralForCausalLM"], "bos_token_id": 1, "eos_token_id": 2,
    "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
    "model_type": "mistral", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096, "tie_word_embeddings": false,
    "torch_dtype": "bfloat16", "vocab_size": 32000})");
}

/// As transformers 5.24 saves a small Qwen3 with YaRN and windows in the upper layers.
inline Json qwen3_transformers5() {
  return Json::parse(
      R"({"attention_bias": false, "bos_token_id": null, "dtype": "bfloat16", "eos_token_id": null,
    "head_dim": 128, "hidden_act": "silu", "hidden_size": 256, "intermediate_size": 512,
    "layer_types": ["full_attention", "sliding_attention"], "max_position_embeddings": 32768, "max_window_layers": 1,
    "model_type": "qwen3", "num_attention_heads": 4, "num_hidden_layers": 2, "num_key_value_heads": 4,
    "pad_token_id": null, "rms_norm_eps": 1e-06, "rope_parameters": {"factor": 4.0,
    "original_max_position_embeddings": 8192, "rope_theta": 1000000.0, "rope_type": "yarn"}, "sliding_window": 4096,
    "tie_word_embeddings": true, "transformers_version": "5.24.0", "use_cache": true, "use_sliding_window": true,
    "vocab_size": 1000})");
}

}  // namespace orthros::test
