//! A stream is no block of `malloc`.
//! expect: valid-memsafety false(valid-free)
//! gcc: skip whether the file exists decides
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *from = fopen("settings", "r");
    if (!from)
        return 0;
    free(from); // violation: valid-free
    return 0;
}
