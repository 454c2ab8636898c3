//! At the return from main its locals are no longer roots.
//! expect: valid-memsafety false(valid-memtrack)
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p); // violation: valid-memsafety
    *p = 1;
    return *p - 1;
}
