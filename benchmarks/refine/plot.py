#!/usr/bin/env python3
"""Draws the states explored for n threads, with and without reduction, from the table that table.sh writes.

Usage: plot.py runs/refine_threads.csv > runs/refine_threads.svg
"""
import csv, math, re, sys

curves = {}
for row in csv.DictReader(open(sys.argv[1])):
    kind, n = re.match(r"([a-z]+)(\d+)", row["program"]).groups()
    if row["verdict"] == "true":
        curves.setdefault((kind, row["reduction"]), []).append((int(n), int(row["states"])))
width, height, left, top = 560, 360, 60, 20
colours = {"independent": "#1b6ca8", "locked": "#b5482a"}
most = max(s for c in curves.values() for _, s in c)
x = lambda n: left + (n - 2) * (width - left - 150) / 6
y = lambda s: height - 40 - math.log10(s) * (height - 60) / math.log10(most)
out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
       f'<rect width="{width}" height="{height}" fill="white"/>']
for n in range(2, 9):
    out.append(f'<text x="{x(n):.0f}" y="{height - 22}" text-anchor="middle">{n}</text>')
for k in range(int(math.log10(most)) + 1):
    out.append(f'<line x1="{left}" x2="{x(8):.0f}" y1="{y(10 ** k):.1f}" y2="{y(10 ** k):.1f}" stroke="#ddd"/>')
    out.append(f'<text x="{left - 6}" y="{y(10 ** k) + 4:.1f}" text-anchor="end">{10 ** k}</text>')
out.append(f'<text x="{x(5):.0f}" y="{height - 6}" text-anchor="middle">threads</text>')
out.append(f'<text x="{left}" y="{top - 6}">states explored</text>')
ends = []
for (kind, reduction), points in sorted(curves.items()):
    points.sort()
    path = " ".join(f"{x(n):.1f},{y(s):.1f}" for n, s in points)
    dash = "" if reduction == "on" else ' stroke-dasharray="5 3"'
    out.append(f'<polyline points="{path}" fill="none" stroke="{colours[kind]}" stroke-width="2"{dash}/>')
    label = y(points[-1][1]) + 4
    while any(abs(label - e) < 12 for e in ends):
        label += 12
    ends.append(label)
    name = f"{kind}, {'reduced' if reduction == 'on' else 'all'}"
    out.append(f'<text x="{x(8) + 8:.0f}" y="{label:.1f}" fill="{colours[kind]}">{name}</text>')
out.append("</svg>")
print("\n".join(out))
