#!/usr/bin/env python3
"""Runs a checker over verification tasks, one after the other, and keeps one CSV row for each.

    run_tasks.py TOOL --out FILE.csv [--root DIR] [--limit 30] [--property unreach-call]
                 [--mode NAME] [--arguments "..."] [--bits 32] [--give-up N] FILE...
    run_tasks.py --summary FILE.csv...

TOOL is raddle, cbmc or deagle, found through the environment variables RADDLE, CBMC (programs) and
DEAGLE_DIR (a directory with deagle_exe and the wrapper script `deagle` it competes with). Files are
named in the CSV relative to --root. Expected verdicts come from the file names
(`..._true-unreach-call...`). The limit is processor time over a task's whole process group; wall
time is cut at four times as much, because machines are shared. Rows are appended as they come.
With --give-up N, larger tasks of a family (the name without its numbers) are skipped once N tasks of
it stayed undecided; put the files in order of size.
"""
import argparse
import csv
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

COLUMNS = ["tool", "mode", "property", "file", "expected", "verdict", "cpu_s", "wall_s", "rss_kb"]
MEMORY = 8 << 30
WALL_FACTOR = 4
TICKS = os.sysconf("SC_CLK_TCK")


class Usage:
    """What one or several calls cost together."""

    def __init__(self):
        self.cpu = self.wall = 0.0
        self.rss = 0


