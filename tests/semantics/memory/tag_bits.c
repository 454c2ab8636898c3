//! The low bits of an aligned address are zero, can carry a tag, and come off again.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 5;
    uintptr_t word = (uintptr_t)p;
    assert((word & 7) == 0);
    word |= 1;
    assert((word & 1) && *(int *)(word & ~(uintptr_t)1) == 5);
    free((int *)(word - 1));
    return 0;
}
