//! A stream that was closed cannot be written, although another one is open.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip whether the files can be made decides
#include <stdio.h>

int main(void) {
    FILE *first = fopen("first", "w");
    FILE *second = fopen("second", "w");
    if (!first || !second)
        return 0;
    fclose(first);
    fputs("text", first); // violation: valid-deref
    fclose(second);
    return 0;
}
