#!/usr/bin/env python3
"""What `raddle verify` costs with all its engines, as a ratio to the engine that is fastest alone.

  cost.py OUT.csv LIMIT NAME=BINARY... -- FILE...

Every file is given to every engine of the first binary alone and to all engines of each binary together, one run after the other, so that a ratio
compares runs of the same minute. Then the tasks are summed up that some engine decides alone in less than a second.
"""
import csv, os, subprocess, sys

ENGINES = ["staged", "fusion", "refine"]


def run(binary, arguments, limit, file):
    command = [binary, "verify", file, "--property", "unreach-call", "--data-model", "ILP32", "--cpu-limit", limit]
    process = subprocess.Popen(command + arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read().decode(errors="replace")
    _, _, used = os.wait4(process.pid, 0)
    lines = [line[9:] for line in text.splitlines() if line.startswith("verdict: ")]
    verdict = (lines[-1] if lines else "error").split("(")[0]
    return verdict, round(used.ru_utime + used.ru_stime, 3)


def main():
    out, limit = sys.argv[1:3]
    middle = sys.argv.index("--")
    binaries = [b.split("=", 1) for b in sys.argv[3:middle]]
    names = ENGINES + [name for name, _ in binaries]
    rows = []
    for file in sys.argv[middle + 1:]:
        row = {"file": "/".join(file.split("/")[-2:])}
        for name in ENGINES:
            row[name], row[name + "_cpu_s"] = run(binaries[0][1], ["--engine", name], limit, file)
        for name, binary in binaries:
            row[name], row[name + "_cpu_s"] = run(binary, [], limit, file)
        rows.append(row)
    with open(out, "w") as handle:
        writer = csv.DictWriter(handle, ["file"] + [n + s for n in names for s in ("", "_cpu_s")], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for name, _ in binaries:
        ratios, within, nearly, beyond = [], 0, 0, []
        for row in rows:
            best = [row[e + "_cpu_s"] for e in ENGINES if row[e] in ("true", "false")]
            if not best or min(best) >= 1:
                continue
            best, mine = max(min(best), 0.001), row[name + "_cpu_s"]
            ratios.append(mine / best)
            within += mine <= 2 * best
            nearly += mine <= 2 * best + 0.1
            if mine > 2 * best + 0.1:
                beyond.append(f"{row['file']} {best} {mine}")
        ratios.sort()
        print(f"{name}: {len(ratios)} tasks, {within} at most twice, {nearly} with 0.1 s more, median {ratios[len(ratios) // 2]:.2f}, mean {sum(ratios) / len(ratios):.2f}")
        for line in beyond:
            print("  beyond:", line)


main()
