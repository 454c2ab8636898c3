//! Only the address that malloc returned can be freed.
//! expect: valid-memsafety false(valid-free)
#include <stdlib.h>

static char *p;

int main(void) {
    p = malloc(4);
    char *volatile q = p + 1;
    free(q); // violation: valid-memsafety
    return 0;
}
