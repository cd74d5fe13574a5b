#!/usr/bin/env bash
# SmolLM2-135M -> Orthros by distillation: scale-offsets and norms learn, from the original model's own distribution,
# to do without far keys in the base stream. Two runs, 0 and 4 sinks; each can be stopped and goes on where it was.
#   sample_models/smollm2.sh [--threads N] [--measure-only]
# Writes runs/smollm2-orthros-s{0,4}/{model,delta.safetensors} and scores/smollm2.json. Half an hour a run on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
orthros=$(realpath "${ORTHROS:-../build/release/bin/orthros}")
threads=0 train=1
while (($#)); do
  case $1 in
    --threads) threads=${2:?}; shift 2 ;;
    --measure-only) train=0; shift ;;
    *) sed -n '2,5s/^# \{0,1\}//p' smollm2.sh >&2; exit 2 ;;
  esac
done
base=runs/smollm2/model
mkdir -p runs/smollm2 scores
gguf=runs/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
[[ -f $gguf ]] || ln -s "$(bash fetch_smollm2.sh)" "$gguf"
[[ -d $base ]] || "$orthros" convert "$gguf" "$base" --to transformer --dtype float32
[[ -f runs/smollm2/text.txt ]] || bash fetch_text.sh runs/smollm2/text.txt

arms=("$base:transformer" "$base:orthros,w=128" "$base:orthros,w=128,s=4")
for sinks in 0 4; do
  run=runs/smollm2-orthros-s$sinks
  if ((train)) && [[ ! -d $run/model ]]; then
    resume=()
    if compgen -G "$run/checkpoint*" >/dev/null; then resume=(--resume); fi
    "$orthros" train "recipes/smollm2-orthros-s$sinks.json" --threads "$threads" --db runs/training.db "${resume[@]}"
  fi
  [[ ! -d $run/model ]] || arms+=("$run/model")
done

# Likelihood of the 2,048 ids whose table stands in tests/fixtures/smollm2, every position predicted.
likelihood() {
  local name=$1
  shift
  "$orthros" perplexity "$@" --ids @../tests/fixtures/smollm2/nll_ids.txt --ranges 0,128,256,512,1024,2048 \
    --threads "$threads" --json >"runs/smollm2/nll-$name.json"
}
likelihood transformer "$base"
likelihood untrained-s0 "$base" --as orthros --window 128
likelihood untrained-s4 "$base" --as orthros --window 128 --sinks 4
for sinks in 0 4; do
  [[ ! -d runs/smollm2-orthros-s$sinks/model ]] || likelihood "trained-s$sinks" "runs/smollm2-orthros-s$sinks/model"
done

# Needles, same prompts for every arm; the graded score tells more than hits: the model itself retrieves weakly.
resume=(--resume last)
if [[ ! -f runs/smollm2/needles.db ]]; then
  resume=(--lengths 512,1024,2048,4096 --depths 10,50,90 --trials 1 --no-controls)
fi
"$orthros" niah "${arms[@]/#/--arm=}" --threads "$threads" --db runs/smollm2/needles.db --no-attention --json \
  "${resume[@]}" >runs/smollm2/needles.json
python3 smollm2_scores.py runs/smollm2 >scores/smollm2.json
