#!/usr/bin/env python3
"""Makes latency-256, a model to time and not to read: 8 layers of width 256, 4 heads of 64, FFN 1024, vocabulary
1024, bfloat16, seeded random weights. Attention costs as much as the matrices at T* = N_lin / (L d_q) = 4096 tokens,
so that a CPU sees what the paper sees at 47 thousand. Takes seconds; the same bytes everywhere; no tokenizer.
Usage: make_latency_256.py [FOLDER]   (default: the user's cache). Prints the folder's path."""

import hashlib
import json
import math
import os
import random
import shutil
import struct
import sys
import tempfile
from pathlib import Path

LAYERS, WIDTH, HEADS, FFN, VOCABULARY, SEED = 8, 256, 4, 1024, 1024, 256
SHA256 = "d947366bfd657dce3b143fafb10ed9c1ab01e3cf3d30ff812566d7571322bc27"

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": WIDTH,
    "intermediate_size": FFN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": HEADS,
    "head_dim": WIDTH // HEADS,
    "hidden_act": "silu",
    "max_position_embeddings": 32768,
    "rms_norm_eps": 1e-05,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "vocab_size": VOCABULARY,
}


def tensors():
    """Name, shape and standard deviation (None: ones). Sums over a layer's inputs keep a variance near 1, and what
    the layers add to the residual stream does not grow with their number."""
    residual = 1 / math.sqrt(2 * LAYERS)
    yield "model.embed_tokens.weight", (VOCABULARY, WIDTH), 1.0
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        for name in ("q_proj", "k_proj", "v_proj"):
            yield f"{prefix}self_attn.{name}.weight", (WIDTH, WIDTH), 1 / math.sqrt(WIDTH)
        yield f"{prefix}self_attn.o_proj.weight", (WIDTH, WIDTH), residual / math.sqrt(WIDTH)
        for name in ("gate_proj", "up_proj"):
            yield f"{prefix}mlp.{name}.weight", (FFN, WIDTH), 1 / math.sqrt(WIDTH)
        yield f"{prefix}mlp.down_proj.weight", (WIDTH, FFN), residual / math.sqrt(FFN)
        for name in ("input_layernorm", "post_attention_layernorm"):
            yield f"{prefix}{name}.weight", (WIDTH,), None
    yield "model.norm.weight", (WIDTH,), None


def bfloat16_bits(value):
    """Rounded to nearest, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def values(rng, count, deviation):
    """bfloat16 bytes: ones, or 256 levels spread evenly over +-deviation * sqrt(3), drawn with equal chance."""
    if deviation is None:
        return struct.pack("<H", bfloat16_bits(1.0)) * count
    reach = deviation * math.sqrt(3)
    levels = [bfloat16_bits(reach * (2 * i / 255 - 1)) for i in range(256)]
    drawn = rng.getrandbits(8 * count).to_bytes(count, "little")
    both = bytearray(2 * count)
    both[0::2] = drawn.translate(bytes(level & 0xFF for level in levels))
    both[1::2] = drawn.translate(bytes(level >> 8 for level in levels))
    return bytes(both)


def write_safetensors(path):
    rng = random.Random(SEED)
    header, data, at = {}, [], 0
    for name, shape, deviation in tensors():
        data.append(values(rng, math.prod(shape), deviation))
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + len(data[-1])]}
        at += len(data[-1])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    content = struct.pack("<Q", len(text)) + text + b"".join(data)
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def default_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "orthros" / "models" / "latency-256"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    target = Path(sys.argv[1]) if len(sys.argv) == 2 else default_folder()
    weights = target / "model.safetensors"
    if not (weights.is_file() and hashlib.sha256(weights.read_bytes()).hexdigest() == SHA256):
        if target.exists():
            sys.exit(f"{target} is there and is not this model: name another folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".latency-256.", dir=target.parent))
        try:
            digest = write_safetensors(staging / "model.safetensors")
            if digest != SHA256:
                sys.exit(f"made other bytes than it should: {digest}")
            (staging / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
            staging.chmod(0o755)
            staging.rename(target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    print(f"model.safetensors: SHA-256 {SHA256}", file=sys.stderr)
    print(target)


if __name__ == "__main__":
    main()
