#!/usr/bin/env python3
"""Orthros beside llama.cpp on SmolLM2-135M, in one run, taking turns: median (and spread) of tok/s.

    tests/bench/llama_cpp.sh Q4_1      once: builds llama.cpp and makes its formats in the user's cache
    tests/bench/compare.py BUILD_BIN_FOLDER [ROUNDS]

Like with like is the same weight format; best with best is each program's fastest. 2 threads.
"""
import csv
import os
import statistics
import subprocess
import sys

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "orthros")
LLAMA = os.path.join(CACHE, "llama.cpp-0.3.36", "llama-bench")
MODELS = os.path.join(CACHE, "models")
PEER_FORMATS = ("Q4_1", "Q4_0", "Q8_0", "BF16", "F32")
OUR_FORMATS = {"auto (Q4_1 held as int4)": [], "int8": ["--weights", "int8"], "bfloat16": ["--weights", "bfloat16"],
               "float32": ["--float32"]}


def peer(fmt, flash):
    """pp512, pp2048 and tg64 of one llama-bench run."""
    command = [LLAMA, "-m", f"{MODELS}/SmolLM2-135M-Instruct.{fmt}.gguf", "-t", "2", "-p", "512,2048", "-n", "64",
               "-fa", str(flash), "-r", "1", "-o", "csv"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = list(csv.DictReader(lines))
    return {("pp" + r["n_prompt"]) if r["n_gen"] == "0" else ("tg" + r["n_gen"]): float(r["avg_ts"]) for r in rows}


def ours(binary, options):
    model = f"{MODELS}/SmolLM2-135M-Instruct.Q4_1.gguf"
    out = subprocess.run([binary, model, "--threads", "2", "--rates", *options], check=True, capture_output=True,
                         text=True).stdout
    return {name: float(rate) for name, rate in (line.split() for line in out.splitlines())}


def main():
    binary = os.path.join(sys.argv[1], "bench_engine")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    samples = {}

    def add(row, figures):
        for name, rate in figures.items():
            samples.setdefault(row, {}).setdefault(name, []).append(rate)

    for _ in range(rounds):
        for fmt in PEER_FORMATS:
            for flash in (0, 1):
                add(f"llama.cpp {fmt} fa={flash}", peer(fmt, flash))
        for name, options in OUR_FORMATS.items():
            add(f"orthros {name}", ours(binary, options))
    for row, figures in samples.items():
        cells = (f"{name} {statistics.median(v):8.1f} ({min(v):.0f}-{max(v):.0f})" for name, v in figures.items())
        print(f"{row:38}", "  ".join(cells))


if __name__ == "__main__":
    main()
