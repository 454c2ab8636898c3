//! A stream that was closed cannot be closed again.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip whether the file exists decides
#include <stdio.h>

int main(void) {
    FILE *from = fopen("settings", "r");
    if (!from)
        return 0;
    fclose(from);
    fclose(from); // violation: valid-deref
    return 0;
}
