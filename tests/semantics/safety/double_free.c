//! Freeing twice is an invalid free.
//! expect: valid-memsafety false(valid-free)
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p), *volatile same = p;
    free(p);
    free(same); // violation: valid-memsafety
    return 0;
}
