//! A freed object is invalid, also when a new object has its address.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

static int *p, *q;

int main(void) {
    p = malloc(sizeof *p);
    free(p);
    q = malloc(sizeof *q);
    *q = 1;
    *p = 2; // violation: valid-memsafety
    return 0;
}
