#!/usr/bin/env python3
"""Arithmetic of third_party.sh: the greatest difference of two logits files, and the report over seeds."""

import array
import json
import statistics
import struct
import sys
from pathlib import Path

LIMIT = 1e-4


def logits(path):
    data = Path(path).read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8:8 + size])["logits"]
    if entry["dtype"] != "F32":
        sys.exit(f"{path} holds {entry['dtype']}, not F32")
    begin, end = entry["data_offsets"]
    values = array.array("f")
    values.frombytes(data[8 + size + begin:8 + size + end])
    return values


def difference(one, other):
    a, b = logits(one), logits(other)
    if len(a) != len(b):
        sys.exit("the two files differ in shape")
    print(json.dumps(max(abs(x - y) for x, y in zip(a, b))))


def report(runs, target):
    seeds, arms = (42, 43, 44), ("transformer", "orthros")
    read = lambda name: json.loads((Path(runs) / name).read_text())
    result = {"seeds": list(seeds), "arms": {}}
    for arm in arms:
        nll = [read(f"nll-{seed}-{arm}.json")["mean_nll"] for seed in seeds]
        gap = [read(f"difference-{seed}-{arm}.json") for seed in seeds]
        result["arms"][arm] = {"nll": nll, "mean": statistics.mean(nll), "deviation": statistics.stdev(nll),
                               "prefill_decode_difference": max(gap)}
        print(f"{arm:12} NLL {statistics.mean(nll):.5f} +- {statistics.stdev(nll):.5f}   seeds "
              + " ".join(f"{x:.5f}" for x in nll) + f"   prefill and decode differ by {max(gap):.2e} at most")
    Path(target).write_text(json.dumps(result, indent=2) + "\n")
    if any(entry["prefill_decode_difference"] > LIMIT for entry in result["arms"].values()):
        sys.exit(f"prefill and decode differ by more than {LIMIT}")


if __name__ == "__main__":
    {"difference": difference, "report": report}[sys.argv[1]](*sys.argv[2:])
