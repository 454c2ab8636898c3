#!/usr/bin/env python3
"""Proofs for any number of threads: tasks of `pthread-ext` and `pthread-lit` on the refinement engine; each proof is checked again from its file.

Usage: any.py RADDLE SV-BENCHMARKS SECONDS > runs/refine_any.csv
SV-BENCHMARKS is the directory `c` of a checkout of symbooglix/sv-benchmarks. Seconds are processor time.
"""
import glob, os, resource, subprocess, sys, tempfile

raddle, base, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])


def cpu():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


print("program,expected,verdict,for any number,seconds,check-proof,seconds", flush=True)
for f in sorted(glob.glob(f"{base}/pthread-ext/*.i")) + sorted(glob.glob(f"{base}/pthread-lit/*.i")):
    with tempfile.TemporaryDirectory() as d:
        proof, before = os.path.join(d, "proof"), cpu()
        same = [f, "--property", "unreach-call", "--data-model", "ILP32", "--proof", proof]
        out = subprocess.run([raddle, "verify", "--engine", "refine", "--cpu-limit", f"{limit}s", "--timeout", f"{6 * limit}s"] + same,
                             capture_output=True, text=True).stdout
        seconds = cpu() - before
        verdict = ([l[9:] for l in out.splitlines() if l.startswith("verdict:")] or ["none"])[-1].replace(",", ";")
        crowd = "yes" if "for any number of threads" in out else "no"
        row = [os.path.basename(f), "true" if "_true-" in f else "false", verdict, crowd, f"{seconds:.2f}", "-", "-"]
        if verdict == "true":
            before = cpu()
            done = subprocess.run([raddle, "check-proof"] + same, capture_output=True)
            row[5:] = ["accepted" if done.returncode == 0 else "refused", f"{cpu() - before:.2f}"]
        print(",".join(row), flush=True)
