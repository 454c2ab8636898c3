//! A global variable cannot be freed.
//! expect: valid-memsafety false(valid-free)
#include <stdlib.h>

static int x;

int main(void) {
    int *volatile p = &x;
    free(p); // violation: valid-memsafety
    return 0;
}
