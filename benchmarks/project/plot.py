#!/usr/bin/env python3
"""Draws Figure 2 of the projection paper, total time against depth for a litmus test that cannot be violated, and beside it the solver times of
Table 1, one dot for each run: below the diagonal projections win. From the table that table.sh writes.

Usage: plot.py runs/project_table1.csv > runs/project_table1.svg
"""
import csv, math, sys

curves, dots = {}, {}
for row in csv.DictReader(open(sys.argv[1])):
    if row["encoding"] == "staged" or not row["total"]:
        continue
    if row["name"].endswith("unsat"):
        curves.setdefault(row["encoding"], []).append((int(row["depth"]), float(row["total"])))
    key = (row["name"], row["depth"], row["seed"], row["memory"])
    dots.setdefault(key, {})[row["encoding"]] = max(float(row["solver"]), 0.001)
width, height, side, gap = 860, 380, 320, 70
colours = {"plain": "#b5482a", "projected": "#1b6ca8"}
kinds = {"Indexer": "#2a7d46", "FSys": "#8a4fa3", "DPhil": "#c98a1b", "Litmus": "#1b6ca8"}
out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
       f'<rect width="{width}" height="{height}" fill="white"/>']
if curves:
    points = [p for c in curves.values() for p in c]
    low, high = min(d for d, _ in points), max(d for d, _ in points)
    most = max(t for _, t in points)
    x = lambda d: gap + (d - low) * side / max(high - low, 1)
    y = lambda t: height - 50 - t * (height - 90) / most
    for k in range(5):
        t = most * k / 4
        out.append(f'<line x1="{gap}" x2="{gap + side}" y1="{y(t):.1f}" y2="{y(t):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{gap - 6}" y="{y(t) + 4:.1f}" text-anchor="end">{t:.1f}</text>')
    for d in sorted({d for d, _ in points}):
        out.append(f'<text x="{x(d):.0f}" y="{height - 34}" text-anchor="middle">{d}</text>')
    for n, (encoding, c) in enumerate(sorted(curves.items())):
        path = " ".join(f"{x(d):.1f},{y(t):.1f}" for d, t in sorted(c))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colours[encoding]}" stroke-width="2"/>')
        out.append(f'<text x="{gap + 10}" y="{50 + 14 * n}" fill="{colours[encoding]}">{encoding}</text>')
    out.append(f'<text x="{gap + side / 2:.0f}" y="{height - 14}" text-anchor="middle">depth</text>')
    out.append(f'<text x="{gap - 40}" y="22">litmus 5, no violation: total CPU seconds</text>')
left = 2 * gap + side + 40
decades = 6
u = lambda t: left + (math.log10(t) + 3) * side / decades
v = lambda t: height - 50 - (math.log10(t) + 3) * (height - 90) / decades
for k in range(-3, 4):
    out.append(f'<line x1="{left}" x2="{left + side}" y1="{v(10 ** k):.1f}" y2="{v(10 ** k):.1f}" stroke="#ddd"/>')
    out.append(f'<text x="{left - 6}" y="{v(10 ** k) + 4:.1f}" text-anchor="end">{10 ** k:g}</text>')
    out.append(f'<text x="{u(10 ** k):.0f}" y="{height - 34}" text-anchor="middle">{10 ** k:g}</text>')
out.append(f'<line x1="{u(0.001):.1f}" y1="{v(0.001):.1f}" x2="{u(1000):.1f}" y2="{v(1000):.1f}" stroke="#888" stroke-dasharray="4 3"/>')
for (name, *_), of in dots.items():
    if "plain" in of and "projected" in of:
        colour = kinds[name.split()[0]]
        out.append(f'<circle cx="{u(of["plain"]):.1f}" cy="{v(of["projected"]):.1f}" r="3" fill="{colour}" fill-opacity="0.6"/>')
for n, (kind, colour) in enumerate(kinds.items()):
    out.append(f'<text x="{left + 12}" y="{50 + 14 * n}" fill="{colour}">{kind}</text>')
out.append(f'<text x="{left + side / 2:.0f}" y="{height - 14}" text-anchor="middle">plain</text>')
out.append(f'<text x="{left - 40}" y="22">solver CPU seconds, projected (upwards) against plain</text>')
out.append("</svg>")
print("\n".join(out))
