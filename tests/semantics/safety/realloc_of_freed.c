//! `realloc` looks at the old block, so a freed one is an invalid access.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    free(p);
    p = realloc(p, 8); // violation: valid-memsafety
    free(p);
    return 0;
}
