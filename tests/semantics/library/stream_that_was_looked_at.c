//! A stream that is not null can be used; `fflush` takes a null pointer for all streams.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <stdio.h>

int main(void) {
    FILE *from = fopen("settings", "r");
    if (!from)
        return 0;
    if (!feof(from) && !ferror(from))
        fgetc(from);
    fclose(from);
    fflush(0);
    return 0;
}
