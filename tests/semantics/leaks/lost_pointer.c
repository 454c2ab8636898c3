//! An object that no root reaches at the end is a leak.
//! expect: valid-memsafety false(valid-memtrack)
#include <stdlib.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept); // violation: valid-memsafety
    kept = 0;
    return 0;
}
