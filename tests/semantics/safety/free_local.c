//! A local variable cannot be freed.
//! expect: valid-memsafety false(valid-free)
#include <stdlib.h>

int main(void) {
    int x = 0;
    int *volatile p = &x;
    free(p); // violation: valid-memsafety
    return x;
}
