#!/usr/bin/env bash
# Acceptance check 15 of the experiments: a Transformer and Orthros (w = 128) of the same weights, width 256, over
# T = 256 ... 16384 in turns. Prints the tables of orthros latency, then each speed-up beside (1 + T/4096)/1.06 and
# what the fitted curves say of it. Takes about two minutes on two quiet cores.
# Usage: tests/bench/latency_256.sh PATH/TO/orthros [more options of orthros latency]
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
program=${1:?usage: latency_256.sh PATH/TO/orthros [more options of orthros latency]}
shift
model=$(python3 "$here/../../sample_models/make_latency_256.py" 2>/dev/null)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" latency --arm "$model:transformer" --arm "$model:orthros,w=128" --db "$folder/runs.sqlite" \
  --lengths 256,512,1K,2K,4K,8K,16K --cell-seconds 20 "$@"
"$program" runs show last --db "$folder/runs.sqlite" --json >"$folder/shown.json"
python3 - "$folder/shown.json" <<'PYTHON'
import json
import sys

with open(sys.argv[1]) as file:
    figures = json.load(file)["figures"]
transformer, orthros = figures["arms"]
balance = transformer["flop_balance_tokens"]
print(f"\nT* = N_lin / (L d_q) = {balance:.0f}\n")
print(f"{'T':>6}  {'speed-up [95 %]':>22}  {'(1+T/T*)/1.06':>13}  {'of it':>6}  {'FLOP ratio':>10}")
for cell in figures["cells"]:
    speed_up = cell["arms"][1]["speed_up"]
    ratio = speed_up["prefill"]
    if ratio is None:
        continue
    rule = (1 + cell["T"] / balance) / 1.06
    interval = "[{:.3f}-{:.3f}]".format(*ratio["interval_95"])
    print(f"{cell['T']:>6}  {ratio['value']:>7.3f} {interval:>14}  {rule:>13.3f}  {ratio['value'] / rule:>6.3f}"
          f"  {speed_up['flop_engine']:>10.3f}")
for name, arm, wanted in (("Transformer", transformer, False), ("Orthros", orthros, True)):
    fit = arm.get("fit", {})
    if "c_95" not in fit:
        print(f"{name}: no interval of c")
        continue
    low, high = (1e9 * bound for bound in fit["c_95"])
    found = fit["c_consistent_with_zero"]
    share = fit["c_s_per_token2"] * 16384**2 / sum(
        (fit["a_s"], fit["b_s_per_token"] * 16384, fit["c_s_per_token2"] * 16384**2))
    print(f"{name}: c = {1e9 * fit['c_s_per_token2']:.3g} [{low:.3g}-{high:.3g}] ns/token^2, {100 * share:.0f} % of "
          f"the time at 16K; {'consistent with 0' if found else 'above 0'}{'' if found == wanted else ': NOT as expected'}")
PYTHON
