//! A write one element past a heap object is an invalid access.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

static int *p;

int main(void) {
    volatile int i = 2;
    p = malloc(2 * sizeof *p);
    p[i] = 0; // violation: valid-memsafety
    free(p);
    return 0;
}
