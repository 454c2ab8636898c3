#!/usr/bin/env python3
"""Programs with n equal threads, to measure partial-order reduction: independent ones, and ones with a common lock.

Usage: threads.py independent|locked N > FILE
"""
import sys

kind, n = sys.argv[1], int(sys.argv[2])
print("#include <assert.h>\n#include <pthread.h>\n")
if kind == "independent":
    for i in range(n):
        print(f"_Atomic int x{i};")
        print(f"void *thread{i}(void *arg) {{")
        print(f"    x{i} = 1; x{i} = x{i} + 1; x{i} = x{i} + 1;")
        print(f"    assert(x{i} == 3);\n    return arg;\n}}")
else:
    print("pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nint sum;")
    for i in range(n):
        print(f"void *thread{i}(void *arg) {{")
        print("    pthread_mutex_lock(&lock);\n    int before = sum;\n    sum = before + 1;")
        print("    assert(sum == before + 1);\n    sum = before;\n    pthread_mutex_unlock(&lock);")
        print("    return arg;\n}")
print("int main(void) {")
print("    pthread_t " + ", ".join(f"t{i}" for i in range(n)) + ";")
for i in range(n):
    print(f"    pthread_create(&t{i}, 0, thread{i}, 0);")
for i in range(n):
    print(f"    pthread_join(t{i}, 0);")
print("    return 0;\n}")
