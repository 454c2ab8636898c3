#!/usr/bin/env python3
"""Random litmus tests: processes whose instructions are drawn at random over shared and local variables.

`litmus.py PROCESSES SEED sat|unsat` prints a model. With `sat` the property asks for values that some execution of at most 18
steps has; with `unsat`, for values each of which occurs, but which never occurred together in 20000 random executions. The same
arguments give the same model.
"""
import random
import sys

SHARED = 6
INSTRUCTIONS = 5


def instruction(r):
    kind = r.randrange(4)
    s, t = r.randrange(SHARED), r.randrange(SHARED)
    c = r.randrange(1, 4)
    if kind == 0:
        return ("load", s)
    if kind == 1:
        return ("store", s, c)
    if kind == 2:
        return ("move", s, t, c)
    return ("element", s, t)


def text(op):
    name = op[0]
    if name == "load":
        return f"l = l + s{op[1]};"
    if name == "store":
        return f"s{op[1]} = l + {op[2]};"
    if name == "move":
        return f"s{op[1]} = s{op[2]} + {op[3]};"
    return f"a[s{op[1]} & 3] = s{op[2]} + l;"


def run(op, s, a, local):
    name = op[0]
    if name == "load":
        return (local + s[op[1]]) & 255
    if name == "store":
        s[op[1]] = (local + op[2]) & 255
    elif name == "move":
        s[op[1]] = (s[op[2]] + op[3]) & 255
    else:
        a[s[op[1]] & 3] = (s[op[2]] + local) & 255
    return local


def execute(r, programs, steps):
    s, a = [0] * SHARED, [0] * 4
    at, local = [0] * len(programs), [0] * len(programs)
    for _ in range(steps):
        ready = [p for p in range(len(programs)) if at[p] < len(programs[p])]
        if not ready:
            break
        p = r.choice(ready)
        local[p] = run(programs[p][at[p]], s, a, local[p])
        at[p] += 1
    return s + a


def main():
    processes, seed, mode = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    r = random.Random(seed * 1000 + processes)
    programs = [[instruction(r) for _ in range(INSTRUCTIONS)] for _ in range(processes)]
    names = [f"s{i}" for i in range(SHARED)] + [f"a[{i}]" for i in range(4)]
    runs = [execute(r, programs, r.randrange(10, 19)) for _ in range(4000 if mode == "sat" else 20000)]
    wanted = None
    while wanted is None:
        asked = r.sample(range(len(names)), 3)
        seen = {}
        for values in runs:
            key = tuple(values[i] for i in asked)
            seen[key] = seen.get(key, 0) + 1
        if mode == "sat":
            # A rare one.
            wanted = min(sorted(seen), key=lambda k: seen[k])
        else:
            values = [sorted({k[j] for k in seen}) for j in range(3)]
            tries = (tuple(r.choice(v) for v in values) for _ in range(100))
            wanted = next((t for t in tries if t not in seen), None)
    print(f"// Random litmus test: {processes} processes, seed {seed}, {mode}.")
    print("uint<8> " + ", ".join(f"s{i}" for i in range(SHARED)) + ";")
    print("uint<8> a[4];")
    condition = " && ".join(f"{names[i]} == {v}" for i, v in zip(asked, wanted))
    print(f"property values: never {condition};")
    for p, program in enumerate(programs):
        print(f"process p{p} {{")
        print("    local uint<8> l;")
        for op in program:
            print(f"    {text(op)}")
        print("}")


main()
