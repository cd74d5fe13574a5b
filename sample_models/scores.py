#!/usr/bin/env python3
"""Scores of a sample model from its needle maps.
scores.py RUN TRAINED.db BEYOND.db HELD-OUT.db    JSON: cells of each map, means, and how far the needle was away
scores.py --print SCORES.json                     the same for people

Distance: tokens from the needle's first one to the row that predicts the first token of the answer (the last of the
prompt). A window of w reaches a needle whole at a distance of at most w - 1; L layers of it reach at most L (w - 1)."""

import hashlib
import json
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path

LAYERS, WINDOW = 3, 32
REACH = LAYERS * (WINDOW - 1)

QUERY = """
SELECT c.ctx_len, c.depth_ppm, t.score, t.answer_logprob, n.tok_begin
FROM niah_trial t JOIN cell c ON c.id = t.cell_id JOIN prompt p ON p.id = t.prompt_id
JOIN needle n ON n.prompt_id = p.id AND n.role = 'target' AND n.idx = 0
WHERE n.tok_end > n.tok_begin AND c.cell_key LIKE 'L=%'
"""


def rate(scores):
    hits = sum(score == 1 for score in scores)
    return {"hits": hits, "trials": len(scores), "accuracy": round(hits / len(scores), 4)}


def zone(distance):
    if distance <= WINDOW - 1:
        return "within the window"
    return "beyond all layers' windows" if distance > REACH else "between"


def map_of(database):
    cells, zones, distances = defaultdict(list), defaultdict(list), defaultdict(list)
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        for length, depth, score, _, begin in connection.execute(QUERY):
            cells[length, depth].append(score)
            distance = length - 1 - begin
            zones[zone(distance)].append(score)
            if distance <= 2 * REACH:
                distances[distance // 10 * 10].append(score)
    rates = {key: rate(scores) for key, scores in sorted(cells.items())}
    worst = min(rates, key=lambda key: rates[key]["accuracy"])
    return {
        "mean": round(sum(r["accuracy"] for r in rates.values()) / len(rates), 4),
        "worst cell": {"length": worst[0], "depth": worst[1] / 1e6, **rates[worst]},
        "by length": {length: rate([s for key, scores in cells.items() if key[0] == length for s in scores])
                      for length in sorted({key[0] for key in cells})},
        "by distance": {name: rate(scores) for name, scores in sorted(zones.items())},
        "by tens of tokens": {f"{d}-{d + 9}": rate(scores) for d, scores in sorted(distances.items())},
        "cells": [{"length": length, "depth": depth / 1e6, **r} for (length, depth), r in rates.items()],
    }


def show(scores):
    for part in ("trained", "beyond", "held-out"):
        m = scores[part]
        lengths = "  ".join(f"{length}: {r['accuracy']:.3f}" for length, r in m["by length"].items())
        worst = m["worst cell"]
        print(f"{scores['model']:28} {part:9} mean {m['mean']:.4f}  worst {worst['accuracy']:.2f} "
              f"({worst['length']} at {worst['depth']:.0%})  {lengths}")
    for name, r in scores["trained"]["by distance"].items():
        print(f"{'':28} {name}: {r['accuracy']:.3f} of {r['trials']}")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--print":
        show(json.loads(Path(sys.argv[2]).read_text()))
    elif len(sys.argv) == 5:
        parts = dict(zip(("trained", "beyond", "held-out"), map(map_of, sys.argv[2:])))
        weights = Path(__file__).parent / "runs" / sys.argv[1] / "model" / "model.safetensors"
        digest = hashlib.sha256(weights.read_bytes()).hexdigest()
        print(json.dumps({"model": sys.argv[1], "weights_sha256": digest, "layers": LAYERS, "window": WINDOW, **parts}, indent=1))
    else:
        sys.exit(__doc__)
