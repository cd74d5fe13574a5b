#!/usr/bin/env bash
# Makes sample_models/tokenizers/{needle,lesson}/tokenizer.json again, from the product's own filler and names.
# Needs: a built `orthros`, and a python with tokenizers 0.21.0 (PYTHON chooses one).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
orthros="${ORTHROS:-../build/release/bin/orthros}"
python="${PYTHON:-python3}"
mkdir -p tokenizers/needle tokenizers/lesson
{
  "$orthros" haystack --sentences 30000 --needle-every 15 --seed 1
  "$orthros" haystack --sentences 1000 --needle-every 15 --seed 2 --names held-out
} | "$python" make_tokenizer.py needle >tokenizers/needle/tokenizer.json
"$python" make_tokenizer.py lesson >tokenizers/lesson/tokenizer.json
