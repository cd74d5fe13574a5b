#!/usr/bin/env bash
# The third-party experiment: a small pretrained Transformer (10 steps) is converted to Orthros, both arms are adapted
# with the same 40 batches, and what is compared is the likelihood of text that neither saw, and whether prefill in one
# piece and decoding token by token agree (at most 1e-4). Three seeds; a minute. Text: the product's own filler.
#   sample_models/third_party.sh        prints one line a seed and the mean, and writes scores/third-party.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
orthros=$(realpath "${ORTHROS:-../build/release/bin/orthros}")
runs=runs/third-party
mkdir -p "$runs" scores
"$orthros" haystack --sentences 3000 --seed 101 >"$runs/train.txt"
"$orthros" haystack --sentences 400 --seed 202 >"$runs/test.txt"

# train_arm NAME SEED
train_arm() {
  rm -rf "$runs/$1"
  sed "s/\"seed\": 42/\"seed\": $2/" "recipes/third-party/$3.json" >"recipes/third-party/.$3.seed.json"
  "$orthros" train "recipes/third-party/.$3.seed.json" --no-store 2>"$runs/$1.log" || { cat "$runs/$1.log" >&2; exit 1; }
  rm "recipes/third-party/.$3.seed.json"
}

for seed in 42 43 44; do
  train_arm base "$seed" base
  for arm in transformer orthros; do
    train_arm "$arm" "$seed" "adapt-$arm"
    "$orthros" perplexity "$runs/$arm/model" --file "$runs/test.txt" --sequence 64 --regime pt --json >"$runs/nll-$seed-$arm.json"
    ids=$("$orthros" tokenize "$runs/$arm/model" --file "$runs/test.txt" --json |
      python3 -c 'import json,sys; print(*json.load(sys.stdin)["ids"][:256], sep=",")')
    for regime in pt decode; do
      "$orthros" logits "$runs/$arm/model" --ids "$ids" --regime "$regime" --dtype float32 --weights float32 \
        --kv-dtype float32 --out "$runs/logits-$regime.safetensors" >/dev/null 2>&1
    done
    python3 third_party.py difference "$runs"/logits-{pt,decode}.safetensors >"$runs/difference-$seed-$arm.json"
  done
done
python3 third_party.py report "$runs" scores/third-party.json
