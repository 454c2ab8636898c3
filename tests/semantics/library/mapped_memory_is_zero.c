//! Anonymous memory is zero.
//! expect: unreach-call true
//! expect: valid-memsafety true
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

int main(void) {
    int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    assert(p[1023] == 0);
    p[1023] = 1;
    return 0;
}
