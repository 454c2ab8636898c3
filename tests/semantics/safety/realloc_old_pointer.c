//! After realloc the old pointer is invalid, wherever the object lies now.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

static int *p, *q;

int main(void) {
    p = malloc(sizeof *p);
    *p = 1;
    q = realloc(p, 2 * sizeof *q);
    return *p; // violation: valid-memsafety
}
