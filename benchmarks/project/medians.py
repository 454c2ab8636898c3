#!/usr/bin/env python3
"""Medians of the rows of `table.sh`: for each name and depth the solver and total time of both encodings, and how many runs finished."""
import csv
import statistics
import sys

rows = {}
for path in sys.argv[1:]:
    for row in csv.DictReader(open(path)):
        if row["encoding"] == "staged":
            key, value = (row["name"], "staged"), row["total"]
            rows.setdefault(key, {}).setdefault("staged", []).append((0.0, float(value or "nan"), row["verdict"]))
            continue
        key = (row["name"], row["depth"])
        solver = float(row["solver"]) if row["solver"] else float("inf")
        total = float(row["total"]) if row["total"] else float("inf")
        rows.setdefault(key, {}).setdefault(row["encoding"], []).append((solver, total, row["verdict"]))
for (name, depth), of in rows.items():
    if depth == "staged":
        values = [v[1] for v in of["staged"]]
        print(f"{name} staged: {statistics.median(values):.3f} ({of['staged'][0][2]})")
        continue
    line = f"{name} depth {depth}:"
    medians = {}
    for encoding in ("plain", "projected"):
        runs = of.get(encoding, [])
        if runs:
            medians[encoding] = statistics.median(r[0] for r in runs)
            verdicts = sorted({r[2] for r in runs})
            line += f" {encoding} solver {medians[encoding]:.3f} total {statistics.median(r[1] for r in runs):.3f} ({len(runs)} runs: {', '.join(verdicts)})"
    if len(medians) == 2 and medians["plain"] > 0:
        line += f" reduction {100 * (1 - medians['projected'] / medians['plain']):.0f} %"
    print(line)
