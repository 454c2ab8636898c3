#!/usr/bin/env python3
"""Truncated and byte-flipped versions of the examples, deep nesting, an empty file, a directory, a binary, a missing
include: `raddle ir` must accept (exit 0) or refuse with a message (exit 64 or 65), quickly and within 1 GB.

Usage: tests/scripts/bad-input.py RADDLE [COUNT [SEED]]
"""
import glob, os, random, resource, subprocess, sys, tempfile

def run(raddle, path):
    p = subprocess.Popen([raddle, "ir", "--check", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, err = p.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        p.kill()
        return "hang", b""
    return p.returncode, err

def main():
    raddle, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    root = os.path.join(os.path.dirname(__file__), "../..")
    texts = [open(f, "rb").read() for f in sorted(glob.glob(os.path.join(root, "examples/*.c")))]
    bad, codes = [], {}
    with tempfile.TemporaryDirectory() as work:
        def try_text(name, text):
            path = os.path.join(work, name)
            with open(path, "wb") as f:
                f.write(text)
            check(path)
        def check(path):
            code, err = run(raddle, path)
            codes[code] = codes.get(code, 0) + 1
            if code not in (0, 64, 65) or (code != 0 and not err) or b"panicked" in err:
                keep = tempfile.NamedTemporaryFile(delete=False, suffix=".c")
                if os.path.isfile(path):
                    keep.write(open(path, "rb").read())
                bad.append((keep.name, code, err[:200]))
        for i in range(count):
            text = bytearray(random.choice(texts))
            if i % 2:
                del text[random.randrange(len(text)):]
            else:
                for _ in range(random.randrange(1, 6)):
                    text[random.randrange(len(text))] = random.randrange(256)
            try_text("program.c", bytes(text))
        deep = 100_000
        try_text("parens.i", b"int main(void) { return " + b"(" * deep + b"1" + b")" * deep + b"; }\n")
        try_text("braces.i", b"int main(void) " + b"{" * deep + b"}" * deep + b"\n")
        try_text("stars.i", b"int " + b"*" * deep + b"p; int main(void) { return 0; }\n")
        try_text("empty.c", b"")
        try_text("binary.c", bytes(random.randrange(256) for _ in range(100_000)))
        try_text("include.c", b"#include <no/such/file.h>\nint main(void) { return 0; }\n")
        check(work)
        check(os.path.join(work, "missing.c"))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"exit codes {codes}; largest process {peak} MB; {len(bad)} bad")
    for b in bad:
        print(*b)
    sys.exit(1 if bad or peak > 1024 else 0)

main()
