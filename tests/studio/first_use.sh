#!/usr/bin/env bash
# A first use, by keyboard, of the real program in a real window (Xvfb): the sample loads by itself, a prompt runs, its
# attention is looked at, the head that looks farthest beyond the window is found, and its picture is exported as SVG.
#   tests/studio/first_use.sh [FOLDER]     FOLDER gets a screenshot of every state. STUDIO=path of orthros-studio
set -euo pipefail
for tool in Xvfb xdotool import compare; do
  command -v "$tool" >/dev/null || { printf 'skipped: there is no %s (packages xvfb, xdotool, imagemagick)\n' "$tool"; exit 77; }
done
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
studio=$(realpath "${STUDIO:-build/release/bin/orthros-studio}")
work=$(mktemp -d)
folder=$(realpath -m "${1:-$work/pictures}")
mkdir -p "$folder" "$work/cache/orthros/models"
ln -s "$(bash sample_models/fetch_smollm2.sh)" "$work/cache/orthros/models/"
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset WAYLAND_DISPLAY QT_QPA_PLATFORM
children=()
finish() {
  ((${#children[@]})) && kill "${children[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
fail() { printf 'first use: %s\n' "$*" >&2; exit 1; }

exec {display}<> <(:)
Xvfb -displayfd "$display" -screen 0 1280x800x24 -nolisten tcp 2>/dev/null &
children+=($!)
read -r -t 30 number <&"$display" || fail "no display from Xvfb"
export DISPLAY=:$number

began=$(date +%s%N)
"$studio" --language en --theme light >"$work/log" 2>&1 &
program=$!
children+=("$program")
window=$(timeout 60 xdotool search --sync --onlyvisible --name 'Orthros Studio' | head -1) || fail "no window came up: $(<"$work/log")"
printf 'window after %d ms\n' $((($(date +%s%N) - began) / 1000000))
xdotool windowsize --sync "$window" 1280 800 windowfocus --sync "$window" || true

shot() { import -window root "$folder/$1.png"; printf '%s\n' "$folder/$1.png"; }
key() { xdotool key --clearmodifiers "$@"; sleep 0.3; }
# settle NAME: waits until the window has shown the same picture for a second, and keeps that picture. A blinking
# caret of a few pixels is no change.
settle() {
  local same=0 changed
  import -window root "$work/before.png"
  for _ in $(seq 240); do
    sleep 0.25
    kill -0 "$program" 2>/dev/null || fail "the program ended before: $1 ($(tail -3 "$work/log"))"
    import -window root "$work/now.png"
    changed=$(compare -metric AE "$work/before.png" "$work/now.png" null: 2>&1 || true)
    if [[ $changed =~ ^[0-9]+$ ]] && ((changed < 100)); then same=$((same + 1)); else same=0; fi
    ((same < 4)) || break
    mv "$work/now.png" "$work/before.png"
  done
  shot "$1"
}

settle 1-opened
key ctrl+2
xdotool type 'Mara kept the key under the third stone. The key is under the'
key ctrl+Return
settle 2-prompted
key ctrl+3
key ctrl+Return
settle 3-attention
key n
settle 4-head
key e
settle 5-export
xdotool key --clearmodifiers ctrl+a
xdotool type "$work/head.svg"
key Return
settle 6-exported
head -c 200 "$work/head.svg" | grep -q '<svg' || fail "no SVG was written"
[[ $(grep -c '<path' "$work/head.svg") -gt 100 ]] || fail "the SVG has no picture in it"
cp "$work/head.svg" "$folder/head.svg"
xdotool windowfocus --sync "$window"  # there is no window manager to give the focus back from the dialog
key ctrl+q
for _ in $(seq 120); do
  kill -0 "$program" 2>/dev/null || break
  sleep 0.25
done
! kill -0 "$program" 2>/dev/null || fail "the program did not end after Ctrl+Q"
wait "$program" || fail "the program ended with $?: $(tail -3 "$work/log")"
sqlite3 "$work/data/orthros/runs.sqlite" "select kind from experiment" | grep -q prompt || fail "the prompt was not kept"
printf 'first use: opened, prompted, looked, exported, closed\n'
