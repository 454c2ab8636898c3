//! What is computed from the address of a freed object may be what is computed from that of a new one.
//! expect: unreach-call false
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    uintptr_t before = (uintptr_t)p / 16;
    free(p);
    int *q = malloc(sizeof *q);
    uintptr_t after = (uintptr_t)q / 16;
    free(q);
    assert(before != after); // violation: unreach-call
    return 0;
}
