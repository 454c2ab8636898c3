#!/usr/bin/env python3
"""The `true` tasks of three families on the refinement engine; each proof is written to a file and checked again from there; where it
does not know, the staged engine is asked, unless STAGED is 0.

Usage: true.py RADDLE SV-BENCHMARKS SECONDS STAGED > runs/refine_true.csv
SV-BENCHMARKS is the directory `c` of a checkout of symbooglix/sv-benchmarks. Seconds are processor time.
"""
import glob, os, resource, subprocess, sys, tempfile

raddle, base, limit, staged = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def cpu():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def ask(args):
    before = cpu()
    out = subprocess.run([raddle] + args, capture_output=True, text=True).stdout
    last = [l for l in out.splitlines() if l.startswith("verdict:")]
    answer = last[-1][9:] if last else "none"
    return answer.replace(",", ";"), cpu() - before, out


def verify(engine, file, more=[], limit=limit):
    return ask(["verify", file, "--property", "unreach-call", "--data-model", "ILP32", "--engine", engine,
                "--cpu-limit", f"{limit}s", "--timeout", f"{3 * limit}s"] + more)


print("program,refine,seconds,check-proof,seconds,staged,seconds", flush=True)
files = []
for family in ("pthread-atomic", "pthread-lit", "pthread"):
    files += sorted(glob.glob(f"{base}/{family}/*_true-unreach-call*.i"))
for f in files:
    with tempfile.TemporaryDirectory() as d:
        proof = os.path.join(d, "proof")
        answer, seconds, _ = verify("refine", f, ["--proof", proof])
        row = [f"{os.path.basename(os.path.dirname(f))}/{os.path.basename(f)}", answer, f"{seconds:.2f}"]
        if answer == "true":
            before = cpu()
            done = subprocess.run([raddle, "check-proof", f, "--proof", proof, "--data-model", "ILP32", "--property", "unreach-call"], capture_output=True, text=True)
            row += ["accepted" if done.returncode == 0 else "refused", f"{cpu() - before:.2f}", "-", "-"]
        elif staged == 0:
            row += ["-", "-", "not asked", "-"]
        else:
            answer, seconds, _ = verify("staged", f, limit=staged)
            row += ["-", "-", answer, f"{seconds:.2f}"]
        print(",".join(row), flush=True)
