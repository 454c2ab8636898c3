//! malloc(0) gives a pointer that can be freed but holds no byte.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

static char *p;

int main(void) {
    volatile size_t none = 0;
    p = malloc(none);
    *p = 0; // violation: valid-memsafety
    free(p);
    return 0;
}
