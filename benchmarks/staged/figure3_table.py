#!/usr/bin/env python3
"""Prints the rows of figure3.sh as a table, one column for each mode, and draws the growth.

    figure3_table.py FILE.csv [FILE.svg [LIMIT_S]]

The plot shows the indexer from 8 threads on, both axes logarithmic, one line for each mode and
bound on the probing; an undecided program is a hollow mark at the limit and ends its line.
"""
import csv
import math
import re
import sys

COLOURS = ["#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b9770e", "#34495e", "#16a085", "#7f2a50", "#555555"]


def read(path):
    """(family, threads, variant, property) -> mode -> row"""
    programs, modes = {}, []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            family, threads, variant = re.match(r"([a-z]+)-(\d+)-?([a-z-]*)_", row["file"]).groups()
            if row["expected"] == "false" and family == "indexer":
                variant += "-collision"
            programs.setdefault((family, int(threads), variant, row["property"]), {})[row["mode"]] = row
            if row["mode"] not in modes:
                modes.append(row["mode"])
    return programs, modes


def cell(row):
    if row is None:
        return ""
    if row["verdict"] == "skipped":
        return "skipped"
    seconds = f"{float(row['cpu_s']):.2f}"
    if row["verdict"] == row["expected"]:
        return f"{row['verdict']} {seconds}"
    if row["verdict"] in ("true", "false"):
        return f"WRONG {row['verdict']}"
    return f"({row['verdict'].partition('(')[0]}) {seconds}"


def table(programs, modes):
    print(f"{'program':16} {'variant':18} {'property':13}" + "".join(f" {mode:>16}" for mode in modes))
    for key in sorted(programs, key=lambda key: (key[0], key[2], key[3], key[1])):
        family, threads, variant, wanted = key
        print(f"{family + '(' + str(threads) + ')':16} {variant:18} {wanted:13}"
              + "".join(f" {cell(programs[key].get(mode)):>16}" for mode in modes))


def lines_of(programs, modes):
    """(name, [(threads, seconds, decided)]) for each mode and variant of the indexer."""
    variants = sorted({key[2] for key in programs if key[0] == "indexer"})
    for mode in modes:
        for variant in variants:
            points = []
            for key in sorted(programs):
                row = programs[key].get(mode)
                if key[0] == "indexer" and key[2] == variant and key[1] >= 8 and row and row["verdict"] != "skipped":
                    points.append((key[1], float(row["cpu_s"]), row["verdict"] == row["expected"]))
            if points:
                yield f"{mode}: {variant}", points


def draw(lines, path, limit):
    width, height, left, top, right, bottom = 760, 440, 60, 20, 210, 50
    low, high = 0.01, max(limit, 1) * 1.5

    def x(threads):
        return left + (width - left - right) * (math.log2(threads) - 3) / 3

    def y(seconds):
        share = (math.log10(min(max(seconds, low), high)) - math.log10(low)) / (math.log10(high) - math.log10(low))
        return height - bottom - (height - top - bottom) * share

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for threads in (8, 12, 16, 24, 32, 48, 64):
        out.append(f'<line x1="{x(threads):.1f}" x2="{x(threads):.1f}" y1="{top}" y2="{height - bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x(threads):.1f}" y="{height - bottom + 18}" text-anchor="middle">{threads}</text>')
    for seconds in [power for power in (0.01, 0.1, 1, 10, 100, 1000) if power <= high]:
        out.append(f'<line x1="{left}" x2="{width - right}" y1="{y(seconds):.1f}" y2="{y(seconds):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y(seconds) + 4:.1f}" text-anchor="end">{seconds:g}</text>')
    out.append(f'<line x1="{left}" x2="{width - right}" y1="{y(limit):.1f}" y2="{y(limit):.1f}" '
               'stroke="#999" stroke-dasharray="5 4"/>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">threads of the indexer</text>')
    out.append(f'<text transform="translate(16 {height / 2}) rotate(-90)" text-anchor="middle">processor seconds</text>')
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        dash = "" if number < len(COLOURS) else ' stroke-dasharray="2 3"'
        solved = [(threads, seconds) for threads, seconds, decided in points if decided]
        path_text = " ".join(f"{x(threads):.1f},{y(seconds):.1f}" for threads, seconds in solved)
        out.append(f'<polyline points="{path_text}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
        for threads, seconds, decided in points:
            height_of = y(seconds if decided else limit)
            fill = colour if decided else "white"
            out.append(f'<circle cx="{x(threads):.1f}" cy="{height_of:.1f}" r="3" fill="{fill}" stroke="{colour}"/>')
        row = top + 14 + 17 * number
        out.append(f'<line x1="{width - right + 12}" x2="{width - right + 32}" y1="{row - 4}" y2="{row - 4}" '
                   f'stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{width - right + 38}" y="{row}">{name}</text>')
    out.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs, modes = read(sys.argv[1])
    table(programs, modes)
    if len(sys.argv) > 2:
        draw(lines_of(programs, modes), sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 60)


if __name__ == "__main__":
    main()
