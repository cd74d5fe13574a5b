#!/usr/bin/env python3
"""Scores of smollm2.sh: smollm2_scores.py FOLDER prints JSON, and a table for people on stderr."""

import json
import sys
from pathlib import Path

# In the order of smollm2.sh: folders named "model" all have the same label.
ARMS = ("transformer", "untrained-s0", "untrained-s4", "trained-s0", "trained-s4")


def main(folder):
    folder = Path(folder)
    result = {"likelihood": {}, "needles": {}}
    for path in sorted(folder.glob("nll-*.json")):
        name = path.stem.removeprefix("nll-")
        ranges = json.loads(path.read_text())["ranges"]
        result["likelihood"][name] = {f"{r['begin']}-{r['end']}": round(r["mean_nll"], 4) for r in ranges}
        print(f"{name:14}", *(f"{r['begin']}-{r['end']}: {r['mean_nll']:.3f}" for r in ranges), sep="  ", file=sys.stderr)
    needles = json.loads((folder / "needles.json").read_text())
    for name, arm in zip(ARMS, needles["arms"]):
        rows = {}
        for length, row in zip(needles["spec"]["lengths"], arm["by_length"]):
            rows[length] = {"hits": row["hits"], "trials": row["n"], "nll_per_id": round(-row["answer_logprob"], 4)}
        result["needles"][name] = rows
        print(f"{name:14}", *(f"{n}: {r['hits']}/{r['trials']} ({r['nll_per_id']:.2f})" for n, r in rows.items()),
              sep="  ", file=sys.stderr)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
