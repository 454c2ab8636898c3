#!/usr/bin/env python3
"""Medians of the rows of `table.sh`, as the table of the README: solver and total time of both encodings beside the paper's figures.

Usage: medians.py runs/project_table1.csv
"""
import csv
import statistics
import sys

# Solver time of BMC and PBMC, and total time of BMC, as the paper prints them.
PAPER = {
    ("Indexer 2", "10"): (19.531, 5.088, 20.116), ("Indexer 4", "15"): (15979.298, 5881.442, 15981.531),
    ("FSys 5", "30"): (37.058, 1.825, 47.376), ("FSys 5", "60"): (206.297, 14.879, 227.427),
    ("FSys 5", "70"): (627.547, 40.469, 651.991), ("FSys 5", "90"): (949.518, 10.478, 981.573),
    ("FSys 5", "100"): (735.898, 51.768, 771.039), ("DPhil 5", "11"): (5.921, 7.671, 8.830),
    ("DPhil 7", "11"): (14.391, 14.945, 19.162), ("DPhil 10", "11"): (51.229, 39.607, 59.460),
    ("DPhil 12", "11"): (77.121, 66.544, 88.028), ("DPhil 15", "11"): (219.824, 182.689, 235.581),
    ("Litmus 4", "20"): (10.649, 13.988, 11.348), ("Litmus 5", "20"): (605.336, 654.573, 606.475),
    ("Litmus 6", "20"): (3888.401, 908.573, 3889.363), ("Litmus 7", "20"): (2611.024, 349.708, 2612.562),
    ("Litmus 8", "20"): (7200.0, 59.738, 7200.0),
}


def number(text):
    return float(text) if text else float("inf")


rows, staged = {}, {}
for row in csv.DictReader(open(sys.argv[1])):
    if row["encoding"] == "staged":
        staged.setdefault(row["name"], []).append((number(row["total"]), row["verdict"]))
        continue
    key = (row["name"], row["depth"], row["memory"])
    of = rows.setdefault(key, {}).setdefault(row["encoding"], [])
    of.append((number(row["solver"]), number(row["total"]), row["verdict"]))
print("| model | depth | memory | paper: BMC, PBMC (solver) | plain: solver, total | projected: solver, total | solver time saved | staged |")
print("|---|---|---|---|---|---|---|---|")
for (name, depth, memory), of in rows.items():
    cells, solver = [], {}
    for encoding in ("plain", "projected"):
        runs = of.get(encoding, [])
        solver[encoding] = statistics.median(r[0] for r in runs) if runs else float("inf")
        total = statistics.median(r[1] for r in runs) if runs else float("inf")
        unfinished = sum("limit" in r[2] or "timeout" in r[2] for r in runs)
        cells.append(f"{solver[encoding]:.3f}, {total:.3f}" + (f" ({unfinished} unfinished)" if unfinished else ""))
    few = max(solver.values()) < 0.005
    saved = "nothing to save" if few else f"{100 * (1 - solver['projected'] / solver['plain']):.0f} %"
    paper = PAPER.get((name, depth))
    printed = f"{paper[0]:.1f}, {paper[1]:.1f}" if paper else ""
    other = staged.get(name, [])
    beside = f"{statistics.median(s[0] for s in other):.3f}" if other else ""
    print(f"| {name} | {depth} | {memory} | {printed} | {cells[0]} | {cells[1]} | {saved} | {beside} |")
slowest = [(name, depth, PAPER[name, depth][2] / max(statistics.median(r[1] for r in of["plain"]), 0.001))
           for (name, depth, memory), of in rows.items() if (name, depth) in PAPER and memory == "own" and "plain" in of]
if slowest:
    name, depth, times = min(slowest, key=lambda s: s[2])
    print(f"\nThe plain encoding is at least {times:.0f} times faster than the paper's (total time, {name} at depth {depth}).")
