//! The variables of `main` are gone when exit handlers run after its return.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

static int *left;

static void handler(void) {
    *left = 1; // violation: valid-memsafety
}

int main(void) {
    int local;
    left = &local;
    atexit(handler);
    return 0;
}