def group_cpu(group):
    """Processor seconds of the living processes of a group and of the children they waited for."""
    total = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def call(command, limit, usage, directory=None):
    """Runs a command in a group of its own; gives its output and whether a limit stopped it."""

    def prepare():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   cwd=directory, preexec_fn=prepare)
        stopped, look, pause, seen = False, start + 0.5, 0.002, 0.0
        while True:
            pid, _, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            now = time.monotonic()
            if now >= look and not stopped:
                look = now + 0.25
                seen = group_cpu(process.pid)
                if seen > limit + 0.5 or now - start > WALL_FACTOR * limit + 2:
                    stopped = True
                    os.killpg(process.pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(pause * 1.2, 0.05)
        process.returncode = 0
        try:
            os.killpg(process.pid, signal.SIGKILL)  # whatever it left behind
        except ProcessLookupError:
            pass
        cpu = max(seen, used.ru_utime + used.ru_stime)
        usage.cpu += cpu
        usage.wall += time.monotonic() - start
        usage.rss = max(usage.rss, used.ru_maxrss)
        output.seek(0)
        return output.read(8 << 20).decode(errors="replace"), stopped


def raddle(task, options, usage):
    model = "ILP32" if options.bits == 32 else "LP64"
    limit = int(options.limit)
    command = [os.environ.get("RADDLE", "raddle"), "verify", task, "--property", options.property,
               "--data-model", model, "--cpu-limit", f"{limit}s", "--timeout", f"{WALL_FACTOR * limit}s"]
    text, stopped = call(command + options.arguments.split(), options.limit + 1, usage)
    answers = re.findall(r"^verdict: (true|false|unknown)(.*)$", text, re.M)
    if not answers:
        return "timeout" if stopped else "error"
    word, why = answers[-1]
    return word + why if word == "unknown" else word


def cbmc(task, options, usage):
    """Deeper and deeper with unwinding assertions, so `true` means complete unwinding."""
    if options.property != "unreach-call":
        return "unsupported"
    for depth in (1, 2, 3, 5, 8, 12, 20, 40, 80, 160, 320, 640):
        left = options.limit - usage.cpu
        if left < 0.1:
            return "timeout"
        text, stopped = call([os.environ.get("CBMC", "cbmc"), task, f"--{options.bits}", "--no-standard-checks",
                              "--unwinding-assertions", "--unwind", str(depth)], left, usage)
        if stopped:
            return "timeout"
        failed = [line.split("]")[0] for line in text.splitlines()
                  if line.startswith("[") and line.rstrip().endswith("FAILURE")]
        if any(".assertion." in name for name in failed):
            return "false"
        if "VERIFICATION SUCCESSFUL" in text:
            return "true"
        if "VERIFICATION FAILED" not in text:
            return "error"
    return "unknown"


def deagle(task, options, usage):
    """The wrapper it competes with; its `true` may rest on a bounded unwinding."""
    home = os.environ["DEAGLE_DIR"]
    place = tempfile.mkdtemp()
    try:
        for name in ("deagle", "deagle_exe"):
            os.symlink(os.path.join(home, name), os.path.join(place, name))
        text, stopped = call([sys.executable, "deagle", f"{options.property}.prp", os.path.abspath(task)],
                             options.limit, usage, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if stopped or usage.cpu > options.limit:
        return "timeout"
    last = text.strip().splitlines()[-1:] or [""]
    return {"FAILED": "false", "SUCCESSFUL": "true", "UNKNOWN": "unknown"}.get(last[0], "error")


def expected(task, wanted):
    found = re.search(rf"_(true|false)-{re.escape(wanted)}", os.path.basename(task))
    return found.group(1) if found else "?"


def family(task):
    return re.sub(r"-\d+", "", os.path.basename(task))


def run(options):
    tool = {"raddle": raddle, "cbmc": cbmc, "deagle": deagle}[options.tool]
    root = os.path.abspath(options.root)
    undecided = {}
    new = not os.path.exists(options.out) or os.path.getsize(options.out) == 0
    with open(options.out, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(COLUMNS)
        for task in options.files:
            usage = Usage()
            if options.give_up and undecided.get(family(task), 0) >= options.give_up:
                verdict = "skipped"
            else:
                verdict = tool(task, options, usage)
            if verdict in ("true", "false") and usage.cpu > options.limit + 1:
                verdict = "timeout"  # an answer, but too late
            if verdict not in ("true", "false"):
                undecided[family(task)] = undecided.get(family(task), 0) + 1
            row = [options.tool, options.mode, options.property, os.path.relpath(os.path.abspath(task), root),
                   expected(task, options.property), verdict, f"{usage.cpu:.3f}", f"{usage.wall:.3f}", usage.rss]
            writer.writerow(row)
            file.flush()
            wrong = verdict in ("true", "false") and row[4] in ("true", "false") and verdict != row[4]
            if wrong or verdict == "error":
                print("WRONG" if wrong else "ERROR", *row, flush=True)


def summarise(paths, limit):
    """One line for each tool, mode and directory, and one for each tool over everything."""
    groups = {}
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if row["verdict"] == "skipped":
                    continue
                name = (row["tool"], row["mode"])
                groups.setdefault((*name, os.path.dirname(row["file"]) or "."), []).append(row)
                groups.setdefault((*name, "all"), []).append(row)
    print(f"{'tool':8} {'mode':6} {'tasks':16} {'n':>4} {'ok':>4} {'true':>9} {'false':>9} {'wrong':>5} "
          f"{'error':>5} {'median s':>9} {'PAR-2 s':>8}")
    for (tool, mode, where), rows in sorted(groups.items()):
        good = [row for row in rows if row["verdict"] == row["expected"]]
        wrong = [row for row in rows if row not in good and row["verdict"] in ("true", "false")]
        count = {word: (sum(row["verdict"] == word for row in good), sum(row["expected"] == word for row in rows))
                 for word in ("true", "false")}
        par2 = sum(float(row["cpu_s"]) if row in good else 2 * limit for row in rows)
        median = statistics.median(float(row["cpu_s"]) for row in rows)
        errors = sum(row["verdict"] == "error" for row in rows)
        print(f"{tool:8} {mode:6} {where:16} {len(rows):4} {len(good):4} "
              f"{'%d/%d' % count['true']:>9} {'%d/%d' % count['false']:>9} {len(wrong):5} {errors:5} "
              f"{median:9.2f} {par2:8.0f}")
        if where == "all":
            for row in wrong:
                print("  WRONG", row["property"], row["file"], "is", row["expected"], "and not", row["verdict"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", nargs="?", choices=["raddle", "cbmc", "deagle"])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--out")
    parser.add_argument("--root", default=".")
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--mode", default="")
    parser.add_argument("--arguments", default="")
    parser.add_argument("--bits", type=int, choices=[32, 64], default=32)
    parser.add_argument("--give-up", type=int, default=0)
    parser.add_argument("--summary", nargs="+", metavar="CSV")
    options = parser.parse_intermixed_args()
    if options.summary:
        summarise(options.summary, options.limit)
    elif options.tool and options.out:
        run(options)
    else:
        parser.error("a tool and --out, or --summary")


if __name__ == "__main__":
    main()
