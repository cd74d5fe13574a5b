"""Seeds of tokenizer_fuzz.cpp and chat_template_fuzz.cpp, from the fixtures. Run: python make_tokenizer_corpus.py"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "..", "fixtures")
sys.path.insert(0, os.path.join(FIXTURES, "tokenizers"))
from nasty_strings import NASTY  # noqa: E402


def write(target, name, data):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def shrunk(name, keep=12):
    """A tokenizer.json with few tokens: long seeds slow the fuzzer."""
    with open(os.path.join(FIXTURES, "tokenizers", name + ".json"), encoding="utf-8") as f:
        state = json.load(f)
    model = state["model"]
    ids = {token: i for token, i in model["vocab"].items() if len(token) == 1 and i < 300}
    merges = []
    for merge in model["merges"]:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        if len(left) == len(right) == 1 and len(merges) < keep:
            merges.append(merge)
            ids[left + right] = model["vocab"][left + right]
    taken = set(ids.values())
    model["vocab"], model["merges"] = ids, merges
    state["added_tokens"] = [a for a in state["added_tokens"] if a["id"] not in taken]
    return json.dumps(state, ensure_ascii=False).encode()


def main():
    for name in ("gpt2", "gpt2_prefix_space", "smollm", "llama3", "qwen2", "unknown_pattern", "behaviors"):
        write("tokenizer", "json_" + name, b"J" + shrunk(name) + b"\xff" + "It's 123 <|im_end|> LEFT é\n".encode())
    with open(os.path.join(FIXTURES, "tokenizers", "qwen2.gguf"), "rb") as f:
        write("tokenizer", "gguf_qwen2", b"G" + f.read())
    for i in range(5):
        write("tokenizer", f"text_{i}", str(i).encode() + " ".join(NASTY[10 * i:10 * i + 25]).encode())
    patterns = [r"\p{N}{1,3}(?=\d)|\s+(?!\S)|[^\s]+", r"(?i:'s|'t)|[\p{L}\p{M}]+", r"(a|b)*?c", r"[]a-z\S]", r"(?=a)"]
    for i, pattern in enumerate(patterns):
        write("tokenizer", f"pattern_{i}", b"9" + pattern.encode() + b"\xff" + "It'S 123 abab c\n\n é中".encode())
    for name in ("qwen2.5", "qwen3", "smollm2", "llama3_like"):
        with open(os.path.join(FIXTURES, "chat_templates", name + ".jinja"), "rb") as f:
            write("chat_template", name, f.read())
    with open(os.path.join(FIXTURES, "chat_templates", "renderings.json")) as f:
        sources = [c["source"] for c in json.load(f) if "source" in c]
    for i, source in enumerate(sources):
        if source:
            write("chat_template", f"snippet_{i:02}", source.encode())


main()
