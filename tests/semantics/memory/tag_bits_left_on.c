//! A tagged pointer used as it is points one byte on, past the end of its object.
//! expect: valid-memsafety false(valid-deref)
#include <stdint.h>
#include <stdlib.h>

static int *p;

int main(void) {
    p = malloc(sizeof *p);
    *p = 0;
    uintptr_t word = (uintptr_t)p | 1;
    return *(int *)word; // violation: valid-memsafety
}
