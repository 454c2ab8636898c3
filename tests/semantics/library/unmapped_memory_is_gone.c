//! Unmapped memory cannot be used.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip crashes
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void) {
    int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    munmap(p, 4096);
    p[3] = 1; // violation: valid-memsafety
    return 0;
}
