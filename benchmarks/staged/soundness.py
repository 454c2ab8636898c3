#!/usr/bin/env python3
"""No vacuous proof, and what a certificate costs.

    RADDLE=path/to/raddle soundness.py CHECKOUT/c RESULTS.csv [LIMIT_S]

For every task that RESULTS.csv (of svcomp.sh) says was proved: the same program with one more call of the error function at the end
of `main`, before its last return, must turn `false`; and the plain run is timed beside one with --certify. `main` that never
comes to its end (an endless loop before it) is told apart and not counted.
"""
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import resource


def call(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([os.environ.get("RADDLE", "raddle"), "verify", "--engine", "staged", *arguments],
                         capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    verdict = re.findall(r"^verdict: (.*)$", run.stdout, re.M)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (verdict or ["error"])[-1], cpu


def end_of_main(text):
    """The position of the last return of main, or of its closing brace."""
    found = list(re.finditer(r"\bmain\s*\([^)]*\)\s*\{", text))
    if not found:
        return None
    depth, at = 1, found[-1].end()
    last = None
    while depth and at < len(text):
        if text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
        elif depth == 1 and re.match(r"\b(return|pthread_exit)\b", text[at:]) and not text[at - 1].isalnum():
            last = at
        at += 1
    return last if last is not None else at - 1


def main():
    root, results = sys.argv[1:3]
    limit = (sys.argv[3] if len(sys.argv) > 3 else "30") + "s"
    with open(results) as file:
        proved = [row["file"] for row in csv.DictReader(file) if row["verdict"] == "true"]
    turned, kept, ratios = 0, [], []
    for name in proved:
        path = os.path.join(root, name)
        common = ["--property", "unreach-call", "--data-model", "ILP32", "--cpu-limit", limit]
        verdict, plain = call([path, *common])
        certified, cost = call([path, *common, "--certify"])
        if verdict == certified == "true":
            ratios.append(cost / max(plain, 1e-3))
        with open(path) as file:
            text = file.read()
        at = end_of_main(text)
        if at is None:
            kept.append((name, "no main"))
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".i") as changed:
            changed.write(text[:at] + " __VERIFIER_error(); " + text[at:])
            changed.flush()
            verdict, _ = call([changed.name, *common])
        if verdict.startswith("false"):
            turned += 1
        else:
            kept.append((name, verdict))
    print(f"{len(proved)} proved, {turned} turn false with one more error")
    for name, verdict in kept:
        print(f"  {name}: {verdict}")
    if ratios:
        print(f"--certify costs {statistics.median(ratios):.2f} times the plain run in the median of {len(ratios)}, "
              f"at most {max(ratios):.2f}")


if __name__ == "__main__":
    main()
