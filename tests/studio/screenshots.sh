#!/usr/bin/env bash
# Draws every page of the real program, light and dark, into FOLDER (default resources/screenshots). Needs no display.
#   tests/studio/screenshots.sh [FOLDER [MODEL [WIDTHxHEIGHT]]]     STUDIO=path of orthros-studio
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(realpath -m "${1:-resources/screenshots}")
model=${2:-$(bash sample_models/fetch_smollm2.sh)}
size=${3:-1280x800}
studio=$(realpath "${STUDIO:-build/release/bin/orthros-studio}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
mkdir -p "$folder"
cd "$work"  # so that no picture shows a path of this machine
# What the pages show is really run, and kept in the store that they then open.
mkdir data
samples=$OLDPWD/sample_models
orthros=$(dirname "$studio")/orthros
# The lesson's recipe, shortened: real curves in half a minute.
sed -e 's/"max_steps": [0-9]*/"max_steps": 150/g' -e "s|\.\./tokenizers|$samples/tokenizers|" \
  -e 's|"output": "[^"]*"|"output": "data/training/lesson"|' "$samples/recipes/lesson.json" >lesson.json
"$orthros" train lesson.json --threads 1 --db data/runs.sqlite 2>/dev/null
"$orthros" generate "$model" --prompt 'The capital of France is' --max-tokens 24 --threads 1 --keep --db data/runs.sqlite >/dev/null
# Maps of the needle models: three arms on the same prompts.
swa=$samples/needle-swa
[ -d "$swa" ] || swa=$samples/needle-orthros:swa
"$orthros" niah --arm "$samples/needle-transformer" --arm "$swa" --arm "$samples/needle-orthros" \
  --preset quick --lengths 128,256,512,1K,2K --trials 5 --threads 1 --db data/runs.sqlite >/dev/null
# A prefill sweep of a model of random weights, Transformer against Orthros.
python3 "$OLDPWD/sample_models/make_latency_256.py" "$work/latency-256" >/dev/null 2>&1
"$orthros" latency --arm "$work/latency-256:transformer" --arm "$work/latency-256:orthros,w=128,s=0" \
  --mode prefill --lengths 256,512,1K,2K,4K --min-samples 3 --max-samples 6 --threads 1 --db data/runs.sqlite >/dev/null
draw() { # PICTURE PAGE OPTION...
  local picture=$1 page=$2
  shift 2
  "$studio" "$model" --theme "$theme" --threads 1 --data data --size "$size" --language en \
    --screenshot "$page" --out "$folder/$picture-$theme.png" "$@" 2>/dev/null
  printf '%s\n' "$folder/$picture-$theme.png"
}
for theme in light dark; do
  for page in models prompt attention niah latency training runs settings; do draw "$page" "$page"; done
  for view in all cache timeline compare; do draw "attention-$view" attention --view "$view"; done
  # A step of a layer, a regime, the needle, and that one for a wall.
  for view in read=1/8/numbers regimes=4/1 needle=7/4 presenter=7/4/presenter; do
    draw "lessons-${view%%=*}" lessons --view "${view#*=}"
  done
done
