#!/usr/bin/env bash
# Trains the sample models again and measures them; every step that is done already is left out, and a run that was
# stopped goes on where it was.
#   sample_models/repeat.sh [--seeds 1,2,3] [--only needle-orthros,lesson,...] [--threads N]
# A run takes 10 to 25 minutes on two cores; a map as long again. Scores come to scores/NAME-seed-N.json, models to
# runs/NAME-seed-N/model. Those of seed 1 are the ones in the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
orthros=$(realpath "${ORTHROS:-../build/release/bin/orthros}")
seeds=1
names=needle-transformer,needle-swa,needle-orthros,needle-orthros-no-so,lesson
threads=0
while (($#)); do
  case $1 in
    --seeds) seeds=${2:?} ;;
    --only) names=${2:?} ;;
    --threads) threads=${2:?} ;;
    *) sed -n '2,6s/^# \{0,1\}//p' repeat.sh >&2; exit 2 ;;
  esac
  shift 2
done

# train NAME SEED: into runs/NAME-seed-SEED
train() {
  local run="$1-seed-$2" config resume=()
  [[ -d runs/$run/model ]] && return
  mkdir -p runs scores
  config="runs/$run.json"
  sed -e "s/\"seed\": 1,/\"seed\": $2,/" -e "s|\"output\": \"../runs/$1\"|\"output\": \"$run\"|" "recipes/$1.json" >"$config"
  if compgen -G "runs/$run/checkpoint*" >/dev/null; then resume=(--resume); fi
  "$orthros" train "$config" --threads "$threads" --db runs/training.db --name "$run" "${resume[@]}"
}

# map RUN PART OPTION...: a needle map into runs/RUN-PART.db, continued where it was stopped
map() {
  local db="runs/$1-$2.db" arm="runs/$1/model" resume=(--resume last)
  shift 2
  if [[ ! -f $db ]]; then resume=("$@"); fi
  "$orthros" niah --arm "$arm" --threads "$threads" --db "$db" --no-attention "${resume[@]}" >/dev/null
}

for name in ${names//,/ }; do
  for seed in ${seeds//,/ }; do
    train "$name" "$seed"
    [[ $name == needle-* ]] || continue
    run="$name-seed-$seed"
    [[ -f scores/$run.json ]] && continue
    map "$run" trained --lengths 256,512,1024,2048,4096 --depths 11 --trials 100
    map "$run" beyond --lengths 8192,16384 --depths 11 --trials 10
    map "$run" held-out --names held-out --lengths 256,1024,4096 --depths 11 --trials 10
    python3 scores.py "$run" runs/"$run"-{trained,beyond,held-out}.db >scores/"$run.json"
    python3 scores.py --print scores/"$run.json"
  done
done
