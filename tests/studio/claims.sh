#!/usr/bin/env bash
# What the paper claims, seen in the real window (Xvfb): the quick needle preset on needle-transformer, needle-swa and
# needle-orthros, and the prefill sweep of latency-256, each by one command of the palette; prints the seconds since the
# window came up, and writes the figures. Minutes of full load: not in the test set.
#   tests/studio/claims.sh [FOLDER]     FOLDER gets screenshots and figures. STUDIO=path of orthros-studio
set -euo pipefail
# shellcheck source=tests/studio/window.sh
source "$(dirname "${BASH_SOURCE[0]}")/window.sh"

since() { printf '%d s after the window: %s\n' $((($(date +%s%N) - began) / 1000000000)) "$1"; }
# finished KIND: waits until a run of that kind was there and none of them is under way.
finished() {
  local states
  for _ in $(seq 1800); do
    kill -0 "$program" 2>/dev/null || fail "the program ended: $(tail -3 "$work/log")"
    states=$(sqlite3 -readonly "$work/data/orthros/runs.sqlite" \
      "select distinct status from run join experiment on experiment.id = run.experiment_id where kind = '$1'" 2>/dev/null || true)
    case $states in
      done) return 0 ;;
      *failed* | *cancelled* | *interrupted*) fail "$1 ended as: $states" ;;
    esac
    sleep 0.5
  done
  fail "$1 took more than fifteen minutes"
}
command_of_page() { # PAGE-KEY TEXT
  key "$1"
  key ctrl+k
  xdotool type "$2"
  sleep 0.5
  key Return
}

settle 1-opened
command_of_page ctrl+4 'needle models'
finished niah
since 'needle maps done'
settle 2-niah
command_of_page ctrl+5 'sweep latency-256'
finished latency
since 'prefill sweep done'
settle 3-latency
quit
# export_figure FILE OPTION...: the newest run of a figure, as a picture or as numbers by the file's suffix.
export_figure() {
  local file=$folder/$1
  shift
  "$studio" export last "$@" --data "$work/data/orthros" --out "$file" 2>"$work/log" ||
    fail "no $file: $(<"$work/log")"
  printf '%s\n' "$file"
}
export_figure needle.svg --figure niah
export_figure needle.csv --figure niah
export_figure prefill.svg --figure latency --plot curves
export_figure speed-up.svg --figure latency --plot speed-up
export_figure latency.csv --figure latency
