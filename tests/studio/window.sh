# Starts the real program in a window of a virtual display (Xvfb), with a fresh home, and gives the words to drive it by
# keyboard. Sourced by the scripts beside it. In: $1 FOLDER for pictures, STUDIO=path of orthros-studio. Out: $work,
# $folder, $studio, $window, $program; a trap ends what was started and removes $work.
# shellcheck shell=bash
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
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

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

# Ends the program as a person would, and looks how it ended.
quit() {
  xdotool windowfocus --sync "$window"  # there is no window manager to give the focus back from a dialog
  key ctrl+q
  for _ in $(seq 120); do
    kill -0 "$program" 2>/dev/null || break
    sleep 0.25
  done
  ! kill -0 "$program" 2>/dev/null || fail "the program did not end after Ctrl+Q"
  wait "$program" || fail "the program ended with $?: $(tail -3 "$work/log")"
}
