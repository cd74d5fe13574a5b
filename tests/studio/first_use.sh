#!/usr/bin/env bash
# A first use, by keyboard, of the real program in a real window (Xvfb): the sample loads by itself, a prompt runs, its
# attention is looked at, the head that looks farthest beyond the window is found, and its picture is exported as SVG.
#   tests/studio/first_use.sh [FOLDER]     FOLDER gets a screenshot of every state. STUDIO=path of orthros-studio
set -euo pipefail
# shellcheck source=tests/studio/window.sh
source "$(dirname "${BASH_SOURCE[0]}")/window.sh"

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
quit
sqlite3 "$work/data/orthros/runs.sqlite" "select kind from experiment" | grep -q prompt || fail "the prompt was not kept"
printf 'first use: opened, prompted, looked, exported, closed\n'
