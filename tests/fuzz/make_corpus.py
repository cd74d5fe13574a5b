"""Writes the seed corpora of safetensors, gguf and model_config: sound small files and broken ones.

Needs only Python's own library. Usage: python make_corpus.py (writes into corpus/ beside this file).
"""
import json
import pathlib
import struct

ROOT = pathlib.Path(__file__).parent / "corpus"


def save(folder, name, content):
    path = ROOT / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def safetensors(header, data=b""):
    text = header if isinstance(header, str) else json.dumps(header)
    return struct.pack("<Q", len(text)) + text.encode() + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def write_safetensors():
    def put(name, content):
        save("safetensors", name, content)

    sound = safetensors(
        {"__metadata__": {"format": "pt"}, "a": tensor("F32", [2, 3], 0, 24), "b": tensor("BF16", [4], 24, 32),
         "empty": tensor("I64", [0, 7], 32, 32), "scalar": tensor("F16", [], 32, 34)}, bytes(34))  # fmt: skip
    put("sound", sound)
    put("truncated", sound[:-3])
    put("truncated_header", sound[:40])
    put("no_tensors", safetensors({}))
    put("overlap", safetensors({"a": tensor("U8", [8], 0, 8), "b": tensor("U8", [8], 4, 12)}, bytes(12)))
    put("hole", safetensors({"a": tensor("U8", [4], 0, 4), "b": tensor("U8", [4], 8, 12)}, bytes(12)))
    put("huge_shape", safetensors({"a": tensor("F32", [2**62, 2**62, 0], 0, 0)}))
    put("huge_offset", safetensors({"a": tensor("F32", [1], 2**63 - 8, 2**63 - 4)}, bytes(4)))
    put("huge_length", struct.pack("<Q", 2**60) + b"{}")
    put("duplicate", safetensors('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
                                 '"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x"))  # fmt: skip
    put("nested", safetensors('{"a":' + "[" * 500))


F32, Q4_1, Q8_0, Q6_K = 0, 3, 8, 14


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def pair(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def u32(key, value):
    return pair(key, 4, struct.pack("<I", value))


def f32(key, value):
    return pair(key, 6, struct.pack("<f", value))


def info(name, ne, kind, offset):
    return text(name) + struct.pack(f"<I{len(ne)}QIQ", len(ne), *ne, kind, offset)


def gguf(pairs, infos, data=b"", version=3, tensors=None, keys=None):
    head = b"GGUF" + struct.pack("<IQQ", version, len(infos) if tensors is None else tensors,
                                 len(pairs) if keys is None else keys)  # fmt: skip
    head += b"".join(pairs) + b"".join(infos)
    return head + bytes(-len(head) % 32) + data


LLAMA = [
    pair("general.architecture", 8, text("llama")), u32("llama.block_count", 2), u32("llama.embedding_length", 32),
    u32("llama.feed_forward_length", 64), u32("llama.attention.head_count", 4), u32("llama.attention.head_count_kv", 2),
    u32("llama.context_length", 256), f32("llama.attention.layer_norm_rms_epsilon", 1e-5),
    f32("llama.rope.freq_base", 10000.0), u32("llama.rope.dimension_count", 8),
    pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 3) + text("a") + text("b") + text("")),
    pair("tokenizer.ggml.scores", 9, struct.pack("<IQ3f", 6, 3, 0, 1, 2)),
    pair("tokenizer.ggml.token_type", 9, struct.pack("<IQ3i", 5, 3, 1, 1, 3)),
    pair("general.flag", 7, b"\1"), u32("tokenizer.ggml.eos_token_id", 2),
]  # fmt: skip


def write_gguf():
    def put(name, content):
        save("gguf", name, content)

    infos = [info("token_embd.weight", [32, 3], Q8_0, 0), info("blk.0.attn_q.weight", [32, 2], Q4_1, 128),
             info("norm.weight", [32], F32, 192), info("big.weight", [256, 1], Q6_K, 320)]  # fmt: skip
    sound = gguf(LLAMA, infos, bytes(530))
    put("sound", sound)
    put("version_2", gguf(LLAMA, [info("norm.weight", [4], F32, 0)], bytes(16), version=2))
    put("version_1", gguf(LLAMA, [], version=1))
    put("big_endian", b"GGUF" + struct.pack(">IQQ", 3, 0, 0))
    put("truncated", sound[:-1])
    put("truncated_keys", sound[:200])
    put("truncated_infos", gguf(LLAMA, infos[:1])[:-40])
    put("many_tensors", gguf([], [], tensors=2**60))
    put("many_keys", gguf([], [], keys=2**60))
    put("long_text", gguf([text("a") + struct.pack("<IQ", 8, 2**60)], []))
    put("long_array", gguf([text("a") + struct.pack("<IIQ", 9, 0, 2**60)], []))
    put("array_of_arrays", gguf([text("a") + struct.pack("<IIQIQ", 9, 9, 1, 9, 1)], []))
    put("duplicate_key", gguf([u32("a", 1), u32("a", 2)], []))
    put("duplicate_tensor", gguf([], [info("a", [1], F32, 0), info("a", [1], F32, 32)], bytes(36)))
    put("overlap", gguf([], [info("a", [16], F32, 0), info("b", [1], F32, 32)], bytes(64)))
    put("huge_size", gguf([], [info("a", [2**40, 2**40], F32, 0)], bytes(64)))
    put("ragged_block", gguf([], [info("a", [31], Q8_0, 0)], bytes(64)))
    put("unknown_type", gguf([], [info("a", [32], 77, 0)], bytes(64)))
    put("alignment_0", gguf([u32("general.alignment", 0)], []))
    divisors = struct.pack("<4f", 1, 1, 1, 8)
    put("rope_freqs", gguf(LLAMA, [info("rope_freqs.weight", [4], F32, 0)], divisors))


def write_configs():
    def put(name, content):
        save("model_config", name, content if isinstance(content, str) else json.dumps(content))

    base = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
            "vocab_size": 100, "max_position_embeddings": 512, "rms_norm_eps": 1e-5}  # fmt: skip
    llama = {**base, "model_type": "llama", "num_key_value_heads": 2, "rope_theta": 5e5, "eos_token_id": [1, 2],
             "torch_dtype": "bfloat16",
             "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                              "original_max_position_embeddings": 8192}}  # fmt: skip
    put("llama", llama)
    qwen = {**base, "model_type": "qwen3", "head_dim": 32, "dtype": "float32", "use_sliding_window": True,
            "sliding_window": 16, "max_window_layers": 1, "layer_types": ["full_attention", "sliding_attention"],
            "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "beta_fast": 32, "beta_slow": 1,
                                "original_max_position_embeddings": 128, "mscale": 1.0, "mscale_all_dim": 1.0,
                                "attention_factor": 1.2, "truncate": False}}  # fmt: skip
    put("qwen3", qwen)
    put("mistral", {**base, "model_type": "mistral", "sliding_window": 32, "eos_token_id": 2, "bos_token_id": 1})
    orthros = {"model_type": "orthros", "window_size": 8, "num_sink_tokens": 4, "scale_offset": True,
               "layer_types": ["orthros_attention", "full_attention"], "conversion": {"source": "x"}}  # fmt: skip
    put("orthros", {**llama, **orthros, "base_model_type": "llama"})
    put("orthros_mistral", {**base, **orthros, "base_model_type": "mistral", "sliding_window": None})
    put("linear", {**base, "model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2}})
    put("dynamic", {**base, "model_type": "llama", "rope_scaling": {"type": "dynamic", "factor": 2}})
    put("unknown_type", {**base, "model_type": "gemma"})
    put("zero_heads", {**llama, "num_attention_heads": 0})
    put("huge_hidden", {**llama, "hidden_size": 2**63})
    put("negative", {**llama, "num_hidden_layers": -1})
    put("duplicate_key", '{"model_type": "llama", "model_type": "qwen3"}')
    put("nested", '{"a":' * 300)
    put("truncated", json.dumps(llama)[:-5])


write_safetensors()
write_gguf()
write_configs()
