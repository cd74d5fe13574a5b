#!/usr/bin/env bash
# The main job on the command line: convert a GGUF to an Orthros folder, prompt it as Transformer and as Orthros,
# write one head's attention rows of both streams, print what it cost. Called by app/run.sh with the GGUF's path.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=engine/cmake/setup.sh
source engine/cmake/setup.sh

gguf=$1
orthros=build/release/bin/orthros
window=128
sinks=4
layer=15
head=4
# Longer than window and sinks together (about 200 tokens): below that the two architectures are the same function.
prompt='Mara kept the lighthouse on Gull Island. Each evening she climbed the ninety-one steps, lit the lamp, and wrote
the weather in a green notebook. On the third of March a storm broke the window on the north side. She nailed a blanket
over it and went on writing. In the morning a fishing boat lay on the rocks below, and in it she found a grey cat, a sack
of oranges and a letter addressed to the keeper of the light. The letter said that the harbour would send glass and a
carpenter within two weeks, and asked her to keep the cat, whose name was Admiral, until then. She put the oranges on the
shelf beside the lamp, where they shone at night like small suns. The carpenter came after nine days. He mended the
window, drank a pot of tea, and asked whether the cat should come back with him to the harbour. Mara looked at the cat,
who was asleep on the green notebook, and said no.
What was the name of the cat, and where did it sleep?'
passage=tests/fixtures/smollm2/nll_ids.txt # 2,048 ids: long enough for the two architectures to differ
folder="$orthros_cache/models/SmolLM2-135M-Instruct-orthros-w$window-s$sinks"
out=build/main-job
mkdir -p "$out"

convert() {
  orthros_say "converting to Orthros, window $window, $sinks sink tokens"
  "$orthros" convert "$gguf" "$2" --to orthros --window "$window" --sinks "$sinks" >&2
}
orthros_make_once "$folder" convert

# Both arms run the same folder, so that the weights are held alike; --as makes the plain Transformer of it.
for arm in transformer orthros; do
  as=(--as "$arm")
  if [[ $arm == orthros ]]; then as+=(--window "$window" --sinks "$sinks"); fi
  orthros_say "generating as $arm"
  "$orthros" generate "$folder" "${as[@]}" --prompt "$prompt" --chat --max-tokens 64 --json >"$out/$arm-text.json"
  "$orthros" generate "$folder" "${as[@]}" --ids "@$passage" --max-tokens 32 --ignore-eos --json >"$out/$arm-speed.json"
done
for stream in base output; do
  "$orthros" attention "$folder" --prompt "$prompt" --layer "$layer" --head "$head" --stream "$stream" \
    --rows all --out "$out/attention-layer$layer-head$head-$stream.csv" >&2
done

python3 - "$out" <<'EOT'
import json, os, sys
out = sys.argv[1]
def read(arm, what):
    with open(os.path.join(out, f"{arm}-{what}.json"), encoding="utf-8") as file:
        return json.load(file)
arms = ("transformer", "orthros")
for arm in arms:
    print(f"\n{arm}: {read(arm, 'text')['text'].strip()}")
print(f"\n{'':14}{'prompt tokens':>14}{'prefill tok/s':>14}{'decode tok/s':>14}{'KV bytes':>14}")
for arm in arms:
    run = read(arm, "speed")
    print(f"{arm:14}{run['prompt_tokens']:14,d}{run['prefill_tok_s']:14,.0f}{run['decode_tok_s']:14,.1f}{run['kv_bytes']:14,d}")
print("\nfiles written:")
for name in sorted(os.listdir(out)):
    print(f"  {os.path.join(out, name)}  {os.path.getsize(os.path.join(out, name)):,} bytes")
EOT
printf '  %s (Orthros model)\n' "$folder"
